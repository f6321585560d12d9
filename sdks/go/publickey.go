package svc

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/sha256"
	"math"
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
	if !isForVerification(jwk) {
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
	// Ed25519 is the newer name of EdDSA (RFC 9864 §2.2).
	if alg, has := jwk["alg"]; has && alg != key.alg && !(alg == "Ed25519" && key.alg == "EdDSA") {
		return nil, errMalformed
	}
	key.thumb = digestOf(members)
	return key, nil
}

// proofKeyOf reads the public JWK of a proof, whose RSA keys sign by PS256 alone.
func proofKeyOf(jwk map[string]any) (*publicKey, error) {
	if key, err := keyOf(jwk); err == nil {
		return key, nil
	}
	key, err := rsaKeyOf(jwk, "PS256")
	if err != nil || key.alg != "PS256" {
		return nil, errMalformed
	}
	return key, nil
}

// rsaKeyOf reads a public RSA JWK of 2048 to 8192 bits (RFC 7518 §6.3), of this algorithm unless it names one. ID tokens may be signed
// so, and proofs by PS256, but no access tokens.
func rsaKeyOf(jwk map[string]any, alg string) (*publicKey, error) {
	text := func(name string) string { value, _ := jwk[name].(string); return value }
	if !isForVerification(jwk) || text("kty") != "RSA" {
		return nil, errMalformed
	}
	if _, has := jwk["alg"]; has {
		if alg = text("alg"); alg != "RS256" && alg != "PS256" {
			return nil, errMalformed
		}
	}
	n, err := base64url.DecodeString(text("n"))
	e, eErr := base64url.DecodeString(text("e"))
	// A key has one text, and so one thumbprint (RFC 7518 §6.3.1): numbers have no zeros before them. More of an exponent than 31 bits
	// is only a way to make us work, and more than crypto/rsa takes.
	if err != nil || eErr != nil || len(n) == 0 || n[0] == 0 || len(e) == 0 || e[0] == 0 || len(e) > 4 {
		return nil, errMalformed
	}
	modulus, exponent := new(big.Int).SetBytes(n), new(big.Int).SetBytes(e).Int64()
	isOdd := modulus.Bit(0) == 1 && exponent%2 == 1
	if bits := modulus.BitLen(); bits < 2048 || bits > 8192 || exponent < 3 || exponent > math.MaxInt32 || !isOdd {
		return nil, errMalformed
	}
	members := `{"e":"` + base64url.EncodeToString(e) + `","kty":"RSA","n":"` + base64url.EncodeToString(n) + `"}`
	return &publicKey{alg: alg, rsa: &rsa.PublicKey{N: modulus, E: int(exponent)}, thumb: digestOf(members)}, nil
}

// isForVerification says that a JWK is neither private nor for encryption: who sends a private one has leaked it.
func isForVerification(jwk map[string]any) bool {
	for _, name := range []string{"d", "p", "q", "dp", "dq", "qi", "oth", "k"} {
		if _, isSecret := jwk[name]; isSecret {
			return false
		}
	}
	use, has := jwk["use"]
	return !has || use == "sig"
}

func (k *publicKey) verifiesRSA(message, signature []byte) bool {
	digest := sha256.Sum256(message)
	if k.alg == "PS256" {
		options := &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash}
		return rsa.VerifyPSS(k.rsa, crypto.SHA256, digest[:], signature, options) == nil
	}
	return rsa.VerifyPKCS1v15(k.rsa, crypto.SHA256, digest[:], signature) == nil
}
