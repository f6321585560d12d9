# Tokens a second on one core with cached keys, beside the bare check of their signature.
alias Svc.{AccessToken, JOSE, Keys, Verifier}

now = System.os_time(:second)

for alg <- ["ES256", "EdDSA"] do
  key = JOSE.generate(alg, "k")
  keys = Keys.static(%{"keys" => [Map.put(JOSE.public_jwk(key), "kid", "k")]})
  verifier = Verifier.new(issuer: "https://id.example", audience: "api", keys: keys)

  claims = %{
    "iss" => "https://id.example",
    "aud" => "api",
    "sub" => "sub-1",
    "tenant_id" => "tnt_1",
    "client_id" => "app_1",
    "scope" => "notes:read notes:write",
    "subject_type" => "human",
    "nbf" => now,
    "iat" => now,
    "exp" => now + 600,
    "jti" => "j"
  }

  token = JOSE.sign(claims, key, %{"typ" => "at+jwt"})
  {:ok, parsed} = JOSE.parse(token)
  request = %{method: "GET", url: "https://api.example/", headers: [{"authorization", "Bearer " <> token}]}
  route = [tenant_id: "tnt_1", scope: "notes:read"]

  rate = fn work ->
    rounds = 10_000
    {micros, _} = :timer.tc(fn -> for _ <- 1..rounds, do: work.() end)
    rounds * 1_000_000 / micros
  end

  whole = rate.(fn -> {:ok, _} = AccessToken.verify(request, verifier, route) end)
  bare = rate.(fn -> true = JOSE.valid?(parsed, key) end)

  IO.puts(
    "#{alg}: #{round(whole)} tokens/s, #{round(bare)} signatures/s, ratio #{Float.round(whole / bare, 2)}"
  )
end
