defmodule Svc.Tokens do
  @moduledoc "What the token endpoint answered. `inspect/1` shows no token."

  @derive {Inspect, only: [:token_type, :expires_at, :scope]}
  defstruct [
    :access_token,
    :token_type,
    :expires_at,
    :scope,
    :id_token,
    :refresh_token,
    :issued_token_type,
    :id_claims
  ]

  @type t :: %__MODULE__{
          access_token: String.t(),
          token_type: String.t(),
          expires_at: integer() | nil,
          scope: String.t() | nil,
          id_token: String.t() | nil,
          refresh_token: String.t() | nil,
          issued_token_type: String.t() | nil,
          id_claims: map() | nil
        }

  @doc false
  @spec read(map(), integer()) :: {:ok, t()} | :error
  def read(%{"access_token" => token, "token_type" => type} = answer, now)
      when is_binary(token) and is_binary(type) do
    expires = answer["expires_in"]

    {:ok,
     %__MODULE__{
       access_token: token,
       token_type: type,
       expires_at: if(is_integer(expires), do: now + expires),
       scope: answer["scope"],
       id_token: answer["id_token"],
       refresh_token: answer["refresh_token"],
       issued_token_type: answer["issued_token_type"]
     }}
  end

  def read(_, _), do: :error
end
