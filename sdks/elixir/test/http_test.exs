defmodule Svc.HTTPTest do
  use ExUnit.Case, async: true

  alias Svc.{Error, HTTP, Server}

  defp get(url, more \\ %{}), do: HTTP.request(Map.merge(%{method: :get, url: url}, more))
  defp say(socket, text), do: :gen_tcp.send(socket, text)

  test "an answer, with its headers found in any case" do
    url =
      Server.start(fn socket, _ ->
        say(socket, "HTTP/1.1 200 OK\r\nX-Request-Id: r1\r\ncontent-length: 2\r\n\r\n{}")
      end)

    assert {:ok, %{status: 200, body: "{}"} = response} = get(url)
    assert HTTP.header(response, "x-request-id") == "r1"
  end

  test "a name whose only address is of IPv6 is reached, and an address of IPv6" do
    here = {0, 0, 0, 0, 0, 0, 0, 1}
    lookup = :inet_db.res_option(:lookup)
    :ok = :inet_db.add_host(here, [to_charlist("six.localhost")])
    :ok = :inet_db.set_lookup([:file | lookup -- [:file]])

    on_exit(fn ->
      :inet_db.set_lookup(lookup)
      :inet_db.del_host(here)
    end)

    for name <- ["six.localhost", "[::1]"] do
      url = Server.start(fn socket, _ -> say(socket, "HTTP/1.0 204 OK\r\n\r\n") end, here, name)
      assert {:ok, %{status: 204}} = get(url), name
    end
  end

  test "a caller that traps exits finds no message of a request" do
    Process.flag(:trap_exit, true)
    url = Server.start(fn socket, _ -> say(socket, "HTTP/1.0 204 OK\r\n\r\n") end)
    for _ <- 1..20, do: assert({:ok, %{status: 204}} = get(url))
    refute_receive {:EXIT, _, _}, 50
  end

  test "other statuses and chunks" do
    answer = "HTTP/1.1 400 No\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    url = Server.start(fn socket, _ -> say(socket, answer) end)
    assert {:ok, %{status: 400, body: "abcde"}} = get(url)
  end

  test "what is answered with 503 and Retry-After is sent once, and the answer given back" do
    test = self()

    url =
      Server.start(fn socket, _ ->
        send(test, :asked)
        say(socket, "HTTP/1.1 503 No\r\nretry-after: 0\r\ncontent-length: 2\r\n\r\n{}")
      end)

    assert {:ok, %{status: 503, body: "{}"} = response} =
             HTTP.request(%{method: :post, url: url, body: "a", timeout: 1000})

    assert HTTP.retry_after(response) == 0
    assert_received :asked
    refute_received :asked
  end

  test "interim answers are passed over, and a body may come in pieces or end with the connection" do
    for {answer, body} <- [
          {["HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 200 OK\r\n", "Content-Length: 3\r\n\r\na", "bc"], "abc"},
          {[
             "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2;x=y\r",
             "\nab\r\n1\r\nc\r\n0\r\nT: 1\r\n\r\n"
           ], "abc"},
          {["HTTP/1.0 200 OK\r\n\r\nab", "c"], "abc"},
          {["HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"], ""}
        ] do
      url = Server.start(fn socket, _ -> Enum.each(answer, &say(socket, &1)) end)
      assert {:ok, %{status: 200, body: ^body}} = get(url)
    end
  end

  test "an answer that is cut or contradicts itself is none" do
    for answer <- [
          "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nabc",
          "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab",
          "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\nab",
          "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabc",
          "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabc",
          "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nabc",
          "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\nabc",
          "HTTP/1.1 200",
          ""
        ] do
      url = Server.start(fn socket, _ -> say(socket, answer) end)
      assert {:error, %Error{code: "unreachable"}} = get(url, %{timeout: 2000}), answer
    end
  end

  test "chunks are bounded too, and an address is one line" do
    answer = "HTTP/1.1 400 No\r\ntransfer-encoding: chunked\r\n\r\nffffff\r\n"
    url = Server.start(fn socket, _ -> say(socket, answer) end)
    assert {:error, %Error{code: "answer_too_large"}} = get(url, %{max_bytes: 1000})
    assert {:error, %Error{code: "insecure_url"}} = get(url <> "/a b")
    assert {:error, %Error{}} = get(url <> "/a\r\nb: c")
  end

  test "a POST sends type, headers and body" do
    test = self()

    url =
      Server.start(fn socket, request ->
        send(test, {:seen, request})
        say(socket, "HTTP/1.1 204 None\r\n\r\n")
      end)

    assert {:ok, %{status: 204, body: ""}} =
             HTTP.request(%{
               method: :post,
               url: url <> "/x",
               headers: [{"x-a", "b"}],
               content_type: "text/x",
               body: "hello"
             })

    assert_receive {:seen, request}
    assert request =~ "POST /x HTTP/1.1"
    assert request =~ ~r{^host: 127\.0\.0\.1:[0-9]+\r$}m
    assert request =~ "content-length: 5\r\n"
    assert String.downcase(request) =~ "content-type: text/x"
    assert request =~ "x-a: b"
    assert request =~ "hello"
  end

  test "a redirect is an answer, and not followed" do
    url =
      Server.start(fn socket, _ ->
        say(socket, "HTTP/1.1 302 F\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n")
      end)

    assert {:ok, %{status: 302}} = get(url)
  end

  test "a body without end is given up when it is too large" do
    part = :binary.copy("a", 65_536)

    endless = fn again, socket ->
      if say(socket, part) == :ok, do: again.(again, socket)
    end

    url =
      Server.start(fn socket, _ ->
        say(socket, "HTTP/1.1 200 OK\r\n\r\n")
        endless.(endless, socket)
      end)

    assert {:error, %Error{code: "answer_too_large"}} = get(url, %{max_bytes: 100_000})
  end

  test "a refusal that is too large is refused when it is there" do
    body = :binary.copy("a", 5000)

    url =
      Server.start(fn socket, _ -> say(socket, "HTTP/1.1 500 X\r\ncontent-length: 5000\r\n\r\n" <> body) end)

    assert {:error, %Error{code: "answer_too_large"}} = get(url, %{max_bytes: 4999})
    assert {:ok, %{status: 500}} = get(url, %{max_bytes: 5000})
  end

  test "a server that says nothing, and one that drips, end by the time" do
    silent = Server.start(fn _, _ -> Process.sleep(5000) end)
    assert {:error, %Error{code: code}} = get(silent, %{timeout: 200})
    assert code in ["timeout", "unreachable"]

    drips =
      Server.start(fn socket, _ ->
        say(socket, "HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
        drip(socket)
      end)

    # Without an end of its time it would last more than an hour.
    assert {:error, %Error{}} = get(drips, %{timeout: 300})
    refute_received _
  end

  # As long as someone listens.
  defp drip(socket) do
    Process.sleep(50)
    with :ok <- say(socket, "a"), do: drip(socket)
  end

  test "no server there, and no HTTP" do
    assert {:error, %Error{code: "unreachable"}} = get("http://127.0.0.1:1/")
    url = Server.start(fn socket, _ -> say(socket, "hello\r\n\r\n") end)
    assert {:error, %Error{}} = get(url, %{timeout: 1000})
  end

  test "an https server with a certificate of its own is not believed" do
    {:ok, _} = Application.ensure_all_started(:ssl)
    options = [chain: chain(), root: [key: {:namedCurve, :secp256r1}]]

    %{server_config: config} =
      :public_key.pkix_test_data(%{server_chain: server(options), client_chain: server(options)})

    {:ok, listener} = :ssl.listen(0, config ++ [reuseaddr: true, ip: {127, 0, 0, 1}, log_level: :none])
    {:ok, {_, port}} = :ssl.sockname(listener)

    # A socket ends with its process: this one stays for both.
    spawn_link(fn ->
      for _ <- 1..2 do
        {:ok, socket} = :ssl.transport_accept(listener)
        :ssl.handshake(socket, 5000)
      end

      Process.sleep(:infinity)
    end)

    ExUnit.CaptureLog.capture_log(fn ->
      assert {:error, %Error{code: "unreachable"}} = get("https://localhost:#{port}/")
      # The same server answers a client that does not look.
      assert {:ok, _} = :ssl.connect(~c"localhost", port, [verify: :verify_none], 5000)
    end)
  end

  test "an answer over https, in pieces" do
    {:ok, _} = Application.ensure_all_started(:ssl)
    options = [chain: chain(), root: [key: {:namedCurve, :secp256r1}]]

    %{server_config: config} =
      :public_key.pkix_test_data(%{server_chain: server(options), client_chain: server(options)})

    listen = [reuseaddr: true, ip: {127, 0, 0, 1}, active: false, mode: :binary, log_level: :none]
    {:ok, listener} = :ssl.listen(0, config ++ listen)
    {:ok, {_, port}} = :ssl.sockname(listener)
    test = self()

    spawn_link(fn ->
      {:ok, socket} = :ssl.transport_accept(listener)
      {:ok, socket} = :ssl.handshake(socket, 5000)
      {:ok, request} = :ssl.recv(socket, 0, 5000)
      send(test, {:seen, request})
      for part <- ["HTTP/1.1 200 OK\r\n", "content-length: 3\r\n\r\na", "bc"], do: :ssl.send(socket, part)
      Process.sleep(:infinity)
    end)

    uri = URI.parse("https://localhost:#{port}/x?y=1")
    deadline = System.monotonic_time(:millisecond) + 5000
    message = "GET /x?y=1 HTTP/1.1\r\n\r\n"
    assert {:ok, 200, _, "abc"} = HTTP.Wire.exchange(uri, message, [verify: :verify_none], deadline, 3)
    assert_receive {:seen, ^message}
  end

  defp chain, do: [key: {:namedCurve, :secp256r1}]
  defp server(opts), do: %{root: opts[:root], intermediates: [], peer: opts[:chain]}

  test "secrets go over https or to this machine" do
    for url <- [
          "https://id.example",
          "http://localhost:1",
          "http://127.0.0.1",
          "http://[::1]:2",
          "http://acme.localhost"
        ] do
      assert HTTP.safe_url?(url)
    end

    for url <- [
          "http://id.example",
          "http://localhost.example",
          "ftp://localhost",
          "https://",
          "https://a@id.example",
          "",
          nil
        ] do
      refute HTTP.safe_url?(url)
    end

    assert {:error, %Error{code: "insecure_url"}} = get("http://id.example/")

    assert {:error, %Error{code: "bad_request"}} =
             get("https://id.example/", %{headers: [{"a", "b\r\nc: d"}]})
  end

  test "Retry-After is seconds or a date" do
    later = fn value ->
      HTTP.retry_after(%{status: 429, headers: [{"Retry-After", value}], body: ""}, 784_111_770)
    end

    assert later.("7") == 7
    assert later.("Sun, 06 Nov 1994 08:49:37 GMT") == 7
    assert later.("Sun, 06 Nov 1994 08:49:00 GMT") == 0
    for bad <- ["", "-1", "soon", "1.5"], do: assert(later.(bad) == nil)
  end
end
