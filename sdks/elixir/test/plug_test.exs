defmodule Svc.PlugTest do
  use ExUnit.Case, async: true
  doctest Svc.MCP

  alias Svc.{Error, MCP, World}

  @opts [verifier: &World.verifier/0, tenant_id: "tnt_1", scope: "notes:read"]

  defp call(headers, opts \\ @opts) do
    Svc.Plug.call(%Plug.Conn{req_headers: headers, request_path: "/notes"}, Svc.Plug.init(opts))
  end

  defp header(conn, name), do: conn.resp_headers |> Map.new() |> Map.get(name)

  test "a good token passes with its claims" do
    conn = call([{"authorization", "Bearer " <> World.token()}])
    assert conn.assigns.svc_claims["sub"] == "sub-1"
    refute conn.halted
  end

  test "without a token the answer says where to get one, and no more" do
    conn = call([], @opts ++ [resource: "https://api.example/mcp"])
    assert conn.halted and conn.status == 401 and conn.assigns == %{}

    assert header(conn, "www-authenticate") ==
             ~s(Bearer scope="notes:read", resource_metadata="https://api.example/.well-known/oauth-protected-resource/mcp")

    assert header(conn, "content-type") == "application/problem+json"
    {:ok, problem} = Svc.JSON.decode(conn.resp_body)
    assert %{"error" => "missing_token", "status" => 401} = problem
  end

  test "a scope that is missing is named" do
    conn = call([{"authorization", "Bearer " <> World.token(%{"scope" => "x"})}])
    assert conn.status == 403
    assert header(conn, "www-authenticate") =~ ~s(error="insufficient_scope")
    assert header(conn, "www-authenticate") =~ ~s(scope="notes:read")
  end

  test "what no other scope would change is refused without a challenge" do
    for changes <- [%{"tenant_id" => "tnt_2"}, %{"subject_type" => "system"}, %{"act" => %{"sub" => "app_2"}}] do
      conn = call([{"authorization", "Bearer " <> World.token(changes)}])
      assert conn.halted and conn.status == 403
      assert header(conn, "www-authenticate") == nil
    end
  end

  test "the tenant of the connection counts; one that there is not fits no token" do
    opts = Keyword.put(@opts, :tenant_id, fn conn -> if conn.host == "acme.example", do: "tnt_1" end)
    good = [{"authorization", "Bearer " <> World.token()}]
    assert call(good, opts).status == 403
    assert Svc.Plug.call(%Plug.Conn{req_headers: good, host: "acme.example"}, opts).status == nil
    assert_raise KeyError, fn -> Svc.Plug.init(verifier: nil) end
  end

  test "keys that are not there are 503 without challenge" do
    opts = Keyword.put(@opts, :verifier, World.verifier(keys: :not_started))
    conn = call([{"authorization", "Bearer " <> World.token()}], opts)
    assert conn.status == 503
    assert header(conn, "www-authenticate") == nil
  end

  test "a proof is held against the origin, whatever host the connection names" do
    start_supervised!({Svc.ReplayStore.ETS, name: :plug_proofs, clock: &World.now/0})
    key = Svc.JOSE.generate()
    token = World.token(%{"cnf" => %{"jkt" => Svc.JOSE.thumbprint(key)}})
    proof = &Svc.DPoP.proof(key, "GET", &1, now: World.now(), access_token: token)
    proven = &[{"authorization", "DPoP " <> token}, {"dpop", proof.(&1)}]
    verifier = World.verifier(replay_store: {Svc.ReplayStore.ETS, :plug_proofs})
    opts = Keyword.merge(@opts, verifier: verifier, origin: "https://api.example/")

    evil = %Plug.Conn{
      req_headers: proven.("https://evil.example/notes"),
      request_path: "/notes",
      host: "evil.example"
    }

    assert Svc.Plug.call(evil, Svc.Plug.init(opts)).resp_body =~ "it is for another address"
    headers = proven.("https://api.example/notes")
    assert call(headers, opts).status == nil
    again = call(headers, opts)
    assert again.status == 401

    assert header(again, "www-authenticate") =~
             ~r/\ADPoP error="invalid_dpop_proof", .*algs="ES256 EdDSA Ed25519 PS256"/

    by_hand =
      opts
      |> Keyword.delete(:origin)
      |> Keyword.put(:url, fn conn -> "https://a.example" <> conn.request_path end)

    assert call(proven.("https://a.example/notes"), by_hand).status == nil
  end

  test "without an origin no proof is taken, and where one is required it has to be there" do
    start_supervised!({Svc.ReplayStore.ETS, name: :no_origin, clock: &World.now/0})
    key = Svc.JOSE.generate()
    token = World.token(%{"cnf" => %{"jkt" => Svc.JOSE.thumbprint(key)}})
    proof = Svc.DPoP.proof(key, "GET", "https://api.example/notes", now: World.now(), access_token: token)
    opts = Keyword.put(@opts, :verifier, World.verifier(replay_store: {Svc.ReplayStore.ETS, :no_origin}))
    conn = call([{"authorization", "DPoP " <> token}, {"dpop", proof}], opts)
    assert conn.status == 401
    assert conn.resp_body =~ "this API takes none until its option :origin is set"
    assert call([{"authorization", "Bearer " <> World.token()}], opts).status == nil
    assert_raise ArgumentError, ~r/^:origin is missing/, fn -> Svc.Plug.init(opts ++ [dpop: :required]) end
  end

  test "an origin that is no address is said when the plug is set up" do
    for origin <- ["", "api.example", "localhost:4000", "https://", "/api"] do
      assert_raise ArgumentError, ~r/^:origin is no address/, fn ->
        Svc.Plug.init(Keyword.put(@opts, :origin, origin))
      end
    end

    for origin <- ["https://api.example", "https://api.example/v1", "http://localhost:4000"] do
      assert Svc.Plug.init(Keyword.put(@opts, :origin, origin))[:origin] == origin
    end
  end

  test "a token that came as DPoP is refused with a challenge of DPoP" do
    old = World.token(%{"exp" => World.now() - 60, "cnf" => %{"jkt" => "x"}})

    for {scheme, challenge} <- [{"Bearer", "Bearer"}, {"DPoP", "DPoP"}, {"dpop", "DPoP"}] do
      conn = call([{"authorization", scheme <> " " <> old}, {"dpop", "x"}])
      assert conn.status == 401
      assert header(conn, "www-authenticate") =~ ~r/\A#{challenge} error="invalid_token", /
    end
  end

  test "a scheme without a token is challenged by the same scheme" do
    for {value, challenge} <- [{"Bearer", "Bearer"}, {"DPoP", "DPoP"}, {"DPoPX", "Bearer"}] do
      assert header(call([{"authorization", value}]), "www-authenticate") == challenge <> scoped(challenge)
    end
  end

  defp scoped("Bearer"), do: ~s( scope="notes:read")
  defp scoped("DPoP"), do: ~s( scope="notes:read", algs="ES256 EdDSA Ed25519 PS256")

  test "the metadata document" do
    assert MCP.metadata(
             resource: "https://t.example/mcp",
             authorization_servers: ["https://id.example"],
             scopes: ["a"],
             dpop: :required
           ) == %{
             "resource" => "https://t.example/mcp",
             "authorization_servers" => ["https://id.example"],
             "scopes_supported" => ["a"],
             "bearer_methods_supported" => ["header"],
             "dpop_signing_alg_values_supported" => ["ES256", "EdDSA", "Ed25519", "PS256"],
             "dpop_bound_access_tokens_required" => true
           }

    bare = [resource: "https://t.example", authorization_servers: ["https://id.example"]]
    assert MCP.metadata(bare ++ [scopes: []]) == MCP.metadata(bare)

    assert MCP.metadata_url("https://t.example:8443/") ==
             "https://t.example:8443/.well-known/oauth-protected-resource"
  end

  test "the metadata document is answered at its path, before any token is asked for" do
    opts = [resource: "https://t.example/mcp", authorization_servers: ["https://id.example"], scopes: ["a"]]
    path = "/.well-known/oauth-protected-resource/mcp"
    ask = &MCP.Plug.call(struct(%Plug.Conn{request_path: path}, &1), MCP.Plug.init(opts))
    conn = ask.(%{})
    assert conn.halted and conn.status == 200
    assert Svc.JSON.decode(conn.resp_body) == {:ok, MCP.metadata(opts)}
    assert header(conn, "content-type") == "application/json"
    assert header(conn, "access-control-allow-origin") == "*"
    for other <- [%{method: "POST"}, %{request_path: "/mcp"}], do: refute(ask.(other).halted)
    assert_raise KeyError, fn -> MCP.Plug.init(resource: "https://t.example/mcp") end
  end

  test "a challenge stays one header whatever the message" do
    challenge = MCP.challenge(Error.new("invalid_token", "a\"b\\c\r\nd: e"), [])
    assert challenge == ~s(Bearer error="invalid_token", error_description="a'b'c  d: e")
    assert MCP.challenge(Error.new("missing_token", "x")) == "Bearer"
  end
end
