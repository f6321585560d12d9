defmodule Svc.Plug do
  @moduledoc """
  A plug that lets through requests with an access token by the ten rules, and gives their claims as
  `conn.assigns.svc_claims`.

      plug Svc.Plug, verifier: &MyApp.Auth.verifier/0, tenant_id: &MyApp.Auth.tenant/1, scope: "notes:read"

  Options: `:verifier` (a `Svc.Verifier` or a function that gives it), `:tenant_id` (a text, or a function from the
  connection to the tenant that owns the resource), those of `Svc.AccessToken.verify/3`, `:origin` (where callers see
  the API, such as `"https://api.example"`), `:resource` (names the metadata document in challenges).

  Proofs are held against the origin and the path, since the host of a connection is what its caller says. Without an
  origin they are refused. Instead of it, `:url` is a function from the connection to the whole address.

  This package does not depend on Plug: the module is there always and calls `Plug.Conn` when a request comes.
  """

  @compile {:no_warn_undefined, Plug.Conn}

  alias Svc.{AccessToken, Error, MCP}

  @doc false
  def init(opts) do
    for name <- [:verifier, :tenant_id], do: Keyword.fetch!(opts, name)

    if opts[:dpop] == :required and opts[:origin] == nil and opts[:url] == nil do
      raise ArgumentError,
            ":origin is missing: proofs are held against it; set it to where callers see the API, such as \"https://api.example\""
    end

    unless opts[:origin] == nil or address?(opts[:origin]),
      do: raise(ArgumentError, ":origin is no address such as \"https://api.example\"")

    opts
  end

  defp address?(origin) do
    match?(
      {:ok, %URI{scheme: scheme, host: <<_, _::binary>>}} when scheme in ["http", "https"],
      URI.new(origin)
    )
  end

  @doc false
  def call(conn, opts) do
    case verify(conn, opts) do
      {:ok, claims} -> Plug.Conn.assign(conn, :svc_claims, claims)
      {:error, error} -> refuse(conn, error, opts)
    end
  end

  @doc "The same judgement as a value, for actions that need more than one answer."
  @spec verify(struct(), keyword()) :: {:ok, map()} | {:error, Error.t()}
  def verify(conn, opts) do
    request = %{method: conn.method, url: address(opts[:url], opts[:origin], conn), headers: conn.req_headers}

    AccessToken.verify(
      request,
      verifier(opts[:verifier]),
      Keyword.put(opts, :tenant_id, tenant(opts[:tenant_id], conn))
    )
  end

  defp verifier(give) when is_function(give, 0), do: give.()
  defp verifier(verifier), do: verifier

  # A connection that leads to no tenant owns nothing: no token fits it.
  defp tenant(find, conn) when is_function(find, 1), do: find.(conn)
  defp tenant(id, _), do: id

  @doc "Answers an error: status, challenge and a problem document. The connection is halted."
  @spec refuse(struct(), Error.t(), keyword()) :: struct()
  def refuse(conn, %Error{} = error, opts \\ []) do
    conn
    |> challenged(error, opts)
    |> Plug.Conn.put_resp_header("content-type", "application/problem+json")
    |> Plug.Conn.put_resp_header("cache-control", "no-store")
    |> Plug.Conn.send_resp(error.status, problem(error))
    |> Plug.Conn.halt()
  end

  # RFC 6750 §3.1 has no code for what another token of the same scope would not change: a tenant, a kind of caller, an actor.
  defp challenged(conn, %Error{status: status, code: code} = error, opts)
       when status == 401 or code == "insufficient_scope" do
    scheme = if Enum.any?(conn.req_headers, &dpop?/1), do: "DPoP", else: "Bearer"
    challenge = MCP.challenge(error, Keyword.put_new(opts, :scheme, scheme))
    Plug.Conn.put_resp_header(conn, "www-authenticate", challenge)
  end

  defp challenged(conn, _, _), do: conn

  # RFC 9449 §7.1: the challenge is of the scheme that was used.
  defp dpop?({name, value}), do: name == "authorization" and value =~ ~r/\Adpop( |\z)/i

  defp problem(error) do
    Svc.JSON.encode(%{
      "type" => "about:blank",
      "title" => title(error.status),
      "status" => error.status,
      "detail" => error.message,
      "error" => error.code,
      "error_description" => error.message
    })
  end

  defp title(401), do: "Unauthorized"
  defp title(403), do: "Forbidden"
  defp title(_), do: "Service Unavailable"

  defp address(nil, nil, _), do: nil
  defp address(nil, origin, conn), do: String.trim_trailing(origin, "/") <> conn.request_path
  defp address(url, _, conn), do: url.(conn)
end
