defmodule Svc.Login do
  @moduledoc """
  A sign-in under way. Keep it where only this browser's session leads (a sealed cookie, a row), for one callback.

  `max_age` counts from `started_at`, in seconds since 1970: a second factor and consent may take their time.

  `inspect/1` shows neither `url` nor `state`, `nonce` and `code_verifier`.
  """

  @derive {Inspect, only: [:redirect_uri]}
  @enforce_keys [:url, :state, :nonce, :code_verifier, :redirect_uri]
  defstruct @enforce_keys ++ [:max_age, :started_at, acr_values: [], openid?: true]

  @type t :: %__MODULE__{
          url: String.t(),
          state: String.t(),
          nonce: String.t(),
          code_verifier: String.t(),
          redirect_uri: String.t(),
          max_age: non_neg_integer() | nil,
          started_at: integer() | nil,
          acr_values: [String.t()],
          openid?: boolean()
        }
end
