defmodule Svc.TokenSource do
  @moduledoc """
  An access token by client credentials that many callers share: one is asked for when it is first needed, and another
  half a minute before it ends. The management API drops one that is refused; `forget/2` is for calls of your own.

      children = [{Svc.TokenSource, name: MyApp.Token, client: &MyApp.Machine.client/0, scope: "webhooks:write"}]
      Svc.Management.new(issuer: "https://id.example", token: {Svc.TokenSource, MyApp.Token})
  """

  use GenServer

  alias Svc.{Client, Error, OAuth}

  @early 30
  @timeout 30_000

  @doc """
  Starts it. Options: `:name` and `:client` (both required: a `Svc.Client`, or a function that gives `{:ok, client}`,
  asked until it does), `:scope`, `:resource`.
  """
  def start_link(opts), do: GenServer.start_link(__MODULE__, opts, name: Keyword.fetch!(opts, :name))

  def child_spec(opts), do: %{id: Keyword.fetch!(opts, :name), start: {__MODULE__, :start_link, [opts]}}

  @doc "The present token, or a new one."
  @spec token(GenServer.server()) :: {:ok, String.t()} | {:error, Error.t()}
  def token(name) do
    GenServer.call(name, :token, @timeout)
  catch
    # What an exit says would take the call along into a log.
    :exit, _ -> {:error, Error.new("unreachable", "the token source does not answer")}
  end

  @doc "Drops a token that was refused with 401, so that the next call gets another one. A token that has come since stays."
  @spec forget(GenServer.server(), String.t()) :: :ok
  def forget(name, token), do: GenServer.cast(name, {:forget, token})

  @impl true
  def init(opts) do
    {:ok,
     %{client: Keyword.fetch!(opts, :client), asked: Keyword.take(opts, [:scope, :resource]), tokens: nil}}
  end

  @impl true
  def handle_call(:token, _, state) do
    with {:ok, client} <- client(state.client),
         {:ok, tokens} <- present(client, state) do
      {:reply, {:ok, tokens.access_token}, %{state | client: client, tokens: tokens}}
    else
      {:error, error} ->
        share({:error, error})
        {:reply, {:error, error}, state}
    end
  end

  @impl true
  def handle_cast({:forget, token}, %{tokens: %{access_token: token}} = state),
    do: {:noreply, %{state | tokens: nil}}

  def handle_cast(_, state), do: {:noreply, state}

  # Those who have waited for an issuer that hangs do not wait for it once more each.
  defp share(outcome) do
    receive do
      {:"$gen_call", from, :token} ->
        GenServer.reply(from, outcome)
        share(outcome)
    after
      0 -> :ok
    end
  end

  # An answer that comes too late has a token in it, and is dropped without a word.
  @impl true
  def handle_info(_, state), do: {:noreply, state}

  defp client(%Client{} = client), do: {:ok, client}
  defp client(give), do: give.()

  defp present(client, %{tokens: %{expires_at: ends} = tokens} = state) when is_integer(ends) do
    if client.clock.() + @early < ends, do: {:ok, tokens}, else: OAuth.client_credentials(client, state.asked)
  end

  defp present(client, state), do: OAuth.client_credentials(client, state.asked)
end
