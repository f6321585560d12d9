defmodule Svc.Webhook do
  @moduledoc """
  Deliveries of events, verified before anything reads them (suite `svc-webhook-v1`).

  A delivery that is repeated after a failure has the same id. `handle/3` therefore forgets the id again when the work
  has failed, so that the next attempt counts. An event tells what happened; it is no authorization.
  """

  alias Svc.{Error, ReplayStore}

  @suite "svc-webhook-v1"
  @ceiling 300

  defmodule Event do
    @moduledoc "A verified delivery. `body` is as it came; `Svc.Webhook.payload/1` reads it."
    @derive {Inspect, only: [:type, :delivery_id, :timestamp]}
    defstruct [:type, :delivery_id, :timestamp, :body]
    @type t :: %__MODULE__{type: String.t(), delivery_id: String.t(), timestamp: integer(), body: binary()}
  end

  @doc """
  Verifies a delivery over its raw body. Options: `:secrets` (required; two while one is replaced), `:store` (a
  `Svc.ReplayStore`; without one, repeated deliveries are not refused), `:max_age` (the receiver's own limit, 300 s), `:now`.

  Refused with `webhook_suite`, `webhook_header`, `webhook_signature`, `webhook_timestamp` or `webhook_replay`.
  """
  @spec verify([{String.t(), String.t()}], binary(), keyword()) :: {:ok, Event.t()} | {:error, Error.t()}
  def verify(headers, body, opts) do
    now = Keyword.get_lazy(opts, :now, &Svc.Verifier.now/0)
    ceiling = Keyword.get(opts, :max_age, @ceiling)

    with :ok <- suite(headers),
         {:ok, signed} <- signed(headers),
         :ok <- signature(signed, body, Keyword.fetch!(opts, :secrets)),
         :ok <- fresh(signed, now, ceiling),
         :ok <- once(signed.delivery, opts[:store], now, ceiling) do
      {:ok, %Event{type: signed.event, delivery_id: signed.delivery, timestamp: signed.seconds, body: body}}
    end
  end

  @doc """
  Verifies a delivery and does the work: `:ok` from `work` means stored. When it returns anything else or raises, the
  delivery is forgotten, so that its next attempt is taken.
  """
  @spec handle([{String.t(), String.t()}], binary(), keyword(), (Event.t() -> :ok | term())) ::
          :ok | {:error, term()}
  def handle(headers, body, opts, work) do
    with {:ok, event} <- verify(headers, body, opts) do
      try do
        work.(event)
      else
        :ok ->
          :ok

        other ->
          forget(event, opts[:store])
          {:error, other}
      catch
        kind, reason ->
          forget(event, opts[:store])
          :erlang.raise(kind, reason, __STACKTRACE__)
      end
    end
  end

  @doc "The status to answer: what was done already is done, what is wrong stays wrong."
  @spec status(:ok | {:ok, Event.t()} | {:error, term()}) :: pos_integer()
  def status(:ok), do: 204
  def status({:ok, _}), do: 204
  def status({:error, %Error{code: "webhook_replay"}}), do: 204
  def status({:error, %Error{code: "webhook_store"}}), do: 503
  def status({:error, %Error{code: "webhook_" <> _}}), do: 400
  def status({:error, _}), do: 503

  @doc "Forgets a delivery that was not taken after all."
  @spec forget(Event.t(), ReplayStore.t() | nil) :: :ok
  def forget(_, nil), do: :ok
  def forget(%Event{delivery_id: id}, store), do: ReplayStore.delete(store, key(id))

  @doc "The envelope: `id`, `type`, `created_at`, `tenant_id`, `data`. It must be of the type that the header says."
  @spec payload(Event.t()) :: {:ok, map()} | {:error, Error.t()}
  def payload(%Event{} = event) do
    case Svc.JSON.decode(event.body) do
      {:ok, %{"type" => type} = envelope} when type == event.type -> {:ok, envelope}
      _ -> {:error, Error.new("webhook_body", "the body is no envelope of this type")}
    end
  end

  defp suite(headers) do
    if all(headers, "x-svc-signature-suite") == [@suite],
      do: :ok,
      else: refused("suite", "an unknown signature suite")
  end

  defp signed(headers) do
    with {:ok, timestamp} <- one(headers, "x-svc-timestamp"),
         {:ok, max_age} <- one(headers, "x-svc-signature-max-age"),
         {:ok, event} <- one(headers, "x-svc-event"),
         {:ok, delivery} <- one(headers, "x-svc-delivery"),
         {:ok, signatures} <- one(headers, "x-svc-signature-256"),
         {:ok, seconds} <- whole(timestamp, 12),
         {:ok, age} <- whole(max_age, 9) do
      head = Enum.map([@suite, timestamp, max_age, event, delivery], &[&1, ?\n])

      {:ok,
       %{head: head, seconds: seconds, age: age, event: event, delivery: delivery, signatures: signatures}}
    else
      :error -> refused("header", "a header is missing or malformed")
    end
  end

  defp one(headers, name) do
    case all(headers, name) do
      [value] when value != "" and byte_size(value) <= 1024 -> {:ok, value}
      _ -> :error
    end
  end

  defp all(headers, name), do: for({key, value} <- headers, String.downcase(key) == name, do: value)

  # Digits alone, at most so many.
  defp whole(text, most) do
    if byte_size(text) <= most and text =~ ~r/\A[0-9]+\z/, do: {:ok, String.to_integer(text)}, else: :error
  end

  # Every secret and every signature is compared: the time tells not which one was right.
  defp signature(signed, body, secrets) do
    given = signed.signatures |> String.split(",") |> Enum.take(4) |> Enum.map(&String.trim/1)

    matches =
      for secret <- secrets, secret != "", signature <- given do
        mac = :crypto.mac(:hmac, :sha256, secret, [signed.head, body])
        Svc.Random.equal?(signature, "sha256=" <> Base.encode16(mac, case: :lower))
      end

    if Enum.any?(matches), do: :ok, else: refused("signature", "the signature is wrong")
  end

  defp fresh(signed, now, ceiling) do
    if abs(now - signed.seconds) <= min(signed.age, ceiling),
      do: :ok,
      else: refused("timestamp", "the delivery is too old, or a clock is wrong")
  end

  defp once(_, nil, _, _), do: :ok

  # INVARIANT: the note outlives every time at which the same signature still counts, also one made ahead of our clock.
  defp once(delivery, store, now, ceiling) do
    case ReplayStore.put_new(store, key(delivery), now + 2 * ceiling, now) do
      :ok -> :ok
      :replayed -> refused("replay", "the delivery was taken before")
      {:error, _} -> refused("store", "whether the delivery was taken before is not known")
    end
  end

  defp key(delivery), do: :crypto.hash(:sha256, "webhook:" <> delivery)

  defp refused(code, message), do: {:error, Error.new("webhook_" <> code, message)}
end
