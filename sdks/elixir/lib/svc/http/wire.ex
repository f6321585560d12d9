defmodule Svc.HTTP.Wire do
  @moduledoc false
  # One request on a connection of its own (RFC 9112). `:httpc` would send again by itself what is answered with 503 and
  # `Retry-After`, also what must not be sent twice, and would keep that answer to itself.

  @longest_head 65_536
  @longest_line 1024

  @type failure :: :timeout | :too_large | :unreachable

  @doc false
  @spec exchange(URI.t(), iodata(), keyword(), integer(), pos_integer()) ::
          {:ok, pos_integer(), [{String.t(), String.t()}], binary()} | {:error, failure()}
  def exchange(uri, request, tls, deadline, max) do
    with {:ok, socket} <- connect(uri, tls, deadline) do
      try do
        # A server may refuse what it has not read to its end: its answer counts all the same.
        _ = send_all(socket, request)
        answer(%{socket: socket, deadline: deadline, max: max}, "")
      after
        close(socket)
      end
    end
  end

  defp connect(%URI{scheme: scheme, host: host, port: port}, tls, deadline) do
    {address, families} = address(host)
    opening(families, fn family -> open(scheme, address, port, [family | tls], left(deadline)) end)
  end

  # A name that has no address of one family, or one at which no one listens, may have another.
  defp opening([family | others], open) do
    case open.(family) do
      {:error, reason} when is_atom(reason) and reason != :timeout and others != [] -> opening(others, open)
      outcome -> opened(outcome)
    end
  end

  defp open(scheme, address, port, more, left) do
    own = [:binary, active: false, packet: :raw, nodelay: true, send_timeout: max(left, 1)]
    module = if scheme == "https", do: :ssl, else: :gen_tcp
    with {:ok, socket} <- module.connect(address, port, more ++ own, left), do: {:ok, {module, socket}}
  end

  defp address(host) do
    name = to_charlist(host)

    case :inet.parse_address(name) do
      {:ok, literal} when tuple_size(literal) == 8 -> {literal, [:inet6]}
      {:ok, _} -> {name, [:inet]}
      _ -> {name, [:inet, :inet6]}
    end
  end

  defp opened({:ok, socket}), do: {:ok, socket}
  defp opened({:error, :timeout}), do: {:error, :timeout}
  defp opened({:error, _}), do: {:error, :unreachable}

  defp send_all({module, socket}, data), do: module.send(socket, data)
  defp close({module, socket}), do: module.close(socket)

  defp more(%{socket: {module, socket}, deadline: deadline}) do
    case module.recv(socket, 0, left(deadline)) do
      {:ok, data} -> {:ok, data}
      {:error, :closed} -> :closed
      {:error, :timeout} -> {:error, :timeout}
      {:error, _} -> {:error, :unreachable}
    end
  end

  defp left(deadline), do: max(deadline - System.monotonic_time(:millisecond), 0)

  defp answer(read, buffer) do
    case head(buffer) do
      {:ok, status, _, rest} when status in 100..199 ->
        answer(read, rest)

      {:ok, status, headers, rest} ->
        with {:ok, body} <- body(read, status, headers, rest), do: {:ok, status, headers, body}

      :more when byte_size(buffer) <= @longest_head ->
        with {:ok, data} <- arrived(read), do: answer(read, buffer <> data)

      _ ->
        {:error, :unreachable}
    end
  end

  # More has to come: the end is a fault.
  defp arrived(read) do
    with :closed <- more(read), do: {:error, :unreachable}
  end

  defp head(buffer) do
    case :erlang.decode_packet(:http_bin, buffer, []) do
      {:ok, {:http_response, _, status, _}, rest} -> headers(rest, status, [])
      {:more, _} -> :more
      _ -> :error
    end
  end

  defp headers(buffer, status, headers) do
    case :erlang.decode_packet(:httph_bin, buffer, []) do
      {:ok, {:http_header, _, name, _, value}, rest} ->
        headers(rest, status, [{name |> to_string() |> String.downcase(), value} | headers])

      {:ok, :http_eoh, rest} ->
        {:ok, status, Enum.reverse(headers), rest}

      {:more, _} ->
        :more

      _ ->
        :error
    end
  end

  defp body(_, status, _, _) when status in [204, 304], do: {:ok, ""}

  defp body(read, _, headers, rest) do
    coding = for {"transfer-encoding", value} <- headers, do: String.downcase(value)
    lengths = for {"content-length", value} <- headers, uniq: true, do: Integer.parse(value)

    case {coding, lengths} do
      {["chunked"], _} -> chunks(read, rest, [], 0)
      {[], [{length, ""}]} when length >= 0 -> exactly(read, [rest], byte_size(rest), length)
      {[], []} -> to_end(read, [rest], byte_size(rest))
      _ -> {:error, :unreachable}
    end
  end

  defp exactly(%{max: max}, _, _, length) when length > max, do: {:error, :too_large}

  defp exactly(_, parts, size, length) when size >= length,
    do: {:ok, parts |> IO.iodata_to_binary() |> binary_part(0, length)}

  defp exactly(read, parts, size, length) do
    with {:ok, data} <- arrived(read), do: exactly(read, [parts, data], size + byte_size(data), length)
  end

  defp to_end(%{max: max}, _, size) when size > max, do: {:error, :too_large}

  defp to_end(read, parts, size) do
    case more(read) do
      {:ok, data} -> to_end(read, [parts, data], size + byte_size(data))
      :closed -> {:ok, IO.iodata_to_binary(parts)}
      error -> error
    end
  end

  # Trailers are not read: the connection ends with the last chunk.
  defp chunks(read, buffer, parts, size) do
    case :binary.split(buffer, "\r\n") do
      [line, rest] ->
        case line |> String.split(";") |> hd() |> String.trim() |> Integer.parse(16) do
          {0, ""} -> {:ok, IO.iodata_to_binary(parts)}
          {length, ""} when length > 0 -> chunk(read, rest, parts, size + length, length)
          _ -> {:error, :unreachable}
        end

      [_] when byte_size(buffer) <= @longest_line ->
        with {:ok, data} <- arrived(read), do: chunks(read, buffer <> data, parts, size)

      _ ->
        {:error, :unreachable}
    end
  end

  defp chunk(%{max: max}, _, _, size, _) when size > max, do: {:error, :too_large}

  defp chunk(read, buffer, parts, size, length) do
    case filled(read, [buffer], byte_size(buffer), length + 2) do
      {:ok, <<part::binary-size(length), "\r\n", rest::binary>>} -> chunks(read, rest, [parts, part], size)
      {:ok, _} -> {:error, :unreachable}
      error -> error
    end
  end

  defp filled(_, parts, size, wanted) when size >= wanted, do: {:ok, IO.iodata_to_binary(parts)}

  defp filled(read, parts, size, wanted) do
    with {:ok, data} <- arrived(read), do: filled(read, [parts, data], size + byte_size(data), wanted)
  end
end
