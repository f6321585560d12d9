defmodule Svc.GuideTest do
  @moduledoc "Every block of docs/packages/elixir.md is a part of test/support/notes.ex, and all of that runs here."
  use ExUnit.Case, async: true

  alias Svc.{Error, JOSE, Management, World}

  @guide Path.expand("../../../docs/packages/elixir.md", __DIR__)

  test "the page's blocks are the tested code, letter by letter" do
    page = File.read!(@guide)

    code =
      __DIR__ |> Path.join("support/notes.ex") |> File.read!() |> String.replace("  @moduledoc false\n", "")

    blocks = Regex.scan(~r/^```elixir\n(.*?)^```$/ms, page, capture: :all_but_first)
    assert length(blocks) >= 7
    for [block] <- blocks, do: assert(String.contains?(code, String.trim(block)), block)
    # The one block of another language is how it is installed.
    assert page |> String.split("```") |> length() == 2 * (length(blocks) + 1) + 1
  end

  test "the API lets a good token of its tenant through" do
    http = fn request ->
      World.json(
        200,
        if(String.ends_with?(request.url, "jwks.json"), do: World.jwks(), else: World.metadata())
      )
    end

    for {module, opts} <- Notes.Auth.children(), do: start_supervised!({module, opts ++ [http: http]})
    now = System.os_time(:second)
    token = World.token(%{"nbf" => now, "exp" => now + 60})
    conn = %Plug.Conn{req_headers: [{"authorization", "Bearer " <> token}]}
    assert %{status: 200, resp_body: "Notes of sub-1"} = Notes.API.call(conn, Notes.API.init([]))
    assert %{status: 403} = Notes.API.call(%{conn | host: "other.example"}, [])
    assert %{status: 401} = Notes.API.call(%{conn | req_headers: []}, [])

    opts = [verifier: &Notes.Auth.verifier/0, tenant_id: "tnt_1"]
    assert %{status: 200, resp_body: "Written by sub-1"} = Notes.Tools.write(conn, opts)
    read = World.token(%{"nbf" => now, "exp" => now + 60, "scope" => "notes:read"})
    refused = Notes.Tools.write(%{conn | req_headers: [{"authorization", "Bearer " <> read}]}, opts)
    assert refused.status == 403
    assert {"www-authenticate", challenge} = List.keyfind(refused.resp_headers, "www-authenticate", 0)
    assert challenge =~ ~s(error="insufficient_scope") and challenge =~ ~s(scope="notes:write")
    served = Notes.Tools.metadata(%{conn | request_path: "/.well-known/oauth-protected-resource/mcp"})
    assert served.halted and served.resp_body =~ ~s("authorization_servers":["https://id.example"])
  end

  test "a sign-in" do
    {:ok, client} = Notes.SignIn.client("s", http: World.answers([World.json(200, World.metadata())]))
    {:ok, login} = Notes.SignIn.start(client)
    now = System.os_time(:second)

    claims = %{
      "iss" => World.issuer(),
      "aud" => "app_1",
      "sub" => "sub-1",
      "nonce" => login.nonce,
      "iat" => now
    }

    id_token = JOSE.sign(Map.put(claims, "exp", now + 60), World.es256())
    answer = World.json(200, %{access_token: "at", token_type: "Bearer", id_token: id_token})
    client = %{client | http: World.answers([answer]), keys: Svc.Keys.static(World.jwks())}

    back =
      "https://shop.example/callback?" <> URI.encode_query(code: "c", state: login.state, iss: World.issuer())

    assert {:ok, "sub-1", %Svc.Tokens{access_token: "at"}} = Notes.SignIn.finish(client, login, back)
    assert {:error, %Error{code: "missing_state"}} = Notes.SignIn.finish(client, login, "/callback?code=c")
    no = "/callback?" <> URI.encode_query(error: "access_denied", state: login.state, iss: World.issuer())
    assert Notes.SignIn.finish(client, login, no) == :refused
  end

  test "a machine" do
    key = :public_key.generate_key({:namedCurve, :secp256r1})
    pem = :public_key.pem_encode([:public_key.pem_entry_encode(:ECPrivateKey, key)])

    answers = [
      World.json(200, World.metadata()),
      World.json(200, %{access_token: "at", token_type: "Bearer"})
    ]

    {:ok, client} = Notes.Machine.client(pem, http: World.answers(answers))
    assert {:ok, %{access_token: "at"}} = Notes.Machine.token(client)

    granted = World.json(200, %{access_token: "at", token_type: "Bearer", expires_in: 60})
    start_supervised!(Notes.Admin.token(%{client | http: World.answers([granted])}))
    api = Notes.Admin.api(http: World.answers([World.json(200, %{id: "whk_1"}, [{"etag", "\"1\""}])]))
    assert {:ok, _} = Notes.Admin.subscribe(api, 7)
    assert_received {:request, %{url: "https://acme.id.example/api/v1/webhooks", headers: headers}}
    assert {"idempotency-key", "subscribe-7"} in headers
    assert {:ok, %{etag: "\"1\""}} = Notes.Admin.rename(api, "whk_1", "x")
    page = World.json(200, %{data: [%{id: "usr_1"}], next_cursor: nil})
    assert Notes.Admin.people(%Management{api | http: World.answers([page])}) |> Enum.to_list() == ["usr_1"]
  end

  test "an event" do
    start_supervised!({Svc.ReplayStore.ETS, name: Notes.Deliveries})
    body = ~s({"id":"evt_1","type":"auth.logout","data":{}})
    now = System.os_time(:second)
    head = "svc-webhook-v1\n#{now}\n300\nauth.logout\ndlv_1\n"
    mac = :crypto.mac(:hmac, :sha256, "secret", head <> body)

    headers = [
      {"x-svc-signature-suite", "svc-webhook-v1"},
      {"x-svc-signature-256", "sha256=" <> Base.encode16(mac, case: :lower)},
      {"x-svc-signature-max-age", "300"},
      {"x-svc-timestamp", "#{now}"},
      {"x-svc-event", "auth.logout"},
      {"x-svc-delivery", "dlv_1"}
    ]

    assert Notes.Events.receive(headers, body, ["secret"], fn _ -> {:error, :disk} end) == 503
    store = fn envelope -> send(self(), envelope["id"]) && :ok end
    assert Notes.Events.receive(headers, body, ["secret"], store) == 204
    assert_received "evt_1"
    assert Notes.Events.receive(headers, body, ["secret"], fn _ -> flunk("twice") end) == 204
    assert Notes.Events.receive(headers, body <> " ", ["secret"], store) == 400
  end
end
