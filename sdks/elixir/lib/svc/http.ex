defmodule Svc.HTTP do
  @moduledoc """
  HTTPS over `:ssl`: certificates and names are checked, redirects are not followed, nothing is sent twice, body and
  time are bounded.

  Plain http goes to this machine only. A body is read piece by piece and given up when it grows past `:max_bytes`.
  """

  alias Svc.HTTP.Wire

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
      outcome = Task.await(task, :infinity)
      forget(task.pid)
      outcome
    end
  end

  # A caller that traps exits is not sent that of a request.
  defp forget(pid) do
    Process.unlink(pid)

    receive do
      {:EXIT, ^pid, _} -> :ok
    after
      0 -> :ok
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
    headers = [{"content-type", Map.get(request, :content_type, "")} | Map.get(request, :headers, [])]

    cond do
      not safe_url?(request.url) ->
        {:error, Svc.Error.new("insecure_url", "the address is neither https nor on this machine")}

      request.url =~ ~r/[^\x21-\x7e]/ ->
        {:error, Svc.Error.new("bad_request", "the address has a character that addresses do not have")}

      Enum.any?(headers, fn {name, value} -> name <> value =~ ~r/[^\x20-\x7e]/ end) ->
        {:error, Svc.Error.new("bad_request", "a header has a character that headers do not have")}

      true ->
        {:ok, request}
    end
  end

  defp send_one(request) do
    uri = URI.parse(request.url)
    deadline = System.monotonic_time(:millisecond) + Map.get(request, :timeout, @timeout)
    most = Map.get(request, :max_bytes, @max_bytes)

    case Wire.exchange(uri, message(request, uri), tls(uri.scheme), deadline, most) do
      {:ok, status, headers, body} -> {:ok, %{status: status, headers: headers, body: body}}
      {:error, failure} -> failed(failure)
    end
  catch
    # What is raised would take the request along into a log.
    _, _ -> {:error, Svc.Error.new("bad_request", "the request could not be sent")}
  end

  defp failed(:timeout), do: {:error, Svc.Error.new("timeout", "the server did not answer in time")}

  defp failed(:too_large),
    do: {:error, Svc.Error.new("answer_too_large", "the server's answer is larger than allowed")}

  defp failed(:unreachable), do: {:error, Svc.Error.new("unreachable", "the server cannot be reached")}

  defp message(request, uri) do
    method = request.method |> to_string() |> String.upcase()
    query = if uri.query, do: "?" <> uri.query, else: ""
    {sent, body} = content(request)

    own = [
      {"host", authority(uri)},
      {"connection", "close"},
      {"user-agent", "svc-elixir/0.1"},
      {"accept", "application/json"}
    ]

    fields =
      for {name, value} <- own ++ sent ++ Map.get(request, :headers, []), do: [name, ": ", value, "\r\n"]

    [method, " ", uri.path || "/", query, " HTTP/1.1\r\n", fields, "\r\n", body]
  end

  defp authority(%URI{host: host, port: port, scheme: scheme}) do
    host = if String.contains?(host, ":"), do: "[" <> host <> "]", else: host
    if port == URI.default_port(scheme), do: host, else: "#{host}:#{port}"
  end

  defp content(%{method: method}) when method in @bodyless, do: {[], ""}

  defp content(request) do
    body = Map.get(request, :body) || ""
    type = Map.get(request, :content_type, "application/json")
    {[{"content-type", type}, {"content-length", Integer.to_string(byte_size(body))}], body}
  end

  defp tls("https") do
    [
      verify: :verify_peer,
      cacerts: :public_key.cacerts_get(),
      depth: 5,
      versions: [:"tlsv1.3", :"tlsv1.2"],
      customize_hostname_check: [match_fun: :public_key.pkix_verify_hostname_match_fun(:https)]
    ]
  end

  defp tls(_), do: []

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
