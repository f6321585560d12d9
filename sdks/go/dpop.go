package svc

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ReplayStore remembers proofs (RFC 9449 §11.1). Several processes that serve one API share one.
type ReplayStore interface {
	// Note remembers id until the time given, and says whether it is new. Where it cannot tell, it answers an error.
	Note(ctx context.Context, id string, until time.Time) (isNew bool, err error)
}

// NewMemoryReplays remembers in this process: at most so many (100,000 where most is zero); full, it refuses what is new.
func NewMemoryReplays(most int) ReplayStore {
	if most <= 0 {
		most = 100_000
	}
	return newMemoryReplays(most, time.Now)
}

func newMemoryReplays(most int, now func() time.Time) *memoryReplays {
	return &memoryReplays{most: most, now: now, until: map[string]time.Time{}}
}

type memoryReplays struct {
	mutex sync.Mutex
	most  int
	now   func() time.Time
	until map[string]time.Time
	swept time.Time
}

func (m *memoryReplays) Note(_ context.Context, id string, until time.Time) (bool, error) {
	now := m.now()
	m.mutex.Lock()
	defer m.mutex.Unlock()
	// A full store is swept once a second, not by each request.
	if age := now.Sub(m.swept); age > time.Minute || (len(m.until) >= m.most && age >= time.Second) {
		m.swept = now
		for old, end := range m.until {
			if end.Before(now) {
				delete(m.until, old)
			}
		}
	}
	if end, isKnown := m.until[id]; isKnown && !end.Before(now) {
		return false, nil
	}
	if len(m.until) >= m.most {
		return false, refused(http.StatusServiceUnavailable, "temporarily_unavailable", "the store of proofs is full")
	}
	m.until[id] = until
	return true, nil
}

const longestJTI = 256

// The algorithms of proofs that are taken, those of the server; Ed25519 and EdDSA are the same.
var proofAlgorithms = []string{"ES256", "EdDSA", "Ed25519", "PS256"}

// proof verifies a DPoP proof by RFC 9449 §4.3.
func (v *Verifier) proof(ctx context.Context, request Request, token, bound string) *Error {
	if _, isAddress := normal(request.URL); !isAddress {
		return invalidProof("this API takes none until its origin is given, such as https://api.example")
	}
	parsed, err := parseJWS(strings.TrimSpace(request.DPoP[0]))
	if err != nil || !parsed.isTyp("dpop+jwt") {
		return invalidProof("the proof is malformed or of another type")
	}
	jwk, _ := parsed.header["jwk"].(map[string]any)
	key, err := proofKeyOf(jwk)
	if err != nil || (parsed.alg != key.alg && !(parsed.alg == "Ed25519" && key.alg == "EdDSA")) {
		return invalidProof("the proof has no public key that fits")
	}
	parsed.alg = key.alg
	claims, err := parsed.verify(key)
	if err != nil {
		return invalidProof("the proof's signature does not verify")
	}
	if key.thumb != bound {
		return invalidProof("the token is bound to another key than the proof's")
	}
	if claims.Text("htm") != request.Method || !isSameURL(claims.Text("htu"), request.URL) {
		return invalidProof("the proof is for another method or address")
	}
	if claims.Text("ath") != digestOf(token) {
		return invalidProof("the proof is for another access token")
	}
	return v.fresh(ctx, claims, bound)
}

func (v *Verifier) fresh(ctx context.Context, claims Claims, bound string) *Error {
	now := v.config.Now()
	iat, isThere, err := claims.time("iat")
	oldest, newest := now.Add(-v.config.ProofMaxAge).Unix(), now.Add(v.config.Leeway).Unix()
	if err != nil || !isThere || iat < oldest || iat > newest {
		return invalidProof("the proof was not made just now; compare the clocks")
	}
	// They are no part of a proof, but hold where a sender puts them in.
	nbf, _, nbfErr := claims.time("nbf")
	exp, hasExp, expErr := claims.time("exp")
	hasEnded := hasExp && exp+int64(v.config.Leeway/time.Second) <= now.Unix()
	if nbfErr != nil || expErr != nil || nbf > newest || hasEnded {
		return invalidProof("the proof is not valid at this time (nbf, exp)")
	}
	jti := claims.Text("jti")
	if jti == "" || len(jti) > longestJTI {
		return invalidProof("the proof has no jti of 1 to 256 bytes")
	}
	until := time.Unix(iat, 0).Add(v.config.ProofMaxAge + v.config.Leeway)
	isNew, err := v.config.Replays.Note(ctx, digestOf(bound+" "+jti), until)
	if err != nil {
		return refused(http.StatusServiceUnavailable, "temporarily_unavailable", "the store of proofs is out of reach")
	}
	if !isNew {
		return invalidProof("the proof was used before (jti)")
	}
	return nil
}

// isSameURL compares after normalisation, without query and fragment (RFC 9449 §4.3).
func isSameURL(htu, address string) bool {
	one, ok := normal(htu)
	other, isToo := normal(address)
	return ok && isToo && one == other
}

func normal(text string) (string, bool) {
	parsed, err := url.Parse(text)
	if err != nil || parsed.Host == "" || parsed.User != nil || strings.ContainsAny(text, "\\ ") {
		return "", false
	}
	scheme, host := strings.ToLower(parsed.Scheme), strings.TrimSuffix(strings.ToLower(parsed.Host), ":")
	if scheme == "https" {
		host = strings.TrimSuffix(host, ":443")
	} else if scheme == "http" {
		host = strings.TrimSuffix(host, ":80")
	}
	path := encoded.ReplaceAllStringFunc(parsed.EscapedPath(), plainOctet)
	if path == "" {
		path = "/"
	}
	return scheme + "://" + host + path, true
}

var encoded = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

// plainOctet writes an encoded octet as RFC 3986 §6.2.2 has it: unreserved characters as they are, the others in upper case.
func plainOctet(octet string) string {
	value, err := strconv.ParseUint(octet[1:], 16, 8)
	letter := byte(value)
	isLetter := letter >= 'a' && letter <= 'z' || letter >= 'A' && letter <= 'Z' || letter >= '0' && letter <= '9'
	if err == nil && (isLetter || letter == '-' || letter == '.' || letter == '_' || letter == '~') {
		return string(letter)
	}
	return strings.ToUpper(octet)
}

// String keeps the key out of logs.
func (k *ProofKey) String() string { return "[proof key]" }

// GoString keeps the key out of logs.
func (k *ProofKey) GoString() string { return k.String() }

// ProofKey makes DPoP proofs for a client (RFC 9449 §4.2).
type ProofKey struct{ signer *ecdsa.PrivateKey }

// NewProofKey makes a fresh key.
func NewProofKey() (*ProofKey, error) {
	signer, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	return &ProofKey{signer}, err
}

// Proof is the value of the DPoP header for a request; accessToken and nonce may be empty.
func (k *ProofKey) Proof(method, address, accessToken, nonce string) (string, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	parsed.RawQuery, parsed.Fragment = "", ""
	claims := map[string]any{"htm": method, "htu": parsed.String(), "iat": time.Now().Unix(), "jti": randomText()}
	if accessToken != "" {
		claims["ath"] = digestOf(accessToken)
	}
	if nonce != "" {
		claims["nonce"] = nonce
	}
	jwk, err := jwkOf(&k.signer.PublicKey)
	if err != nil {
		return "", err
	}
	return signES256(k.signer, map[string]any{"typ": "dpop+jwt", "alg": "ES256", "jwk": jwk}, claims)
}

func jwkOf(key *ecdsa.PublicKey) (map[string]string, error) {
	point, err := key.Bytes()
	if err != nil {
		return nil, err
	}
	x, y := base64url.EncodeToString(point[1:33]), base64url.EncodeToString(point[33:])
	return map[string]string{"kty": "EC", "crv": "P-256", "x": x, "y": y}, nil
}

func signES256(signer *ecdsa.PrivateKey, header, claims map[string]any) (string, error) {
	head, err := json.Marshal(header)
	if err != nil {
		return "", err
	}
	payload, err := json.Marshal(claims)
	if err != nil {
		return "", err
	}
	input := base64url.EncodeToString(head) + "." + base64url.EncodeToString(payload)
	digest := sha256.Sum256([]byte(input))
	r, s, err := ecdsa.Sign(rand.Reader, signer, digest[:])
	if err != nil {
		return "", err
	}
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return input + "." + base64url.EncodeToString(signature), nil
}

// randomText is a fresh secret of 256 bits.
func randomText() string {
	var bytes [32]byte
	_, _ = rand.Read(bytes[:]) // It never fails: the program would end.
	return base64url.EncodeToString(bytes[:])
}
