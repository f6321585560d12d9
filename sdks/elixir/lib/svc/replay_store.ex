defmodule Svc.ReplayStore do
  @moduledoc """
  Remembers what may be used once: proofs and deliveries.

  A store is `{module, argument}`. `Svc.ReplayStore.ETS` is one for a single node; several nodes share one of your
  own (a table with a unique column, Redis `SET NX EX`).
  """

  @type t :: {module(), term()}

  @doc "Notes a key until a time (Unix seconds), atomically. `{:error, _}` refuses: a store that fails lets nothing pass."
  @callback put_new(argument :: term(), key :: binary(), until :: integer(), now :: integer()) ::
              :ok | :replayed | {:error, term()}

  @doc "Forgets a key."
  @callback delete(argument :: term(), key :: binary()) :: :ok

  # INVARIANT: a store that raises, exits or answers something else could not tell.
  @doc false
  def put_new({module, argument}, key, until, now) do
    case module.put_new(argument, key, until, now) do
      answer when answer in [:ok, :replayed] -> answer
      {:error, reason} -> {:error, reason}
      _ -> {:error, :unknown}
    end
  catch
    _, _ -> {:error, :down}
  end

  @doc false
  def delete({module, argument}, key) do
    module.delete(argument, key)
    :ok
  catch
    _, _ -> :ok
  end
end
