defmodule Svc.AccessTokenTest do
  use ExUnit.Case, async: true

  alias Svc.{AccessToken, DPoP, Error, JOSE, World}

  @route [tenant_id: "tnt_1", scope: "notes:read"]

  setup do
    name = :"proofs_#{System.unique_integer([:positive])}"
    start_supervised!({Svc.ReplayStore.ETS, name: name, max: 100, clock: &World.now/0})
    %{verifier: World.verifier(replay_store: {Svc.ReplayStore.ETS, name})}
  end

  defp refused(request, verifier, opts \\ @route) do
    assert {:error, %Error{} = error} = AccessToken.verify(request, verifier, opts)
    {error.status, error.code}
  end

  defp refused_token(token, verifier, opts \\ @route), do: refused(World.request(token), verifier, opts)

  test "good tokens pass, with either algorithm", %{verifier: verifier} do
    for key <- [World.es256(), World.eddsa()] do
      assert AccessToken.verify(World.request(World.token(%{}, key)), verifier, @route) ==
               {:ok, World.claims()}
    end

    listed = World.token(%{"aud" => ["https://other.example", "https://api.example"], "nbf" => :none})
    assert {:ok, _} = AccessToken.verify(World.request(listed), verifier, @route)
    lower = World.request(World.token(%{}, World.es256(), %{"typ" => "application/AT+JWT"}), scheme: "bearer")
    assert {:ok, _} = AccessToken.verify(lower, verifier, @route)
  end

  test "rule 1: the token is in the header, alone", %{verifier: verifier} do
    token = World.token()
    good = World.request(token)
    missing = {401, "missing_token"}
    assert refused(%{good | headers: []}, verifier) == missing
    assert refused(%{good | headers: [], url: good.url <> "?access_token=" <> token}, verifier) == missing

    for scheme <- ["Basic", "Token", ""],
        do: assert(refused(World.request(token, scheme: scheme), verifier) == missing)

    for value <- ["Bearer", "Bearer ", token],
        do: assert(refused(%{good | headers: [{"authorization", value}]}, verifier) == missing)

    assert refused(%{good | headers: good.headers ++ good.headers}, verifier) == missing
  end

  test "rule 2: signature, algorithm, type and key", %{verifier: verifier} do
    {:ok, public} = {:ok, JOSE.public_jwk(World.es256())}
    [head, body, signature] = String.split(World.token(), ".")
    head_of = fn header -> JOSE.base64(Svc.JSON.encode(header)) end
    hs = head_of.(%{"alg" => "HS256", "typ" => "at+jwt", "kid" => "es-1"})
    mac = JOSE.base64(:crypto.mac(:hmac, :sha256, Svc.JSON.encode(public), hs <> "." <> body))
    {:ok, bytes} = JOSE.unbase64(signature)
    changed = JOSE.base64(World.claims(%{"scope" => "admin"}) |> Svc.JSON.encode())

    for bad <- [
          "x",
          "#{head}.#{body}.",
          "#{head}.#{changed}.#{signature}",
          "#{head_of.(%{"alg" => "none", "typ" => "at+jwt"})}.#{body}.",
          "#{hs}.#{body}.#{mac}",
          # RS256's word over an EC key, a key of another algorithm, an unknown one, none.
          "#{head_of.(%{"alg" => "RS256", "typ" => "at+jwt", "kid" => "es-1"})}.#{body}.#{signature}",
          World.token(%{}, %{World.es256() | kid: "ed-1"}),
          World.token(%{}, JOSE.generate("ES256", "es-1")),
          World.token(%{}, %{World.es256() | kid: "es-9"}),
          World.token(%{}, %{World.es256() | kid: nil}),
          World.token(%{}, World.es256(), %{"typ" => "JWT"}),
          World.token(%{}, World.es256(), %{"typ" => nil}),
          World.token(%{}, World.es256(), %{"crit" => ["exp"]}),
          # s + r, and one byte more.
          "#{head}.#{body}.#{JOSE.base64(binary_part(bytes, 32, 32) <> binary_part(bytes, 0, 32))}",
          "#{head}.#{body}.#{JOSE.base64(bytes <> <<0>>)}"
        ] do
      assert refused_token(bad, verifier) == {401, "invalid_token"}
    end

    # A key that travels with the token is not asked.
    other = JOSE.generate("ES256", "own")

    assert refused_token(World.token(%{}, other, %{"jwk" => JOSE.public_jwk(other)}), verifier) ==
             {401, "invalid_token"}

    jwt = World.token(%{}, World.es256(), %{"typ" => "JWT"})
    assert {:ok, _} = AccessToken.verify(World.request(jwt), %{verifier | types: ["at+jwt", "jwt"]}, @route)
  end

  test "rule 2: keys that never came are the server's fault", %{verifier: verifier} do
    assert refused_token(World.token(), %{verifier | keys: :not_started}) == {503, "temporarily_unavailable"}
  end

  for {rule, changes} <- [
        {3, [%{"iss" => "https://id.example/"}, %{"iss" => :none}, %{"iss" => ["https://id.example"]}]},
        {4,
         [
           %{"aud" => "https://api.example/"},
           %{"aud" => []},
           %{"aud" => ["x"]},
           %{"aud" => :none},
           %{"aud" => 1}
         ]},
        {5,
         [
           %{"exp" => 1_800_000_000},
           %{"exp" => :none},
           %{"exp" => "1900000000"},
           %{"exp" => nil},
           %{"nbf" => 1_800_000_011},
           %{"iat" => 1_800_000_011},
           %{"iat" => "1"},
           %{"nbf" => "1"}
         ]}
      ] do
    test "rule #{rule}", %{verifier: verifier} do
      for change <- unquote(Macro.escape(changes)) do
        assert refused_token(World.token(change), verifier) == {401, "invalid_token"}
      end
    end
  end

  test "rule 5: a clock that is ten minutes off is told so", %{verifier: verifier} do
    token = World.token(%{"nbf" => World.now(), "exp" => World.now() + 300})

    for {off, text} <- [
          {-600, "its nbf is 600 s ahead of this machine's clock"},
          {600, "it expired 300 s ago by this machine's clock"}
        ] do
      wrong = %{verifier | clock: fn -> World.now() + off end}
      assert {:error, error} = AccessToken.verify(World.request(token), wrong, @route)
      assert error.code == "invalid_token" and error.message =~ text
    end

    edge = World.token(%{"exp" => World.now() + 1, "nbf" => World.now() + 10})
    assert {:ok, _} = AccessToken.verify(World.request(edge), verifier, @route)
  end

  test "rule 6: another tenant, before scopes", %{verifier: verifier} do
    for tenant <- ["tnt_2", :none, nil, ["tnt_1"]] do
      assert refused_token(World.token(%{"tenant_id" => tenant, "scope" => ""}), verifier) ==
               {403, "forbidden"}
    end

    assert refused_token(World.token(), verifier, tenant_id: nil) == {403, "forbidden"}
    assert refused_token(World.token(), verifier, tenant_id: fn _ -> nil end) == {403, "forbidden"}
    assert_raise KeyError, fn -> AccessToken.verify(World.request(World.token()), verifier, []) end
  end

  test "rule 7: every scope, whole", %{verifier: verifier} do
    for scope <- ["", :none, "notes:rea", "notes:readx", "NOTES:READ", ["notes:read"]] do
      assert refused_token(World.token(%{"scope" => scope}), verifier) == {403, "insufficient_scope"}
    end

    both = [tenant_id: "tnt_1", scope: "notes:read notes:delete"]
    assert refused_token(World.token(), verifier, both) == {403, "insufficient_scope"}
  end

  test "rule 8: the kind of caller", %{verifier: verifier} do
    for kind <- ["agent", "anonymous", "system", :none, "Human"] do
      assert refused_token(World.token(%{"subject_type" => kind}), verifier) == {403, "forbidden"}
    end

    agents = @route ++ [subject_types: ["human", "agent"]]

    assert {:ok, _} =
             AccessToken.verify(World.request(World.token(%{"subject_type" => "agent"})), verifier, agents)
  end

  test "rule 9: who acts", %{verifier: verifier} do
    token = World.token(%{"act" => %{"sub" => "app_2", "act" => %{"sub" => "app_3"}}})
    allowed = @route ++ [allow_delegation: true]
    assert refused_token(token, verifier) == {403, "forbidden"}
    assert refused_token(World.token(%{"act" => nil}), verifier) == {403, "forbidden"}

    assert {:ok, %{"act" => %{"sub" => "app_2"}}} =
             AccessToken.verify(World.request(token), verifier, allowed)

    assert {:ok, _} = AccessToken.verify(World.request(token), verifier, allowed ++ [actors: ["app_2"]])
    assert refused_token(token, verifier, allowed ++ [actors: ["app_3"]]) == {403, "forbidden"}
    assert refused_token(World.token(%{"act" => "app_2"}), verifier, allowed) == {403, "forbidden"}
    endless = Enum.reduce(1..9, %{"sub" => "a"}, fn _, act -> %{"sub" => "a", "act" => act} end)
    assert refused_token(World.token(%{"act" => endless}), verifier, allowed) == {403, "forbidden"}
  end

  describe "rule 10" do
    setup do
      key = JOSE.generate("ES256")
      token = World.token(%{"cnf" => %{"jkt" => JOSE.thumbprint(key)}})
      %{key: key, token: token}
    end

    defp proof(key, token, opts \\ []) do
      method = Keyword.get(opts, :method, "GET")
      url = Keyword.get(opts, :url, "https://api.example/notes")
      DPoP.proof(key, method, url, now: World.now() + Keyword.get(opts, :later, 0), access_token: token)
    end

    defp bound(token, proof), do: World.request(token, scheme: "DPoP", proof: proof)

    test "a proof passes once", %{key: key, token: token, verifier: verifier} do
      request = bound(token, proof(key, token))
      assert {:ok, _} = AccessToken.verify(request, verifier, @route ++ [dpop: :required])
      assert refused(request, verifier) == {401, "invalid_dpop_proof"}
      assert {:ok, _} = AccessToken.verify(bound(token, proof(key, token)), verifier, @route)
      queried = bound(token, proof(key, token, url: "HTTPS://API.example:443/notes?a=1#b"))
      assert {:ok, _} = AccessToken.verify(queried, verifier, @route)
    end

    test "a proof may be as far ahead as the leeway says", %{key: key, token: token, verifier: verifier} do
      for {leeway, ahead, passes?} <- [{0, 0, true}, {0, 1, false}, {60, 60, true}, {60, 61, false}] do
        request = bound(token, proof(key, token, later: ahead))
        judged = AccessToken.verify(request, %{verifier | leeway: leeway}, @route)
        assert {leeway, ahead, match?({:ok, _}, judged)} == {leeway, ahead, passes?}
      end
    end

    test "EdDSA proofs pass", %{verifier: verifier} do
      key = JOSE.generate("EdDSA")
      token = World.token(%{"cnf" => %{"jkt" => JOSE.thumbprint(key)}})
      assert {:ok, _} = AccessToken.verify(bound(token, proof(key, token)), verifier, @route)
    end

    test "twenty askers with one proof: one passes", %{key: key, token: token, verifier: verifier} do
      request = bound(token, proof(key, token))

      passed =
        1..20
        |> Task.async_stream(fn _ -> AccessToken.verify(request, verifier, @route) end)
        |> Enum.count(&match?({:ok, {:ok, _}}, &1))

      assert passed == 1
    end

    test "a proof of anything else is refused", %{key: key, token: token, verifier: verifier} do
      other = JOSE.generate("ES256")
      claims = %{"jti" => "j", "htm" => "GET", "htu" => "https://api.example/notes", "iat" => World.now()}
      ath = JOSE.base64(:crypto.hash(:sha256, token))
      jwk = JOSE.public_jwk(key)
      own = fn changes, header -> JOSE.sign(Map.merge(Map.put(claims, "ath", ath), changes), key, header) end
      header = %{"typ" => "dpop+jwt", "jwk" => jwk}

      for bad <- [
            [],
            [proof(key, token), proof(key, token)],
            "x",
            proof(other, token),
            proof(key, token, method: "POST"),
            proof(key, token, method: "get"),
            proof(key, token, url: "https://api.example/notes/1"),
            proof(key, token, url: "http://api.example/notes"),
            proof(key, token, url: "https://api.example:8443/notes"),
            proof(key, token, later: -61),
            proof(key, token, later: 11),
            proof(key, token <> "x"),
            proof(key, nil),
            own.(%{"jti" => ""}, header),
            own.(%{"jti" => 1}, header),
            own.(%{"iat" => "now"}, header),
            own.(%{"htu" => nil}, header),
            own.(%{}, %{header | "typ" => "jwt"}),
            own.(%{}, %{"typ" => "dpop+jwt"}),
            own.(%{}, %{header | "jwk" => Map.put(jwk, "d", JOSE.base64(key.private))}),
            own.(%{}, Map.put(header, "alg", "none"))
          ] do
        assert refused(bound(token, bad), verifier) == {401, "invalid_dpop_proof"}
      end

      assert {:ok, _} = AccessToken.verify(bound(token, own.(%{}, header)), verifier, @route)
    end

    test "token, scheme and key belong together", %{key: key, token: token, verifier: verifier} do
      invalid = {401, "invalid_token"}
      assert refused(World.request(token, proof: proof(key, token)), verifier) == invalid
      free = World.token()
      assert refused(bound(free, proof(key, free)), verifier) == invalid
      assert refused(World.request(free), verifier, @route ++ [dpop: :required]) == invalid
      certificate = World.token(%{"cnf" => %{"x5t#S256" => "x"}})
      assert refused(World.request(certificate), verifier) == invalid
      assert refused(World.request(World.token(%{"cnf" => nil})), verifier) == invalid
    end

    test "without a store, or with one that is full, no proof passes", %{
      key: key,
      token: token,
      verifier: verifier
    } do
      assert refused(bound(token, proof(key, token)), %{verifier | replay_store: nil}) ==
               {401, "invalid_dpop_proof"}

      gone = %{verifier | replay_store: {Svc.ReplayStore.ETS, :not_started}}
      assert refused(bound(token, proof(key, token)), gone) == {503, "temporarily_unavailable"}
    end
  end

  test "the store is bounded, and what is over makes room" do
    start_supervised!({Svc.ReplayStore.ETS, name: :small, max: 3, clock: &World.now/0})
    store = {Svc.ReplayStore.ETS, :small}
    for n <- 1..3, do: assert(Svc.ReplayStore.put_new(store, "k#{n}", 100, 50) == :ok)
    assert Svc.ReplayStore.put_new(store, "k4", 100, 50) == {:error, :full}
    assert Svc.ReplayStore.put_new(store, "k1", 200, 101) == :ok
    assert Svc.ReplayStore.put_new(store, "k1", 200, 101) == :replayed
    assert Svc.ReplayStore.delete(store, "k1") == :ok
    assert Svc.ReplayStore.put_new(store, "k1", 102, 101) == :ok
    assert Svc.ReplayStore.put_new(store, "k1", 300, 103) == :ok
    assert Svc.ReplayStore.put_new(store, "k1", 300, 103) == :replayed
  end
end
