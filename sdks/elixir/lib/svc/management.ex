defmodule Svc.Management do
  @moduledoc """
  The management API of one tenant (`docs/openapi.json` has its paths).

  Writes carry an idempotency key, so that they can be repeated: requests that the server did not answer, or answered
  with 429, 502, 503, 504 or "the first one is still running", are sent again with the same key, not before
  `Retry-After`. Anything else is answered at once. Outside of `/api/v1/`, as in SCIM, the server keeps no keys: there
  POST and PATCH are sent again only after 429, and after "the first one is still running".

  A token of `{Svc.TokenSource, name}` that is refused with 401 is dropped, and what may be sent twice is sent once more
  with another one.

  Tokens that are bound to a key (DPoP, RFC 9449) need that key as `:proof_key`: every call then carries a proof.
  """

  alias Svc.{DPoP, Error}

  @derive {Inspect, only: [:base_url, :tenant]}
  @enforce_keys [:base_url, :token]
  defstruct [
    :base_url,
    :token,
    :tenant,
    :proof_key,
    http: &Svc.HTTP.request/1,
    attempts: 3,
    longest_wait: 30,
    timeout: 30_000,
    sleep: &Process.sleep/1
  ]

  @type t :: %__MODULE__{
          base_url: String.t(),
          token:
            String.t() | (() -> {:ok, String.t()} | {:error, Error.t()}) | {module(), GenServer.server()},
          tenant: String.t() | nil,
          proof_key: Svc.JOSE.Key.t() | nil,
          http: Svc.HTTP.sender(),
          attempts: pos_integer(),
          longest_wait: non_neg_integer(),
          timeout: pos_integer(),
          sleep: (non_neg_integer() -> term())
        }
  @type answer :: %{status: pos_integer(), body: term(), etag: String.t() | nil, request_id: String.t() | nil}

  @methods %{get: "GET", post: "POST", put: "PUT", patch: "PATCH", delete: "DELETE"}
  # RFC 7396: members that are absent stay, null removes.
  @types %{patch: "application/merge-patch+json"}
  # What a page of 200 large records may take.
  @max_bytes 67_108_864
  @confided ["secret", "password", "token"]
  @unsure [502, 503, 504]
  @passing [429 | @unsure]

  @doc """
  A tenant's API. Options: `:issuer` (the deployment's) and `:tenant` (a slug; without it the issuer's own tenant), `:token`
  (an access token or API key, a function that gives one, or `{Svc.TokenSource, name}`), `:proof_key` (that which the tokens are bound to), `:http`, `:attempts` (3), `:longest_wait` (30 s), `:timeout` of each
  attempt (30 000 ms).
  """
  @spec new(keyword()) :: t()
  def new(opts) do
    {issuer, opts} = Keyword.pop!(opts, :issuer)
    base = if slug = opts[:tenant], do: Svc.tenant_issuer(issuer, slug), else: issuer
    struct!(__MODULE__, Keyword.put(opts, :base_url, String.trim_trailing(base, "/")))
  end

  @doc """
  A path of segments, each encoded.

      iex> Svc.Management.path(["webhooks", "../roles"])
      "/api/v1/webhooks/..%2Froles"
  """
  @spec path([String.t()]) :: String.t()
  def path(segments) do
    if Enum.any?(segments, &(&1 in ["", ".", ".."])),
      do: raise(ArgumentError, "an empty segment or one of dots")

    Enum.map_join(["api", "v1" | segments], &("/" <> URI.encode(&1, fn c -> URI.char_unreserved?(c) end)))
  end

  @doc """
  Sends a request. Options: `:query` (a list), `:body` (a JSON value, or `{:raw, text}`, which is sent as it is, with its
  `:content_type`), `:raw` (`true` gives the answer's body as it is, such as that of an export), `:if_match` (the `etag` of an answer),
  `:idempotency_key` (for writes; a new one without it), `:content_type`
  (`application/scim+json` below `/scim/`, elsewhere `application/merge-patch+json` of PATCH, otherwise `application/json`).
  """
  @spec request(t(), atom(), String.t(), keyword()) :: {:ok, answer()} | {:error, Error.t()}
  def request(%__MODULE__{} = api, method, path, opts \\ []) when is_map_key(@methods, method) do
    unless path =~ ~r{\A/(?!/)[^\s?#\\]*\z} and not (path =~ ~r{/\.\.?(/|\z)}),
      do: raise(ArgumentError, "no path")

    key = unless method == :get, do: Keyword.get_lazy(opts, :idempotency_key, &Svc.Random.token/0)
    api |> attempt({method, path, key}, opts, 1) |> Error.of(named(api))
  end

  defp named(api), do: api.tenant || api.base_url

  defp attempt(api, {method, path, key} = call, opts, number, renewed? \\ false) do
    with {:ok, token} <- token(api.token) do
      outcome = sent(api, http_request(api, {method, path, key, token}, opts), access_token: token)
      dropped? = not renewed? and dropped?(api.token, token, outcome)

      case if(dropped?, do: at_once(call, number, api), else: wait(outcome, call, number, api)) do
        nil ->
          answer(outcome, api, [token | confided(opts[:body])], Keyword.get(opts, :raw, false))

        seconds ->
          if seconds > 0, do: api.sleep.(round(seconds * 1000))
          attempt(api, call, opts, number + 1, renewed? or dropped?)
      end
    end
  end

  # Once more where the server asks for a nonce in the proof (RFC 9449 §9).
  defp sent(api, request, proof) do
    outcome = api.http.(DPoP.proven(request, api.proof_key, proof))
    nonce = if proof[:nonce] == nil, do: DPoP.nonce(outcome, api.proof_key)
    if nonce, do: sent(api, request, [nonce: nonce] ++ proof), else: outcome
  end

  defp token(token) when is_binary(token), do: {:ok, token}
  defp token(give) when is_function(give, 0), do: give.()
  defp token({source, name}), do: source.token(name)

  # Whether the token was refused, and another one may pass. The token is not what is wrong where it is the proof.
  defp dropped?({source, name}, token, {:ok, %{status: 401} = response}) do
    Error.of_response(response).code not in ["invalid_dpop_proof", "use_dpop_nonce"] and
      source.forget(name, token) == :ok
  end

  defp dropped?(_, _, _), do: false

  defp at_once(call, number, %{attempts: attempts}),
    do: if(number < attempts and repeatable?(call), do: 0)

  defp http_request(api, {method, path, key, token}, opts) do
    query = if opts[:query] in [nil, []], do: "", else: "?" <> URI.encode_query(opts[:query])

    headers =
      for {name, value} <- [
            {"authorization", if(api.proof_key, do: "DPoP ", else: "Bearer ") <> token},
            {"idempotency-key", key},
            {"if-match", opts[:if_match]}
          ],
          value,
          do: {name, value}

    %{
      method: method,
      url: api.base_url <> path <> query,
      headers: headers,
      content_type: Keyword.get_lazy(opts, :content_type, fn -> type(method, path) end),
      body: if(Keyword.has_key?(opts, :body), do: written(opts[:body])),
      max_bytes: @max_bytes,
      timeout: api.timeout
    }
  end

  defp type(_, "/scim/" <> _), do: "application/scim+json"
  defp type(method, _), do: @types[method] || "application/json"

  defp written({:raw, text}), do: text
  defp written(value), do: Svc.JSON.encode(value)

  # The texts of a body that no error repeats, by the names of their members.
  defp confided(%{} = body) do
    for {name, value} <- body,
        is_binary(value),
        name |> to_string() |> String.split("_") |> Enum.any?(&(&1 in @confided)),
        do: value
  end

  defp confided(_), do: []

  # The seconds until the next attempt, or nil where there is none.
  defp wait(_, _, number, %{attempts: attempts}) when number >= attempts, do: nil

  defp wait({:error, %Error{code: code}}, call, number, _) when code in ["timeout", "unreachable"],
    do: if(repeatable?(call), do: backoff(number))

  defp wait({:ok, %{status: status} = response}, call, number, api)
       when status in @passing or status == 409 do
    after_secs = Svc.HTTP.retry_after(response)

    cond do
      status in @unsure and not repeatable?(call) -> nil
      # A conflict counts as passing only where the server says when to come back.
      status == 409 and after_secs == nil -> nil
      after_secs == nil -> backoff(number)
      after_secs > api.longest_wait -> nil
      status == 409 -> after_secs
      true -> max(after_secs, backoff(number))
    end
  end

  defp wait(_, _, _, _), do: nil

  # Whether a request may be sent again although it may have come through.
  defp repeatable?({method, path, _}),
    do: method not in [:post, :patch] or String.starts_with?(path, "/api/v1/")

  defp backoff(number), do: Integer.pow(2, min(number - 1, 4)) * (0.5 + :rand.uniform() / 2)

  defp answer({:ok, %{status: status} = response}, _, _, raw?) when status in 200..299 do
    with {:ok, body} <- body(response, raw?) do
      {:ok,
       %{
         status: status,
         body: body,
         etag: Svc.HTTP.header(response, "etag"),
         request_id: Svc.HTTP.header(response, "x-request-id")
       }}
    end
  end

  defp answer({:ok, response}, api, secrets, _),
    do: {:error, Error.of_response(response, secrets, named(api))}

  defp answer({:error, error}, _, _, _), do: {:error, error}

  defp body(%{body: body}, true), do: {:ok, body}
  defp body(%{body: ""}, _), do: {:ok, nil}

  defp body(response, _) do
    with {:error, _} <- Svc.JSON.decode(response.body, max_bytes: @max_bytes) do
      id = Svc.HTTP.header(response, "x-request-id")
      more = [status: response.status, request_id: id]
      {:error, Error.new("invalid_answer", "the server's answer cannot be read", more)}
    end
  end

  @doc """
  The items of a list, page after page, as a lazy stream; an answer that is an error is raised. Options: `:limit` and
  `:query` (filters).
  """
  @spec stream(t(), String.t(), keyword()) :: Enumerable.t()
  def stream(api, path, opts \\ []) do
    limit = if opts[:limit], do: [limit: opts[:limit]], else: []
    query = Enum.to_list(Keyword.get(opts, :query, [])) ++ limit
    Stream.resource(fn -> :first end, &page(api, path, query, &1), fn _ -> :ok end)
  end

  defp page(_, _, _, nil), do: {:halt, nil}

  defp page(api, path, query, cursor) do
    query = if cursor == :first, do: query, else: Enum.reject(query, &cursor?/1) ++ [cursor: cursor]

    case request(api, :get, path, query: query) do
      {:ok, %{body: %{"data" => data} = body}} when is_list(data) ->
        {data, following(body["next_cursor"], cursor, api)}

      {:ok, _} ->
        raise Error.new("invalid_answer", "the answer is no list", tenant: named(api))

      {:error, error} ->
        raise error
    end
  end

  # A list may begin at a cursor that the caller has kept.
  defp cursor?({name, _}), do: to_string(name) == "cursor"

  defp following(none, _, _) when none in [nil, ""], do: nil
  defp following(next, cursor, _) when is_binary(next) and next != cursor, do: next

  defp following(_, _, api),
    do: raise(Error.new("invalid_answer", "the list leads back to the same page", tenant: named(api)))
end
