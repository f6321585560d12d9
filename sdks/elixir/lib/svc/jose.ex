defmodule Svc.JOSE do
  @moduledoc """
  Signed tokens: JWS in compact form (RFC 7515), keys (RFC 7517), thumbprints (RFC 7638).

  ES256 and EdDSA sign access tokens, proofs and assertions. Of RSA, PS256 is there for proofs and ID tokens, RS256 for
  ID tokens alone. The algorithm is that of the key, never the word of the token alone.
  """

  defmodule Key do
    @moduledoc "A key that is ready to use. `private` is never shown."
    @enforce_keys [:alg, :public]
    @derive {Inspect, only: [:alg, :kid]}
    defstruct [:alg, :kid, :public, :private]

    @type t :: %__MODULE__{alg: String.t(), kid: String.t() | nil, public: term(), private: binary() | nil}
  end

  defmodule Token do
    @moduledoc "The parts of a token whose signature is not checked yet."
    @derive {Inspect, only: [:header]}
    defstruct [:header, :claims, :signed, :signature]

    @type t :: %__MODULE__{header: map(), claims: map(), signed: binary(), signature: binary()}
  end

  @max_bytes 16_384
  @private_members ~w(d p q dp dq qi oth k)
  @pss [rsa_padding: :rsa_pkcs1_pss_padding, rsa_pss_saltlen: 32, rsa_mgf1_md: :sha256]
  # OTP 25 has no default for the sizes: P-256 and Ed25519 are 32 bytes.
  @size 32

  # A NumericDate (RFC 7519 §2) that every reader of JSON has alike. Its fraction is dropped where it is compared: by `floor/1`.
  @doc false
  defguard is_time(value) when is_number(value) and value >= 0 and value <= 9_007_199_254_740_992

  @doc "Takes a compact token apart; its claims are not to be trusted before `valid?/2`."
  @spec parse(String.t()) :: {:ok, Token.t()} | :error
  def parse(token) when byte_size(token) <= @max_bytes do
    with [head, body, signature] <- :binary.split(token, ".", [:global]),
         {:ok, %{} = header} <- part(head),
         {:ok, %{} = claims} <- part(body),
         false <- is_map_key(header, "crit") or is_map_key(header, "b64"),
         {:ok, signature} <- unbase64(signature) do
      {:ok, %Token{header: header, claims: claims, signed: head <> "." <> body, signature: signature}}
    else
      _ -> :error
    end
  end

  def parse(_), do: :error

  defp part(text) do
    with {:ok, bytes} <- unbase64(text),
         {:ok, value} <- Svc.JSON.decode(bytes, max_depth: 16),
         do: {:ok, value}
  end

  @doc "Base64url without padding, and nothing that only looks like it."
  @spec unbase64(term()) :: {:ok, binary()} | :error
  def unbase64(text) when is_binary(text) do
    with {:ok, bytes} <- Base.url_decode64(text, padding: false),
         true <- base64(bytes) == text do
      {:ok, bytes}
    else
      _ -> :error
    end
  end

  def unbase64(_), do: :error

  @doc "Base64url without padding."
  @spec base64(binary()) :: String.t()
  def base64(bytes), do: Base.url_encode64(bytes, padding: false)

  @doc "Whether the key made the signature, by the algorithm that both name."
  @spec valid?(Token.t(), Key.t()) :: boolean()
  def valid?(%Token{header: %{"alg" => alg}} = token, %Key{} = key) do
    same_algorithm?(alg, key.alg) and verify(key, token.signed, token.signature)
  rescue
    # :crypto raises at keys and signatures of another shape.
    _ in [ErlangError, ArgumentError] -> false
  end

  def valid?(_, _), do: false

  defp same_algorithm?("Ed25519", "EdDSA"), do: true
  defp same_algorithm?(alg, alg), do: true
  defp same_algorithm?(_, _), do: false

  defp verify(%Key{alg: "ES256", public: point}, signed, <<r::binary-size(@size), s::binary-size(@size)>>) do
    :crypto.verify(:ecdsa, :sha256, signed, to_der(r, s), [point, :secp256r1])
  end

  defp verify(%Key{alg: "EdDSA", public: point}, signed, <<_::512>> = signature) do
    :crypto.verify(:eddsa, :none, signed, signature, [point, :ed25519])
  end

  defp verify(%Key{alg: "RS256", public: public}, signed, signature) do
    :crypto.verify(:rsa, :sha256, signed, signature, public)
  end

  defp verify(%Key{alg: "PS256", public: public}, signed, signature) do
    :crypto.verify(:rsa, :sha256, signed, signature, public, @pss)
  end

  defp verify(_, _, _), do: false

  @doc "Signs claims. `header` adds to `alg` and `kid`."
  @spec sign(map(), Key.t(), map()) :: String.t()
  def sign(claims, %Key{private: private} = key, header \\ %{}) when is_binary(private) do
    named = if key.kid, do: %{"kid" => key.kid}, else: %{}
    head = %{"alg" => key.alg} |> Map.merge(named) |> Map.merge(header)
    signed = base64(Svc.JSON.encode(head)) <> "." <> base64(Svc.JSON.encode(claims))
    signed <> "." <> base64(signature(key, signed))
  end

  defp signature(%Key{alg: "ES256", private: private}, signed) do
    from_der(:crypto.sign(:ecdsa, :sha256, signed, [private, :secp256r1]))
  end

  defp signature(%Key{alg: "EdDSA", private: private}, signed) do
    :crypto.sign(:eddsa, :none, signed, [private, :ed25519])
  end

  @doc "A new key for `\"ES256\"` or `\"EdDSA\"`."
  @spec generate(String.t(), String.t() | nil) :: Key.t()
  def generate(alg \\ "ES256", kid \\ nil)

  def generate("ES256", kid) do
    {public, private} = :crypto.generate_key(:ecdh, :secp256r1)
    %Key{alg: "ES256", kid: kid, public: public, private: padded(private)}
  end

  def generate("EdDSA", kid) do
    {public, private} = :crypto.generate_key(:eddsa, :ed25519)
    %Key{alg: "EdDSA", kid: kid, public: public, private: private}
  end

  @doc "A key from a JWK; with `d` it can sign."
  @spec from_jwk(term()) :: {:ok, Key.t()} | :error
  def from_jwk(%{} = jwk) do
    with true <- Map.get(jwk, "use", "sig") == "sig",
         {:ok, %Key{} = key} <- material(jwk),
         true <- Map.get(jwk, "alg", key.alg) in [key.alg, if(key.alg == "EdDSA", do: "Ed25519")] do
      {:ok, %{key | kid: jwk["kid"]}}
    else
      _ -> :error
    end
  end

  def from_jwk(_), do: :error

  defp material(%{"kty" => "EC", "crv" => "P-256", "x" => x, "y" => y} = jwk) do
    with {:ok, <<x::binary-size(@size)>>} <- unbase64(x),
         {:ok, <<y::binary-size(@size)>>} <- unbase64(y),
         {:ok, private} <- secret(jwk) do
      {:ok, %Key{alg: "ES256", public: <<4, x::binary, y::binary>>, private: private}}
    end
  end

  defp material(%{"kty" => "OKP", "crv" => "Ed25519", "x" => x} = jwk) do
    with {:ok, <<x::binary-size(@size)>>} <- unbase64(x), {:ok, private} <- secret(jwk) do
      {:ok, %Key{alg: "EdDSA", public: x, private: private}}
    end
  end

  # 2048 to 8192 bits. A huge exponent is only a way to make us work; 1 would make every message its own signature.
  defp material(%{"kty" => "RSA", "n" => n, "e" => e} = jwk) do
    with {:ok, <<high, _::binary>> = n} when high > 0 and byte_size(n) in 256..1024 <- unbase64(n),
         {:ok, <<first, _::binary>> = e} when first > 0 and byte_size(e) <= 4 <- unbase64(e),
         true <- byte_size(n) > 256 or high >= 0x80,
         [e, n] = public <- [:binary.decode_unsigned(e), :binary.decode_unsigned(n)],
         true <- e > 1 and rem(e, 2) == 1 and rem(n, 2) == 1 do
      {:ok, %Key{alg: if(jwk["alg"] == "PS256", do: "PS256", else: "RS256"), public: public}}
    end
  end

  defp material(_), do: :error

  defp secret(%{"d" => d}) do
    case unbase64(d) do
      {:ok, <<d::binary-size(@size)>>} -> {:ok, d}
      _ -> :error
    end
  end

  defp secret(_), do: {:ok, nil}

  @doc "A private key from PEM, PKCS #8 or SEC 1: P-256 or Ed25519."
  @spec from_pem(String.t(), String.t() | nil) :: {:ok, Key.t()} | :error
  def from_pem(pem, kid \\ nil) do
    with [entry | _] <- Enum.reject(:public_key.pem_decode(pem), &(elem(&1, 0) == :EcpkParameters)),
         {:ECPrivateKey, _, private, {:namedCurve, curve}, _, _} <- :public_key.pem_entry_decode(entry) do
      of_curve(curve, private, kid)
    else
      {:ECPrivateKey, _, private, {:namedCurve, curve}, _} -> of_curve(curve, private, kid)
      _ -> :error
    end
  rescue
    _ -> :error
  end

  defp of_curve({1, 2, 840, 10_045, 3, 1, 7}, private, kid) do
    {public, _} = :crypto.generate_key(:ecdh, :secp256r1, private)
    {:ok, %Key{alg: "ES256", kid: kid, public: public, private: padded(private)}}
  end

  defp of_curve({1, 3, 101, 112}, private, kid) do
    {public, _} = :crypto.generate_key(:eddsa, :ed25519, private)
    {:ok, %Key{alg: "EdDSA", kid: kid, public: public, private: private}}
  end

  defp of_curve(_, _, _), do: :error

  # Compares media types: in any letter case, `application/` is optional (RFC 7515 §4.1.9).
  @doc false
  @spec typ?(term(), [String.t()]) :: boolean()
  def typ?(typ, types) when is_binary(typ) do
    (typ |> String.downcase() |> String.replace_prefix("application/", "")) in types
  end

  def typ?(_, _), do: false

  # Whether a JWK has members that only its owner may know.
  @doc false
  @spec private?(map()) :: boolean()
  def private?(jwk), do: Enum.any?(@private_members, &is_map_key(jwk, &1))

  @doc "The public half as a JWK."
  @spec public_jwk(Key.t()) :: map()
  def public_jwk(%Key{alg: "ES256", public: <<4, x::binary-size(@size), y::binary-size(@size)>>}) do
    %{"kty" => "EC", "crv" => "P-256", "x" => base64(x), "y" => base64(y)}
  end

  def public_jwk(%Key{alg: "EdDSA", public: x}), do: %{"kty" => "OKP", "crv" => "Ed25519", "x" => base64(x)}

  def public_jwk(%Key{public: [e, n]}) do
    %{"kty" => "RSA", "n" => base64(:binary.encode_unsigned(n)), "e" => base64(:binary.encode_unsigned(e))}
  end

  @doc "The SHA-256 thumbprint of a key (RFC 7638): its members in the order of their names."
  @spec thumbprint(Key.t()) :: String.t()
  def thumbprint(%Key{} = key) do
    members = for {name, value} <- Enum.sort(public_jwk(key)), do: ~s("#{name}":"#{value}")
    base64(:crypto.hash(:sha256, "{" <> Enum.join(members, ",") <> "}"))
  end

  # ECDSA signatures are r||s in a JWS and SEQUENCE { r, s } in :crypto.
  defp to_der(r, s) do
    body = integer(r) <> integer(s)
    <<0x30, byte_size(body), body::binary>>
  end

  defp integer(<<0, rest::binary>>) when rest != "", do: integer(rest)
  defp integer(<<1::1, _::bitstring>> = bytes), do: <<2, byte_size(bytes) + 1, 0, bytes::binary>>
  defp integer(bytes), do: <<2, byte_size(bytes), bytes::binary>>

  defp from_der(<<0x30, _, 2, n, r::binary-size(n), 2, m, s::binary-size(m)>>), do: padded(r) <> padded(s)

  defp padded(bytes), do: <<:binary.decode_unsigned(bytes)::unsigned-size(256)>>
end
