defmodule Svc.KeysTest do
  use ExUnit.Case, async: true

  alias Svc.{JOSE, Keys, World}

  # A key server whose answer and clock the test changes; it counts the key sets that were fetched.
  defp start(answer, opts \\ []) do
    {:ok, state} = Agent.start_link(fn -> %{answer: answer, now: 0, fetched: 0} end)

    http = fn request ->
      if String.ends_with?(request.url, "openid-configuration") do
        World.json(200, World.metadata())
      else
        Agent.get_and_update(state, fn state -> {state.answer, %{state | fetched: state.fetched + 1}} end)
      end
    end

    clock = fn -> Agent.get(state, & &1.now) end
    name = :"keys_#{System.unique_integer([:positive])}"
    start_supervised!({Keys, [name: name, issuer: World.issuer(), http: http, clock: clock] ++ opts})
    {name, state}
  end

  defp change(state, changes), do: Agent.update(state, &Map.merge(&1, Map.new(changes)))
  defp fetched(state), do: Agent.get(state, & &1.fetched)

  defp good, do: World.json(200, World.jwks())

  test "keys are found without a further fetch" do
    {name, state} = start(good())
    assert {:ok, %JOSE.Key{alg: "ES256"}} = Keys.find(name, "es-1")
    for _ <- 1..100, do: assert({:ok, _} = Keys.find(name, "ed-1"))
    assert fetched(state) == 1
  end

  test "an issuer that no keys can be fetched from is refused at the start" do
    for issuer <- ["http://id.example", "id.example", "https://me:secret@id.example", nil] do
      assert_raise ArgumentError, ~r/:issuer is no https address/, fn ->
        Keys.start_link(name: :unsafe_keys, issuer: issuer)
      end
    end
  end

  test "a thousand unknown ids cause no fetch, and one after the pause" do
    {name, state} = start(good())
    assert {:ok, _} = Keys.find(name, "es-1")
    for n <- 1..1000, do: assert(Keys.find(name, "no-#{n}") == {:error, :unknown})
    assert fetched(state) == 1
    change(state, now: 10_000)
    1..50 |> Task.async_stream(fn n -> Keys.find(name, "no-#{n}") end) |> Stream.run()
    assert fetched(state) == 2
  end

  test "a new key is found at its first token, and a key that was withdrawn is gone" do
    {name, state} = start(good())
    assert {:ok, _} = Keys.find(name, "es-1")
    new = JOSE.generate("ES256", "es-2")
    jwk = Map.put(JOSE.public_jwk(new), "kid", "es-2")
    change(state, now: 10_000, answer: World.json(200, %{"keys" => [jwk]}))
    assert {:ok, %JOSE.Key{kid: "es-2", private: nil}} = Keys.find(name, "es-2")
    assert Keys.find(name, "es-1") == {:error, :unknown}
  end

  test "old keys survive an outage, an answer that is no key set, and a huge one" do
    {name, state} = start(good())
    assert {:ok, _} = Keys.find(name, "es-1")
    huge = {:ok, %{status: 200, headers: [], body: String.duplicate(" ", 300_000) <> "{}"}}
    many = World.json(200, %{"keys" => List.duplicate(%{}, 101)})

    for {answer, n} <-
          Enum.with_index([
            World.json(500, %{}),
            World.json(200, []),
            huge,
            many,
            {:error, Svc.Error.new("timeout", "late")}
          ]) do
      change(state, now: (n + 1) * 10_000, answer: answer)
      assert Keys.find(name, "no") == {:error, :unknown}
      assert {:ok, _} = Keys.find(name, "es-1")
    end

    assert fetched(state) == 6
  end

  test "without a key set ever, keys are unavailable, and then they come" do
    {name, state} = start(World.json(503, %{}))
    assert Keys.find(name, "es-1") == {:error, :unavailable}
    assert Keys.find(name, "es-1") == {:error, :unavailable}
    assert fetched(state) == 1
    change(state, now: 1_000, answer: good())
    assert {:ok, _} = Keys.find(name, "es-1")
    change(state, now: 2_000)
    assert Keys.find(name, "no") == {:error, :unknown}
    assert fetched(state) == 2
    assert Keys.find(:never_started, "es-1") == {:error, :unavailable}
  end

  test "the answer without keys names the reason, and no longer when they have come" do
    failed = {:ok, %{status: 500, headers: [{"x-request-id", "req-7"}], body: "{}"}}
    {name, state} = start(failed)

    assert {:error, error} =
             Svc.AccessToken.verify(World.request(World.token()), World.verifier(keys: name),
               tenant_id: "tnt_1"
             )

    assert {error.status, error.code, error.request_id} == {503, "temporarily_unavailable", "req-7"}
    assert error.message == "the issuer's keys cannot be fetched (http_500)"
    change(state, now: 1_000, answer: good())
    assert {:ok, _} = Keys.find(name, "es-1")
    assert Keys.failure(name) == nil
  end

  test "a fetch that crashes leaves the process and its keys" do
    {name, state} = start(good())
    assert {:ok, _} = Keys.find(name, "es-1")
    change(state, now: 10_000, answer: :nonsense)
    ExUnit.CaptureLog.capture_log(fn -> assert Keys.find(name, "no") == {:error, :unknown} end)
    assert {:ok, _} = Keys.find(name, "es-1")
  end

  test "many fetches for unknown keys leave one timer" do
    {name, state} = start(good(), refresh_secs: 3600)

    timers =
      for n <- 1..20 do
        change(state, now: n * 10_000)
        assert Keys.find(name, "no") == {:error, :unknown}
        :sys.get_state(name).timer
      end

    {last, earlier} = List.pop_at(timers, -1)
    assert Enum.map(earlier, &Process.read_timer/1) == List.duplicate(false, 19)
    assert Process.read_timer(last) in 1..3_600_000
    before = fetched(state)
    # What the timer sends; who asks meanwhile waits for the fetch.
    send(name, :refresh)
    assert Keys.find(name, "no") == {:error, :unknown}
    assert fetched(state) - before == 1
  end

  test "keys of no use are passed over" do
    encryption = Map.merge(JOSE.public_jwk(World.es256()), %{"kid" => "enc", "use" => "enc"})
    nameless = JOSE.public_jwk(World.es256())
    {:ok, keys} = Keys.read(%{"keys" => [%{}, 1, nil, encryption, nameless | World.jwks()["keys"]]})
    assert Map.keys(keys) == ["ed-1", "es-1"]
    assert Keys.read(%{"keys" => %{}}) == :error
  end
end
