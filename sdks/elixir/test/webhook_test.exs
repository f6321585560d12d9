defmodule Svc.WebhookTest do
  use ExUnit.Case, async: true

  alias Svc.{Error, ReplayStore, Webhook}

  @secret "svc_whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY"
  @now 1_800_000_000
  @signature "631d5da8ee91e6d97863c23e138738f4600b158f2d303bf7791f18401ad21d06"
  # The vector of docs/how-to/webhooks.md.
  @headers [
    {"X-SVC-Signature-Suite", "svc-webhook-v1"},
    {"X-SVC-Signature-256", "sha256=" <> @signature},
    {"X-SVC-Signature-Max-Age", "300"},
    {"X-SVC-Timestamp", "1800000000"},
    {"X-SVC-Event", "webhook.test"},
    {"X-SVC-Delivery", "dlv_01jcqzv7y0e8kstk6yq6k3a4mf"}
  ]
  @body ~s({"name":"Zoë"})

  setup do
    name = :"deliveries_#{System.unique_integer([:positive])}"
    start_supervised!({ReplayStore.ETS, name: name, clock: fn -> @now end})
    %{opts: [secrets: [@secret], now: @now, store: {ReplayStore.ETS, name}]}
  end

  test "the vector of the guide", %{opts: opts} do
    assert {:ok, event} = Webhook.verify(@headers, @body, opts)
    assert {event.type, event.timestamp, event.body} == {"webhook.test", @now, @body}
    assert {:error, %Error{code: "webhook_body"}} = Webhook.payload(event)
    assert {:error, %Error{code: "webhook_replay"}} = Webhook.verify(@headers, @body, opts)
  end

  test "a delivery whose work failed is taken again", %{opts: opts} do
    assert Webhook.handle(@headers, @body, opts, fn _ -> {:error, :full} end) == {:error, {:error, :full}}
    assert_raise RuntimeError, fn -> Webhook.handle(@headers, @body, opts, fn _ -> raise "disk" end) end
    assert catch_throw(Webhook.handle(@headers, @body, opts, fn _ -> throw(:x) end)) == :x
    assert Webhook.handle(@headers, @body, opts, fn event -> send(self(), event) && :ok end) == :ok
    assert_received %Webhook.Event{type: "webhook.test"}
    replay = Webhook.handle(@headers, @body, opts, fn _ -> flunk("twice") end)
    assert {:error, %Error{code: "webhook_replay"}} = replay
    assert Enum.map([:ok, replay, {:error, :full}], &Webhook.status/1) == [204, 204, 503]
  end

  test "what is wrong takes no place in the store", %{opts: opts} do
    assert {:error, error} = Webhook.verify(@headers, @body <> " ", opts)
    assert {error.code, Webhook.status({:error, error})} == {"webhook_signature", 400}

    assert {:error, %Error{code: "webhook_signature"}} =
             Webhook.verify(@headers, @body, Keyword.put(opts, :secrets, [""]))

    assert {:error, %Error{code: "webhook_header"}} =
             Webhook.verify(@headers ++ @headers, @body, opts) |> header_of_suite()

    assert {:ok, _} = Webhook.verify(@headers, @body, opts)
  end

  # A suite that is there twice is refused as a suite.
  defp header_of_suite({:error, %Error{code: "webhook_suite"}}), do: {:error, %Error{code: "webhook_header"}}
  defp header_of_suite(other), do: other

  test "a store that is down lets nothing pass", %{opts: opts} do
    assert {:error, error} =
             Webhook.verify(@headers, @body, Keyword.put(opts, :store, {ReplayStore.ETS, :not_started}))

    assert {error.code, Webhook.status({:error, error})} == {"webhook_store", 503}
  end

  test "the envelope is of the type that was signed" do
    envelope = ~s({"id":"evt_1","type":"webhook.test","data":{}})
    event = %Webhook.Event{type: "webhook.test", body: envelope}
    assert {:ok, %{"id" => "evt_1"}} = Webhook.payload(event)
    assert {:error, _} = Webhook.payload(%{event | type: "auth.logout"})
  end
end
