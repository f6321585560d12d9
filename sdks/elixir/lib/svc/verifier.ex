defmodule Svc.Verifier do
  @moduledoc """
  What an API knows before a request comes: issuer, its own audience, keys, and where proofs are remembered.

  `leeway` is how many seconds the clocks of the issuer and of senders of proofs may be ahead; `exp` is exact.
  `types` are the accepted `typ` headers; add `"jwt"` only for an API whose record says `access_token_typ = "JWT"`.
  """

  @enforce_keys [:issuer, :audience, :keys]
  defstruct [
    :issuer,
    :audience,
    :keys,
    :replay_store,
    leeway: 10,
    types: ["at+jwt"],
    clock: &__MODULE__.now/0
  ]

  @type t :: %__MODULE__{
          issuer: String.t(),
          audience: String.t(),
          keys: Svc.Keys.source(),
          replay_store: Svc.ReplayStore.t() | nil,
          leeway: non_neg_integer(),
          types: [String.t()],
          clock: (() -> integer())
        }

  @doc "Options are the fields; `:issuer`, `:audience` and `:keys` are required. Without `:replay_store` no proof is taken."
  @spec new(keyword()) :: t()
  def new(opts), do: struct!(__MODULE__, opts)

  @doc false
  def now, do: System.os_time(:second)
end
