package svc

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"strings"
	"testing"
	"time"
)

// The key of RFC 7638 §3.1.
const (
	rsaModulus = "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W" +
		"-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt" +
		"-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"
	rsaThumbprint = "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"
)

// rsaProof is a proof by this key, signed by PKCS #1 v1.5 where the algorithm is RS256.
func rsaProof(t *testing.T, signer *rsa.PrivateKey, alg string) string {
	t.Helper()
	jwk := map[string]string{
		"kty": "RSA", "n": base64url.EncodeToString(signer.N.Bytes()), "e": "AQAB",
	}
	head, err := json.Marshal(map[string]any{"typ": "dpop+jwt", "alg": alg, "jwk": jwk})
	if err != nil {
		t.Fatal(err)
	}
	payload, err := json.Marshal(map[string]any{
		"htm": "GET", "htu": "https://api.example/orders", "iat": time.Now().Unix(), "jti": randomText(), "ath": digestOf("token"),
	})
	if err != nil {
		t.Fatal(err)
	}
	input := base64url.EncodeToString(head) + "." + base64url.EncodeToString(payload)
	digest := sha256.Sum256([]byte(input))
	var signature []byte
	if alg == "RS256" {
		signature, err = rsa.SignPKCS1v15(rand.Reader, signer, crypto.SHA256, digest[:])
	} else {
		options := &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash}
		signature, err = rsa.SignPSS(rand.Reader, signer, crypto.SHA256, digest[:], options)
	}
	if err != nil {
		t.Fatal(err)
	}
	return input + "." + base64url.EncodeToString(signature)
}

func TestAProofByAnRSAKeyIsTakenWithPS256AndNoOtherAlgorithm(t *testing.T) {
	verifier, err := NewVerifier(VerifierConfig{Issuer: "https://id.example", Audience: "https://api.example", TenantID: "tnt_1"})
	if err != nil {
		t.Fatal(err)
	}
	signer, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	key, err := proofKeyOf(map[string]any{"kty": "RSA", "n": base64url.EncodeToString(signer.N.Bytes()), "e": "AQAB"})
	if err != nil {
		t.Fatal(err)
	}
	judge := func(proof string) *Error {
		request := Request{DPoP: []string{proof}, Method: "GET", URL: "https://api.example/orders"}
		return verifier.proof(background, request, "token", key.thumb)
	}
	good := rsaProof(t, signer, "PS256")
	last := strings.LastIndexByte(good, '.')
	input, signature := good[:last], good[last+1:]
	for name, proof := range map[string]string{
		"RS256":                    rsaProof(t, signer, "RS256"),
		"ES256 by an RSA key":      rsaProof(t, signer, "ES256"),
		"the signature of another": input + "." + strings.Split(rsaProof(t, signer, "PS256"), ".")[2],
		"no signature":             input + ".",
		"half a signature":         input + "." + signature[:len(signature)/2],
	} {
		if failure := judge(proof); failure == nil || failure.Code != "invalid_dpop_proof" {
			t.Errorf("%s: %v", name, failure)
		}
	}
	if failure := judge(good); failure != nil {
		t.Error(failure)
	}
	if failure := judge(good); failure == nil {
		t.Error("a proof counts once")
	}
}

func TestTheRSAKeyOfAProofHasTheSizeThatTheServerTakes(t *testing.T) {
	jwk := func(change map[string]any) map[string]any {
		key := map[string]any{"kty": "RSA", "n": rsaModulus, "e": "AQAB"}
		maps.Copy(key, change)
		return key
	}
	for _, change := range []map[string]any{{}, {"alg": "PS256"}, {"use": "sig"}} {
		if key, err := proofKeyOf(jwk(change)); err != nil || key.alg != "PS256" || key.thumb != rsaThumbprint {
			t.Errorf("%v: %v", change, err)
		}
	}
	modulus, err := base64url.DecodeString(rsaModulus)
	if err != nil {
		t.Fatal(err)
	}
	number := func(octets ...byte) string { return base64url.EncodeToString(octets) }
	for _, change := range []map[string]any{
		{"n": number(modulus[128:]...)}, {"n": number(append([]byte{0}, modulus...)...)}, {"n": number(append([]byte{1}, modulus[1:]...)...)},
		{"n": number(append(modulus[:255:255], 2)...)}, {"n": ""}, {"n": nil}, {"n": number(bytes.Repeat([]byte{0xff}, 2048)...)},
		{"e": "AQ"}, {"e": "Ag"}, {"e": "AAEAAQ"}, {"e": "AQAAAAE"}, {"e": ""},
		{"alg": "RS256"}, {"alg": "ES256"}, {"alg": nil}, {"use": "enc"}, {"d": "AA"}, {"p": "AA"}, {"kty": "EC"},
	} {
		if _, err := proofKeyOf(jwk(change)); err == nil {
			t.Errorf("%v is a key", change)
		}
	}
	if _, err := keyOf(jwk(nil)); err == nil {
		t.Error("access tokens know no RSA")
	}
}

func TestAddressesOfProofsAreHeldAgainstEachOtherInTheirNormalForm(t *testing.T) {
	const address = "https://api.example/a~b/%2F?q=1"
	for htu, isSame := range map[string]bool{
		"https://api.example/a~b/%2F":       true,
		"https://api.example/a%7Eb/%2f":     true,
		"HTTPS://API.example:443/%61~b/%2F": true,
		"https://api.example:/a~b/%2F#x":    true,
		"https://api.example/a~b//":         false,
		"https://api.example/a~b/%252F":     false,
		"https://api.example:444/a~b/%2F":   false,
		"https://me@api.example/a~b/%2F":    false,
		"http://api.example/a~b/%2F":        false,
		"https://api.example/A~b/%2F":       false,
		"https://api.example.evil/a~b/%2F":  false,
		"https://api.example/a~b/%2F/":      false,
		`https://api.example\a~b/%2F`:       false,
		"https://api.example/a~b/%2F%":      false,
	} {
		if isSameURL(htu, address) != isSame {
			t.Errorf("%s: %v", htu, !isSame)
		}
	}
}
