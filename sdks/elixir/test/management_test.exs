defmodule Svc.ManagementTest do
  use ExUnit.Case, async: true
  doctest Svc.Management

  alias Svc.{Error, Management, World}

  defp api(answers, opts \\ []) do
    test = self()
    http = World.answers(answers)
    sleep = fn millis -> send(test, {:slept, millis}) end

    [issuer: World.issuer(), tenant: "acme", token: "tok", http: http, sleep: sleep]
    |> Keyword.merge(opts)
    |> Management.new()
  end

  defp sent do
    assert_received {:request, request}
    request
  end

  defp key(request), do: Map.new(request.headers)["idempotency-key"]

  test "a read" do
    api = api([World.json(200, %{id: "whk_1"}, [{"etag", "\"1\""}])])
    assert {:ok, answer} = Management.request(api, :get, "/api/v1/webhooks/whk_1", query: [expand: "a b"])
    assert answer == %{status: 200, body: %{"id" => "whk_1"}, etag: "\"1\"", request_id: "req-1"}
    request = sent()
    assert request.url == "https://acme.id.example/api/v1/webhooks/whk_1?expand=a+b"
    assert request.headers == [{"authorization", "Bearer tok"}]
  end

  test "each write has a key of its own, or the one that is given, and If-Match" do
    api = api([World.json(200, %{})])

    keys =
      for method <- [:post, :put, :patch, :delete] do
        assert {:ok, _} =
                 Management.request(api, method, "/api/v1/webhooks", body: %{a: 1}, if_match: "\"1\"")

        request = sent()
        assert {"if-match", "\"1\""} in request.headers
        assert request.body == ~s({"a":1})

        assert request.content_type ==
                 if(method == :patch, do: "application/merge-patch+json", else: "application/json")

        key(request)
      end

    assert Enum.all?(keys, &(byte_size(&1) == 43)) and keys == Enum.uniq(keys)
    assert {:ok, _} = Management.request(api, :post, "/api/v1/webhooks", body: %{}, idempotency_key: "mine")
    assert key(sent()) == "mine"
  end

  test "a write is repeated with the same key, by Retry-After" do
    busy = World.json(429, %{error: "rate_limited"}, [{"retry-after", "7"}])
    api = api([busy, {:error, Error.new("timeout", "late")}, World.json(201, %{})])
    assert {:ok, %{status: 201}} = Management.request(api, :post, "/api/v1/webhooks", body: %{})
    assert_received {:slept, 7000}
    assert_received {:slept, millis} when millis in 500..2000
    [first, second, third] = for _ <- 1..3, do: key(sent())
    assert first == second and second == third
  end

  test "without idempotency keys, a write that may have come through is not repeated" do
    lost = [
      {:error, Error.new("timeout", "late")} | for(status <- [502, 503, 504], do: World.json(status, %{}))
    ]

    for first <- lost, {method, times} <- [post: 1, patch: 1, put: 2, delete: 2, get: 2] do
      outcome = Management.request(api([first, World.json(200, %{})]), method, "/scim/v2/Users")
      assert {times, elem(outcome, 0)} in [{1, :error}, {2, :ok}]
      for _ <- 1..times, do: sent()
      refute_received {:request, _}
    end

    busy = World.json(429, %{}, [{"retry-after", "1"}])
    assert {:ok, _} = Management.request(api([busy, World.json(201, %{})]), :post, "/scim/v2/Users")
  end

  test "what waits too long, or does not pass, is answered at once" do
    for {status, headers} <- [{429, [{"retry-after", "31"}]}, {409, []}, {400, []}, {404, []}, {500, []}] do
      api = api([World.json(status, %{error: "e"}, headers)])

      assert {:error, %Error{code: "e", status: ^status, tenant: "acme"}} =
               Management.request(api, :post, "/api/v1/x", body: %{})

      sent()
      refute_received {:request, _}
    end
  end

  test "a first call that is still running is waited for; attempts end" do
    running = World.json(409, %{error: "conflict"}, [{"retry-after", "1"}])
    assert {:ok, _} = Management.request(api([running, World.json(200, %{})]), :put, "/api/v1/x", body: %{})

    assert {:error, %Error{code: "conflict"}} =
             Management.request(api([running]), :put, "/api/v1/x", body: %{})

    for _ <- 1..5, do: sent()
    refute_received {:request, _}
  end

  test "a token may come from a function, at each attempt" do
    api = api([World.json(503, %{}), World.json(200, %{})], token: fn -> {:ok, "fresh"} end)
    assert {:ok, _} = Management.request(api, :get, "/api/v1/x")
    for _ <- 1..2, do: assert({"authorization", "Bearer fresh"} in sent().headers)
    broken = api([], token: fn -> {:error, Error.new("invalid_client", "no")} end)
    assert {:error, %Error{code: "invalid_client"}} = Management.request(broken, :get, "/api/v1/x")
  end

  defp proof(request) do
    [_, claims, _] = request.headers |> Map.new() |> Map.fetch!("dpop") |> String.split(".")
    claims |> Base.url_decode64!(padding: false) |> Svc.JSON.decode() |> elem(1)
  end

  test "a token that is bound to a key comes with a proof of the call and the nonce of the server" do
    nonce = World.json(401, %{error: "use_dpop_nonce"}, [{"dpop-nonce", "n-1"}])
    api = api([nonce, World.json(200, %{})], proof_key: Svc.JOSE.generate())
    assert {:ok, _} = Management.request(api, :post, "/api/v1/x", body: %{}, query: [a: 1])
    [first, second] = for _ <- 1..2, do: sent()
    assert key(first) == key(second)

    for {request, nonce} <- [{first, nil}, {second, "n-1"}] do
      assert {"authorization", "DPoP tok"} in request.headers

      assert %{"htm" => "POST", "htu" => "https://acme.id.example/api/v1/x", "ath" => ath} =
               claims = proof(request)

      assert ath == Svc.JOSE.base64(:crypto.hash(:sha256, "tok"))
      assert claims["nonce"] == nonce
    end

    refute inspect(api) =~ "proof_key"
  end

  test "a server that asks for a nonce for ever, or refuses a proof, gets no other token" do
    for {code, times} <- [{"use_dpop_nonce", 2}, {"invalid_dpop_proof", 1}] do
      name = :"proven_#{System.unique_integer([:positive])}"
      refused = World.json(401, %{error: code}, [{"dpop-nonce", "n-1"}])
      api = api([refused], token: source(name), proof_key: Svc.JOSE.generate())
      assert {:error, %Error{code: ^code}} = Management.request(api, :get, "/api/v1/x")
      assert Svc.TokenSource.token(name) == {:ok, "t1"}
      assert length(for {:request, %{method: :get}} <- received(), do: :call) == times
    end
  end

  defp received do
    receive do
      message -> [message | received()]
    after
      0 -> []
    end
  end

  defp source(name) do
    answers =
      for n <- 1..3, do: World.json(200, %{access_token: "t#{n}", token_type: "Bearer", expires_in: 300})

    start_supervised!({Svc.TokenSource, name: name, client: World.client(http: World.answers(answers))},
      id: name
    )

    {Svc.TokenSource, name}
  end

  # The tokens of the calls that were sent, and how many requests went for tokens.
  defp sent_with(tokens \\ [], asked \\ 0) do
    receive do
      {:request, %{url: "https://id.example/oauth/token"}} ->
        sent_with(tokens, asked + 1)

      {:request, request} ->
        "Bearer " <> token = Map.new(request.headers)["authorization"]
        sent_with([token | tokens], asked)
    after
      0 -> {Enum.reverse(tokens), asked}
    end
  end

  test "a token that is refused is dropped, and the call sent once more where that is safe" do
    for {method, path, tokens} <- [
          {:get, "/api/v1/x", ["t1", "t2"]},
          {:post, "/api/v1/x", ["t1", "t2"]},
          {:put, "/scim/v2/Users", ["t1", "t2"]},
          {:post, "/scim/v2/Users", ["t1"]}
        ] do
      name = :"refused_#{System.unique_integer([:positive])}"
      answers = [World.json(401, %{error: "invalid_token"}), World.json(200, %{})]
      api = api(answers, token: source(name))
      assert elem(Management.request(api, method, path), 0) == if(length(tokens) == 2, do: :ok, else: :error)
      assert sent_with() == {tokens, length(tokens)}
      assert {:ok, _} = Management.request(api, method, path)
      assert {["t2"], _} = sent_with()
      refute_received {:slept, _}
    end
  end

  test "tokens that are all refused are asked for once more and not for ever" do
    refusal = World.json(401, %{error: "invalid_token"})

    for {opts, tokens} <- [
          {[token: source(:all_refused)], ["t1", "t2"]},
          {[token: source(:one_attempt), attempts: 1], ["t1"]},
          {[token: "tok"], ["tok"]},
          {[token: fn -> {:ok, "own"} end], ["own"]}
        ] do
      assert {:error, %Error{code: "invalid_token", status: 401}} =
               Management.request(api([refusal], opts), :get, "/api/v1/x")

      assert {^tokens, _} = sent_with()
    end
  end

  test "paths lead nowhere else" do
    api = api([World.json(200, %{})])

    for path <- [
          "api/v1",
          "//evil.example/",
          "https://evil.example",
          "/api/../x",
          "/a?b",
          "/a b",
          "/.",
          "/a\\b"
        ] do
      assert_raise ArgumentError, fn -> Management.request(api, :get, path) end
    end

    assert_raise ArgumentError, fn -> Management.path(["webhooks", ".."]) end

    for slug <- ["evil.example/", "a.b", "", "-a", "A"],
        do: assert_raise(ArgumentError, fn -> api([], tenant: slug) end)
  end

  test "attempts and waits have an end" do
    busy = [World.json(503, %{}, [{"retry-after", "0"}])]
    assert {:error, _} = Management.request(api(busy, attempts: 0, timeout: 60_000), :get, "/api/v1/x")
    assert %{timeout: 60_000} = sent()
    refute_received {:request, _}
    assert {:error, _} = Management.request(api(busy, attempts: 12), :get, "/api/v1/x")
    waits = for _ <- 1..11, do: assert_received({:slept, millis}) && millis
    assert Enum.min(waits) >= 500 and Enum.max(waits) <= 16_000
  end

  test "a patch is of the media type that its path takes" do
    for {path, type} <- [
          {"/scim/v2/Users/1", "application/scim+json"},
          {"/api/v1/x", "application/merge-patch+json"}
        ] do
      {:ok, _} = Management.request(api([World.json(200, %{})]), :patch, path, body: %{})
      assert sent().content_type == type
    end
  end

  test "an error repeats no secret of a body, and has the code of a challenge" do
    echo =
      World.json(400, %{error: "bad_request", error_description: "secret: canary-1; url: https://a.example"})

    body = %{secret: "canary-1", url: "https://a.example"}
    assert {:error, error} = Management.request(api([echo]), :post, "/api/v1/webhooks", body: body)
    assert error.message == "secret: [redacted]; url: https://a.example"

    challenge = [{"www-authenticate", ~s(Bearer realm="x", error="invalid_token")}]
    page = {:ok, %{status: 401, headers: challenge, body: "<html>"}}
    assert {:error, %Error{code: "invalid_token"}} = Management.request(api([page]), :get, "/api/v1/x")
    named = {:ok, %{status: 400, headers: [], body: ~s({"request_id": "req-2"})}}
    assert {:error, %Error{request_id: "req-2"}} = Management.request(api([named]), :get, "/api/v1/x")
  end

  test "what is no JSON is sent and read as it is" do
    lines = ~s({"email":"a@b.example"}\n{"email":"c@d.example"}\n)
    api = api([{:ok, %{status: 200, headers: [], body: lines}}])
    opts = [body: {:raw, lines}, content_type: "application/x-ndjson", raw: true]

    assert {:ok, %{body: ^lines}} = Management.request(api, :put, "/api/v1/imports/imp_1/chunks/0", opts)

    assert %{body: ^lines, content_type: "application/x-ndjson"} = sent()
  end

  test "a list that begins at a cursor goes on from there" do
    pages = for cursor <- ["c", nil], do: World.json(200, %{data: [1], next_cursor: cursor})
    query = %{"cursor" => "kept", "state" => "a"}
    assert pages |> api() |> Management.stream("/api/v1/x", query: query) |> Enum.to_list() == [1, 1]
    assert sent().url =~ "cursor=kept"
    assert URI.decode_query(URI.parse(sent().url).query) == %{"cursor" => "c", "state" => "a"}
  end

  test "an empty cursor ends a list as one that is null does" do
    pages = for cursor <- ["c", ""], do: World.json(200, %{data: [cursor], next_cursor: cursor})
    assert pages |> api() |> Management.stream("/api/v1/x") |> Enum.to_list() == ["c", ""]
  end

  test "a stream reads no more pages than it needs, and raises errors" do
    page = World.json(200, %{data: [1, 2], next_cursor: "c"})

    assert [page, page] |> api() |> Management.stream("/api/v1/x", query: [state: "a"]) |> Enum.take(2) == [
             1,
             2
           ]

    assert sent().url == "https://acme.id.example/api/v1/x?state=a"
    refute_received {:request, _}

    assert_raise Error, ~r/same page/, fn ->
      [page] |> api() |> Management.stream("/api/v1/x") |> Enum.to_list()
    end

    broken = World.json(403, %{error: "forbidden"})

    assert_raise Error, ~r/forbidden/, fn ->
      [broken] |> api() |> Management.stream("/api/v1/x") |> Enum.to_list()
    end

    assert_raise Error, ~r/no list/, fn ->
      [World.json(200, [])] |> api() |> Management.stream("/api/v1/x") |> Enum.to_list()
    end
  end
end
