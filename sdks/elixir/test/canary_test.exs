defmodule Svc.CanaryTest do
  @moduledoc "No token, secret, code or key comes to light: in errors, in what inspect shows, in logs."
  use ExUnit.Case, async: false

  import ExUnit.CaptureLog
  alias Svc.{AccessToken, JOSE, OAuth, World}

  @canary "cAnArY+7f3a9/"

  # A server that repeats whatever it gets, in every member.
  defp parrot do
    fn request ->
      body = request[:body] || ""
      heard = body <> URI.decode_www_form(body) <> inspect(request[:headers])
      World.json(400, %{error: heard, error_description: heard, detail: heard})
    end
  end

  defp hidden(term) do
    shown = inspect(term, limit: :infinity, printable_limit: :infinity, structs: true)
    refute shown =~ "cAnArY"
    refute shown =~ Base.encode64("app_1:cAnArY")
    term
  end

  test "errors of a server that repeats its requests" do
    login = %Svc.Login{
      url: "x",
      state: @canary <> "s",
      nonce: "n",
      code_verifier: @canary <> "v",
      redirect_uri: "https://r"
    }

    device = %Svc.Device{device_code: @canary <> "d", interval: 5, expires_at: 0}

    log =
      capture_log(fn ->
        for auth <- [:none, {:client_secret_post, @canary <> "x"}, {:client_secret_basic, @canary <> "x"}] do
          client = World.client(http: parrot(), auth: auth)

          for outcome <- [
                OAuth.exchange_code(client, login, @canary <> "c"),
                OAuth.refresh(client, @canary <> "r"),
                OAuth.token_exchange(client, @canary <> "t", actor_token: @canary <> "a"),
                OAuth.revoke(client, @canary <> "k"),
                OAuth.device_poll(client, device),
                OAuth.userinfo(client, @canary <> "u", "sub"),
                OAuth.client_credentials(client)
              ] do
            assert {:error, error} = hidden(outcome)
            refute Exception.message(error) =~ @canary
          end
        end

        api = Svc.Management.new(issuer: World.issuer(), token: @canary, http: parrot())
        assert {:error, _} = hidden(Svc.Management.request(api, :post, "/api/v1/x", body: %{}))
      end)

    refute log =~ @canary
  end

  test "every error names its code and the tenant or issuer, and the request where the server answered" do
    login = %Svc.Login{
      url: "x",
      state: "s",
      nonce: "n",
      code_verifier: "v",
      redirect_uri: "https://r",
      openid?: true
    }

    unreadable = World.json(200, "nothing")
    refused = World.json(503, %{error: "temporarily_unavailable"})
    lost = {:error, Svc.Error.new("unreachable", "the server cannot be reached")}

    for answer <- [unreadable, refused, lost] do
      http = World.answers([answer])
      client = World.client(http: http)
      api = Svc.Management.new(issuer: World.issuer(), token: "tok", http: http, attempts: 1)

      outcomes = [
        OAuth.exchange_code(client, login, "c"),
        OAuth.authorization_url(client, push: true),
        OAuth.device_authorization(client),
        OAuth.userinfo(client, "at", "sub"),
        OAuth.client_credentials(client),
        Svc.Discovery.fetch(World.issuer(), http),
        Svc.Keys.download(World.issuer(), http)
      ]

      api_outcomes =
        if answer == unreadable,
          do: [],
          else: [Svc.Management.request(api, :get, "/api/v1/x", query: [q: @canary])]

      for outcome <- outcomes ++ api_outcomes do
        assert {:error, %Svc.Error{} = error} = hidden(outcome)
        assert is_binary(error.code) and error.tenant == World.issuer()

        assert error.request_id ==
                 if(answer == lost or error.code == "invalid_discovery", do: nil, else: "req-1")

        assert Exception.message(error) =~ World.issuer()
      end
    end

    for {outcome, tenant} <- [
          {AccessToken.verify(World.request("no"), World.verifier(), tenant_id: "tnt_1"), "tnt_1"},
          {AccessToken.verify(World.request("no"), World.verifier(), tenant_id: fn _ -> nil end),
           World.issuer()},
          {Svc.IDToken.verify("no", World.client(), Svc.Keys.static(World.jwks())), World.issuer()},
          {Svc.IDToken.verify("no", World.client(tenant: "acme"), Svc.Keys.static(World.jwks())), "acme"},
          {Svc.Callback.check("/c?code=c", "s", World.issuer()), World.issuer()},
          {Svc.Discovery.check(%{}, World.issuer()), World.issuer()}
        ] do
      assert {:error, %Svc.Error{tenant: ^tenant}} = outcome
    end
  end

  test "what inspect shows" do
    key = %{JOSE.generate() | private: @canary}
    hidden(key)
    hidden(World.client(auth: {:client_secret_post, @canary}))
    hidden(World.client(auth: {:private_key_jwt, key}))

    hidden(%Svc.Tokens{
      access_token: @canary,
      refresh_token: @canary,
      id_token: @canary,
      id_claims: %{"email" => @canary}
    })

    hidden(%Svc.Device{device_code: @canary, user_code: @canary, verification_uri_complete: @canary})

    hidden(%Svc.Login{url: @canary, state: @canary, nonce: @canary, code_verifier: @canary, redirect_uri: "r"})

    hidden(Svc.Management.new(issuer: World.issuer(), token: @canary))
    hidden(%Svc.Webhook.Event{type: "t", body: @canary})
    hidden(%JOSE.Token{header: %{}, claims: %{"sub" => @canary}, signed: @canary, signature: @canary})
  end

  test "refused access tokens and callbacks" do
    log =
      capture_log(fn ->
        for token <- [
              @canary,
              World.token(%{"sub" => @canary, "exp" => 1}),
              World.token(%{}, World.es256(), %{"kid" => @canary})
            ] do
          outcome = AccessToken.verify(World.request(token), World.verifier(), tenant_id: "tnt_1")
          assert {:error, error} = hidden(outcome)
          refute Exception.message(error) =~ token
        end

        state = @canary <> "state"

        said =
          URI.encode_query(error: "e", error_description: "no #{state}", state: state, iss: World.issuer())

        assert {:error, _} = hidden(Svc.Callback.check("/c?" <> said, state, World.issuer()))

        assert {:error, _} =
                 hidden(Svc.Callback.check("/c?code=#{@canary}&state=#{@canary}", state, World.issuer()))
      end)

    refute log =~ @canary
  end

  test "a sender over the network that fails" do
    log =
      capture_log(fn ->
        request = %{
          method: :post,
          url: "http://127.0.0.1:1/",
          headers: [{"authorization", @canary}],
          body: @canary
        }

        assert {:error, _} = hidden(Svc.HTTP.request(request))
        broken = Svc.Server.start(fn socket, _ -> :gen_tcp.send(socket, "nonsense\r\n\r\n") end)
        assert {:error, _} = hidden(Svc.HTTP.request(%{request | url: broken}))
        assert {:error, _} = hidden(Svc.HTTP.request(%{request | body: :no_body}))

        assert {:error, _} =
                 hidden(Svc.HTTP.request(%{request | url: broken, headers: [{"x", @canary <> "€"}]}))
      end)

    refute log =~ @canary
  end
end
