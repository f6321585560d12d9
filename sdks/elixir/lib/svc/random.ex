defmodule Svc.Random do
  @moduledoc "Values that cannot be guessed, and their comparison in constant time."

  @doc "32 random bytes in base64url, 43 characters."
  @spec token() :: String.t()
  def token, do: 32 |> :crypto.strong_rand_bytes() |> Base.url_encode64(padding: false)

  @doc "Whether two texts are equal, in a time that tells their length at most."
  @spec equal?(term(), term()) :: boolean()
  def equal?(a, b) when is_binary(a) and is_binary(b) and byte_size(a) == byte_size(b),
    do: :crypto.hash_equals(a, b)

  def equal?(_, _), do: false
end
