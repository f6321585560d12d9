defmodule Svc.Callback do
  @moduledoc "The authorization response (RFC 6749 §4.1.2, RFC 9207): ours, from the issuer that we asked, once each."

  alias Svc.Error

  @parameters ~w(code state iss error error_description error_uri)

  @doc """
  The code of a callback's address, whole or from its path on.

      iex> Svc.Callback.check("/callback?code=c&state=s&iss=https%3A%2F%2Fid.example", "s", "https://id.example")
      {:ok, "c"}
  """
  @spec check(String.t(), String.t(), String.t()) :: {:ok, String.t()} | {:error, Error.t()}
  def check(url, state, issuer) do
    parameters = parameters(url)

    with :ok <- single(parameters),
         :ok <- ours(parameters["state"] || [], state),
         :ok <- from(parameters["iss"] || [], issuer) do
      outcome(parameters)
    end
    |> Error.of(issuer)
  end

  defp parameters(url) do
    url
    |> String.split("#")
    |> hd()
    |> String.split("?", parts: 2)
    |> Enum.at(1, "")
    |> URI.query_decoder()
    |> Enum.group_by(&elem(&1, 0), &elem(&1, 1))
  rescue
    ArgumentError -> %{}
  end

  defp single(parameters) do
    repeated? = Enum.any?(@parameters, &match?([_, _ | _], parameters[&1]))
    if repeated?, do: refused("duplicate_parameter", "a parameter is there twice"), else: :ok
  end

  defp ours([given], state) when given != "" do
    if Svc.Random.equal?(given, state),
      do: :ok,
      else: refused("state_mismatch", "the state is not this browser's")
  end

  defp ours(_, _), do: refused("missing_state", "there is no state")

  defp from([issuer], issuer), do: :ok
  defp from([given], _) when given != "", do: refused("issuer_mismatch", "another issuer answered")
  defp from(_, _), do: refused("missing_issuer", "the answer does not name its issuer")

  defp outcome(%{"error" => [error]} = parameters) when error != "" do
    description = List.first(parameters["error_description"] || []) || "the sign-in was refused"
    secrets = (parameters["state"] || []) ++ (parameters["code"] || [])
    clean = &(&1 |> Error.redact(secrets) |> String.replace(~r/[^\x20-\x7e]+/, " ") |> String.slice(0, 300))
    {:error, Error.new(clean.(error), clean.(description))}
  end

  defp outcome(%{"code" => [code]}) when code != "", do: {:ok, code}
  defp outcome(_), do: refused("missing_code", "there is neither code nor error")

  defp refused(code, message), do: {:error, Error.new(code, message)}
end
