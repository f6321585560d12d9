package svc_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	svc "svc.example/go"
)

func TestTheBlocksOfThePageAreTheTestedCode(t *testing.T) {
	page, err := os.ReadFile("../../docs/packages/go.md")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("notes_test.go")
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(page), "```go\n")
	for _, part := range parts[1:] {
		block, _, _ := strings.Cut(part, "```")
		if !strings.Contains(string(code), strings.TrimSpace(block)) {
			t.Error(block)
		}
	}
	// The one block of another language is how it is installed.
	if len(parts) < 7 || strings.Count(string(page), "```") != 2*len(parts) {
		t.Error(len(parts), strings.Count(string(page), "```"))
	}
}

// guideIssuer answers as ours does; its ID tokens have the code as their nonce.
type guideIssuer struct {
	*httptest.Server
	key  *ecdsa.PrivateKey
	seen map[string]*http.Request
}

func newGuideIssuer(t *testing.T) *guideIssuer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	issuer := &guideIssuer{key: key, seen: map[string]*http.Request{}}
	issuer.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		issuer.seen[r.URL.Path] = r
		_ = json.NewEncoder(w).Encode(issuer.answer(t, r))
	}))
	t.Cleanup(issuer.Close)
	return issuer
}

func (i *guideIssuer) answer(t *testing.T, r *http.Request) any {
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		return map[string]string{
			"issuer": i.URL, "authorization_endpoint": i.URL + "/authorize", "token_endpoint": i.URL + "/token", "jwks_uri": i.URL + "/jwks",
		}
	case "/jwks":
		jwk, err := svc.JWKForTest(&i.key.PublicKey)
		if err != nil {
			t.Error(err)
		}
		jwk["kid"] = "k1"
		return map[string]any{"keys": []any{jwk}}
	case "/token":
		id := i.token(t, "JWT", map[string]any{"aud": "app_1", "nonce": r.PostForm.Get("code")})
		return map[string]any{"access_token": "at", "token_type": "Bearer", "expires_in": 60, "id_token": id}
	case "/api/v1/webhooks":
		return map[string]string{"id": "whk_1"}
	}
	return map[string]any{"data": []any{map[string]string{"id": "usr_1"}}, "next_cursor": nil}
}

func (i *guideIssuer) token(t *testing.T, typ string, claims map[string]any) string {
	t.Helper()
	now := time.Now().Unix()
	claims["iss"], claims["sub"], claims["iat"], claims["exp"] = i.URL, "usr_1", now, now+60
	claims["client_id"], claims["tenant_id"], claims["subject_type"] = "app_1", "tnt_1", "human"
	token, err := svc.SignForTest(i.key, map[string]any{"alg": "ES256", "kid": "k1", "typ": typ}, claims)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func send(handler http.Handler, method, path, token string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, path, nil)
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder
}

func TestTheAPILetsAGoodTokenOfItsTenantThrough(t *testing.T) {
	issuer := newGuideIssuer(t)
	token := issuer.token(t, "at+jwt", map[string]any{"aud": "https://api.example", "scope": "notes:read"})
	for tenant, status := range map[string]int{"tnt_1": 200, "tnt_2": 403} {
		api, err := NewAPI(issuer.URL, tenant)
		if err != nil {
			t.Fatal(err)
		}
		if got := send(api, "GET", "/notes", token); got.Code != status || (status == 200 && got.Body.String() != "Notes of usr_1") {
			t.Error(tenant, got.Code, got.Body)
		}
		if got := send(api, "GET", "/notes", ""); got.Code != 401 {
			t.Error(got.Code)
		}
	}
}

func TestAPersonSignsIn(t *testing.T) {
	issuer, ctx := newGuideIssuer(t), context.Background()
	client, err := NewApplication(issuer.URL, "secret")
	if err != nil {
		t.Fatal(err)
	}
	flow, address, err := Start(ctx, client)
	if err != nil || !strings.Contains(address, flow.State) {
		t.Fatal(address, err)
	}
	back := url.Values{"code": {flow.Nonce}, "state": {flow.State}, "iss": {issuer.URL}}
	claims, err := Finish(ctx, client, flow, &url.URL{Path: "/callback", RawQuery: back.Encode()})
	if err != nil || claims.Subject() != "usr_1" {
		t.Fatal(err)
	}
	var refusal svc.CallbackError
	if _, err := Finish(ctx, client, flow, &url.URL{RawQuery: "code=c"}); !errors.As(err, &refusal) || refusal != "missing_state" {
		t.Error(err)
	}
}

func TestAMachineAsksForTokensAndManagesItsTenant(t *testing.T) {
	issuer, ctx := newGuideIssuer(t), context.Background()
	client, err := NewMachine(issuer.URL, issuer.key)
	if err != nil {
		t.Fatal(err)
	}
	if tokens, err := Token(ctx, client); err != nil || tokens.ExpiresIn != 60 || !issuer.seen["/token"].PostForm.Has("client_assertion") {
		t.Fatal(err)
	}
	api := NewAdmin(issuer.URL, client)
	if webhook, err := Subscribe(ctx, api, 7); err != nil || webhook.ID != "whk_1" {
		t.Fatal(err)
	}
	if key := issuer.seen["/api/v1/webhooks"].Header.Get("Idempotency-Key"); key != "subscribe-7" {
		t.Error(key)
	}
	if ids, err := People(ctx, api); err != nil || len(ids) != 1 || ids[0] != "usr_1" {
		t.Error(ids, err)
	}
}

func TestAnEventThatCouldNotBeKeptIsAskedForAgain(t *testing.T) {
	failure, taken := errors.New("disk"), 0
	receiver := NewReceiver("secret", func(*svc.Delivery) error { taken++; return failure })
	deliver := func(id, body string) int {
		at := strconv.FormatInt(time.Now().Unix(), 10)
		mac := hmac.New(sha256.New, []byte("secret"))
		mac.Write([]byte("svc-webhook-v1\n" + at + "\n300\nauth.logout\n" + id + "\n{}"))
		request := httptest.NewRequest("POST", "/events", strings.NewReader(body))
		for name, value := range map[string]string{
			"Signature-Suite": "svc-webhook-v1", "Signature-256": "sha256=" + hex.EncodeToString(mac.Sum(nil)), "Signature-Max-Age": "300",
			"Timestamp": at, "Event": "auth.logout", "Delivery": id,
		} {
			request.Header.Set("X-Svc-"+name, value)
		}
		recorder := httptest.NewRecorder()
		receiver.ServeHTTP(recorder, request)
		return recorder.Code
	}
	if got := deliver("dlv_1", "{} "); got != 400 || taken != 0 {
		t.Error(got)
	}
	if got := deliver("dlv_1", "{}"); got != 503 || taken != 1 {
		t.Error(got, taken)
	}
	failure = nil
	if got := deliver("dlv_1", "{}"); got != 204 || taken != 2 {
		t.Error(got, taken)
	}
}

func TestAToolThatNeedsMoreSaysWhichScope(t *testing.T) {
	issuer := newGuideIssuer(t)
	verifier, err := svc.NewVerifier(svc.VerifierConfig{Issuer: issuer.URL, Audience: "https://tools.example/mcp", TenantID: "tnt_1"})
	if err != nil {
		t.Fatal(err)
	}
	tools, err := NewTools(verifier)
	if err != nil {
		t.Fatal(err)
	}
	if got := send(tools, "GET", "/.well-known/oauth-protected-resource/mcp", ""); got.Code != 200 {
		t.Error(got.Code)
	}
	of := func(scope string) string {
		return issuer.token(t, "at+jwt", map[string]any{"aud": "https://tools.example/mcp", "scope": scope})
	}
	got := send(tools, "POST", "/mcp", of("notes:read"))
	challenge := got.Header().Get("WWW-Authenticate")
	if got.Code != 403 || !strings.Contains(challenge, `error="insufficient_scope"`) || !strings.Contains(challenge, `scope="notes:write"`) {
		t.Error(got.Code, challenge)
	}
	if got := send(tools, "POST", "/mcp", of("notes:read notes:write")); got.Code != 200 {
		t.Error(got.Code)
	}
}
