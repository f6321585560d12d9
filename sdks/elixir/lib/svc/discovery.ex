defmodule Svc.Discovery do
  @moduledoc "The issuer's metadata (OpenID Connect Discovery 1.0 §4, RFC 8414), believed only where it fits the issuer."

  @required ~w(authorization_endpoint token_endpoint jwks_uri)
  @optional ~w(userinfo_endpoint revocation_endpoint introspection_endpoint device_authorization_endpoint
               end_session_endpoint pushed_authorization_request_endpoint registration_endpoint)
  @max_bytes 131_072

  @doc "Fetches and checks the document of an issuer."
  @spec fetch(String.t(), Svc.HTTP.sender()) :: {:ok, map()} | {:error, Svc.Error.t()}
  def fetch(issuer, http \\ &Svc.HTTP.request/1) do
    url = String.trim_trailing(issuer, "/") <> "/.well-known/openid-configuration"

    case http.(%{method: :get, url: url, max_bytes: @max_bytes}) do
      {:ok, %{status: 200} = response} -> read(response.body, issuer)
      {:ok, response} -> {:error, Svc.Error.of_response(response)}
      {:error, error} -> {:error, error}
    end
    |> Svc.Error.of(issuer)
  end

  defp read(body, issuer) do
    case Svc.JSON.decode(body, max_bytes: @max_bytes) do
      {:ok, document} -> check(document, issuer)
      {:error, reason} -> refused("the document is no JSON: " <> reason)
    end
  end

  @doc "Judges a document: its `issuer` byte for byte, and every endpoint on the issuer's origin."
  @spec check(term(), String.t()) :: {:ok, map()} | {:error, Svc.Error.t()}
  def check(document, issuer), do: document |> judge(issuer) |> Svc.Error.of(issuer)

  defp judge(%{"issuer" => issuer} = document, issuer) do
    cond do
      not Svc.HTTP.safe_url?(issuer) -> refused("the issuer is neither https nor on this machine")
      missing = Enum.find(@required, &(not is_map_key(document, &1))) -> refused(missing <> " is missing")
      stray = stray(document, issuer) -> refused(stray <> " is not on the issuer's origin")
      true -> {:ok, document}
    end
  end

  defp judge(%{}, _), do: refused("the document is another issuer's")
  defp judge(_, _), do: refused("the document is no object")

  defp stray(document, issuer) do
    Enum.find(@required ++ @optional, fn name ->
      is_map_key(document, name) and origin(document[name]) != origin(issuer)
    end)
  end

  defp origin(url) when is_binary(url) do
    case URI.new(url) do
      {:ok, %URI{scheme: scheme, host: host, port: port, userinfo: nil}} -> {scheme, host, port}
      _ -> nil
    end
  end

  defp origin(_), do: nil

  defp refused(message), do: {:error, Svc.Error.new("invalid_discovery", message)}
end
