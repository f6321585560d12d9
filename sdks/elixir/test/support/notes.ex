defmodule Notes.Auth do
  @moduledoc false
  @issuer "https://id.example"
  @audience "https://api.example"

  # Children of the application's supervisor.
  def children do
    [
      {Svc.Keys, name: Notes.Keys, issuer: @issuer},
      {Svc.ReplayStore.ETS, name: Notes.Proofs},
      {Svc.ReplayStore.ETS, name: Notes.Deliveries}
    ]
  end

  def verifier do
    Svc.Verifier.new(
      issuer: @issuer,
      audience: @audience,
      keys: Notes.Keys,
      replay_store: {Svc.ReplayStore.ETS, Notes.Proofs}
    )
  end
end

defmodule Notes.API do
  @moduledoc false
  @read Svc.Plug.init(
          verifier: &Notes.Auth.verifier/0,
          tenant_id: &__MODULE__.tenant/1,
          origin: "https://api.example",
          scope: "notes:read",
          subject_types: ["human", "agent"]
        )

  def init(opts), do: opts

  def call(conn, _) do
    with %{halted: false} = conn <- Svc.Plug.call(conn, @read) do
      Plug.Conn.send_resp(conn, 200, "Notes of " <> conn.assigns.svc_claims["sub"])
    end
  end

  # The tenant that owns what is asked for: from your own records, never from the token.
  def tenant(conn), do: if(conn.host == "api.example", do: "tnt_1")
end

defmodule Notes.SignIn do
  @moduledoc false
  # Keep the client: it changes only when the issuer's endpoints do.
  def client(secret, opts \\ []) do
    Svc.Client.discover(
      [
        issuer: "https://id.example",
        client_id: "app_1",
        auth: {:client_secret_basic, secret},
        redirect_uri: "https://shop.example/callback",
        keys: Notes.Keys
      ] ++ opts
    )
  end

  # Keep `login` in the browser's session and redirect to `login.url`.
  def start(client) do
    Svc.OAuth.authorization_url(client, scope: "openid profile offline_access")
  end

  # `url` is the address that the browser came back to. Take `login` out of the session first: it counts once.
  def finish(client, login, url) do
    case Svc.OAuth.finish(client, login, url) do
      {:ok, tokens} -> {:ok, tokens.id_claims["sub"], tokens}
      {:error, %Svc.Error{code: "access_denied"}} -> :refused
      {:error, error} -> {:error, error}
    end
  end
end

defmodule Notes.Machine do
  @moduledoc false
  def client(pem, opts \\ []) do
    {:ok, key} = Svc.JOSE.from_pem(pem, "key-1")

    Svc.Client.discover(
      [issuer: "https://id.example", client_id: "app_2", auth: {:private_key_jwt, key}] ++ opts
    )
  end

  def token(client) do
    Svc.OAuth.client_credentials(client, scope: "notes:read", resource: "https://api.example")
  end
end

defmodule Notes.Admin do
  @moduledoc false
  # A child of the application's supervisor: one token for all calls, renewed before it ends.
  def token(client) do
    {Svc.TokenSource, name: Notes.Token, client: client, scope: "webhooks:write users:read"}
  end

  def api(opts \\ []) do
    token = {Svc.TokenSource, Notes.Token}
    Svc.Management.new([issuer: "https://id.example", tenant: "acme", token: token] ++ opts)
  end

  def subscribe(api, order) do
    Svc.Management.request(api, :post, Svc.Resources.webhooks(),
      body: %{url: "https://shop.example/events", event_types: ["tenant_user.*"]},
      idempotency_key: "subscribe-#{order}"
    )
  end

  def rename(api, id, description) do
    path = Svc.Management.path(["webhooks", id])

    with {:ok, %{etag: etag}} <- Svc.Management.request(api, :get, path) do
      Svc.Management.request(api, :patch, path, body: %{description: description}, if_match: etag)
    end
  end

  def people(api) do
    api |> Svc.Management.stream(Svc.Resources.tenant_users(), limit: 200) |> Stream.map(& &1["id"])
  end
end

defmodule Notes.Events do
  @moduledoc false
  # The status to answer. `headers` and the raw `body` are as they came; `store` puts the event where it lasts.
  def receive(headers, body, secrets, store, opts \\ []) do
    opts = [secrets: secrets, store: {Svc.ReplayStore.ETS, Notes.Deliveries}] ++ opts

    headers
    |> Svc.Webhook.handle(body, opts, fn event ->
      with {:ok, envelope} <- Svc.Webhook.payload(event), do: store.(envelope)
    end)
    |> Svc.Webhook.status()
  end
end

defmodule Notes.Tools do
  @moduledoc false
  @resource "https://tools.example/mcp"

  @metadata Svc.MCP.Plug.init(
              resource: @resource,
              authorization_servers: ["https://id.example"],
              scopes: ["notes:read", "notes:write"]
            )

  # The metadata document at /.well-known/oauth-protected-resource/mcp, for every caller.
  def metadata(conn), do: Svc.MCP.Plug.call(conn, @metadata)

  # A tool that needs more than the route does: 403 and a challenge that names the scope.
  def write(conn, opts) do
    opts = Keyword.merge(opts, scope: "notes:write", resource: @resource)

    case Svc.Plug.verify(conn, opts) do
      {:ok, claims} -> Plug.Conn.send_resp(conn, 200, "Written by " <> claims["sub"])
      {:error, error} -> Svc.Plug.refuse(conn, error, opts)
    end
  end
end
