defmodule Svc.MCP.Plug do
  @moduledoc """
  A plug that answers with the metadata document of a resource (RFC 9728), to every caller and origin, at the path that
  `Svc.MCP.metadata_url/1` gives. Every other request goes on. It stands before the plugs that ask for a token.

      plug Svc.MCP.Plug, resource: "https://tools.example/mcp", authorization_servers: ["https://id.example"]

  Options are those of `Svc.MCP.metadata/1`.
  """

  @compile {:no_warn_undefined, Plug.Conn}

  @doc false
  def init(opts) do
    {URI.parse(Svc.MCP.metadata_url(opts[:resource])).path, Svc.JSON.encode(Svc.MCP.metadata(opts))}
  end

  @doc false
  def call(%{method: method, request_path: path} = conn, {path, document}) when method in ["GET", "HEAD"] do
    conn
    |> Plug.Conn.put_resp_header("content-type", "application/json")
    |> Plug.Conn.put_resp_header("access-control-allow-origin", "*")
    |> Plug.Conn.put_resp_header("cache-control", "public, max-age=300")
    |> Plug.Conn.send_resp(200, document)
    |> Plug.Conn.halt()
  end

  def call(conn, _), do: conn
end
