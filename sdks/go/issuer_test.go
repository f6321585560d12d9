package svc

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
)

// seenRequest is a request as the issuer saw it.
type seenRequest struct {
	Method, Path string
	Header       http.Header
	Form         url.Values
}

// testIssuer serves metadata and keys as ours does, and answers the rest as the test says.
type testIssuer struct {
	*httptest.Server
	signer *ecdsa.PrivateKey
	mutex  sync.Mutex
	seen   []seenRequest
}

// answer is what the issuer says: the status, and a body that becomes JSON.
type answer func(w http.ResponseWriter, seen seenRequest) (int, any)

func startIssuer(t *testing.T, say answer) *testIssuer {
	t.Helper()
	signer, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	issuer := &testIssuer{signer: signer}
	issuer.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		w.Header().Set("X-Request-Id", "req-1")
		status, body := http.StatusOK, any(nil)
		switch r.URL.Path {
		case "/.well-known/openid-configuration":
			body = issuer.document()
		case "/jwks":
			body = map[string]any{"keys": []any{issuer.jwk()}}
		default:
			seen := seenRequest{r.Method, r.URL.Path, r.Header, r.Form}
			issuer.mutex.Lock()
			issuer.seen = append(issuer.seen, seen)
			issuer.mutex.Unlock()
			status, body = say(w, seen)
		}
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body)
	}))
	t.Cleanup(issuer.Close)
	return issuer
}

func (i *testIssuer) document() map[string]string {
	return map[string]string{
		"issuer": i.URL, "authorization_endpoint": i.URL + "/authorize", "token_endpoint": i.URL + "/token",
		"jwks_uri": i.URL + "/jwks", "userinfo_endpoint": i.URL + "/userinfo", "revocation_endpoint": i.URL + "/revoke",
		"end_session_endpoint":          i.URL + "/logout",
		"device_authorization_endpoint": i.URL + "/device", "pushed_authorization_request_endpoint": i.URL + "/par",
	}
}

func (i *testIssuer) jwk() map[string]string {
	jwk, err := jwkOf(&i.signer.PublicKey)
	if err != nil {
		panic(err)
	}
	jwk["kid"], jwk["alg"], jwk["use"] = "k1", "ES256", "sig"
	return jwk
}

func (i *testIssuer) keys(t *testing.T) KeySource {
	t.Helper()
	set, err := json.Marshal(map[string]any{"keys": []any{i.jwk()}})
	if err != nil {
		t.Fatal(err)
	}
	keys, err := StaticKeys(set)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func (i *testIssuer) sign(t *testing.T, header, claims map[string]any) string {
	t.Helper()
	token, err := signES256(i.signer, header, claims)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func (i *testIssuer) requests() []seenRequest {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	return append([]seenRequest(nil), i.seen...)
}

func (i *testIssuer) client(t *testing.T) *Client {
	t.Helper()
	client, err := NewClient(ClientConfig{Issuer: i.URL, ClientID: "app", Secret: "canary-secret-5d1f", SecretInForm: true})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func problem(code string) any {
	return map[string]string{"error": code, "error_description": "what the server says"}
}

func tokenAnswer() map[string]any {
	return map[string]any{"access_token": "canary-access-77", "refresh_token": "canary-refresh-1", "token_type": "Bearer", "expires_in": 60}
}

var background = context.Background()
