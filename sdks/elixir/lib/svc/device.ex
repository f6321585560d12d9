defmodule Svc.Device do
  @moduledoc """
  A device that waits for its person (RFC 8628 §3.2). `inspect/1` does not show `device_code`.

  `interval` is how long to wait before the next question, and `pace` what it is after that, where they differ.
  """

  @derive {Inspect, only: [:verification_uri, :interval, :expires_at]}
  defstruct [
    :device_code,
    :user_code,
    :verification_uri,
    :verification_uri_complete,
    :interval,
    :expires_at,
    :pace
  ]

  @type t :: %__MODULE__{
          device_code: String.t(),
          user_code: String.t(),
          verification_uri: String.t(),
          verification_uri_complete: String.t() | nil,
          interval: pos_integer(),
          expires_at: integer(),
          pace: pos_integer() | nil
        }

  @doc false
  @spec read(map(), integer()) :: {:ok, t()} | :error
  def read(%{"device_code" => code, "user_code" => user_code, "verification_uri" => uri} = answer, now)
      when is_binary(code) and is_binary(user_code) and is_binary(uri) do
    {:ok,
     %__MODULE__{
       device_code: code,
       user_code: user_code,
       verification_uri: uri,
       verification_uri_complete: answer["verification_uri_complete"],
       interval: positive(answer["interval"], 5),
       expires_at: now + positive(answer["expires_in"], 600)
     }}
  end

  def read(_, _), do: :error

  defp positive(value, _) when is_integer(value) and value > 0, do: value
  defp positive(_, default), do: default
end
