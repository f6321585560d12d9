defmodule Svc do
  @moduledoc """
  Sign-in, tokens, webhooks and management of svc for Elixir, on OTP and Elixir alone.

  | module | what for |
  |---|---|
  | `Svc.Client`, `Svc.OAuth` | sign-in by authorization code, client credentials, refresh, exchange, devices, UserInfo, revocation |
  | `Svc.Keys`, `Svc.Verifier`, `Svc.AccessToken`, `Svc.Plug` | an API that takes access tokens by the ten rules |
  | `Svc.MCP`, `Svc.MCP.Plug` | a resource server of the Model Context Protocol |
  | `Svc.LogoutToken` | that a session has ended, by back-channel |
  | `Svc.Webhook` | deliveries |
  | `Svc.Management`, `Svc.Resources`, `Svc.TokenSource` | the management API |
  """

  @doc """
  The issuer of a tenant: the deployment's with the tenant's slug as its left-most label.

      iex> Svc.tenant_issuer("https://id.example", "acme")
      "https://acme.id.example"
  """
  @spec tenant_issuer(String.t(), String.t()) :: String.t()
  def tenant_issuer(issuer, slug) do
    unless slug =~ ~r/\A[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\z/,
      do: raise(ArgumentError, "a slug is one host label")

    [scheme, rest] = String.split(issuer, "://", parts: 2)
    scheme <> "://" <> slug <> "." <> rest
  end
end
