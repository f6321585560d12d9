defmodule Svc.JOSETest do
  use ExUnit.Case, async: true

  alias Svc.{JOSE, World}

  test "the signature of RFC 7515 A.3 is right, and wrong with one bit changed" do
    {:ok, key} =
      JOSE.from_jwk(%{
        "kty" => "EC",
        "crv" => "P-256",
        "x" => "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y" => "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
      })

    token =
      "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ." <>
        "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"

    {:ok, parsed} = JOSE.parse(token)
    assert JOSE.valid?(parsed, key)
    <<first, rest::binary>> = parsed.signature
    refute JOSE.valid?(%{parsed | signature: <<Bitwise.bxor(first, 1), rest::binary>>}, key)
  end

  test "the signature and thumbprint of RFC 8037 A" do
    jwk = %{
      "kty" => "OKP",
      "crv" => "Ed25519",
      "d" => "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
      "x" => "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
    }

    {:ok, key} = JOSE.from_jwk(jwk)
    assert JOSE.thumbprint(key) == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"

    signature =
      JOSE.unbase64("hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg")

    assert {:ok, bytes} = signature
    signed = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"
    assert JOSE.valid?(%JOSE.Token{header: %{"alg" => "EdDSA"}, signed: signed, signature: bytes}, key)
  end

  test "many signatures of its own are right, whatever zeros lead r and s" do
    for _ <- 1..300 do
      {:ok, token} = %{"n" => 1} |> JOSE.sign(World.es256()) |> JOSE.parse()
      assert byte_size(token.signature) == 64
      assert JOSE.valid?(token, World.es256())
    end
  end

  test "signatures of zeros, of another length and under points off the curve are wrong" do
    {:ok, token} = %{} |> JOSE.sign(World.es256()) |> JOSE.parse()

    for size <- [0, 63, 64, 65, 512],
        do: refute(JOSE.valid?(%{token | signature: <<0::size(size)-unit(8)>>}, World.es256()))

    off = JOSE.base64(:binary.copy(<<1>>, 32))
    {:ok, key} = JOSE.from_jwk(%{"kty" => "EC", "crv" => "P-256", "x" => off, "y" => off})
    refute JOSE.valid?(token, key)
    refute JOSE.valid?(token, World.eddsa())
  end

  test "parts that are not exactly base64url are refused" do
    token = JOSE.sign(%{}, World.es256())
    [head, body, signature] = String.split(token, ".")
    assert {:ok, _} = JOSE.parse(token)

    for bad <- [
          token <> "=",
          token <> ".",
          "#{head}.#{body}",
          "#{head}=.#{body}.#{signature}",
          "#{head}.#{body}.#{signature}\n",
          " " <> token,
          "#{head}.!.#{signature}",
          "..",
          "",
          "#{head}.#{JOSE.base64("[]")}.#{signature}",
          "#{JOSE.base64(~s({"alg":"ES256","crit":["b64"]}))}.#{body}.#{signature}",
          String.duplicate("a", 20_000)
        ] do
      assert JOSE.parse(bad) == :error
    end
  end

  test "one value has one text: padding and spare bits are refused" do
    assert JOSE.unbase64("AA") == {:ok, <<0>>}
    for text <- ["AB", "AA==", "AA=", "A", "A+", "A/", "AA\n", nil], do: assert(JOSE.unbase64(text) == :error)
  end

  test "a key that is for encryption, for another algorithm or out of shape is no key" do
    good = JOSE.public_jwk(World.es256())
    assert {:ok, _} = JOSE.from_jwk(good)

    for change <- [
          %{"use" => "enc"},
          %{"alg" => "ES384"},
          %{"crv" => "P-384"},
          %{"x" => "AA"},
          %{"y" => nil},
          %{"kty" => "oct"}
        ] do
      assert JOSE.from_jwk(Map.merge(good, change)) == :error
    end

    assert JOSE.from_jwk(nil) == :error
  end

  test "an RSA key has the thumbprint of RFC 7638 and the size that the server takes" do
    n =
      "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc" <>
        "_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQ" <>
        "R0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bF" <>
        "TWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"

    good = %{"kty" => "RSA", "n" => n, "e" => "AQAB"}

    for alg <- ["PS256", "RS256"] do
      assert {:ok, %{alg: ^alg} = key} = JOSE.from_jwk(Map.put(good, "alg", alg))
      assert JOSE.thumbprint(key) == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"
    end

    {:ok, <<_, rest::binary>> = modulus} = JOSE.unbase64(n)

    for change <- [
          %{"n" => JOSE.base64(binary_part(modulus, 0, 128))},
          %{"n" => JOSE.base64(<<0, modulus::binary>>)},
          %{"n" => JOSE.base64(<<1, rest::binary>>)},
          %{"n" => JOSE.base64(binary_part(modulus, 0, 255) <> <<2>>)},
          %{"n" => JOSE.base64(:binary.copy(<<0xFF>>, 2048))},
          %{"e" => "AQ"},
          %{"e" => "Ag"},
          %{"e" => "AAEAAQ"},
          %{"e" => "AQAAAAE"},
          %{"e" => ""},
          %{"alg" => "ES256"}
        ] do
      assert JOSE.from_jwk(Map.merge(good, change)) == :error
    end
  end

  test "private keys come from PEM" do
    for curve <- [{:namedCurve, :secp256r1}, {:namedCurve, :ed25519}] do
      pem =
        :public_key.pem_encode([
          :public_key.pem_entry_encode(:PrivateKeyInfo, :public_key.generate_key(curve))
        ])

      assert {:ok, key} = JOSE.from_pem(pem, "k")
      {:ok, token} = %{} |> JOSE.sign(key) |> JOSE.parse()
      assert token.header["kid"] == "k"
      assert JOSE.valid?(token, key)
    end

    assert JOSE.from_pem("no key") == :error
  end
end
