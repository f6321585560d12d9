defmodule Svc.DPoPTest do
  use ExUnit.Case, async: true

  alias Svc.{DPoP, Error, JOSE, Webhook, World}

  defmodule Faulty do
    @behaviour Svc.ReplayStore
    @impl true
    def put_new(:raises, _, _, _), do: raise("no connection")
    def put_new(:exits, _, _, _), do: exit({:timeout, {GenServer, :call, [:redis, :canary]}})
    def put_new(:throws, _, _, _), do: throw(:canary)
    def put_new(:mumbles, _, _, _), do: true
    def put_new(:refuses, _, _, _), do: {:error, :full}
    @impl true
    def delete(_, _), do: raise("no connection")
  end

  @url "https://api.example/a~b/%2F?q=1"
  @faults [:raises, :exits, :throws, :mumbles, :refuses]

  defp judge(htu, store) do
    key = World.es256()
    proof = proof(%{"htu" => htu}, %{"jwk" => JOSE.public_jwk(key)})
    verify(proof, key, store)
  end

  defp proof(claims, header) do
    header = Map.merge(%{"typ" => "dpop+jwt"}, header)
    JOSE.sign(Map.merge(claims(), claims), %{World.es256() | kid: nil}, header)
  end

  defp claims,
    do: %{"jti" => "j", "htm" => "GET", "htu" => @url, "iat" => World.now(), "ath" => ath("at")}

  defp verify(proof, key, store) do
    DPoP.verify(proof, %{
      method: "GET",
      url: @url,
      access_token: "at",
      thumbprint: JOSE.thumbprint(key),
      now: World.now(),
      store: store,
      leeway: 10
    })
  end

  defp ath(token), do: JOSE.base64(:crypto.hash(:sha256, token))

  defp store do
    name = :"proofs_#{System.unique_integer([:positive])}"
    start_supervised!({Svc.ReplayStore.ETS, name: name, clock: fn -> World.now() end}, id: name)
    {Svc.ReplayStore.ETS, name}
  end

  test "addresses of proofs are held against each other in their normal form" do
    for htu <- [
          "https://api.example/a~b/%2F",
          "https://api.example/a%7Eb/%2f",
          "HTTPS://API.example:443/%61~b/%2F#x"
        ] do
      assert judge(htu, store()) == :ok, htu
    end

    for htu <- [
          "https://api.example/a~b//",
          "https://api.example/a~b/%252F",
          "https://api.example:444/a~b/%2F",
          "https://me@api.example/a~b/%2F",
          "http://api.example/a~b/%2F",
          "https://api.example/A~b/%2F",
          "https://api.example/a~b/%2F/",
          "https://api.example\\a~b/%2F"
        ] do
      assert judge(htu, store()) == {:error, "it is for another address"}, htu
    end
  end

  # By PKCS #1 v1.5 where the algorithm is RS256.
  defp rsa_proof(alg, [e, n, _] = private) do
    jwk = %{"kty" => "RSA", "n" => JOSE.base64(n), "e" => JOSE.base64(e)}
    header = %{"typ" => "dpop+jwt", "alg" => alg, "jwk" => jwk}
    signed = JOSE.base64(Svc.JSON.encode(header)) <> "." <> JOSE.base64(Svc.JSON.encode(claims()))
    pss = [rsa_padding: :rsa_pkcs1_pss_padding, rsa_pss_saltlen: 32, rsa_mgf1_md: :sha256]
    options = if alg == "RS256", do: [], else: pss
    signed <> "." <> JOSE.base64(:crypto.sign(:rsa, :sha256, signed, private, options))
  end

  test "a proof by an RSA key is taken with PS256 and no other algorithm" do
    {[e, n], [_, _, d | _]} = :crypto.generate_key(:rsa, {2048, 65_537})
    {:ok, key} = JOSE.from_jwk(%{"kty" => "RSA", "n" => JOSE.base64(n), "e" => JOSE.base64(e)})
    assert verify(rsa_proof("PS256", [e, n, d]), key, store()) == :ok

    for alg <- ["RS256", "ES256"],
        do: assert({:error, _} = verify(rsa_proof(alg, [e, n, d]), key, store()), alg)

    [head, body, signature] = "PS256" |> rsa_proof([e, n, d]) |> String.split(".")
    [_, _, other] = "RS256" |> rsa_proof([e, n, d]) |> String.split(".")

    for wrong <- ["", other, binary_part(signature, 0, 40)] do
      assert {:error, _} = verify(Enum.join([head, body, wrong], "."), key, store())
    end
  end

  test "the type of a proof is a media type, and its key is public and signs" do
    key = World.es256()
    jwk = JOSE.public_jwk(key)

    for typ <- ["dpop+jwt", "DPoP+JWT", "application/dpop+jwt"],
        do: assert(verify(proof(%{}, %{"typ" => typ, "jwk" => jwk}), key, store()) == :ok, typ)

    for header <- [
          %{"typ" => "JWT", "jwk" => jwk},
          %{"typ" => 7, "jwk" => jwk},
          %{"jwk" => Map.put(jwk, "d", "AA")},
          %{"jwk" => Map.put(jwk, "k", "AA")},
          %{"jwk" => Map.put(jwk, "use", "enc")},
          %{"jwk" => jwk, "jku" => "https://evil.example"},
          %{"jwk" => jwk, "x5u" => "https://evil.example"},
          %{"jwk" => jwk, "x5c" => ["AA"]},
          %{"jwk" => "AA"},
          %{}
        ] do
      assert {:error, _} = verify(proof(%{}, header), key, store())
    end
  end

  test "the time of a proof is a number of seconds since 1970, of which the fraction is dropped" do
    jwk = %{"jwk" => JOSE.public_jwk(World.es256())}

    for iat <- [World.now(), World.now() + 0.5, World.now() * 1.0, World.now() + 10.9] do
      assert verify(proof(%{"iat" => iat}, jwk), World.es256(), store()) == :ok
    end

    for iat <- [World.now() + 11.1, "#{World.now()}", "#{World.now()}.5", -1, -0.5, 1.0e300, nil] do
      assert {:error, _} = verify(proof(%{"iat" => iat}, jwk), World.es256(), store())
    end
  end

  test "a store that fails in any way lets no proof and no delivery pass" do
    for fault <- @faults do
      assert judge(@url, {Faulty, fault}) == {:error, :store}
      {headers, body} = delivery()
      opts = [secrets: ["s"], store: {Faulty, fault}, now: World.now()]
      assert {:error, %Error{code: "webhook_store"}} = outcome = Webhook.verify(headers, body, opts)
      assert Webhook.status(outcome) == 503
    end

    event = %Webhook.Event{delivery_id: "dlv_1"}
    assert Webhook.forget(event, {Faulty, :raises}) == :ok
  end

  defp delivery do
    head = Enum.map(["svc-webhook-v1", "#{World.now()}", "300", "webhook.test", "dlv_1"], &[&1, ?\n])
    mac = :crypto.mac(:hmac, :sha256, "s", [head, "{}"])

    {[
       {"x-svc-signature-suite", "svc-webhook-v1"},
       {"x-svc-timestamp", "#{World.now()}"},
       {"x-svc-signature-max-age", "300"},
       {"x-svc-event", "webhook.test"},
       {"x-svc-delivery", "dlv_1"},
       {"x-svc-signature-256", "sha256=" <> Base.encode16(mac, case: :lower)}
     ], "{}"}
  end
end
