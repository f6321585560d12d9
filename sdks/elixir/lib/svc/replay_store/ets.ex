defmodule Svc.ReplayStore.ETS do
  @moduledoc """
  A replay store in the memory of this node.

      children = [{Svc.ReplayStore.ETS, name: MyApp.Proofs}]

  It holds `:max` entries (200 000); when it is full of entries that still count, it refuses.
  """

  use GenServer
  @behaviour Svc.ReplayStore

  @sweep 10_000

  def start_link(opts), do: GenServer.start_link(__MODULE__, opts, name: Keyword.fetch!(opts, :name))
  def child_spec(opts), do: %{id: Keyword.fetch!(opts, :name), start: {__MODULE__, :start_link, [opts]}}

  @impl Svc.ReplayStore
  def put_new(name, key, until, now) do
    cond do
      full?(name) and not room?(name, now) -> {:error, :full}
      :ets.insert_new(name, {key, until}) -> :ok
      true -> again(name, key, until, now)
    end
  rescue
    ArgumentError -> {:error, :down}
  end

  # An entry whose time is over does not count; only one caller takes its place.
  defp again(name, key, until, now) do
    expired = [{{key, :"$1"}, [{:<, :"$1", now}], [{{key, until}}]}]

    case :ets.lookup(name, key) do
      [] -> if :ets.insert_new(name, {key, until}), do: :ok, else: :replayed
      [{_, old}] when old < now -> if :ets.select_replace(name, expired) == 1, do: :ok, else: :replayed
      _ -> :replayed
    end
  end

  defp full?(name) do
    [{_, {:entries, max}}] = :ets.lookup(name, :max)
    # Two entries are the store's own.
    :ets.info(name, :size) - 2 >= max
  end

  # A store that is full is swept once a second, not at every request.
  defp room?(name, now) do
    if :ets.lookup(name, :swept) != [{:swept, {:at, now}}] do
      :ets.insert(name, {:swept, {:at, now}})
      sweep(name, now)
    end

    not full?(name)
  end

  defp sweep(name, now),
    do: :ets.select_delete(name, [{{:_, :"$1"}, [{:is_integer, :"$1"}, {:<, :"$1", now}], [true]}])

  @impl Svc.ReplayStore
  def delete(name, key) do
    :ets.delete(name, key)
    :ok
  rescue
    ArgumentError -> :ok
  end

  @impl GenServer
  def init(opts) do
    name = Keyword.fetch!(opts, :name)
    :ets.new(name, [:named_table, :public, read_concurrency: true, write_concurrency: true])
    # What the store notes for itself no sweep takes: its second element is no time.
    :ets.insert(name, {:swept, {:at, nil}})
    :ets.insert(name, {:max, {:entries, Keyword.get(opts, :max, 200_000)}})
    clock = Keyword.get(opts, :clock, fn -> System.os_time(:second) end)
    Process.send_after(self(), :sweep, @sweep)
    {:ok, {name, clock}}
  end

  @impl GenServer
  def handle_info(:sweep, {name, clock} = state) do
    sweep(name, clock.())
    Process.send_after(self(), :sweep, @sweep)
    {:noreply, state}
  end

  def handle_info(_, state), do: {:noreply, state}
end
