defmodule Svc.IDToken do
  @moduledoc "ID tokens (OpenID Connect Core 1.0 §3.1.3.7): who signed in, for this application, in this sign-in."

  alias Svc.{Error, JOSE}

  @leeway 60

  @doc "The claims of an ID token. Options: `:nonce`, `:max_age`."
  @spec verify(String.t(), Svc.Client.t(), Svc.Keys.source(), keyword()) :: {:ok, map()} | {:error, Error.t()}
  def verify(token, client, keys, opts \\ []) do
    with {:ok, %{claims: claims, header: header} = parsed} <- JOSE.parse(token),
         {:ok, key} <- Svc.Keys.find(keys, header["kid"]),
         true <- JOSE.valid?(parsed, key) do
      judge(claims, client, client.clock.(), opts)
    else
      {:error, :unavailable} -> {:error, Error.new("keys_unavailable", "the issuer's keys cannot be fetched")}
      _ -> refused("its signature is wrong")
    end
  end

  defp judge(claims, client, now, opts) do
    nonce = opts[:nonce]
    audience = List.wrap(claims["aud"])

    cond do
      claims["iss"] != client.issuer -> refused("it is another issuer's")
      client.client_id not in audience -> refused("it is for another application")
      length(audience) > 1 and claims["azp"] != client.client_id -> refused("it is for another application")
      not is_binary(claims["sub"]) -> refused("it names nobody")
      not is_number(claims["exp"]) or claims["exp"] + @leeway <= now -> refused("it has expired")
      not is_number(claims["iat"]) or claims["iat"] - @leeway > now -> refused("a clock is wrong")
      nonce && not Svc.Random.equal?(claims["nonce"], nonce) -> refused("it belongs to another sign-in")
      old?(claims["auth_time"], opts[:max_age], now) -> refused("the sign-in is older than max_age")
      true -> {:ok, claims}
    end
  end

  defp old?(_, nil, _), do: false
  defp old?(at, max_age, now) when is_number(at), do: at + max_age + @leeway < now
  defp old?(_, _, _), do: true

  defp refused(reason), do: {:error, Error.new("invalid_id_token", "the ID token is refused: " <> reason)}
end
