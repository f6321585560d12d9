defmodule Svc.Server do
  @moduledoc "A socket that answers each connection by a function of the socket: what no fake of a sender can show."

  def start(answer, ip \\ {127, 0, 0, 1}, name \\ "127.0.0.1") do
    family = if tuple_size(ip) == 8, do: :inet6, else: :inet
    {:ok, listener} = :gen_tcp.listen(0, [family, :binary, active: false, reuseaddr: true, ip: ip])
    {:ok, port} = :inet.port(listener)
    spawn_link(fn -> accept(listener, answer) end)
    "http://#{name}:#{port}"
  end

  defp accept(listener, answer) do
    {:ok, socket} = :gen_tcp.accept(listener)

    spawn(fn ->
      {:ok, request} = :gen_tcp.recv(socket, 0)
      answer.(socket, request)
      :gen_tcp.close(socket)
    end)

    accept(listener, answer)
  end
end
