defmodule Svc.ReferenceTest do
  @moduledoc "docs/reference/packages/elixir.md is made from the package's documentation; SVC_REWRITE_DOCS=1 writes it."
  use ExUnit.Case, async: true

  @page Path.expand("../../../docs/reference/packages/elixir.md", __DIR__)
  @lib Path.expand("../lib", __DIR__)

  test "the reference is what the documentation of the modules says" do
    page = page()
    if System.get_env("SVC_REWRITE_DOCS"), do: File.write!(@page, page)
    assert File.read!(@page) == page, "SVC_REWRITE_DOCS=1 mix test test/reference_test.exs writes it"
  end

  defp page do
    {:ok, all} = :application.get_key(:svc, :modules)

    modules =
      for module <- Enum.sort(all),
          String.starts_with?(to_string(module.module_info(:compile)[:source]), @lib),
          {:docs_v1, _, :elixir, _, doc, _, entries} = Code.fetch_docs(module),
          is_map(doc),
          do: module(module, doc, entries)

    Enum.join(
      [
        "# svc for Elixir",
        "Every module, type and function of the package, made from its documentation. [How it is used](../../packages/elixir.md)."
        | modules
      ],
      "\n\n"
    ) <> "\n"
  end

  defp module(module, doc, entries) do
    types = kept(module, Code.Typespec.fetch_types(module))
    specs = Map.new(kept(module, Code.Typespec.fetch_specs(module)))
    callbacks = Map.new(kept(module, Code.Typespec.fetch_callbacks(module)))

    typed =
      for {kind, {name, _, arguments} = type} when kind in [:type, :opaque] <- types,
          do: {{name, length(arguments)}, "@#{kind} " <> shown(Code.Typespec.type_to_quoted(type))}

    types = Map.new(typed)

    parts =
      for {{kind, name, arity}, _, signature, said, _} <- Enum.sort(entries), said != :hidden do
        code =
          case kind do
            :type -> [types[{name, arity}]]
            :callback -> written("@callback", name, callbacks[{name, arity}])
            _ -> signature ++ written("@spec", name, specs[{name, arity}])
          end

        Enum.join(
          ["### #{name}/#{arity}"] ++ text(said) ++ ["```elixir\n#{Enum.join(code, "\n")}\n```"],
          "\n\n"
        )
      end

    Enum.join(["## #{inspect(module)}"] ++ text(doc) ++ parts, "\n\n")
  end

  defp kept(_, {:ok, all}), do: all
  defp kept(module, :error), do: flunk("#{inspect(module)} was compiled without its types")

  defp written(_, _, nil), do: []

  defp written(kind, name, all),
    do: for(one <- all, do: "#{kind} " <> shown(Code.Typespec.spec_to_quoted(name, one)))

  defp shown(quoted), do: quoted |> Macro.to_string() |> String.trim()

  # Headings of a comment stand below that of what it is about.
  defp text(%{"en" => text}), do: [text |> String.trim() |> String.replace(~r/^#+ /m, "#### ")]
  defp text(_), do: []
end
