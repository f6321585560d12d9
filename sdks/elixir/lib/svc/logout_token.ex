defmodule Svc.LogoutToken do
  @moduledoc """
  What the issuer posts to an application's `backchannel_logout_uri` (OpenID Connect Back-Channel Logout 1.0): that a
  session has ended.

  It is that of `sid`, which the ID token had, or where there is none every one of `sub` that began before `at`.
  """

  import Svc.JOSE, only: [is_time: 1]

  alias Svc.{Client, Error, JOSE}

  @enforce_keys [:at]
  defstruct [:sid, :sub, :at]

  @type t :: %__MODULE__{sid: String.t() | nil, sub: String.t() | nil, at: integer()}

  @event "http://schemas.openid.net/event/backchannel-logout"
  @max_age 600
  @leeway 60

  @doc "Judges the parameter `logout_token` of the form (§2.6). The `status` of an error is what to answer."
  @spec verify(String.t(), Client.t(), Svc.Keys.source()) :: {:ok, t()} | {:error, Error.t()}
  def verify(token, %Client{} = client, keys) do
    token |> checked(client, keys) |> Error.of(client.tenant || client.issuer)
  end

  defp checked(token, client, keys) do
    with {:ok, %{claims: claims, header: header} = parsed} <- JOSE.parse(token),
         true <- JOSE.typ?(header["typ"], ["logout+jwt"]),
         {:ok, key} <- Svc.Keys.find(keys, header["kid"]),
         true <- JOSE.valid?(parsed, key) do
      judge(claims, client, client.clock.())
    else
      {:error, :unavailable} -> {:error, Error.without_keys(Svc.Keys.failure(keys))}
      _ -> refused("it is of another type, or its signature is wrong")
    end
  end

  defp judge(%{"iat" => iat, "exp" => exp} = claims, client, now) when is_time(iat) and is_time(exp) do
    cond do
      claims["iss"] != client.issuer ->
        refused("it is another issuer's")

      client.client_id not in List.wrap(claims["aud"]) ->
        refused("it is for another application")

      floor(exp) + @leeway <= now or floor(iat) + @max_age < now or floor(iat) - @leeway > now ->
        refused("it is too old, or a clock is wrong")

      # A nonce would make it an ID token.
      not logout?(claims["events"]) or is_map_key(claims, "nonce") ->
        refused("it tells of no logout")

      true ->
        named(%__MODULE__{sid: text(claims["sid"]), sub: text(claims["sub"]), at: floor(iat)})
    end
  end

  defp judge(_, _, _), do: refused("exp or iat is missing or no time")

  defp logout?(%{@event => %{}}), do: true
  defp logout?(_), do: false

  defp text(value) when is_binary(value) and value != "", do: value
  defp text(_), do: nil

  defp named(%{sid: nil, sub: nil}), do: refused("it names neither a session nor a person")
  defp named(logout), do: {:ok, logout}

  defp refused(reason) do
    {:error, Error.new("invalid_logout_token", "the logout token is refused: " <> reason, status: 400)}
  end
end
