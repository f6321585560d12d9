defmodule Svc.VectorsTest do
  @moduledoc "All cases of `sdks/vectors`, which the server's own tests make. `SVC_VECTORS` names another directory."
  use ExUnit.Case, async: true

  alias Svc.{AccessToken, Error, Management, ReplayStore, Webhook, World}

  @directory System.get_env("SVC_VECTORS") || Path.expand("../../vectors", __DIR__)
  if not File.dir?(@directory), do: @moduletag(skip: "there is no directory #{@directory}")

  defp vectors(name) do
    {:ok, document} = @directory |> Path.join(name <> ".json") |> File.read!() |> Svc.JSON.decode()
    names = Enum.map(document["cases"], & &1["name"])
    assert names != [] and names == Enum.uniq(names)
    document
  end

  # All cases that differ at once, each by its name.
  defp each(document, outcome) do
    differing =
      for vector <- document["cases"],
          {got, expected} = outcome.(vector),
          got != expected,
          do: {vector["name"], got: got, expected: expected}

    assert differing == []
  end

  test "pkce.json" do
    each(vectors("pkce"), fn vector ->
      {Svc.PKCE.valid?(vector["code_verifier"], vector["code_challenge"]), vector["valid"]}
    end)
  end

  test "callback.json" do
    each(vectors("callback"), fn vector ->
      expected =
        case vector["outcome"] do
          %{"code" => code} -> {:ok, code}
          %{"error" => code} -> {:error, code}
          %{"refused" => code} -> {:error, code}
        end

      got =
        with {:error, %Error{code: code}} <-
               Svc.Callback.check(vector["url"], vector["expected_state"], vector["expected_issuer"]),
             do: {:error, code}

      {got, expected}
    end)
  end

  test "discovery.json" do
    each(vectors("discovery"), fn vector ->
      case Svc.Discovery.check(vector["document"], vector["issuer"]) do
        {:ok, document} -> {{"ok", document}, {vector["outcome"], vector["document"]}}
        {:error, %Error{code: "invalid_discovery"}} -> {"refused", vector["outcome"]}
      end
    end)
  end

  test "access_tokens.json" do
    document = vectors("access_tokens")
    start_supervised!({ReplayStore.ETS, name: :vector_proofs, clock: fn -> document["now"] end})

    verifier =
      Svc.Verifier.new(
        issuer: document["issuer"],
        audience: document["audience"],
        keys: Svc.Keys.static(document["jwks"]),
        leeway: document["leeway_secs"],
        clock: fn -> document["now"] end,
        replay_store: {ReplayStore.ETS, :vector_proofs}
      )

    each(document, fn vector ->
      required = vector["required"]

      opts = [
        tenant_id: document["tenant_id"],
        scope: required["scope"],
        subject_types: required["subject_types"],
        allow_delegation: required["allow_delegation"],
        actors: required["actors"],
        dpop: String.to_existing_atom(required["dpop"])
      ]

      request = %{method: vector["method"], url: vector["url"], headers: Map.to_list(vector["headers"])}

      case AccessToken.verify(request, verifier, opts) do
        {:ok, claims} -> {%{"claims" => claims}, vector["outcome"]}
        {:error, error} -> {%{"error" => error.code, "status" => error.status}, vector["outcome"]}
      end
    end)
  end

  test "webhooks.json" do
    document = vectors("webhooks")
    start_supervised!({ReplayStore.ETS, name: :vector_deliveries, clock: fn -> document["now"] end})

    each(document, fn vector ->
      opts = [
        secrets: vector["secrets"],
        now: document["now"],
        max_age: document["max_age_ceiling_secs"],
        store: {ReplayStore.ETS, :vector_deliveries}
      ]

      body = Base.decode64!(vector["body_base64"])

      case Webhook.verify(Map.to_list(vector["headers"]), body, opts) do
        {:ok, event} ->
          assert event.body == body
          {%{"ok" => %{"event" => event.type, "delivery_id" => event.delivery_id}}, vector["outcome"]}

        {:error, %Error{code: "webhook_" <> code}} ->
          {%{"refused" => code}, vector["outcome"]}
      end
    end)
  end

  test "pagination.json" do
    each(vectors("pagination"), fn vector ->
      http = World.answers(Enum.map(vector["pages"], &World.json(200, &1)))
      api = Management.new(issuer: World.issuer(), token: "t", http: http)
      items = api |> Management.stream("/api/v1/things", limit: vector["limit"]) |> Enum.to_list()
      queries = for _ <- vector["pages"], do: query()
      refute_received {:request, _}
      {{items, queries}, {vector["items"], vector["requests"]}}
    end)
  end

  defp query do
    assert_received {:request, %{url: url}}
    "?" <> (url |> String.split("?", parts: 2) |> List.last())
  end
end
