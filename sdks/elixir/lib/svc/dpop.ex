defmodule Svc.DPoP do
  @moduledoc "Proofs of possession (RFC 9449): checked for a resource server, made for a client."

  import Svc.JOSE, only: [is_time: 1]

  alias Svc.JOSE

  @max_age 60
  @algorithms ["ES256", "EdDSA", "Ed25519", "PS256"]

  # The algorithms of proofs that are taken, those of the server; `Ed25519` and `EdDSA` are the same.
  @doc false
  @spec algorithms() :: [String.t()]
  def algorithms, do: @algorithms

  @doc """
  Checks a proof. `expected` has `:method`, `:url`, `:access_token`, `:thumbprint`, `:now`, `:store` and `:leeway`, how
  many seconds the sender's clock may be ahead.

  The store comes last, so that a proof which is refused for another reason takes no place in it. `{:error, :store}` says that it
  could not tell whether the proof was used before.
  """
  @spec verify(String.t(), map()) :: :ok | {:error, String.t() | :store}
  def verify(proof, expected) do
    with {:ok, token} <- parse(proof),
         {:ok, key} <- key(token.header),
         :ok <- must(JOSE.valid?(token, key), "its signature is wrong"),
         :ok <- must(Svc.Random.equal?(JOSE.thumbprint(key), expected.thumbprint), "it is another key's"),
         :ok <- must(token.claims["htm"] == expected.method, "it is for another method"),
         :ok <- must(same_url?(token.claims["htu"], expected.url), "it is for another address"),
         :ok <-
           must(
             Svc.Random.equal?(token.claims["ath"], hash(expected.access_token)),
             "it is for another token"
           ),
         :ok <- fresh(token.claims["iat"], expected),
         :ok <- lasting(token.claims, expected) do
      once(token.claims, expected)
    end
  end

  defp parse(proof) do
    with {:ok, %{header: %{"typ" => typ, "alg" => alg}} = token} when alg in @algorithms <- JOSE.parse(proof),
         true <- JOSE.typ?(typ, ["dpop+jwt"]),
         # No key is fetched from where a stranger says.
         false <- Enum.any?(["jku", "x5u", "x5c"], &is_map_key(token.header, &1)) do
      {:ok, token}
    else
      _ -> {:error, "it is no proof"}
    end
  end

  defp key(%{"jwk" => %{} = jwk}) do
    if JOSE.private?(jwk), do: {:error, "its key is private"}, else: public(jwk)
  end

  defp key(_), do: {:error, "its key is missing"}

  # An RSA key signs proofs by PS256 alone.
  defp public(jwk) do
    jwk = if jwk["kty"] == "RSA", do: Map.put_new(jwk, "alg", "PS256"), else: jwk
    with :error <- JOSE.from_jwk(jwk), do: {:error, "its key is of no use"}
  end

  defp fresh(iat, %{now: now, leeway: leeway}) when is_time(iat) do
    must(floor(iat) <= now + leeway and floor(iat) >= now - @max_age, "it is too old, or a clock is wrong")
  end

  defp fresh(_, _), do: {:error, "it does not say when it was made"}

  # They are no part of a proof, but hold where a sender puts them in.
  defp lasting(%{"nbf" => nbf}, %{now: now, leeway: leeway})
       when not is_time(nbf)
       when floor(nbf) > now + leeway,
       do: {:error, "it is not valid yet"}

  defp lasting(%{"exp" => exp}, %{now: now, leeway: leeway})
       when not is_time(exp)
       when floor(exp) + leeway <= now,
       do: {:error, "it has ended"}

  defp lasting(_, _), do: :ok

  # INVARIANT: the note outlives the proof, also where a clock is ahead.
  defp once(%{"jti" => jti}, expected) when is_binary(jti) and byte_size(jti) in 1..256 do
    key = :crypto.hash(:sha256, expected.thumbprint <> jti)
    until = expected.now + @max_age + 2 * expected.leeway

    case Svc.ReplayStore.put_new(expected.store, key, until, expected.now) do
      :ok -> :ok
      :replayed -> {:error, "it was used before"}
      {:error, _} -> {:error, :store}
    end
  end

  defp once(_, _), do: {:error, "it has no id"}

  defp must(true, _), do: :ok
  defp must(false, reason), do: {:error, reason}

  @doc "A proof for a request."
  @spec proof(JOSE.Key.t(), String.t(), String.t(), keyword()) :: String.t()
  def proof(key, method, url, opts \\ []) do
    claims = %{
      "jti" => Svc.Random.token(),
      "htm" => method,
      "htu" => url |> String.split(["?", "#"]) |> hd(),
      "iat" => Keyword.get(opts, :now, System.os_time(:second))
    }

    more = for {name, value} <- [ath: opts[:access_token], nonce: opts[:nonce]], value, do: claim(name, value)

    JOSE.sign(Enum.into(more, claims), %{key | kid: nil}, %{
      "typ" => "dpop+jwt",
      "jwk" => JOSE.public_jwk(key)
    })
  end

  # The request with a proof, where there is a key for it. Options are those of `proof/4`.
  @doc false
  @spec proven(Svc.HTTP.request(), JOSE.Key.t() | nil, keyword()) :: Svc.HTTP.request()
  def proven(request, nil, _), do: request
  # Without an address there is nothing to prove; what sends the request refuses it.
  def proven(%{url: nil} = request, _, _), do: request

  def proven(request, key, opts) do
    method = request.method |> to_string() |> String.upcase()
    field = {"dpop", proof(key, method, request.url, opts)}
    Map.update(request, :headers, [field], &[field | &1])
  end

  # The nonce that the server asks for in another proof of the same request (RFC 9449 §8, §9).
  @doc false
  @spec nonce({:ok, Svc.HTTP.response()} | {:error, term()}, JOSE.Key.t() | nil) :: String.t() | nil
  def nonce({:ok, %{status: status} = response}, key) when key != nil and status in [400, 401] do
    nonce = Svc.HTTP.header(response, "dpop-nonce") || ""

    if Svc.Error.of_response(response).code == "use_dpop_nonce" and nonce =~ ~r/\A[\x21-\x7e]{1,256}\z/,
      do: nonce
  end

  def nonce(_, _), do: nil

  defp claim(:ath, token), do: {"ath", hash(token)}
  defp claim(:nonce, nonce), do: {"nonce", nonce}

  defp hash(token), do: JOSE.base64(:crypto.hash(:sha256, token))

  # RFC 9449 §4.3: without query and fragment, after normalization (RFC 3986 §6.2.2 and §6.2.3).
  defp same_url?(given, expected) when is_binary(given) do
    normal = normal(given)
    normal != nil and normal == normal(expected)
  end

  defp same_url?(_, _), do: false

  defp normal(url) do
    case URI.new(url) do
      {:ok, %URI{scheme: scheme, host: host, userinfo: nil} = uri}
      when is_binary(scheme) and is_binary(host) ->
        scheme = String.downcase(scheme)
        path = if uri.path in [nil, ""], do: "/", else: uri.path
        {scheme, String.downcase(host), uri.port || URI.default_port(scheme), octets(path)}

      _ ->
        nil
    end
  end

  # Unreserved characters stand as they are, other encoded ones in upper case.
  defp octets(path) do
    Regex.replace(~r/%([0-9A-Fa-f]{2})/, path, fn whole, digits ->
      letter = String.to_integer(digits, 16)
      if URI.char_unreserved?(letter), do: <<letter>>, else: String.upcase(whole)
    end)
  end
end
