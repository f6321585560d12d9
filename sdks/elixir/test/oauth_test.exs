defmodule Svc.OAuthTest do
  use ExUnit.Case, async: true
  doctest Svc.PKCE
  doctest Svc.Callback
  doctest Svc

  alias Svc.{Error, JOSE, OAuth, World}

  defp client(answers, opts \\ []), do: World.client([http: World.answers(answers)] ++ opts)

  defp sent do
    assert_received {:request, request}
    {request, World.form(request)}
  end

  defp answer(more \\ %{}),
    do: World.json(200, Map.merge(%{access_token: "at", token_type: "Bearer", expires_in: 60}, more))

  defp login(opts \\ []) do
    {:ok, login} = OAuth.authorization_url(World.client(), opts)
    login
  end

  defp id_token(login, changes \\ %{}, key \\ World.es256()) do
    claims() |> Map.put("nonce", login.nonce) |> Map.merge(changes) |> JOSE.sign(key)
  end

  # What every ID token says.
  defp claims do
    %{
      "iss" => World.issuer(),
      "aud" => "app_1",
      "sub" => "sub-1",
      "iat" => World.now(),
      "exp" => World.now() + 60
    }
  end

  defp callback(login, more \\ []) do
    "/callback?" <>
      URI.encode_query(Keyword.merge([code: "c-1", state: login.state, iss: World.issuer()], more))
  end

  test "a sign-in's address" do
    login =
      login(
        scope: "openid notes:read",
        prompt: "login",
        max_age: 60,
        claims: %{"id_token" => %{"acr" => nil}}
      )

    %URI{path: "/oauth/authorize", host: "id.example"} = uri = URI.parse(login.url)
    query = URI.decode_query(uri.query)

    assert query == %{
             "response_type" => "code",
             "client_id" => "app_1",
             "redirect_uri" => "https://shop.example/callback",
             "scope" => "openid notes:read",
             "state" => login.state,
             "nonce" => login.nonce,
             "code_challenge" => Svc.PKCE.challenge(login.code_verifier),
             "code_challenge_method" => "S256",
             "prompt" => "login",
             "max_age" => "60",
             "claims" => ~s({"id_token":{"acr":null}})
           }

    assert login().state != login.state
    assert Svc.PKCE.valid?(login.code_verifier, query["code_challenge"])
  end

  test "a pushed request leaves its reference alone in the address" do
    client =
      client([World.json(201, %{request_uri: "urn:r:1", expires_in: 60})], auth: {:client_secret_post, "s"})

    {:ok, login} = OAuth.authorization_url(client, push: true)
    assert login.url == "https://id.example/oauth/authorize?client_id=app_1&request_uri=urn%3Ar%3A1"
    {request, form} = sent()
    assert request.url == "https://id.example/oauth/par"
    assert %{"client_secret" => "s", "client_id" => "app_1", "response_type" => "code"} = form
  end

  test "a code becomes tokens, with the claims of the ID token" do
    login = login()

    client =
      client([answer(%{id_token: id_token(login), refresh_token: "rt", scope: "openid"})],
        auth: {:client_secret_basic, "a b:c"}
      )

    assert {:ok, tokens} = OAuth.finish(client, login, callback(login))
    assert %{access_token: "at", refresh_token: "rt", expires_at: 1_800_000_060} = tokens
    assert tokens.id_claims["sub"] == "sub-1"
    {request, form} = sent()
    assert {"authorization", "Basic " <> Base.encode64("app_1:a+b%3Ac")} in request.headers

    assert form == %{
             "grant_type" => "authorization_code",
             "code" => "c-1",
             "redirect_uri" => "https://shop.example/callback",
             "code_verifier" => login.code_verifier
           }
  end

  test "tokens are bound to the key of the client by proofs, each with an assertion of its own" do
    nonce = World.json(400, %{error: "use_dpop_nonce"}, [{"dpop-nonce", "n-1"}])
    auth = {:private_key_jwt, JOSE.generate("ES256", "k")}
    answers = [nonce, answer(), World.json(200, %{sub: "sub-1"})]
    client = client(answers, proof_key: JOSE.generate(), auth: auth)
    assert {:ok, %{access_token: "at"}} = OAuth.client_credentials(client)
    assert {:ok, _} = OAuth.userinfo(client, "at", "sub-1")
    [{first, one}, {second, other}] = for _ <- 1..2, do: sent()
    assert one["client_assertion"] != other["client_assertion"]
    assert_received {:request, third}
    assert {"authorization", "DPoP at"} in third.headers

    claims =
      for request <- [first, second, third] do
        {:ok, token} = request.headers |> Map.new() |> Map.fetch!("dpop") |> JOSE.parse()
        token.claims
      end

    assert Enum.map(claims, & &1["nonce"]) == [nil, "n-1", nil]
    assert Enum.map(claims, & &1["htm"]) == ["POST", "POST", "GET"]
    assert List.last(claims)["ath"] == JOSE.base64(:crypto.hash(:sha256, "at"))
    refute inspect(client) =~ "proof_key"
  end

  test "a callback of another sign-in asks for no tokens" do
    login = login()

    assert {:error, %Error{code: "state_mismatch"}} =
             OAuth.finish(client([answer()]), login, callback(login(), []))

    assert {:error, %Error{code: "issuer_mismatch"}} =
             OAuth.finish(client([answer()]), login, callback(login, iss: "https://evil.example"))

    refused =
      "/callback?error=access_denied&error_description=No&" <>
        URI.encode_query(state: login.state, iss: World.issuer())

    assert {:error, %Error{code: "access_denied", message: "No"}} =
             OAuth.finish(client([answer()]), login, refused)

    refute_received {:request, _}
  end

  test "ID tokens that are wrong are refused" do
    login = login(max_age: 60, acr_values: "urn:svc:aal2 urn:svc:aal3")
    now = World.now()

    half = fn text ->
      :crypto.hash(:sha256, text) |> binary_part(0, 16) |> Base.url_encode64(padding: false)
    end

    good = %{
      "auth_time" => now - 10,
      "acr" => "urn:svc:aal2",
      "at_hash" => half.("at"),
      "c_hash" => half.("c")
    }

    for {changes, key} <- [
          {%{"nonce" => "other"}, World.es256()},
          {%{"nonce" => nil}, World.es256()},
          {%{"iss" => "https://evil.example"}, World.es256()},
          {%{"aud" => "app_2"}, World.es256()},
          {%{"aud" => ["app_1", "app_2"]}, World.es256()},
          {%{"exp" => now - 60}, World.es256()},
          {%{"iat" => now + 61}, World.es256()},
          {%{"sub" => nil}, World.es256()},
          {%{"sub" => ""}, World.es256()},
          {%{"auth_time" => nil}, World.es256()},
          {%{"azp" => "app_2"}, World.es256()},
          {%{"at_hash" => half.("other")}, World.es256()},
          {%{"c_hash" => half.("other")}, World.es256()},
          {%{}, JOSE.generate("ES256", "es-1")}
        ] do
      token = id_token(login, Map.merge(good, changes), key)

      assert {:error, %Error{code: "invalid_id_token"}} =
               OAuth.exchange_code(client([answer(%{id_token: token})]), login, "c")
    end

    assert {:error, %Error{code: "invalid_id_token"}} = OAuth.exchange_code(client([answer()]), login, "c")

    for {changes, code} <- [
          {%{"auth_time" => now - 600}, "max_age_exceeded"},
          {%{"acr" => "urn:svc:aal1"}, "acr_not_reached"},
          {%{"acr" => nil}, "acr_not_reached"}
        ] do
      token = id_token(login, Map.merge(good, changes))
      outcome = OAuth.exchange_code(client([answer(%{id_token: token})]), login, "c")
      assert {:error, %Error{code: ^code, tenant: "https://id.example"}} = outcome
    end

    assert {:ok, _} = OAuth.exchange_code(client([answer(%{id_token: id_token(login, good)})]), login, "c")
  end

  test "the age of a sign-in counts from when it began" do
    login = login(max_age: 60)
    later = World.now() + 300

    finish = fn login, auth_time ->
      token = id_token(login, %{"auth_time" => auth_time, "iat" => later, "exp" => later + 60})
      OAuth.exchange_code(client([answer(%{id_token: token})], clock: fn -> later end), login, "c")
    end

    assert {:ok, _} = finish.(login, World.now() - 60)
    assert {:error, %Error{code: "max_age_exceeded"}} = finish.(login, World.now() - 121)

    assert {:error, %Error{code: "max_age_exceeded"}} =
             finish.(%{login | started_at: later}, World.now() - 60)

    assert {:error, %Error{code: "max_age_exceeded"}} =
             finish.(Map.delete(login, :started_at), World.now() - 60)
  end

  test "a token of another type is no ID token" do
    verify =
      &Svc.IDToken.verify(
        JOSE.sign(claims(), World.es256(), &1),
        World.client(),
        Svc.Keys.static(World.jwks())
      )

    for typ <- ["at+jwt", "application/at+jwt", "logout+jwt", "", 1] do
      assert {:error, %Error{code: "invalid_id_token"}} = verify.(%{"typ" => typ})
    end

    for header <- [%{}, %{"typ" => "JWT"}, %{"typ" => "application/jwt"}],
        do: assert({:ok, _} = verify.(header))
  end

  test "a sign-in is as strong as was asked for, or stronger" do
    verify = fn acr ->
      token = JOSE.sign(Map.put(claims(), "acr", acr), World.es256(), %{})
      opts = [acr_values: ["urn:svc:aal2"]]
      Svc.IDToken.verify(token, World.client(), Svc.Keys.static(World.jwks()), opts)
    end

    for acr <- ["urn:svc:aal2", "urn:svc:aal3"], do: assert({:ok, _} = verify.(acr))

    for acr <- ["urn:svc:aal1", "urn:svc:aal", "urn:svc:aal3x", "urn:other:aal3", nil, 3],
        do: assert({:error, %Error{code: "acr_not_reached"}} = verify.(acr))
  end

  test "a clock that is ten minutes off is named with the seconds" do
    login = login()
    token = id_token(login, %{"exp" => World.now() + 300})

    for {off, text} <- [
          {-600, "its iat is 600 s ahead of this machine's clock"},
          {600, "it expired 300 s ago by this machine's clock"}
        ] do
      client = %{client([answer(%{id_token: token})]) | clock: fn -> World.now() + off end}
      assert {:error, %Error{code: "invalid_id_token"} = error} = OAuth.exchange_code(client, login, "c")
      assert error.message =~ text
    end
  end

  test "ID tokens may be RS256, by a key set that is fetched for them" do
    {[e, n], [_, _, d | _]} = :crypto.generate_key(:rsa, {2048, 65_537})
    jwk = %{"kty" => "RSA", "kid" => "rs", "n" => JOSE.base64(n), "e" => JOSE.base64(e), "alg" => "RS256"}
    login = login()
    [_, body, _] = login |> id_token() |> String.split(".")
    signed = JOSE.base64(~s({"alg":"RS256","kid":"rs"})) <> "." <> body
    token = signed <> "." <> JOSE.base64(:crypto.sign(:rsa, :sha256, signed, [e, n, d]))
    client = client([answer(%{id_token: token}), World.json(200, %{keys: [jwk]})], keys: nil)
    assert {:ok, %{id_claims: %{"sub" => "sub-1"}}} = OAuth.exchange_code(client, login, "c")
  end

  test "without openid no ID token is asked for" do
    login = login(scope: "notes:read")
    assert {:ok, %{id_claims: nil}} = OAuth.exchange_code(client([answer()]), login, "c")
  end

  test "client credentials by each method" do
    assert {:ok, tokens} =
             OAuth.client_credentials(client([answer()], auth: {:client_secret_post, "s"}), scope: "a b")

    assert tokens.refresh_token == nil
    {_, form} = sent()

    assert form == %{
             "grant_type" => "client_credentials",
             "scope" => "a b",
             "client_id" => "app_1",
             "client_secret" => "s"
           }

    for alg <- ["ES256", "EdDSA"] do
      key = JOSE.generate(alg, "k1")

      assert {:ok, _} =
               OAuth.client_credentials(client([answer()], auth: {:private_key_jwt, key}),
                 resource: "https://api.example"
               )

      {_, form} = sent()
      {:ok, assertion} = JOSE.parse(form["client_assertion"])
      assert JOSE.valid?(assertion, key)
      assert %{"alg" => ^alg, "kid" => "k1"} = assertion.header

      assert %{"iss" => "app_1", "sub" => "app_1", "aud" => "https://id.example", "exp" => 1_800_000_060} =
               assertion.claims

      assert form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
      refute Map.has_key?(form, "client_secret")
    end
  end

  test "refresh keeps the token that the server does not replace" do
    assert {:ok, %{refresh_token: "rt-1"}} = OAuth.refresh(client([answer()]), "rt-1", organization: "acme")
    {_, form} = sent()

    assert form == %{
             "grant_type" => "refresh_token",
             "refresh_token" => "rt-1",
             "client_id" => "app_1",
             "organization" => "acme"
           }

    assert {:ok, %{refresh_token: "rt-2"}} = OAuth.refresh(client([answer(%{refresh_token: "rt-2"})]), "rt-1")
  end

  test "a refresh that fails is not repeated" do
    assert {:error, %Error{code: "http_502"}} = OAuth.refresh(client([World.json(502, %{})]), "rt-1")
    sent()
    refute_received {:request, _}
  end

  test "token exchange names subject and actor" do
    client = client([answer(%{issued_token_type: "urn:ietf:params:oauth:token-type:access_token"})])

    assert {:ok, _} =
             OAuth.token_exchange(client, "st",
               actor_token: "ac",
               audience: "https://api.example",
               scope: "notes:read"
             )

    {_, form} = sent()
    type = "urn:ietf:params:oauth:token-type:access_token"

    assert form == %{
             "grant_type" => "urn:ietf:params:oauth:grant-type:token-exchange",
             "subject_token" => "st",
             "subject_token_type" => type,
             "actor_token" => "ac",
             "actor_token_type" => type,
             "audience" => "https://api.example",
             "scope" => "notes:read",
             "client_id" => "app_1"
           }
  end

  test "a parameter without a value is left out" do
    client = client([answer()])
    assert {:ok, _} = OAuth.token_exchange(client, "subject", resource: nil, scope: "", audience: nil)
    assert_received {:request, request}
    refute Enum.any?(["resource", "scope", "audience"], &is_map_key(World.form(request), &1))
  end

  test "a device asks for the API and the organization that its token is for" do
    started = %{device_code: "dc", user_code: "u", verification_uri: "https://id.example/d", expires_in: 600}
    asked = [scope: "notes:read", resource: "https://api.example", organization: "acme"]
    details = [authorization_details: [%{type: "payment"}]]
    assert {:ok, _} = OAuth.device_authorization(client([World.json(200, started)]), asked ++ details)
    {_, form} = sent()
    for {name, value} <- asked, do: assert(form[to_string(name)] == value)
    assert form["authorization_details"] == ~s([{"type":"payment"}])
  end

  test "a device waits, slows down, survives an outage and gets its tokens" do
    started = %{
      device_code: "dc",
      user_code: "BCDF-GHJK",
      verification_uri: "https://id.example/d",
      expires_in: 600,
      interval: 5
    }

    no = fn code -> World.json(400, %{error: code}) end
    outage = {:error, Error.new("timeout", "late")}

    client =
      client([World.json(200, started), no.("authorization_pending"), no.("slow_down"), outage, answer()])

    {:ok, device} = OAuth.device_authorization(client, scope: "openid")
    test = self()
    assert {:ok, %{access_token: "at"}} = OAuth.device_await(client, device, sleep: &send(test, {:slept, &1}))
    for millis <- [5000, 5000, 10_000, 20_000], do: assert_received({:slept, ^millis})
  end

  test "a device waits on where a proxy answers, and not beyond the end of its code" do
    device = %Svc.Device{device_code: "dc", interval: 5, expires_at: World.now() + 600}
    page = fn status, headers -> {:ok, %{status: status, headers: headers, body: "<html>"}} end
    test = self()
    client = client([page.(503, [{"retry-after", "30"}]), page.(429, []), page.(502, []), answer()])
    assert {:ok, _} = OAuth.device_await(client, device, sleep: &send(test, {:slept, &1}))
    for millis <- [5000, 30_000, 5000, 5000], do: assert_received({:slept, ^millis})

    client = client([page.(503, [{"retry-after", "3600"}])])

    assert {:error, %Error{code: "expired_token"}} =
             OAuth.device_await(client, device, sleep: &send(test, {:slept, &1}))

    refute_received {:slept, 3_600_000}
  end

  test "a device that is refused or too late ends" do
    device = %Svc.Device{device_code: "dc", interval: 5, expires_at: World.now()}

    for code <- ["access_denied", "expired_token"] do
      assert {:error, %Error{code: ^code}} =
               OAuth.device_poll(client([World.json(400, %{error: code})]), device)
    end

    pending = client([World.json(400, %{error: "authorization_pending"})])

    assert {:error, %Error{code: "expired_token"}} =
             OAuth.device_await(pending, device, sleep: fn _ -> :ok end)
  end

  test "UserInfo is about the person of the ID token" do
    client = client([World.json(200, %{sub: "sub-1", name: "Ada"})])
    assert {:ok, %{"name" => "Ada"}} = OAuth.userinfo(client, "at", "sub-1")
    assert_received {:request, %{headers: [{"authorization", "Bearer at"}]}}
    assert {:error, %Error{code: "invalid_userinfo"}} = OAuth.userinfo(client, "at", "sub-2")
  end

  test "revocation" do
    client = client([{:ok, %{status: 200, headers: [], body: ""}}])
    assert OAuth.revoke(client, "rt", token_type_hint: "refresh_token") == :ok
    {request, form} = sent()
    assert request.url == "https://id.example/oauth/revoke"
    assert form == %{"token" => "rt", "token_type_hint" => "refresh_token", "client_id" => "app_1"}
  end

  test "the address of a sign-out has what is given alone" do
    assert OAuth.sign_out_url(World.client()) == {:ok, "https://id.example/oauth/logout?client_id=app_1"}

    assert OAuth.sign_out_url(World.client(), id_token: "id-1", return_to: "https://shop.example/?a=1") ==
             {:ok,
              "https://id.example/oauth/logout?client_id=app_1&id_token_hint=id-1" <>
                "&post_logout_redirect_uri=https%3A%2F%2Fshop.example%2F%3Fa%3D1"}

    assert {:error, %Error{code: "unsupported", tenant: "https://id.example"}} =
             OAuth.sign_out_url(World.client(metadata: %{}))
  end

  test "errors carry code, status, request and tenant" do
    problem = %{error: "invalid_grant", error_description: "the code is spent", type: "x", status: 400}

    assert {:error, error} =
             OAuth.refresh(client([World.json(400, problem, [{"retry-after", "3"}])], tenant: "acme"), "rt")

    assert error == %Error{
             code: "invalid_grant",
             status: 400,
             request_id: "req-1",
             tenant: "acme",
             message: "the code is spent",
             retry_after: 3
           }

    assert Exception.message(error) == "invalid_grant: the code is spent (request req-1, tenant acme)"

    for body <- ["", "<html>", "[]", ~s({"access_token":1})] do
      assert {:error, %Error{code: "invalid_answer"}} =
               OAuth.refresh(client([{:ok, %{status: 200, headers: [], body: body}}]), "rt")
    end

    assert {:error, %Error{code: "unsupported"}} = OAuth.revoke(World.client(metadata: %{}), "rt")
  end

  test "discovery makes a client" do
    http = World.answers([World.json(200, World.metadata())])
    assert {:ok, client} = Svc.Client.discover(issuer: World.issuer(), client_id: "app_1", http: http)
    assert client.metadata["token_endpoint"] == "https://id.example/oauth/token"
    evil = World.answers([World.json(200, %{World.metadata() | "issuer" => "https://evil.example"})])

    assert {:error, %Error{code: "invalid_discovery"}} =
             Svc.Client.discover(issuer: World.issuer(), client_id: "app_1", http: evil)
  end
end
