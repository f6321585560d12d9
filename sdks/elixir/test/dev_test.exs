defmodule Svc.DevTest do
  @moduledoc """
  Against a running server: `SVC_DEV` is the line that `svc-runtime dev --json` printed.
  """
  use ExUnit.Case, async: false

  alias Svc.{AccessToken, Error, JOSE, Keys, Management, OAuth, ReplayStore, Verifier}

  @moduletag :dev
  # The demo's own API.
  @api "https://api.demo.example"
  @redirect "http://127.0.0.1:8765/callback"

  setup_all do
    {:ok, dev} = Svc.JSON.decode(System.get_env("SVC_DEV"))
    start_supervised!({Keys, name: :dev_keys, issuer: dev["issuer"]})
    start_supervised!({ReplayStore.ETS, name: :dev_proofs})
    %{dev: dev}
  end

  defp client(dev, handle, opts \\ []) do
    application = Enum.find(dev["clients"], &(&1["handle"] == handle))

    auth =
      case application["token_endpoint_auth_method"] do
        "none" -> :none
        "client_secret_basic" -> {:client_secret_basic, application["client_secret"]}
        "client_secret_post" -> {:client_secret_post, application["client_secret"]}
      end

    opts = [issuer: dev["issuer"], client_id: application["client_id"], auth: auth, keys: :dev_keys] ++ opts
    {:ok, client} = Svc.Client.discover(opts)
    client
  end

  defp verifier(dev) do
    store = {ReplayStore.ETS, :dev_proofs}
    Verifier.new(issuer: dev["issuer"], audience: @api, keys: :dev_keys, replay_store: store)
  end

  defp request(token, more \\ []) do
    %{method: "GET", url: "https://api.example/x", headers: [{"authorization", "Bearer " <> token} | more]}
  end

  test "a service's token passes the ten rules, and no other audience, tenant or kind", %{dev: dev} do
    assert {:ok, tokens} =
             OAuth.client_credentials(client(dev, "service"), scope: "notes:read", resource: @api)

    route = [tenant_id: dev["tenant_id"], scope: "notes:read", subject_types: ["system"]]
    verifier = verifier(dev)
    assert {:ok, claims} = AccessToken.verify(request(tokens.access_token), verifier, route)
    assert claims["tenant_id"] == dev["tenant_id"]
    other = %{verifier | audience: "https://other.example"}

    assert {:error, %Error{code: "invalid_token"}} =
             AccessToken.verify(request(tokens.access_token), other, route)

    for change <- [[tenant_id: "tnt_other"], [subject_types: ["human"]]] do
      changed = Keyword.merge(route, change)

      assert {:error, %Error{code: "forbidden"}} =
               AccessToken.verify(request(tokens.access_token), verifier, changed)
    end

    more = Keyword.put(route, :scope, "notes:read notes:write")

    assert {:error, %Error{code: "insufficient_scope"}} =
             AccessToken.verify(request(tokens.access_token), verifier, more)
  end

  test "a person signs in, and the tokens renew, tell about the person and end", %{dev: dev} do
    client = client(dev, "web", redirect_uri: @redirect)

    {:ok, login} = OAuth.authorization_url(client, scope: "openid profile email")
    callback = Svc.Person.sign_in(login.url, dev["user"], @redirect)
    assert {:ok, tokens} = OAuth.finish(client, login, callback)
    assert {:ok, %{"sub" => sub}} = OAuth.userinfo(client, tokens.access_token, tokens.id_claims["sub"])
    assert sub == tokens.id_claims["sub"]
    assert {:error, %Error{code: "invalid_grant", request_id: id}} = OAuth.finish(client, login, callback)
    assert is_binary(id)

    verifier = verifier(dev)
    route = [tenant_id: dev["tenant_id"], scope: "notes:read"]

    assert {:error, %Error{code: "invalid_token"}} =
             AccessToken.verify(request(tokens.id_token), verifier, route)

    {:ok, login} =
      OAuth.authorization_url(client, scope: "openid offline_access notes:read", push: true, resource: @api)

    assert {:ok, tokens} = OAuth.finish(client, login, Svc.Person.sign_in(login.url, dev["user"], @redirect))

    assert {:ok, %{"subject_type" => "human"}} =
             AccessToken.verify(request(tokens.access_token), verifier, route)

    assert {:ok, renewed} = OAuth.refresh(client, tokens.refresh_token)
    assert {:ok, _} = AccessToken.verify(request(renewed.access_token), verifier, route)
    assert OAuth.revoke(client, renewed.refresh_token) == :ok
    assert {:error, %Error{code: "invalid_grant", status: 400}} = OAuth.refresh(client, renewed.refresh_token)
  end

  test "a service acts for a person, who is named with it", %{dev: dev} do
    web = client(dev, "web", redirect_uri: @redirect)
    {:ok, login} = OAuth.authorization_url(web, scope: "openid notes:read", resource: @api)
    {:ok, person} = OAuth.finish(web, login, Svc.Person.sign_in(login.url, dev["user"], @redirect))

    service = client(dev, "service")

    assert {:ok, tokens} =
             OAuth.token_exchange(service, person.access_token, audience: @api, scope: "notes:read")

    assert tokens.issued_token_type == "urn:ietf:params:oauth:token-type:access_token"
    route = [tenant_id: dev["tenant_id"], scope: "notes:read"]

    assert {:error, %Error{code: "forbidden"}} =
             AccessToken.verify(request(tokens.access_token), verifier(dev), route)

    allowed = route ++ [allow_delegation: true, actors: [service.client_id]]
    assert {:ok, claims} = AccessToken.verify(request(tokens.access_token), verifier(dev), allowed)
    assert claims["act"]["sub"] == service.client_id
    other = Keyword.put(allowed, :actors, [web.client_id])

    assert {:error, %Error{code: "forbidden"}} =
             AccessToken.verify(request(tokens.access_token), verifier(dev), other)
  end

  test "a device waits", %{dev: dev} do
    client = client(dev, "device")
    assert {:ok, device} = OAuth.device_authorization(client, scope: "openid")
    assert device.user_code =~ ~r/\A[A-Z]{4}-[A-Z]{4}\z/
    assert {:pending, _} = OAuth.device_poll(client, device)
    assert {:pending, %{interval: slower}} = OAuth.device_poll(client, device)
    assert slower >= device.interval + 5
    unknown = %{device | device_code: "x"}
    assert {:error, %Error{code: code}} = OAuth.device_poll(client, unknown)
    assert code in ["invalid_grant", "expired_token"]
  end

  defp management(dev) do
    client = client(dev, "admin-cli")
    give = fn -> with {:ok, tokens} <- OAuth.client_credentials(client), do: {:ok, tokens.access_token} end
    Management.new(issuer: dev["issuer"], token: give)
  end

  test "webhooks are made once per key, listed page by page, changed by If-Match and deleted", %{dev: dev} do
    api = management(dev)
    path = Management.path(["webhooks"])

    made =
      for n <- 1..3 do
        body = %{url: "https://receiver.example/#{n}", event_types: ["auth.*"]}
        opts = [body: body, idempotency_key: "elixir-#{n}-#{System.unique_integer()}"]
        assert {:ok, %{status: 201, body: made}} = Management.request(api, :post, path, opts)
        assert {:ok, %{body: ^made}} = Management.request(api, :post, path, opts)
        made["id"]
      end

    listed = api |> Management.stream(path, limit: 2) |> Enum.map(& &1["id"])
    assert made -- listed == [] and listed == Enum.uniq(listed)

    one = Management.path(["webhooks", hd(made)])
    assert {:ok, %{etag: etag}} = Management.request(api, :get, one)
    change = [body: %{description: "new"}, if_match: etag]
    assert {:ok, _} = Management.request(api, :patch, one, change)
    assert {:error, %Error{status: 409, code: "conflict"}} = Management.request(api, :patch, one, change)
    for id <- made, do: assert({:ok, _} = Management.request(api, :delete, Management.path(["webhooks", id])))
    assert {:error, %Error{status: 404, code: "not_found"}} = Management.request(api, :get, one)
  end

  test "an application authenticates by private_key_jwt, and a DPoP token passes with its proof", %{dev: dev} do
    for alg <- ["ES256", "EdDSA"] do
      key = JOSE.generate(alg, "k-#{alg}")

      body = %{
        name: "Elixir #{alg} #{System.os_time()}",
        type: "machine",
        grant_types: ["client_credentials"],
        token_endpoint_auth_method: "private_key_jwt",
        jwks: %{keys: [Map.merge(JOSE.public_jwk(key), %{"kid" => key.kid, "alg" => alg, "use" => "sig"})]},
        scope: "notes:read"
      }

      assert {:ok, %{body: made}} =
               Management.request(management(dev), :post, Management.path(["applications"]), body: body)

      id = made["client_id"] || made["id"]
      {:ok, client} = Svc.Client.discover(issuer: dev["issuer"], client_id: id, auth: {:private_key_jwt, key})
      dpop = JOSE.generate()

      prove = fn request ->
        proof = Svc.DPoP.proof(dpop, "POST", request.url)
        Svc.HTTP.request(Map.update!(request, :headers, &[{"dpop", proof} | &1]))
      end

      assert {:ok, tokens} =
               OAuth.client_credentials(%{client | http: prove}, scope: "notes:read", resource: @api)

      assert tokens.token_type == "DPoP"
      url = "https://api.example/x"
      proof = Svc.DPoP.proof(dpop, "GET", url, access_token: tokens.access_token)

      bound = %{
        method: "GET",
        url: url,
        headers: [{"authorization", "DPoP " <> tokens.access_token}, {"dpop", proof}]
      }

      verifier = verifier(dev)
      route = [tenant_id: dev["tenant_id"], scope: "notes:read", subject_types: ["system"], dpop: :required]
      assert {:ok, _} = AccessToken.verify(bound, verifier, route)
      assert {:error, %Error{code: "invalid_dpop_proof"}} = AccessToken.verify(bound, verifier, route)

      assert {:error, %Error{code: "invalid_token"}} =
               AccessToken.verify(request(tokens.access_token), verifier, route)
    end
  end

  test "a wrong secret is the server's error, with its request", %{dev: dev} do
    client = %{client(dev, "service") | auth: {:client_secret_post, "wrong"}}

    assert {:error, %Error{code: "invalid_client", status: 401, request_id: id}} =
             OAuth.client_credentials(client)

    assert is_binary(id)
  end
end
