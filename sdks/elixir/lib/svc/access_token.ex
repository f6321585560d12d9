defmodule Svc.AccessToken do
  @moduledoc """
  Judges a request's access token by the ten rules, in their order; the first one that fails decides.

  | rule | | refused with |
  |---|---|---|
  | 1 | `Authorization: Bearer` (or `DPoP`) has the token | 401 `missing_token` |
  | 2 | signature, by the key's algorithm, and `typ` | 401 `invalid_token` |
  | 3, 4, 5 | `iss`, `aud`, `exp` and `nbf` | 401 `invalid_token` |
  | 6 | `tenant_id` owns the resource | 403 `forbidden` |
  | 7 | `scope` has what the route requires | 403 `insufficient_scope` |
  | 8, 9 | `subject_type`, `act` | 403 `forbidden` |
  | 10 | proof and `cnf` | 401 `invalid_token`, 401 `invalid_dpop_proof` |

  When no key set has ever been fetched, or the store of proofs cannot tell whether one was used before, the answer is
  503 `temporarily_unavailable`.
  """

  import Svc.JOSE, only: [is_time: 1]

  alias Svc.{Error, JOSE, Verifier}

  @typedoc "`headers` with names in any case; `url` as the API is published, never from `Host`; with `nil` no proof is taken."
  @type request :: %{method: String.t(), url: String.t() | nil, headers: [{String.t(), String.t()}]}
  @algorithms ["ES256", "EdDSA"]
  @longest_chain 8
  @compare "compare it with the issuer's"

  @doc """
  The claims of a request that may pass.

  Options: `:tenant_id` (required: the tenant that owns the resource, or a function from claims to it), `:scope`
  (space-delimited, all of them), `:subject_types` (`["human"]`), `:allow_delegation` (`false`), `:actors` (the client
  ids that may act; all where delegation is allowed), `:dpop` (`:optional` or `:required`).
  """
  @spec verify(request(), Verifier.t(), keyword()) :: {:ok, map()} | {:error, Error.t()}
  def verify(request, %Verifier{} = verifier, opts) do
    tenant = Keyword.fetch!(opts, :tenant_id)

    request
    |> judge(verifier, tenant, opts)
    |> Error.of(if is_binary(tenant), do: tenant, else: verifier.issuer)
  end

  defp judge(request, verifier, tenant, opts) do
    now = verifier.clock.()

    with {:ok, scheme, token} <- presented(request),
         {:ok, claims} <- signed(token, verifier),
         :ok <- issued(claims, verifier),
         :ok <- addressed(claims, verifier),
         :ok <- timely(claims, verifier.leeway, now),
         :ok <- owned(claims, tenant),
         :ok <- permitted(claims, Keyword.get(opts, :scope, "")),
         :ok <- welcome(claims, Keyword.get(opts, :subject_types, ["human"])),
         :ok <- delegated(claims, opts),
         :ok <-
           possessed(claims, {scheme, token, now}, request, verifier, Keyword.get(opts, :dpop, :optional)) do
      {:ok, claims}
    end
  end

  # Rule 1. The query and the body are never looked at.
  defp presented(request) do
    case values(request, "authorization") do
      [value] -> credentials(String.split(value, " ", parts: 2))
      [] -> missing("there is no access token")
      _ -> missing("there are several authorization headers")
    end
  end

  defp credentials([scheme, token]) do
    token = String.trim(token, " ")

    case String.downcase(scheme) do
      _ when token == "" -> missing("the access token is empty")
      "bearer" -> {:ok, :bearer, token}
      "dpop" -> {:ok, :dpop, token}
      _ -> missing("the authorization is no access token")
    end
  end

  defp credentials(_), do: missing("the authorization is no access token")

  # Rule 2.
  defp signed(token, verifier) do
    with {:ok, parsed} <- JOSE.parse(token),
         :ok <- kind(parsed.header, verifier.types),
         {:ok, key} <- key(parsed.header, verifier.keys),
         true <- JOSE.valid?(parsed, key),
         :ok <- named(parsed.claims) do
      {:ok, parsed.claims}
    else
      {:error, %Error{} = error} -> {:error, error}
      false -> invalid("the signature is wrong")
      :error -> invalid("this is no signed token")
    end
  end

  # A token that brings its key, or the address of one, is no token of this issuer.
  defp kind(header, _)
       when is_map_key(header, "jwk") or is_map_key(header, "jku") or is_map_key(header, "x5u") or
              is_map_key(header, "x5c"),
       do: invalid("it brings a key of its own")

  defp kind(%{"typ" => typ, "alg" => alg}, types) when is_binary(typ) and alg in @algorithms do
    if JOSE.typ?(typ, types), do: :ok, else: invalid("this is no access token")
  end

  defp kind(_, _), do: invalid("the algorithm or the type is not that of an access token")

  defp key(header, keys) do
    case Svc.Keys.find(keys, header["kid"]) do
      {:ok, key} -> {:ok, key}
      {:error, :unknown} -> invalid("the key is unknown")
      {:error, :unavailable} -> {:error, Error.without_keys(Svc.Keys.failure(keys))}
    end
  end

  # Every access token has both (RFC 9068 §2.2).
  defp named(%{"sub" => subject, "client_id" => client})
       when is_binary(subject) and subject != "" and is_binary(client) and client != "",
       do: :ok

  defp named(_), do: invalid("it names no subject or no client")

  # Rule 3.
  defp issued(%{"iss" => issuer}, %{issuer: issuer}), do: :ok
  defp issued(_, _), do: invalid("it is another issuer's")

  # Rule 4.
  defp addressed(%{"aud" => audience}, %{audience: audience}), do: :ok

  defp addressed(%{"aud" => list}, %{audience: audience}) when is_list(list) do
    if audience in list, do: :ok, else: invalid("it is for another audience")
  end

  defp addressed(_, _), do: invalid("it is for another audience")

  # Rule 5. `exp` is exact; the issuer's clock may be ahead by the leeway.
  defp timely(%{"exp" => exp} = claims, leeway, now) when is_time(exp) do
    with :ok <- begun("nbf", Map.get(claims, "nbf", now), leeway, now),
         :ok <- begun("iat", Map.get(claims, "iat", now), leeway, now) do
      if floor(exp) > now,
        do: :ok,
        else: invalid("it expired #{round(now - exp)} s ago by this machine's clock; " <> @compare)
    end
  end

  defp timely(_, _, _), do: invalid("it does not say when it expires")

  defp begun(name, at, leeway, now) when is_time(at) do
    if floor(at) - leeway > now,
      do: invalid("its #{name} is #{round(at - now)} s ahead of this machine's clock; " <> @compare),
      else: :ok
  end

  defp begun(name, _, _, _), do: invalid("its #{name} is no time")

  # Rule 6: before scopes.
  defp owned(claims, tenant) when is_function(tenant, 1), do: owned(claims, tenant.(claims))
  defp owned(%{"tenant_id" => tenant}, tenant) when is_binary(tenant), do: :ok
  defp owned(_, _), do: refused("forbidden", 403, "the resource is another tenant's")

  # Rule 7.
  defp permitted(claims, required) do
    granted = if is_binary(claims["scope"]), do: String.split(claims["scope"], " ", trim: true), else: []

    case String.split(required, " ", trim: true) -- granted do
      [] -> :ok
      _ -> refused("insufficient_scope", 403, "the scope #{required} is required")
    end
  end

  # Rule 8.
  defp welcome(claims, types) do
    if claims["subject_type"] in types,
      do: :ok,
      else: refused("forbidden", 403, "this kind of caller is not taken here")
  end

  # Rule 9. RFC 8693 §4.1: the outermost actor is the current one; earlier ones decide nothing.
  defp delegated(%{"act" => act}, opts) do
    actors = opts[:actors]

    cond do
      not Keyword.get(opts, :allow_delegation, false) ->
        refused("forbidden", 403, "no actor is accepted here")

      not chain?(act, @longest_chain) ->
        refused("forbidden", 403, "the chain of actors is malformed")

      is_list(actors) and act["sub"] not in actors ->
        refused("forbidden", 403, "this actor may not act here")

      true ->
        :ok
    end
  end

  defp delegated(_, _), do: :ok

  defp chain?(%{"sub" => ""}, _), do: false
  defp chain?(%{"sub" => sub, "act" => act}, left) when is_binary(sub) and left > 1, do: chain?(act, left - 1)
  defp chain?(%{"sub" => sub} = act, _) when is_binary(sub), do: not is_map_key(act, "act")
  defp chain?(_, _), do: false

  # Rule 10.
  defp possessed(%{"cnf" => %{"jkt" => jkt}}, {:dpop, token, now}, request, verifier, _)
       when is_binary(jkt) do
    expected = %{
      method: request.method,
      url: request.url,
      access_token: token,
      thumbprint: jkt,
      now: now,
      store: verifier.replay_store,
      leeway: verifier.leeway
    }

    with [proof] <- values(request, "dpop"),
         true <- verifier.replay_store != nil || {:error, "this API takes no proofs"},
         true <- request.url != nil || {:error, "this API takes none until its option :origin is set"},
         :ok <- Svc.DPoP.verify(proof, expected) do
      :ok
    else
      {:error, :store} -> refused("temporarily_unavailable", 503, "the store of proofs is out of reach")
      {:error, reason} -> refused("invalid_dpop_proof", 401, "the proof is refused: " <> reason)
      _ -> refused("invalid_dpop_proof", 401, "there must be one proof")
    end
  end

  defp possessed(claims, _, _, _, _) when is_map_key(claims, "cnf"), do: invalid("it is bound to a key")
  defp possessed(_, {:dpop, _, _}, _, _, _), do: invalid("it is bound to no key")
  defp possessed(_, _, _, _, :required), do: invalid("a token that is bound to a key is required")
  defp possessed(_, _, _, _, _), do: :ok

  defp values(request, name) do
    for {key, value} <- request.headers, String.downcase(key) == name, do: value
  end

  defp missing(message), do: refused("missing_token", 401, message)
  defp invalid(message), do: refused("invalid_token", 401, message)
  defp refused(code, status, message), do: {:error, Error.new(code, message, status: status)}
end
