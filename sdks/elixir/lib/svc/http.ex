defmodule Svc.HTTP do
  @moduledoc """
  HTTPS by `:httpc`: certificates and names are checked, redirects are not followed, body and time are bounded.

  Plain http goes to this machine only. A body of status 200 is read piece by piece and given up when it grows past
  `:max_bytes`; `:httpc` hands other answers over whole, so that time alone bounds them on the way, and they are
  refused when they have arrived too large.
  """

  @type request :: %{
          required(:method) => :get | :post | :put | :patch | :delete,
          required(:url) => String.t(),
          optional(:headers) => [{String.t(), String.t()}],
          optional(:body) => binary() | nil,
          optional(:content_type) => String.t(),
          optional(:max_bytes) => pos_integer(),
          optional(:timeout) => pos_integer()
        }
  @type response :: %{status: pos_integer(), headers: [{String.t(), String.t()}], body: binary()}
  @typedoc "What sends a request: `&Svc.HTTP.request/1`, or another of the same shape (proxies, pools, tests)."
  @type sender :: (request() -> {:ok, response()} | {:error, Svc.Error.t()})

  @max_bytes 1_048_576
  @timeout 10_000
  @bodyless [:get, :delete]

  @doc "Sends one request, once."
  @spec request(request()) :: {:ok, response()} | {:error, Svc.Error.t()}
  def request(request) do
    with {:ok, request} <- checked(request) do
      # A process of its own: what arrives late lands in no mailbox of the caller.
      task = Task.async(fn -> send_one(request) end)
      Task.await(task, :infinity)
    end
  end

  @doc "The first value of a header, found whatever its case."
  @spec header(%{headers: [{String.t(), String.t()}]}, String.t()) :: String.t() | nil
  def header(%{headers: headers}, name) do
    Enum.find_value(headers, fn {key, value} -> if String.downcase(key) == name, do: value end)
  end

  @doc "The seconds of `Retry-After` (RFC 9110 §10.2.3), be they a number or a date."
  @spec retry_after(response(), integer()) :: non_neg_integer() | nil
  def retry_after(response, now \\ System.os_time(:second)) do
    value = header(response, "retry-after") || ""

    case Integer.parse(value) do
      {seconds, ""} when seconds >= 0 -> seconds
      _ -> http_date(value, now)
    end
  end

  @doc "Whether secrets may travel to this address: https, or http on this machine."
  @spec safe_url?(term()) :: boolean()
  def safe_url?(url) when is_binary(url) do
    case URI.new(url) do
      {:ok, %URI{userinfo: info}} when not is_nil(info) -> false
      {:ok, %URI{scheme: "https", host: host}} when host not in [nil, ""] -> true
      {:ok, %URI{scheme: "http", host: host}} -> loopback?(host)
      _ -> false
    end
  end

  def safe_url?(_), do: false

  defp loopback?(host) when is_binary(host) do
    host in ["localhost", "127.0.0.1", "::1"] or String.ends_with?(host, ".localhost")
  end

  defp loopback?(_), do: false

  defp checked(request) do
    headers = Map.get(request, :headers, [])

    cond do
      not safe_url?(request.url) ->
        {:error, Svc.Error.new("insecure_url", "the address is neither https nor on this machine")}

      Enum.any?(headers, fn {name, value} -> name <> value =~ ~r/[^\x20-\x7e]/ end) ->
        {:error, Svc.Error.new("bad_request", "a header has a character that headers do not have")}

      true ->
        {:ok, request}
    end
  end

  defp send_one(request) do
    timeout = Map.get(request, :timeout, @timeout)
    options = [timeout: timeout, connect_timeout: timeout, autoredirect: false] ++ tls(request.url)

    case :httpc.request(request.method, message(request), options,
           sync: false,
           stream: :self,
           body_format: :binary
         ) do
      {:ok, id} -> receive_answer(id, deadline(timeout), Map.get(request, :max_bytes, @max_bytes))
      {:error, _} -> unreachable()
    end
  catch
    # What is raised would take the request along into a log.
    _, _ -> {:error, Svc.Error.new("bad_request", "the request could not be sent")}
  end

  defp message(%{method: method} = request) when method in @bodyless, do: {request.url, headers(request)}

  defp message(request) do
    type = Map.get(request, :content_type, "application/json")
    {request.url, headers(request), String.to_charlist(type), Map.get(request, :body) || ""}
  end

  defp headers(request) do
    # A connection that is kept may be closed under a request, and a POST must not be sent twice.
    own = [{"connection", "close"}, {"user-agent", "svc-elixir/0.1"}, {"accept", "application/json"}]
    for {name, value} <- own ++ Map.get(request, :headers, []), do: {to_charlist(name), to_charlist(value)}
  end

  defp tls("https" <> _) do
    [
      ssl: [
        verify: :verify_peer,
        cacerts: :public_key.cacerts_get(),
        depth: 5,
        versions: [:"tlsv1.3", :"tlsv1.2"],
        customize_hostname_check: [match_fun: :public_key.pkix_verify_hostname_match_fun(:https)]
      ]
    ]
  end

  defp tls(_), do: []

  defp receive_answer(id, deadline, max) do
    receive do
      {:http, {^id, {{_, status, _}, headers, body}}} -> answer(status, headers, body, max)
      {:http, {^id, :stream_start, headers}} -> receive_body(id, deadline, max, headers, [], 0)
      {:http, {^id, {:error, _}}} -> unreachable()
    after
      left(deadline) -> give_up(id, "timeout", "the server did not answer in time")
    end
  end

  defp receive_body(id, deadline, max, headers, parts, size) do
    receive do
      {:http, {^id, :stream, part}} when size + byte_size(part) > max ->
        give_up(id, "answer_too_large", "the server's answer is larger than allowed")

      {:http, {^id, :stream, part}} ->
        receive_body(id, deadline, max, headers, [parts, part], size + byte_size(part))

      {:http, {^id, :stream_end, _}} ->
        answer(200, headers, IO.iodata_to_binary(parts), max)

      {:http, {^id, {:error, _}}} ->
        unreachable()
    after
      left(deadline) -> give_up(id, "timeout", "the server did not answer in time")
    end
  end

  defp answer(_, _, body, max) when byte_size(body) > max do
    {:error, Svc.Error.new("answer_too_large", "the server's answer is larger than allowed")}
  end

  defp answer(status, headers, body, _) do
    headers = for {name, value} <- headers, do: {name |> to_string() |> String.downcase(), to_string(value)}
    {:ok, %{status: status, headers: headers, body: body}}
  end

  defp give_up(id, code, message) do
    :httpc.cancel_request(id)
    {:error, Svc.Error.new(code, message)}
  end

  # The reason of :httpc can hold the request, and the request holds secrets.
  defp unreachable, do: {:error, Svc.Error.new("unreachable", "the server cannot be reached")}

  defp deadline(timeout), do: System.monotonic_time(:millisecond) + timeout
  defp left(deadline), do: max(deadline - System.monotonic_time(:millisecond), 0)

  defp http_date(value, now) do
    case :httpd_util.convert_request_date(String.to_charlist(value)) do
      {{_, _, _}, {_, _, _}} = date ->
        seconds = :calendar.datetime_to_gregorian_seconds(date) - 62_167_219_200
        max(seconds - now, 0)

      _ ->
        nil
    end
  rescue
    _ -> nil
  end
end
