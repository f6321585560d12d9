defmodule Svc.World do
  @moduledoc "An issuer of tests: its keys, tokens of any shape, and answers without a network."

  alias Svc.JOSE

  @issuer "https://id.example"
  @now 1_800_000_000

  def issuer, do: @issuer
  def now, do: @now

  def es256, do: :persistent_term.get({__MODULE__, "ES256"})
  def eddsa, do: :persistent_term.get({__MODULE__, "EdDSA"})

  def make_keys do
    for {alg, kid} <- [{"ES256", "es-1"}, {"EdDSA", "ed-1"}] do
      :persistent_term.put({__MODULE__, alg}, JOSE.generate(alg, kid))
    end
  end

  def jwks do
    keys =
      for key <- [es256(), eddsa()],
          do: Map.merge(JOSE.public_jwk(key), %{"kid" => key.kid, "alg" => key.alg})

    %{"keys" => keys}
  end

  def verifier(opts \\ []) do
    [issuer: @issuer, audience: "https://api.example", keys: Svc.Keys.static(jwks()), clock: fn -> @now end]
    |> Keyword.merge(opts)
    |> Svc.Verifier.new()
  end

  def claims(changes \\ %{}) do
    %{
      "iss" => @issuer,
      "aud" => "https://api.example",
      "sub" => "sub-1",
      "tenant_id" => "tnt_1",
      "client_id" => "app_1",
      "scope" => "notes:read notes:write",
      "subject_type" => "human",
      "nbf" => @now - 10,
      "exp" => @now + 600,
      "jti" => "tok-1"
    }
    |> Map.merge(changes)
    |> Map.reject(fn {_, value} -> value == :none end)
  end

  def token(changes \\ %{}, key \\ es256(), header \\ %{}) do
    JOSE.sign(claims(changes), key, Map.merge(%{"typ" => "at+jwt"}, header))
  end

  def request(token, opts \\ []) do
    scheme = Keyword.get(opts, :scheme, "Bearer")
    proof = for proof <- List.wrap(opts[:proof]), do: {"DPoP", proof}

    %{
      method: "GET",
      url: "https://api.example/notes",
      headers: [{"Authorization", "#{scheme} #{token}"} | proof]
    }
  end

  def metadata do
    %{
      "issuer" => @issuer,
      "authorization_endpoint" => @issuer <> "/oauth/authorize",
      "token_endpoint" => @issuer <> "/oauth/token",
      "jwks_uri" => @issuer <> "/.well-known/jwks.json",
      "userinfo_endpoint" => @issuer <> "/userinfo",
      "revocation_endpoint" => @issuer <> "/oauth/revoke",
      "end_session_endpoint" => @issuer <> "/oauth/logout",
      "device_authorization_endpoint" => @issuer <> "/oauth/device/code",
      "pushed_authorization_request_endpoint" => @issuer <> "/oauth/par"
    }
  end

  def client(opts \\ []) do
    struct!(
      %Svc.Client{
        issuer: @issuer,
        client_id: "app_1",
        metadata: metadata(),
        redirect_uri: "https://shop.example/callback",
        keys: Svc.Keys.static(jwks()),
        clock: fn -> @now end
      },
      opts
    )
  end

  @doc "A sender that tells this process of each request and gives the answers in their order."
  def answers(list) do
    {:ok, agent} = Agent.start_link(fn -> list end)
    test = self()

    fn request ->
      send(test, {:request, request})

      Agent.get_and_update(agent, fn [answer | rest] -> {answer, if(rest == [], do: [answer], else: rest)} end)
    end
  end

  def json(status, body, headers \\ []) do
    {:ok, %{status: status, headers: [{"x-request-id", "req-1"} | headers], body: Svc.JSON.encode(body)}}
  end

  def form(request), do: URI.decode_query(request.body)
end
