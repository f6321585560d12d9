defmodule Svc.MCP do
  @moduledoc """
  A resource server of the Model Context Protocol, or any other that tells clients where to get a token: metadata
  (RFC 9728) and challenges (RFC 6750 §3, RFC 9728 §5.1).
  """

  @doc """
  The metadata document. Options: `:resource` and `:authorization_servers` (required), `:scopes`, `:name`,
  `:documentation`, `:dpop` (`:required` says so).
  """
  @spec metadata(keyword()) :: map()
  def metadata(opts) do
    more = [
      # A list without elements is left out (RFC 9728 §3.2).
      scopes_supported: if(opts[:scopes] != [], do: opts[:scopes]),
      resource_name: opts[:name],
      resource_documentation: opts[:documentation],
      dpop_bound_access_tokens_required: if(opts[:dpop] == :required, do: true)
    ]

    for {name, value} <- more, value != nil, into: base(opts), do: {to_string(name), value}
  end

  defp base(opts) do
    %{
      "resource" => Keyword.fetch!(opts, :resource),
      "authorization_servers" => Keyword.fetch!(opts, :authorization_servers),
      "bearer_methods_supported" => ["header"],
      "dpop_signing_alg_values_supported" => Svc.DPoP.algorithms()
    }
  end

  @doc """
  Where the metadata of a resource is (RFC 9728 §3.1): the well-known path goes between host and path.

      iex> Svc.MCP.metadata_url("https://tools.example/mcp")
      "https://tools.example/.well-known/oauth-protected-resource/mcp"
  """
  @spec metadata_url(String.t()) :: String.t()
  def metadata_url(resource) do
    uri = URI.parse(resource)
    path = if uri.path in [nil, "/"], do: "", else: uri.path
    URI.to_string(%{uri | path: "/.well-known/oauth-protected-resource" <> path})
  end

  @doc """
  The value of `WWW-Authenticate` for an error of `Svc.AccessToken`. Options: `:resource` (adds `resource_metadata`),
  `:scope`, `:scheme` (`"Bearer"`).

      iex> error = Svc.Error.new("insufficient_scope", "the scope notes:write is required", status: 403)
      iex> Svc.MCP.challenge(error, resource: "https://tools.example/mcp", scope: "notes:write")
      ~s(Bearer error="insufficient_scope", error_description="the scope notes:write is required", ) <>
        ~s(scope="notes:write", resource_metadata="https://tools.example/.well-known/oauth-protected-resource/mcp")
  """
  @spec challenge(Svc.Error.t(), keyword()) :: String.t()
  def challenge(error, opts \\ []) do
    # RFC 6750 §3.1: a request without any token is told nothing but where to get one.
    told =
      if error.code == "missing_token", do: [], else: [error: error.code, error_description: error.message]

    scheme = scheme(error, opts)
    algorithms = if scheme == "DPoP", do: [algs: Enum.join(Svc.DPoP.algorithms(), " ")], else: []
    where = if resource = opts[:resource], do: [resource_metadata: metadata_url(resource)], else: []
    parameters = told ++ [scope: opts[:scope]] ++ algorithms ++ where

    [
      scheme,
      for({name, value} <- parameters, value not in [nil, ""], do: ~s(#{name}="#{quoted(value)}"))
      |> Enum.join(", ")
    ]
    |> Enum.reject(&(&1 == ""))
    |> Enum.join(" ")
  end

  defp scheme(%{code: "invalid_dpop_proof"}, _), do: "DPoP"

  defp scheme(_, opts),
    do: if(opts[:dpop] == :required, do: "DPoP", else: Keyword.get(opts, :scheme, "Bearer"))

  defp quoted(value), do: value |> String.replace(~r/[^\x20-\x7e]/, " ") |> String.replace(~r/["\\]/, "'")
end
