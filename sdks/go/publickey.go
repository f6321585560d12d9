package svc

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/sha256"
	"math/big"
)

// publicKey verifies signatures of one algorithm: the key decides which, never the token.
type publicKey struct {
	alg   string
	ec    *ecdsa.PublicKey
	ed    ed25519.PublicKey
	rsa   *rsa.PublicKey
	thumb string
}

func (k *publicKey) verifies(message, signature []byte) bool {
	if k.rsa != nil {
		return k.verifiesRSA(message, signature)
	}
	if len(signature) != 64 {
		return false
	}
	if k.ed != nil {
		return ed25519.Verify(k.ed, message, signature)
	}
	digest := sha256.Sum256(message)
	r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])
	return ecdsa.Verify(k.ec, digest[:], r, s)
}

// keyOf reads a public JWK of a kind that signs access tokens or proofs (RFC 7518 §6, RFC 8037).
func keyOf(jwk map[string]any) (*publicKey, error) {
	text := func(name string) string { value, _ := jwk[name].(string); return value }
	if _, isSecret := jwk["d"]; isSecret {
		return nil, errMalformed
	}
	if use, has := jwk["use"]; has && use != "sig" {
		return nil, errMalformed
	}
	x, err := base64url.DecodeString(text("x"))
	if err != nil || len(x) != 32 {
		return nil, errMalformed
	}
	key := &publicKey{}
	var members string
	switch text("kty") + " " + text("crv") {
	case "EC P-256":
		y, err := base64url.DecodeString(text("y"))
		if err != nil || len(y) != 32 {
			return nil, errMalformed
		}
		point := append(append([]byte{4}, x...), y...)
		key.alg = "ES256"
		if key.ec, err = ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point); err != nil {
			return nil, errMalformed
		}
		members = `{"crv":"P-256","kty":"EC","x":"` + text("x") + `","y":"` + text("y") + `"}`
	case "OKP Ed25519":
		key.alg, key.ed = "EdDSA", ed25519.PublicKey(x)
		members = `{"crv":"Ed25519","kty":"OKP","x":"` + text("x") + `"}`
	default:
		return nil, errMalformed
	}
	if alg, has := jwk["alg"]; has && alg != key.alg {
		return nil, errMalformed
	}
	key.thumb = digestOf(members)
	return key, nil
}

// rsaKeyOf reads a public RSA JWK of 2048 to 8192 bits (RFC 7518 §6.3), RS256 unless it says PS256. Only ID tokens are signed so.
func rsaKeyOf(jwk map[string]any) (*publicKey, error) {
	text := func(name string) string { value, _ := jwk[name].(string); return value }
	_, isSecret := jwk["d"]
	if use, has := jwk["use"]; isSecret || (has && use != "sig") || text("kty") != "RSA" {
		return nil, errMalformed
	}
	alg := "RS256"
	if given, has := jwk["alg"]; has && given != alg {
		if alg = "PS256"; given != alg {
			return nil, errMalformed
		}
	}
	n, err := base64url.DecodeString(text("n"))
	e, eErr := base64url.DecodeString(text("e"))
	if err != nil || eErr != nil || len(e) == 0 || len(e) > 3 {
		return nil, errMalformed
	}
	modulus, exponent := new(big.Int).SetBytes(n), int(new(big.Int).SetBytes(e).Int64())
	if bits := modulus.BitLen(); bits < 2048 || bits > 8192 || exponent < 3 || exponent%2 == 0 {
		return nil, errMalformed
	}
	return &publicKey{alg: alg, rsa: &rsa.PublicKey{N: modulus, E: exponent}}, nil
}

func (k *publicKey) verifiesRSA(message, signature []byte) bool {
	digest := sha256.Sum256(message)
	if k.alg == "PS256" {
		options := &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash}
		return rsa.VerifyPSS(k.rsa, crypto.SHA256, digest[:], signature, options) == nil
	}
	return rsa.VerifyPKCS1v15(k.rsa, crypto.SHA256, digest[:], signature) == nil
}
