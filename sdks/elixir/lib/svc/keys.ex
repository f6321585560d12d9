defmodule Svc.Keys do
  @moduledoc """
  The issuer's public keys, in memory.

      children = [{Svc.Keys, name: MyApp.Keys, issuer: "https://id.example"}]

  A look-up reads ETS and touches no network. Keys are fetched at the start, every `:refresh_secs` (300), and when a
  token names one that is not there: then at most once in `:refetch_secs` (10), for all callers. When a fetch fails, the
  keys that are there stay; until the first have come, they are asked for once in a second. Tests and tools take
  `Svc.Keys.static/1` instead of a process.
  """

  use GenServer

  alias Svc.JOSE
  alias Svc.JOSE.Key

  @max_bytes 262_144
  @max_keys 100

  @type source :: atom() | {:static, %{String.t() => Key.t()}}

  @doc "Starts it. Options: `:name`, `:issuer` (both required), `:refresh_secs`, `:refetch_secs`, `:http`, `:clock`."
  def start_link(opts) do
    # Such an issuer would be asked for ever, and each request answered with 503.
    unless Svc.HTTP.safe_url?(Keyword.fetch!(opts, :issuer)),
      do: raise(ArgumentError, ":issuer is no https address such as \"https://id.example\"")

    GenServer.start_link(__MODULE__, opts, name: Keyword.fetch!(opts, :name))
  end

  def child_spec(opts), do: %{id: Keyword.fetch!(opts, :name), start: {__MODULE__, :start_link, [opts]}}

  @doc "Keys of a document that is at hand."
  @spec static(map()) :: source()
  def static(document) do
    {:ok, keys} = read(document)
    {:static, keys}
  end

  @doc "The key of an id. `:unavailable` says that no key set has ever been fetched."
  @spec find(source(), term()) :: {:ok, Key.t()} | {:error, :unknown | :unavailable}
  def find(_, kid) when not is_binary(kid) or byte_size(kid) > 256, do: {:error, :unknown}

  def find({:static, keys}, kid) do
    with :error <- Map.fetch(keys, kid), do: {:error, :unknown}
  end

  def find(name, kid) do
    case lookup(name, kid) do
      {:ok, key} -> {:ok, key}
      :error -> with :ok <- refetch(name), do: found(name, kid)
    end
  end

  @doc false
  # Why no key set has come.
  @spec failure(source()) :: Svc.Error.t() | nil
  def failure(name) when is_atom(name) do
    with {:ok, error} <- lookup(name, :failure), do: error, else: (:error -> nil)
  end

  def failure(_), do: nil

  defp lookup(name, kid) do
    case :ets.lookup(name, kid) do
      [{_, key}] -> {:ok, key}
      [] -> :error
    end
  rescue
    # The process is not there: neither is its table.
    ArgumentError -> :error
  end

  defp found(name, kid) do
    with :error <- lookup(name, kid), do: {:error, :unknown}
  end

  defp refetch(name) do
    GenServer.call(name, :refetch, 30_000)
  catch
    :exit, _ -> {:error, :unavailable}
  end

  @doc "Reads a key set: keys that are of no use here are passed over, a document that is none is refused."
  @spec read(term()) :: {:ok, %{String.t() => Key.t()}} | :error
  def read(%{"keys" => keys}) when is_list(keys) and length(keys) <= @max_keys do
    {:ok,
     for jwk <- Enum.reverse(keys),
         {:ok, %Key{kid: kid} = key} when is_binary(kid) <- [JOSE.from_jwk(jwk)],
         into: %{} do
       {kid, %{key | private: nil}}
     end}
  end

  def read(_), do: :error

  @impl true
  def init(opts) do
    name = Keyword.fetch!(opts, :name)
    :ets.new(name, [:named_table, :protected, read_concurrency: true])

    state = %{
      table: name,
      issuer: Keyword.fetch!(opts, :issuer),
      http: Keyword.get(opts, :http, &Svc.HTTP.request/1),
      clock: Keyword.get(opts, :clock, fn -> System.monotonic_time(:millisecond) end),
      refresh: Keyword.get(opts, :refresh_secs, 300) * 1000,
      refetch: Keyword.get(opts, :refetch_secs, 10) * 1000,
      fetched_at: nil,
      loaded?: false,
      fetch: nil,
      timer: nil,
      waiting: []
    }

    {:ok, state, {:continue, :fetch}}
  end

  @impl true
  def handle_continue(:fetch, state), do: {:noreply, fetch(state)}

  @impl true
  def handle_call(:refetch, from, %{fetch: fetch} = state) when not is_nil(fetch) do
    {:noreply, %{state | waiting: [from | state.waiting]}}
  end

  # INVARIANT: tokens with unknown key ids cause one fetch in `refetch`, not one each.
  def handle_call(:refetch, from, state) do
    if state.clock.() - state.fetched_at >= pause(state) do
      {:noreply, fetch(%{state | waiting: [from]})}
    else
      {:reply, verdict(state), state}
    end
  end

  @impl true
  def handle_info({:fetched, pid, outcome}, %{fetch: pid} = state), do: {:noreply, done(outcome, state)}
  def handle_info({:DOWN, _, :process, pid, _}, %{fetch: pid} = state), do: {:noreply, done(:error, state)}
  def handle_info(:refresh, %{fetch: nil} = state), do: {:noreply, fetch(state)}
  def handle_info(_, state), do: {:noreply, state}

  # Without any key nothing can be verified: an issuer that starts later is asked for them each second.
  defp pause(%{loaded?: true, refetch: refetch}), do: refetch
  defp pause(%{refetch: refetch}), do: min(refetch, 1000)

  # In a process of its own, so that a server which is slow holds up only the requests that need a new key.
  defp fetch(state) do
    parent = self()
    {pid, _} = spawn_monitor(fn -> send(parent, {:fetched, self(), download(state.issuer, state.http)}) end)
    %{state | fetch: pid, fetched_at: state.clock.()}
  end

  defp done(outcome, state) do
    state = store(outcome, %{state | fetch: nil})
    for from <- state.waiting, do: GenServer.reply(from, verdict(state))
    # INVARIANT: one timer, however often unknown keys have caused a fetch.
    if state.timer, do: Process.cancel_timer(state.timer)
    timer = Process.send_after(self(), :refresh, if(state.loaded?, do: state.refresh, else: state.refetch))
    %{state | waiting: [], timer: timer}
  end

  defp store({:ok, keys}, state) do
    :ets.insert(state.table, Map.to_list(keys))
    for {kid, _} <- :ets.tab2list(state.table), not is_map_key(keys, kid), do: :ets.delete(state.table, kid)
    %{state | loaded?: true}
  end

  # Why none have come: it goes with the first that do.
  defp store({:error, %Svc.Error{} = error}, state) do
    :ets.insert(state.table, {:failure, error})
    state
  end

  defp store(_, state), do: state

  defp verdict(%{loaded?: true}), do: :ok
  defp verdict(_), do: {:error, :unavailable}

  @doc "Fetches the key set of an issuer by way of its discovery document."
  @spec download(String.t(), Svc.HTTP.sender()) :: {:ok, %{String.t() => Key.t()}} | {:error, Svc.Error.t()}
  def download(issuer, http) do
    with {:ok, metadata} <- Svc.Discovery.fetch(issuer, http) do
      metadata["jwks_uri"] |> of_uri(http) |> Svc.Error.of(issuer)
    end
  end

  @doc "Fetches the key set at an address."
  @spec of_uri(String.t(), Svc.HTTP.sender()) :: {:ok, %{String.t() => Key.t()}} | {:error, Svc.Error.t()}
  def of_uri(uri, http) do
    with {:ok, %{status: 200, body: body}} when byte_size(body) <= @max_bytes <-
           http.(%{method: :get, url: uri, max_bytes: @max_bytes}),
         {:ok, document} <- Svc.JSON.decode(body),
         {:ok, keys} <- read(document) do
      {:ok, keys}
    else
      {:error, %Svc.Error{} = error} -> {:error, error}
      {:ok, %{status: status} = response} when status != 200 -> {:error, Svc.Error.of_response(response)}
      _ -> {:error, Svc.Error.new("invalid_answer", "the answer is no key set")}
    end
  end
end
