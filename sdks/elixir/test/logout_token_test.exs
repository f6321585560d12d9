defmodule Svc.LogoutTokenTest do
  use ExUnit.Case, async: true

  alias Svc.{Error, JOSE, LogoutToken, World}

  @event "http://schemas.openid.net/event/backchannel-logout"

  defp verify(changes, key \\ World.es256(), header \\ %{}) do
    claims =
      %{
        "iss" => World.issuer(),
        "sub" => "sub-1",
        "sid" => "sess-1",
        "aud" => "app_1",
        "iat" => World.now(),
        "exp" => World.now() + 120,
        "jti" => "lgo-1",
        "events" => %{@event => %{}}
      }
      |> Map.merge(changes)
      |> Map.reject(fn {_, value} -> value == :none end)

    token = JOSE.sign(claims, key, Map.merge(%{"typ" => "logout+jwt"}, header))
    LogoutToken.verify(token, World.client(), Svc.Keys.static(World.jwks()))
  end

  test "a logout token names the session that has ended" do
    assert verify(%{}) == {:ok, %LogoutToken{sid: "sess-1", sub: "sub-1", at: World.now()}}
    assert {:ok, %LogoutToken{sid: nil, sub: "sub-1"}} = verify(%{"sid" => :none})
    assert {:ok, %LogoutToken{sid: "sess-1", sub: nil}} = verify(%{"sub" => :none}, World.eddsa())
    now = World.now()

    for good <- [
          %{"aud" => ["other", "app_1"]},
          %{"iat" => now + 60},
          %{"iat" => now - 600},
          %{"exp" => now - 59}
        ] do
      assert {:ok, _} = verify(good), inspect(good)
    end
  end

  test "what is no logout token of this issuer for this application is refused" do
    now = World.now()

    for changes <- [
          %{"iss" => "https://id.example/"},
          %{"iss" => :none},
          %{"aud" => "app_2"},
          %{"aud" => :none},
          %{"iat" => now + 61},
          %{"iat" => now - 601},
          %{"iat" => :none},
          %{"iat" => "1800000000"},
          %{"exp" => now - 60},
          %{"exp" => :none},
          %{"nonce" => "n-1"},
          %{"events" => :none},
          %{"events" => %{}},
          %{"events" => [@event]},
          %{"events" => %{@event => true}},
          %{"sid" => :none, "sub" => :none},
          %{"sid" => 1, "sub" => ""}
        ] do
      assert {:error, %Error{code: "invalid_logout_token", status: 400, tenant: "https://id.example"}} =
               verify(changes),
             inspect(changes)
    end

    for header <- [%{"typ" => "JWT"}, %{"typ" => "at+jwt"}, %{"kid" => "es-9"}, %{"alg" => "none"}] do
      assert {:error, %Error{code: "invalid_logout_token"}} = verify(%{}, World.es256(), header)
    end

    assert {:error, %Error{code: "invalid_logout_token"}} = verify(%{}, JOSE.generate("ES256", "es-1"))
    keys = Svc.Keys.static(World.jwks())
    assert {:error, %Error{code: "invalid_logout_token"}} = LogoutToken.verify("no", World.client(), keys)
  end

  test "without keys it is the issuer that is out of reach" do
    token = JOSE.sign(%{}, World.es256(), %{"typ" => "logout+jwt"})

    assert {:error, %Error{code: "temporarily_unavailable", status: 503}} =
             LogoutToken.verify(token, World.client(), :no_such_keys)
  end
end
