defmodule Svc.Error do
  @moduledoc """
  The one error of this package.

  `code` is the server's `error` (`"invalid_grant"`) or a word of this package (`"state_mismatch"`); `status` is the
  HTTP status that was answered, or that a resource server answers; `tenant` is the tenant or issuer that was asked. `message` never has a token, a secret or a code
  in it.
  """

  defexception [:code, :status, :request_id, :tenant, :message, :retry_after]

  @type t :: %__MODULE__{
          code: String.t(),
          status: pos_integer() | nil,
          request_id: String.t() | nil,
          tenant: String.t() | nil,
          message: String.t(),
          retry_after: non_neg_integer() | nil
        }

  @longest 300

  @doc "An error of this package's own."
  @spec new(String.t(), String.t(), keyword()) :: t()
  def new(code, message, more \\ []) do
    struct!(%__MODULE__{code: code, message: message}, more)
  end

  @doc false
  # The refusal while the issuer's keys cannot be fetched. Of the reason callers see its code, which leads to what is wrong.
  @spec without_keys(t() | nil) :: t()
  def without_keys(reason) do
    more = if reason, do: " (#{reason.code})", else: ""
    id = if reason, do: reason.request_id
    message = "the issuer's keys cannot be fetched" <> more
    new("temporarily_unavailable", message, status: 503, request_id: id)
  end

  @doc "The outcome, with the tenant or issuer that was asked in an error that names none."
  @spec of(outcome, String.t() | nil) :: outcome when outcome: term()
  def of({:error, %__MODULE__{tenant: nil} = error}, tenant), do: {:error, %{error | tenant: tenant}}
  def of(outcome, _), do: outcome

  @doc """
  The error of an HTTP answer: problem details (RFC 7807) or the pair of RFC 6749.

  `secrets` are values that were sent; where the server repeats one, it is replaced.
  """
  @spec of_response(Svc.HTTP.response(), [String.t() | nil], String.t() | nil) :: t()
  def of_response(response, secrets \\ [], tenant \\ nil) do
    body = problem(response.body)
    code = text(body["error"]) || challenged(response) || "http_#{response.status}"

    message =
      text(body["error_description"]) || text(body["detail"]) || "the server answered #{response.status}"

    %__MODULE__{
      code: code |> redact(Enum.filter(secrets, &long?/1)) |> plain(),
      status: response.status,
      request_id: Svc.HTTP.header(response, "x-request-id") || text(body["request_id"]),
      tenant: tenant,
      message: message |> redact(secrets) |> plain(),
      retry_after: Svc.HTTP.retry_after(response)
    }
  end

  @impl true
  def message(%__MODULE__{} = error) do
    named =
      for {name, value} <- [request: error.request_id, tenant: error.tenant], value, do: "#{name} #{value}"

    where = if named == [], do: "", else: " (" <> Enum.join(named, ", ") <> ")"
    "#{error.code}: #{error.message}#{where}"
  end

  @doc "Text in which the values of `secrets` are replaced, also as they stand in a form."
  @spec redact(String.t(), [String.t() | nil]) :: String.t()
  def redact(text, secrets) do
    secrets
    |> Enum.filter(&(is_binary(&1) and &1 != ""))
    |> Enum.flat_map(&[&1, URI.encode_www_form(&1)])
    |> Enum.reduce(text, &String.replace(&2, &1, "[redacted]"))
  end

  defp problem(body) do
    case Svc.JSON.decode(body, max_bytes: 65_536) do
      {:ok, %{} = object} -> object
      _ -> %{}
    end
  end

  # A secret of a few letters would tear words of the standards apart.
  defp long?(secret), do: is_binary(secret) and byte_size(secret) >= 8

  # The code that a challenge has, for a resource server whose body has none (RFC 6750 §3, RFC 9449 §9).
  defp challenged(response) do
    challenge = Svc.HTTP.header(response, "www-authenticate") || ""

    case Regex.run(~r/\berror="([A-Za-z0-9_]{1,64})"/, challenge) do
      [_, code] -> code
      nil -> nil
    end
  end

  defp text(value) when is_binary(value) and value != "", do: value
  defp text(_), do: nil

  # A line of a log stays one line whatever a server says.
  defp plain(text) do
    text |> String.replace(~r/[[:cntrl:]]+/u, " ") |> String.slice(0, @longest)
  end
end
