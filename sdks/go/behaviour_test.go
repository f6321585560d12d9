package svc

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// issuerServer serves discovery and a key set that a test can break.
type issuerServer struct {
	*httptest.Server
	fetched atomic.Int32
	answer  atomic.Value
}

func newIssuer(t *testing.T, set []byte) *issuerServer {
	t.Helper()
	issuer := &issuerServer{}
	issuer.answer.Store(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(set) }))
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]string{
			"issuer": issuer.URL, "authorization_endpoint": issuer.URL + "/a", "token_endpoint": issuer.URL + "/t",
			"jwks_uri": issuer.URL + "/jwks",
		})
	})
	mux.HandleFunc("/jwks", func(w http.ResponseWriter, r *http.Request) {
		issuer.fetched.Add(1)
		issuer.answer.Load().(http.HandlerFunc)(w, r)
	})
	issuer.Server = httptest.NewServer(mux)
	t.Cleanup(issuer.Close)
	return issuer
}

func TestKeysAreFetchedOnceAndSurviveAnOutage(t *testing.T) {
	var file tokenFile
	vectors(t, "access_tokens.json", &file)
	issuer := newIssuer(t, file.JWKS)
	keys := NewRemoteKeys(issuer.URL, nil)
	var mutex sync.Mutex
	now := time.Unix(file.Now, 0)
	keys.now = func() time.Time { mutex.Lock(); defer mutex.Unlock(); return now }
	later := func(by time.Duration) { mutex.Lock(); defer mutex.Unlock(); now = now.Add(by) }
	find := func(kid string) *publicKey {
		key, err := keys.key(context.Background(), kid)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() { find("es-1") })
	}
	group.Wait()
	for range 50 {
		if find("unknown") != nil {
			t.Fatal("there is no such key")
		}
	}
	if got := issuer.fetched.Load(); got != 1 {
		t.Fatalf("fetched %d times", got)
	}
	later(refetchPause)
	find("unknown")
	if got := issuer.fetched.Load(); got != 2 {
		t.Fatalf("fetched %d times after the pause", got)
	}
	bad := []http.HandlerFunc{
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
		func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"keys":7}`)) },
		func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"keys":[]` + strings.Repeat(" ", largestKeySet) + "}"))
		},
	}
	for _, handler := range bad {
		issuer.answer.Store(handler)
		later(time.Hour)
		before := issuer.fetched.Load()
		if find("es-1") == nil {
			t.Fatal("a known key is lost in an outage")
		}
		for range 200 {
			if issuer.fetched.Load() > before {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
}

func TestAKeyThatWasWithdrawnCountsForFiveMinutesAtMost(t *testing.T) {
	var file tokenFile
	vectors(t, "access_tokens.json", &file)
	issuer := newIssuer(t, file.JWKS)
	keys := NewRemoteKeys(issuer.URL, nil)
	var now atomic.Int64
	keys.now = func() time.Time { return time.Unix(now.Load(), 0) }
	if key, err := keys.key(background, "es-1"); key == nil {
		t.Fatal(err)
	}
	issuer.answer.Store(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"keys":[]}`)) }))
	now.Store(300)
	// This one has the set fetched in the background, which holds the mutex; one that is unknown waits for it.
	_, _ = keys.key(background, "es-1")
	_, _ = keys.key(background, "unknown")
	if key, _ := keys.key(background, "es-1"); key != nil || issuer.fetched.Load() != 2 {
		t.Fatal("a key that was withdrawn counts", issuer.fetched.Load())
	}
}

func TestAnIssuerThatStartsLaterIsAskedEachSecondUntilItHasKeys(t *testing.T) {
	var file tokenFile
	vectors(t, "access_tokens.json", &file)
	issuer := newIssuer(t, file.JWKS)
	serves := issuer.answer.Swap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(502) }))
	keys := NewRemoteKeys(issuer.URL, nil)
	var now atomic.Int64
	keys.now = func() time.Time { return time.Unix(now.Load(), 0) }
	for second := range int64(3) {
		now.Store(file.Now + second)
		for range 20 {
			if _, err := keys.key(background, "es-1"); err == nil {
				t.Fatal("there are no keys yet")
			}
		}
		if got := int64(issuer.fetched.Load()); got != second+1 {
			t.Fatalf("fetched %d times in second %d", got, second)
		}
	}
	issuer.answer.Store(serves)
	now.Add(1)
	if key, err := keys.key(background, "es-1"); key == nil {
		t.Fatal("a second after the issuer has come its keys are found", err)
	}
	now.Add(1)
	if key, err := keys.key(background, "unknown"); key != nil || err != nil || issuer.fetched.Load() != 4 {
		t.Fatal("with keys the pause is the long one", err, issuer.fetched.Load())
	}
}

func TestThoseWhoWaitForAnIssuerThatHangsWaitOnce(t *testing.T) {
	var fetched atomic.Int32
	// Nothing but the fetch that hangs takes time.
	issuer := &http.Client{Transport: inMemory(func(r *http.Request) (*http.Response, error) {
		if r.URL.Path != "/jwks" {
			return documentOf("http://localhost"), nil
		}
		fetched.Add(1)
		<-r.Context().Done()
		return nil, r.Context().Err()
	})}
	keys := NewRemoteKeys("http://localhost", issuer)
	keys.patience = 100 * time.Millisecond
	// The clock goes on by a minute while the issuer hangs.
	keys.now = func() time.Time { return time.Unix(60*int64(fetched.Load()), 0) }
	var group sync.WaitGroup
	for range 10 {
		group.Go(func() { _, _ = keys.key(background, "es-1") })
	}
	group.Wait()
	if got := fetched.Load(); got != 1 {
		t.Fatalf("fetched %d times", got)
	}
}

// inMemory answers requests without a server.
type inMemory func(*http.Request) (*http.Response, error)

func (answer inMemory) RoundTrip(r *http.Request) (*http.Response, error) { return answer(r) }

// documentOf is the discovery document of an issuer.
func documentOf(issuer string) *http.Response {
	answer := httptest.NewRecorder()
	answer.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(answer).Encode(map[string]string{
		"issuer": issuer, "authorization_endpoint": issuer + "/a", "token_endpoint": issuer + "/t", "jwks_uri": issuer + "/jwks",
	})
	return answer.Result()
}

func TestAnAPIWhoseTokensAreOfTheTypeJWTTakesThoseAndNoOthers(t *testing.T) {
	issuer := startIssuer(t, nil)
	now := time.Now().Unix()
	claims := map[string]any{
		"iss": issuer.URL, "aud": "api", "sub": "usr_1", "client_id": "app_1", "tenant_id": "tnt_1", "subject_type": "human",
		"iat": now, "exp": now + 300,
	}
	config := VerifierConfig{Issuer: issuer.URL, Audience: "api", TenantID: "tnt_1"}
	for _, one := range []struct {
		typ, header string
		isTaken     bool
	}{{"", "at+jwt", true}, {"", "JWT", false}, {"JWT", "JWT", true}, {"JWT", "at+jwt", false}, {"JWT", "", false}, {"JWT", "logout+jwt", false}} {
		config.Typ = one.typ
		verifier, err := NewVerifier(config)
		if err != nil {
			t.Fatal(err)
		}
		header := map[string]any{"alg": "ES256", "kid": "k1"}
		if one.header != "" {
			header["typ"] = one.header
		}
		_, err = verifier.Verify(background, Request{Authorization: []string{"Bearer " + issuer.sign(t, header, claims)}}, Required{})
		if (err == nil) != one.isTaken {
			t.Errorf("%q for an API of %q: %v", one.header, one.typ, err)
		}
	}
	if config.Typ = "logout+jwt"; errOf(NewVerifier(config)) == nil {
		t.Error("no access token is of another type")
	}
}

func TestAConfigurationThatVerifiesNothingIsRefusedWhenItIsMade(t *testing.T) {
	for issuer, config := range map[string]VerifierConfig{
		"https://id.example": {Issuer: "https://id.example", Audience: "api"},
		"http://id.example":  {Issuer: "http://id.example", Audience: "api", TenantID: "tnt_1"},
		"https://id2.example": {
			Issuer: "https://id2.example", Audience: "api", TenantID: "tnt_1", Typ: "logout+jwt",
		},
	} {
		var failure *Error
		if !errors.As(errOf(NewVerifier(config)), &failure) || failure.Code != clientError || failure.Tenant != issuer {
			t.Error(issuer, failure)
		}
	}
}

func errOf(_ *Verifier, err error) error { return err }

func TestAKeySetThatHangsIsGivenUpAndKnownKeysDoNotWaitForIt(t *testing.T) {
	var file tokenFile
	vectors(t, "access_tokens.json", &file)
	issuer := newIssuer(t, file.JWKS)
	hangs := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	serves := issuer.answer.Swap(hangs)
	var ahead atomic.Int64
	remote := func() *RemoteKeys {
		keys := NewRemoteKeys(issuer.URL, nil)
		keys.now = func() time.Time { return time.Unix(file.Now+ahead.Load(), 0) }
		return keys
	}
	cold := remote()
	cold.patience = 200 * time.Millisecond
	verifier, err := NewVerifier(VerifierConfig{Issuer: file.Issuer, Audience: file.Audience, TenantID: file.TenantID, Keys: cold})
	if err != nil {
		t.Fatal(err)
	}
	_, err = verifier.Verify(background, requestOf(&file.Cases[0]), requiredOf(&file.Cases[0]))
	var failure *Error
	if !errors.As(err, &failure) || failure.Status != http.StatusServiceUnavailable || failure.Tenant != file.TenantID {
		t.Fatal(err)
	}
	issuer.answer.Store(serves)
	warm := remote()
	if key, err := warm.key(background, "es-1"); key == nil {
		t.Fatal(err)
	}
	release := make(chan struct{})
	issuer.answer.Store(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
			w.WriteHeader(http.StatusInternalServerError)
		case <-r.Context().Done():
		}
	}))
	ahead.Store(int64(keysAreFresh / time.Second))
	before := issuer.fetched.Load()
	for range 100 {
		if key, err := warm.key(background, "es-1"); key == nil {
			t.Fatal("a known key is lost while the issuer hangs", err)
		}
	}
	warm.mutex.Lock()
	underway := warm.underway
	warm.mutex.Unlock()
	if underway == nil {
		t.Fatal("known keys waited until the issuer was given up")
	}
	close(release)
	<-underway
	warm.mutex.Lock()
	defer warm.mutex.Unlock()
	if issuer.fetched.Load() != before+1 || warm.last == nil || warm.known.Load().keys["es-1"] == nil {
		t.Error("one fetch is tried and fails, and what was known stays", warm.last)
	}
}

func TestACallerNeedNotWaitForKeysThatAnotherFetches(t *testing.T) {
	issuer := newIssuer(t, nil)
	hold, asked := make(chan struct{}), make(chan struct{}, 2)
	issuer.answer.Store(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked <- struct{}{}
		<-hold
	}))
	keys := NewRemoteKeys(issuer.URL, nil)
	first := make(chan struct{})
	go func() { defer close(first); _, _ = keys.key(background, "es-1") }()
	<-asked
	gone, cancel := context.WithCancel(background)
	cancel()
	if _, err := keys.key(gone, "es-1"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(hold)
	<-first
	if len(asked) != 0 {
		t.Error("each asks for the keys by itself")
	}
}

func TestWithoutKeysTheAnswerIs503(t *testing.T) {
	issuer := newIssuer(t, []byte(`{}`))
	var file tokenFile
	vectors(t, "access_tokens.json", &file)
	verifier, err := NewVerifier(VerifierConfig{
		Issuer: file.Issuer, Audience: file.Audience, TenantID: file.TenantID, Keys: NewRemoteKeys(issuer.URL, nil),
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = verifier.Verify(context.Background(), requestOf(&file.Cases[0]), requiredOf(&file.Cases[0]))
	var failure *Error
	if !errors.As(err, &failure) || failure.Status != http.StatusServiceUnavailable {
		t.Fatal(err)
	}
	if failure.Description != "the issuer's keys are out of reach (invalid_answer)" || failure.Tenant != file.TenantID {
		t.Error("the reason is not named:", failure)
	}
}

func TestATokenBeforeAClockThatIsTenMinutesOffIsRefusedWithTheSeconds(t *testing.T) {
	var file tokenFile
	vectors(t, "access_tokens.json", &file)
	issued := &file.Cases[0]
	var claims struct{ Exp, Nbf int64 }
	if err := json.Unmarshal(issued.Outcome.Claims, &claims); err != nil {
		t.Fatal(err)
	}
	for now, wanted := range map[int64]string{
		claims.Exp + 600: "the token expired 600 s ago by this machine's clock; compare it with the issuer's",
		claims.Exp:       "the token expired 0 s ago by this machine's clock; compare it with the issuer's",
		claims.Exp - 1:   "",
		claims.Nbf - 10:  "",
		claims.Nbf - 11:  "the token's nbf is 11 s ahead of this machine's clock; compare it with the issuer's",
		claims.Nbf - 600: "the token's nbf is 600 s ahead of this machine's clock; compare it with the issuer's",
	} {
		verifier := file.verifier(t)
		verifier.config.Now = func() time.Time { return time.Unix(now, 0) }
		_, err := verifier.Verify(context.Background(), requestOf(issued), requiredOf(issued))
		var failure *Error
		if wanted == "" && err != nil {
			t.Errorf("%d: %v", now, err)
		} else if wanted != "" && (!errors.As(err, &failure) || failure.Code != "invalid_token" || failure.Description != wanted) {
			t.Errorf("%d: %v", now, err)
		}
	}
}

func TestAGuardedHandler(t *testing.T) {
	var file tokenFile
	vectors(t, "access_tokens.json", &file)
	mcp, err := NewMCP(file.verifier(t), "https://api.example", []string{"orders:read"})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mcp.Register(mux)
	mux.Handle("/orders", mcp.Require(Required{Scope: "orders:read"}, http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) { _, _ = fmt.Fprint(w, ClaimsOf(r.Context()).Subject()) },
	)))
	send := func(path string, headers map[string]string) *httptest.ResponseRecorder {
		request := httptest.NewRequest(http.MethodGet, path, nil)
		for name, value := range headers {
			request.Header.Set(name, value)
		}
		recorder := httptest.NewRecorder()
		mux.ServeHTTP(recorder, request)
		return recorder
	}
	const metadata = "/.well-known/oauth-protected-resource"
	if got := send(metadata, nil); got.Code != 200 || !strings.Contains(got.Body.String(), file.Issuer) {
		t.Error(got.Body.String())
	}
	if got := send("/orders", nil).Header().Get("WWW-Authenticate"); got !=
		`Bearer scope="orders:read", resource_metadata="https://api.example`+metadata+`"` {
		t.Error(got)
	}
	for _, one := range file.Cases {
		if one.Required.AllowDelegation || one.Required.DPoP == "required" || len(one.Required.SubjectTypes) > 1 {
			continue
		}
		got := send("/orders", one.Headers)
		wanted := one.Outcome.Status
		if wanted == 0 {
			wanted = 200
		}
		if got.Code != wanted {
			t.Errorf("%s: %d", one.Name, got.Code)
		}
		challenge := got.Header().Get("WWW-Authenticate")
		if one.Outcome.Error == "insufficient_scope" && !strings.Contains(challenge, `error="insufficient_scope"`) {
			t.Errorf("%s: %s", one.Name, challenge)
		}
		if scheme, _, _ := strings.Cut(one.Headers["authorization"], " "); challenge != "" && strings.HasPrefix(challenge, "DPoP ") != (scheme == "DPoP") {
			t.Errorf("%s: %s", one.Name, challenge)
		}
		for _, part := range strings.Split(one.Headers["authorization"], ".") {
			if len(part) > 40 && strings.Contains(got.Body.String()+challenge, part) {
				t.Errorf("%s: the answer shows the token", one.Name)
			}
		}
	}
}

func TestAHandlerThatNeedsMoreChallengesByTheSchemeOfItsRequest(t *testing.T) {
	var file tokenFile
	vectors(t, "access_tokens.json", &file)
	protection := NewProtection(file.verifier(t), "https://api.example")
	handler := protection.Require(Required{Scope: "orders:read"}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		protection.InsufficientScope(w, r, "orders:write")
	}))
	const refusal = `error="insufficient_scope", error_description="the token lacks the scope orders:write", scope="orders:write"`
	for name, wanted := range map[string]string{
		file.Cases[0].Name:            "Bearer " + refusal,
		"a DPoP token with its proof": "DPoP " + refusal + `, algs="ES256 EdDSA Ed25519 PS256"`,
	} {
		index := slices.IndexFunc(file.Cases, func(one tokenCase) bool { return one.Name == name })
		request := httptest.NewRequest(http.MethodGet, "/orders", nil)
		for name, value := range file.Cases[index].Headers {
			request.Header.Set(name, value)
		}
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		if got := recorder.Header().Get("WWW-Authenticate"); recorder.Code != http.StatusForbidden || got != wanted {
			t.Errorf("%s: %d %s", name, recorder.Code, got)
		}
	}
}

func TestAProofAtAnAPIWithoutAnOriginIsRefusedForThat(t *testing.T) {
	var file tokenFile
	vectors(t, "access_tokens.json", &file)
	index := slices.IndexFunc(file.Cases, func(one tokenCase) bool { return one.Name == "a DPoP token with its proof" })
	request, required := file.Cases[index].request()
	for _, address := range []string{"", "/orders", "api.example/orders"} {
		request.URL = address
		_, err := file.verifier(t).Verify(background, request, required)
		var failure *Error
		if !errors.As(err, &failure) || failure.Code != "invalid_dpop_proof" || !strings.Contains(failure.Description, "origin") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestAListWithoutElementsIsLeftOutOfTheMetadata(t *testing.T) {
	var file tokenFile
	vectors(t, "access_tokens.json", &file)
	for _, scopes := range [][]string{nil, {}} {
		mcp, err := NewMCP(file.verifier(t), "https://api.example", scopes)
		if err != nil || strings.Contains(string(mcp.document), "scopes_supported") {
			t.Error(err, string(mcp.document))
		}
	}
}

func TestGrantsProveTheApplicationAndShowNothing(t *testing.T) {
	const canary = "canary-3f9a"
	var form url.Values
	var header http.Header
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]string{
			"issuer": server.URL, "authorization_endpoint": server.URL + "/a", "token_endpoint": server.URL + "/t",
			"jwks_uri": server.URL + "/jwks", "device_authorization_endpoint": server.URL + "/d",
		})
	})
	mux.HandleFunc("/t", func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		form, header = r.PostForm, r.Header
		if form.Get("code") == canary+"-bad" {
			w.WriteHeader(400)
			_, _ = w.Write([]byte(`{"error":"invalid_grant"}`))
			return
		}
		_, _ = w.Write([]byte(`{"access_token":"` + canary + `","refresh_token":"` + canary + `","token_type":"Bearer","expires_in":60}`))
	})
	signer, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	proofs, err := NewProofKey()
	if err != nil {
		t.Fatal(err)
	}
	configs := []ClientConfig{
		{Secret: canary}, {Secret: canary, SecretInForm: true}, {Key: signer, KeyID: "k"}, {ProofKey: proofs},
	}
	for n, config := range configs {
		config.Issuer, config.ClientID = server.URL, "app"
		client, err := NewClient(config)
		if err != nil {
			t.Fatal(err)
		}
		tokens, err := client.ClientCredentials(context.Background(), []string{"orders:read"}, "https://api.example")
		if err != nil || tokens.AccessToken != canary {
			t.Fatal(n, err)
		}
		if shown := fmt.Sprintf("%v %+v %#v %s", tokens, *tokens, tokens, tokens); strings.Contains(shown, canary) {
			t.Error(shown)
		}
		user, secret, _ := (&http.Request{Header: header}).BasicAuth()
		proven := []bool{
			user == "app" && secret == canary, form.Get("client_secret") == canary, form.Get("client_assertion") != "",
			header.Get("Dpop") != "",
		}
		for m, is := range proven {
			if is != (n == m) {
				t.Errorf("%d is proven by %d: %v", n, m, is)
			}
		}
		_, err = client.ExchangeCode(context.Background(), NewFlow("https://app.example/callback"), canary+"-bad")
		if err == nil || strings.Contains(err.Error(), canary) {
			t.Error(err)
		}
	}
}

func TestAProofOfOurOwnVerifies(t *testing.T) {
	var file tokenFile
	vectors(t, "access_tokens.json", &file)
	verifier := file.verifier(t)
	verifier.config.Now, verifier.config.Replays = time.Now, NewMemoryReplays(0)
	key, err := NewProofKey()
	if err != nil {
		t.Fatal(err)
	}
	proof, err := key.Proof("GET", "https://api.example/orders?x=1", "token", "")
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parseJWS(proof)
	if err != nil {
		t.Fatal(err)
	}
	public, err := keyOf(parsed.header["jwk"].(map[string]any))
	if err != nil {
		t.Fatal(err)
	}
	request := Request{DPoP: []string{proof}, Method: "GET", URL: "https://API.example:443/orders"}
	if failure := verifier.proof(context.Background(), request, "token", public.thumb); failure != nil {
		t.Fatal(failure)
	}
	if failure := verifier.proof(context.Background(), request, "token", public.thumb); failure == nil {
		t.Fatal("a proof counts once")
	}
}
