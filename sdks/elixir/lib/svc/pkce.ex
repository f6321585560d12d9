defmodule Svc.PKCE do
  @moduledoc "Proof Key for Code Exchange by `S256` (RFC 7636)."

  @doc "A new verifier: 32 random bytes as 43 characters."
  @spec verifier() :: String.t()
  def verifier, do: Svc.Random.token()

  @doc """
  The challenge of a verifier.

      iex> Svc.PKCE.challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
      "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
  """
  @spec challenge(String.t()) :: String.t()
  def challenge(verifier), do: :sha256 |> :crypto.hash(verifier) |> Base.url_encode64(padding: false)

  @doc """
  Whether a verifier is well formed (43 to 128 unreserved characters) and belongs to a challenge.

      iex> Svc.PKCE.valid?("too-short", Svc.PKCE.challenge("too-short"))
      false
  """
  @spec valid?(String.t(), String.t()) :: boolean()
  def valid?(verifier, challenge) do
    verifier =~ ~r/\A[A-Za-z0-9\-._~]{43,128}\z/ and Svc.Random.equal?(challenge(verifier), challenge)
  end
end
