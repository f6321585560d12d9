defmodule Svc.Client do
  @moduledoc """
  An application at its issuer.

  `auth` is the registered method, exactly: `:none`, `{:client_secret_basic, secret}`, `{:client_secret_post, secret}`
  or `{:private_key_jwt, key}` (`Svc.JOSE.from_pem/2`). `proof_key` (`Svc.JOSE.generate/2`) binds the tokens to itself
  (DPoP, RFC 9449); it is another key than that of `auth`.
  """

  @derive {Inspect, only: [:issuer, :client_id, :redirect_uri, :tenant]}
  @enforce_keys [:issuer, :client_id, :metadata]
  defstruct [
    :issuer,
    :client_id,
    :redirect_uri,
    :tenant,
    :metadata,
    :keys,
    :proof_key,
    auth: :none,
    http: &Svc.HTTP.request/1,
    clock: &Svc.Verifier.now/0
  ]

  @type auth ::
          :none
          | {:client_secret_basic, String.t()}
          | {:client_secret_post, String.t()}
          | {:private_key_jwt, Svc.JOSE.Key.t()}
  @type t :: %__MODULE__{
          issuer: String.t(),
          client_id: String.t(),
          redirect_uri: String.t() | nil,
          tenant: String.t() | nil,
          metadata: map(),
          keys: Svc.Keys.source() | nil,
          auth: auth(),
          proof_key: Svc.JOSE.Key.t() | nil,
          http: Svc.HTTP.sender(),
          clock: (() -> integer())
        }

  @doc """
  A client whose endpoints come from discovery. Options: `:issuer`, `:client_id`, `:auth`, `:redirect_uri`, `:tenant`
  (named in errors), `:keys` (a `Svc.Keys` for ID tokens; without it the key set is fetched at each code), `:proof_key`,
  `:http`.
  """
  @spec discover(keyword()) :: {:ok, t()} | {:error, Svc.Error.t()}
  def discover(opts) do
    http = Keyword.get(opts, :http, &Svc.HTTP.request/1)

    with {:ok, metadata} <- Svc.Discovery.fetch(Keyword.fetch!(opts, :issuer), http) do
      {:ok, struct!(__MODULE__, Keyword.put(opts, :metadata, metadata))}
    end
  end

  @doc false
  # Parameters and headers that say who calls (RFC 6749 §2.3.1, RFC 7523 §2.2).
  def authenticate(%__MODULE__{auth: :none} = client), do: {[client_id: client.client_id], []}

  def authenticate(%__MODULE__{auth: {:client_secret_post, secret}} = client) do
    {[client_id: client.client_id, client_secret: secret], []}
  end

  def authenticate(%__MODULE__{auth: {:client_secret_basic, secret}} = client) do
    pair = URI.encode_www_form(client.client_id) <> ":" <> URI.encode_www_form(secret)
    {[], [{"authorization", "Basic " <> Base.encode64(pair)}]}
  end

  def authenticate(%__MODULE__{auth: {:private_key_jwt, key}} = client) do
    now = client.clock.()

    claims = %{
      "iss" => client.client_id,
      "sub" => client.client_id,
      "aud" => client.issuer,
      "jti" => Svc.Random.token(),
      "iat" => now,
      "exp" => now + 60
    }

    type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    assertion = Svc.JOSE.sign(claims, key, %{"typ" => "JWT"})
    {[client_id: client.client_id, client_assertion_type: type, client_assertion: assertion], []}
  end
end
