defmodule Svc.TokenSourceTest do
  use ExUnit.Case, async: true

  alias Svc.{Error, TokenSource, World}

  defp answer(token, more \\ %{expires_in: 300}) do
    World.json(200, Map.merge(%{access_token: token, token_type: "Bearer"}, more))
  end

  defp source(answers, name, opts \\ []) do
    {:ok, clock} = Agent.start_link(fn -> World.now() end)
    client = World.client(http: World.answers(answers), clock: fn -> Agent.get(clock, & &1) end)
    opts = [name: name, client: client, scope: "webhooks:write", resource: "https://api.example"] ++ opts
    start_supervised!({TokenSource, Keyword.put_new(opts, :client, client)})
    fn secs -> Agent.update(clock, &(&1 + secs)) end
  end

  test "many callers share one token, which is renewed half a minute before it ends" do
    later = source([answer("canary-1"), answer("canary-2")], :shared)
    given = 1..20 |> Task.async_stream(fn _ -> TokenSource.token(:shared) end) |> Enum.map(&elem(&1, 1))
    assert Enum.uniq(given) == [{:ok, "canary-1"}]
    later.(269)
    assert TokenSource.token(:shared) == {:ok, "canary-1"}
    later.(1)
    assert TokenSource.token(:shared) == {:ok, "canary-2"}

    for _ <- 1..2 do
      assert_received {:request, request}
      assert %{"scope" => "webhooks:write", "resource" => "https://api.example"} = World.form(request)
    end

    refute_received {:request, _}
    refute inspect(:sys.get_state(:shared)) =~ "canary"
  end

  test "a refusal is no token and is asked again; a token without an end is used once" do
    source([World.json(401, %{error: "invalid_client"}), answer("a", %{}), answer("b")], :refused)
    assert {:error, %Error{code: "invalid_client", request_id: "req-1"}} = TokenSource.token(:refused)
    assert TokenSource.token(:refused) == {:ok, "a"}
    assert TokenSource.token(:refused) == {:ok, "b"}
  end

  test "a token that was refused is dropped, and one that has come since stays" do
    source([answer("canary-1"), answer("canary-2")], :forgetful)
    assert TokenSource.forget(:forgetful, "canary-0") == :ok
    assert TokenSource.token(:forgetful) == {:ok, "canary-1"}
    for _ <- 1..2, do: TokenSource.forget(:forgetful, "canary-1")
    assert TokenSource.token(:forgetful) == {:ok, "canary-2"}
    TokenSource.forget(:forgetful, "canary-1")
    assert TokenSource.token(:forgetful) == {:ok, "canary-2"}
    assert TokenSource.forget(:not_started, "canary") == :ok
  end

  test "a client may come from a function, asked until it gives one" do
    http = World.answers([answer("a")])

    {:ok, turns} =
      Agent.start_link(fn -> [{:error, Error.new("unreachable", "no")}, {:ok, World.client(http: http)}] end)

    give = fn -> Agent.get_and_update(turns, fn [next | rest] -> {next, rest} end) end
    start_supervised!({TokenSource, name: :lazy, client: give})
    assert {:error, %Error{code: "unreachable"}} = TokenSource.token(:lazy)
    assert TokenSource.token(:lazy) == {:ok, "a"}
    assert TokenSource.token(:lazy) == {:ok, "a"}
    send(:lazy, :late)
    assert TokenSource.token(:lazy) == {:ok, "a"}
    assert {:error, %Error{code: "unreachable"}} = TokenSource.token(:not_started)
  end

  test "those who wait for a token share a failure" do
    test = self()

    http = fn _ ->
      send(test, :asked)

      receive do
        :go -> {:error, Error.new("timeout", "late")}
      end
    end

    source = start_supervised!({TokenSource, name: :hanging, client: World.client(http: http)})
    callers = for _ <- 1..5, do: Task.async(fn -> TokenSource.token(:hanging) end)
    receive do: (:asked -> :ok)
    waiting(source, 4)
    send(source, :go)
    for caller <- callers, do: assert({:error, %Error{code: "timeout"}} = Task.await(caller))
    refute_received :asked
  end

  # Until so many messages wait at the process.
  defp waiting(pid, most) do
    case Process.info(pid, :message_queue_len) do
      {_, ^most} ->
        :ok

      _ ->
        :erlang.yield()
        waiting(pid, most)
    end
  end
end
