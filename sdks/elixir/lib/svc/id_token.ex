defmodule Svc.IDToken do
  @moduledoc "ID tokens (OpenID Connect Core 1.0 §3.1.3.7): who signed in, for this application, in this sign-in."

  import Svc.JOSE, only: [is_time: 1]

  alias Svc.{Error, JOSE}

  @leeway 60
  @compare "compare it with the issuer's"

  @doc """
  The claims of an ID token. Options: `:nonce`, `:max_age`, `:acr_values` (a list of those that are enough, as is a
  stronger one), and `:access_token` and `:code`, to which `at_hash` and `c_hash` have to fit where they are there.
  """
  @spec verify(String.t(), Svc.Client.t(), Svc.Keys.source(), keyword()) :: {:ok, map()} | {:error, Error.t()}
  def verify(token, client, keys, opts \\ []) do
    token |> checked(client, keys, opts) |> Error.of(client.tenant || client.issuer)
  end

  defp checked(token, client, keys, opts) do
    with {:ok, %{claims: claims, header: header} = parsed} <- JOSE.parse(token),
         :ok <- kind(header["typ"]),
         {:ok, key} <- Svc.Keys.find(keys, header["kid"]),
         true <- JOSE.valid?(parsed, key) do
      with {:ok, claims} <- judge(claims, client, client.clock.(), opts),
           do: came_with(claims, header["alg"], opts)
    else
      {:error, %Error{} = error} -> {:error, error}
      {:error, :unavailable} -> {:error, Error.without_keys(Svc.Keys.failure(keys))}
      _ -> refused("its signature is wrong")
    end
  end

  # An access token or a logout token has a type of its own.
  defp kind(nil), do: :ok

  defp kind(typ) when is_binary(typ) do
    if String.downcase(typ) in ["jwt", "application/jwt"], do: :ok, else: refused("it is of another type")
  end

  defp kind(_), do: refused("it is of another type")

  defp judge(claims, client, now, opts) do
    nonce = opts[:nonce]
    audience = List.wrap(claims["aud"])

    cond do
      claims["iss"] != client.issuer ->
        refused("it is another issuer's")

      client.client_id not in audience ->
        refused("it is for another application")

      length(audience) > 1 and claims["azp"] == nil ->
        refused("it was issued to another application")

      claims["azp"] not in [nil, client.client_id] ->
        refused("it was issued to another application")

      not is_binary(claims["sub"]) or claims["sub"] == "" ->
        refused("it names no subject")

      not is_time(claims["exp"]) or not is_time(claims["iat"]) ->
        refused("its exp or iat is missing or no time")

      floor(claims["exp"]) + @leeway <= now ->
        refused("it expired #{round(now - claims["exp"])} s ago by this machine's clock; " <> @compare)

      floor(claims["iat"]) - @leeway > now ->
        refused("its iat is #{round(claims["iat"] - now)} s ahead of this machine's clock; " <> @compare)

      nonce && not Svc.Random.equal?(claims["nonce"], nonce) ->
        refused("it belongs to another sign-in")

      opts[:max_age] != nil and not is_time(claims["auth_time"]) ->
        refused("auth_time is missing, although max_age was asked for")

      opts[:max_age] != nil and floor(claims["auth_time"]) + opts[:max_age] + @leeway < now ->
        {:error, Error.new("max_age_exceeded", "the sign-in is older than was asked for (max_age)")}

      opts[:acr_values] not in [nil, []] and not Enum.any?(opts[:acr_values], &reaches?(claims["acr"], &1)) ->
        {:error, Error.new("acr_not_reached", "the sign-in is weaker than was asked for (acr)")}

      true ->
        {:ok, claims}
    end
  end

  # As strong as was asked for, or stronger: `urn:svc:aal3` is more than `urn:svc:aal2`.
  defp reaches?(acr, acr), do: true

  defp reaches?("urn:svc:aal" <> reached, "urn:svc:aal" <> asked) do
    with {reached, ""} <- Integer.parse(reached), {asked, ""} <- Integer.parse(asked) do
      reached > asked
    else
      _ -> false
    end
  end

  defp reaches?(_, _), do: false

  # The left half of the digest of what came with it (OpenID Connect Core 1.0 §3.1.3.8, §3.3.2.11).
  defp came_with(claims, alg, opts) do
    hash = if alg == "EdDSA", do: :sha512, else: :sha256

    fits? = fn {name, value} ->
      value == nil or claims[name] == nil or claims[name] == half(:crypto.hash(hash, value))
    end

    if Enum.all?([{"at_hash", opts[:access_token]}, {"c_hash", opts[:code]}], fits?),
      do: {:ok, claims},
      else: refused("it came with another access token or code")
  end

  defp half(digest) do
    digest |> binary_part(0, div(byte_size(digest), 2)) |> Base.url_encode64(padding: false)
  end

  defp refused(reason), do: {:error, Error.new("invalid_id_token", "the ID token is refused: " <> reason)}
end
