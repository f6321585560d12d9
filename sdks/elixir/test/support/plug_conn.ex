defmodule Plug.Conn do
  @moduledoc "A stand-in of Plug's connection, of the functions that `Svc.Plug` calls: Debian has no package of Plug."

  defstruct method: "GET",
            scheme: :https,
            host: "api.example",
            port: 443,
            request_path: "/",
            req_headers: [],
            resp_headers: [],
            status: nil,
            resp_body: nil,
            halted: false,
            assigns: %{}

  def assign(conn, name, value), do: %{conn | assigns: Map.put(conn.assigns, name, value)}

  def put_resp_header(conn, name, value) do
    if value =~ ~r/[\r\n]/, do: raise(ArgumentError, "a line break in a header")
    %{conn | resp_headers: List.keystore(conn.resp_headers, name, 0, {name, value})}
  end

  def send_resp(conn, status, body) when is_integer(status), do: %{conn | status: status, resp_body: body}
  def halt(conn), do: %{conn | halted: true}
end
