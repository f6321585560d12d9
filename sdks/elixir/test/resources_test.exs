defmodule Svc.ResourcesTest do
  @moduledoc "The package against `docs/openapi.json`: the paths that it names, and where it trusts the server to know repetitions."
  use ExUnit.Case, async: true

  alias Svc.{Management, Resources, World}

  defp paths do
    file = Path.join([__DIR__, "..", "..", "..", "docs", "openapi.json"])
    {:ok, document} = file |> File.read!() |> Svc.JSON.decode(max_bytes: 16_777_216)
    document["paths"]
  end

  # A template without the names of its parameters.
  defp plain(template), do: String.replace(template, ~r/\{[^}]*\}/, "x")

  test "every named path is in the OpenAPI document" do
    known = paths() |> Map.keys() |> Enum.map(&plain/1)
    named = Resources.__info__(:functions)

    for {name, arity} <- named do
      path = apply(Resources, name, List.duplicate("x", arity))
      assert path in known, "#{name}: there is no #{path}"
    end

    assert length(named) > 50
    assert_raise ArgumentError, fn -> Resources.organization_members("..") end
  end

  test "the server knows repetitions where this package trusts it to" do
    lost = World.json(502, %{})

    for {path, operations} <- paths(), {method, operation} <- operations, method in ["post", "patch"] do
      takes_key? = Enum.any?(operation["parameters"] || [], &(&1["name"] == "idempotency-key"))
      http = World.answers([lost, World.json(200, %{})])
      api = Management.new(issuer: World.issuer(), token: "tok", http: http, sleep: fn _ -> :ok end)
      outcome = Management.request(api, String.to_existing_atom(method), plain(path))
      assert elem(outcome, 0) == if(takes_key?, do: :ok, else: :error), "#{method} #{path}"
    end
  end
end
