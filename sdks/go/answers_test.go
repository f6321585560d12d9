package svc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// saying is a server that answers everything with this.
func saying(t *testing.T, status int, header http.Header, body string) (*httptest.Server, *int) {
	t.Helper()
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.Header().Set("X-Request-Id", "req-7")
		for name, values := range header {
			w.Header()[name] = values
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return server, &asked
}

func TestAnAnswerThatIsTooLongIsNamedByItsRequestAndNotAskedForAgain(t *testing.T) {
	server, asked := saying(t, 200, nil, strings.Repeat(" ", largestPage+1))
	err := NewManagement(server.URL, StaticToken("t"), nil).Do(background, &Call{Method: "GET", Path: "/api/v1/webhooks"})
	var failure *Error
	if !errors.As(err, &failure) || failure.Code != invalidAnswer || failure.RequestID != "req-7" || *asked != 1 {
		t.Errorf("asked %d times: %v", *asked, err)
	}
}

func TestARecordThatIsReadIsNeverAnEmptyAnswer(t *testing.T) {
	server, _ := saying(t, 200, nil, "")
	api := NewManagement(server.URL, StaticToken("t"), nil)
	if _, err := api.Webhooks().Find(background, "whk_1"); err == nil {
		t.Error("an empty answer is taken for a record")
	}
	if _, err := api.Webhooks().Replace(background, "whk_1", Webhook{}); err != nil {
		t.Error("a write needs no answer", err)
	}
}

func TestWhatAProvisioningServiceOrAChallengeSaysIsInTheError(t *testing.T) {
	for _, one := range []struct{ challenge, body, code, description string }{
		{"", `{"detail": "userName is taken", "status": "409"}`, "http_409", "userName is taken"},
		{`DPoP error="use_dpop_nonce", algs="ES256"`, `<html>`, "use_dpop_nonce", ""},
		{`Bearer realm="x", error="invalid_token"`, `{"error": "other"}`, "other", ""},
		{`Bearer realm="x", xerror="no"`, ``, "http_409", ""},
	} {
		header := http.Header{}
		if one.challenge != "" {
			header.Set("WWW-Authenticate", one.challenge)
		}
		server, _ := saying(t, 409, header, one.body)
		err := NewManagement(server.URL, StaticToken("t"), nil).Do(background, &Call{Method: "GET", Path: "/scim/v2/Users"})
		var failure *Error
		if !errors.As(err, &failure) || failure.Code != one.code || failure.Description != one.description || failure.RequestID != "req-7" {
			t.Errorf("%+v: %v", one, err)
		}
	}
}

func TestAPatchIsOfTheMediaTypeThatItsPathTakes(t *testing.T) {
	for path, want := range map[string]string{"/scim/v2/Users/1": "application/scim+json", "/api/v1/groups/1": "application/merge-patch+json"} {
		issuer, api := managed(t, made)
		if err := api.Do(background, &Call{Method: "PATCH", Path: path, In: map[string]any{}}); err != nil {
			t.Error(err)
		}
		if got := issuer.requests()[0].Header.Get("Content-Type"); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}

func TestAnErrorRepeatsNoSecretOfABodyOrAForm(t *testing.T) {
	const secret = "canary+of/a secret"
	said := fmt.Sprintf(`{"error": "canary+of/a secret", "error_description": "not %s nor %s"}`, secret, url.QueryEscape(secret))
	server, _ := saying(t, 400, nil, said)
	_, err := NewManagement(server.URL, StaticToken("t"), nil).Webhooks().Create(background, Webhook{Secret: secret}, "")
	if err == nil || strings.Contains(err.Error(), "canary") {
		t.Error(err)
	}
	issuer := startIssuer(t, func(_ http.ResponseWriter, seen seenRequest) (int, any) {
		return 400, map[string]string{"error": "invalid_grant", "error_description": strings.Join([]string{
			seen.Form.Get("assertion"), seen.Form.Get("password"), seen.Header.Get("Authorization"),
		}, " ")}
	})
	client, err := NewClient(ClientConfig{Issuer: issuer.URL, ClientID: "app", Secret: "canary-secret-5d1f"})
	if err != nil {
		t.Fatal(err)
	}
	form := url.Values{"assertion": {"canary-assertion"}, "password": {"canary-password"}}
	_, err = client.Grant(background, "urn:ietf:params:oauth:grant-type:jwt-bearer", form)
	if err == nil || !strings.Contains(err.Error(), "[redacted] [redacted] Basic [redacted]") {
		t.Error(err)
	}
	if form.Has("grant_type") {
		t.Error("the caller's form was changed")
	}
}

func TestAGrantNeedsNoForm(t *testing.T) {
	issuer := startIssuer(t, func(http.ResponseWriter, seenRequest) (int, any) { return 200, tokenAnswer() })
	client := issuer.client(t)
	if _, err := client.Grant(background, "client_credentials", nil); err != nil {
		t.Error(err)
	}
	if _, err := client.ExchangeToken(background, "subject", "", nil); err != nil || issuer.requests()[1].Form.Has("resource") {
		t.Error("an empty resource is sent", err)
	}
}

func TestAWaitThatTheCallerEndsNamesTheTenant(t *testing.T) {
	issuer, api := managed(t, later(503, "20"))
	ctx, cancel := context.WithTimeout(background, 50*time.Millisecond)
	defer cancel()
	err := api.Do(ctx, &Call{Method: "GET", Path: "/api/v1/webhooks"})
	var failure *Error
	if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &failure) || failure.Tenant != issuer.URL {
		t.Errorf("%#v", err)
	}
}

func TestACallerNeedNotWaitForTheTokenThatAnotherAsksFor(t *testing.T) {
	hold, asked := make(chan struct{}), make(chan struct{})
	issuer := startIssuer(t, func(http.ResponseWriter, seenRequest) (int, any) {
		close(asked)
		<-hold
		return 200, tokenAnswer()
	})
	source := NewCredentialsSource(issuer.client(t), nil, "")
	first := make(chan error)
	go func() {
		_, err := source.AccessToken(background)
		first <- err
	}()
	<-asked
	gone, cancel := context.WithCancel(background)
	cancel()
	if _, err := source.AccessToken(gone); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	short, stop := context.WithTimeout(background, 20*time.Millisecond)
	defer stop()
	if _, err := source.AccessToken(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	close(hold)
	if err := <-first; err != nil {
		t.Error(err)
	}
}

func TestManyAttemptsWaitABoundedTime(t *testing.T) {
	_, api := managed(t, made)
	for _, attempt := range []int{1, 7, 40, 1000} {
		wait, isWorth := api.pause(&Call{Method: "GET"}, &Error{Status: 503}, attempt)
		if !isWorth || wait <= 0 || wait > api.LongestWait {
			t.Errorf("attempt %d: %s", attempt, wait)
		}
	}
}

func TestAClientWithoutABoundGetsOne(t *testing.T) {
	if quiet(&http.Client{}).Timeout != longestRequest || quiet(nil).Timeout != longestRequest {
		t.Error("a request may take for ever")
	}
	if quiet(&http.Client{Timeout: time.Minute}).Timeout != time.Minute {
		t.Error("the caller's bound is not used")
	}
}

func TestTokensThatAreBoundGoToTheAPIWithProofsAndItsNonce(t *testing.T) {
	issuer := startIssuer(t, func(w http.ResponseWriter, seen seenRequest) (int, any) {
		if seen.Path == "/token" {
			return 200, tokenAnswer()
		}
		proof, err := parseJWS(seen.Header.Get("DPoP"))
		if err != nil || seen.Header.Get("Authorization") != "DPoP canary-access-77" {
			return 401, problem("invalid_token")
		}
		claims, err := decodedObject(proof.payload)
		if err != nil || claims["nonce"] != "n-1" {
			w.Header().Set("DPoP-Nonce", "n-1")
			return 401, problem("use_dpop_nonce")
		}
		return 200, map[string]string{"id": "org_1"}
	})
	key, err := NewProofKey()
	if err != nil {
		t.Fatal(err)
	}
	client, err := NewClient(ClientConfig{Issuer: issuer.URL, ClientID: "app", Secret: "canary-secret-5d1f", ProofKey: key})
	if err != nil {
		t.Fatal(err)
	}
	api := NewManagement(issuer.URL, NewCredentialsSource(client, nil, ""), nil)
	if record, err := api.Organizations().Create(background, Organization{Name: "A"}, ""); err != nil || record.ID != "org_1" {
		t.Fatal(err)
	}
	seen := issuer.requests()
	if len(seen) != 3 || seen[1].Header.Get("Idempotency-Key") != seen[2].Header.Get("Idempotency-Key") {
		t.Error(seen)
	}
}

func TestWhatIsNoJSONIsSentAndReadAsItIs(t *testing.T) {
	const lines = "{\"email\":\"a@b.example\"}\n{\"email\":\"c@d.example\"}\n"
	var sent string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent = r.Header.Get("Content-Type") + " " + string(body)
		_, _ = w.Write([]byte(lines))
	}))
	defer server.Close()
	var answer []byte
	call := &Call{
		Method: "PUT", Path: "/api/v1/imports/imp_1/chunks/0", In: []byte(lines), ContentType: "application/x-ndjson", Out: &answer,
	}
	err := NewManagement(server.URL, StaticToken("t"), nil).Do(background, call)
	if err != nil || sent != "application/x-ndjson "+lines || string(answer) != lines {
		t.Errorf("%v: %q, %q", err, sent, answer)
	}
}

func TestThoseWhoWaitForATokenShareTheOutcome(t *testing.T) {
	hold, asked := make(chan struct{}), make(chan struct{}, 2)
	issuer := startIssuer(t, func(http.ResponseWriter, seenRequest) (int, any) {
		asked <- struct{}{}
		<-hold
		return 503, problem("temporarily_unavailable")
	})
	source := NewCredentialsSource(issuer.client(t), nil, "")
	gone, leave := context.WithCancel(background)
	first := make(chan error)
	go func() { _, err := source.AccessToken(gone); first <- err }()
	<-asked
	leave()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	_, joined := source.present(background)
	if _, other := source.present(background); joined == nil || other != joined {
		t.Error("each asks for a token of its own")
	}
	close(hold)
	if <-joined.done; joined.err == nil || errors.Is(joined.err, context.Canceled) || len(issuer.requests()) != 1 {
		t.Error(joined.err, len(issuer.requests()))
	}
}

func TestACallerNeedNotWaitForTheMetadataThatAnotherFetches(t *testing.T) {
	hold, asked := make(chan struct{}), make(chan struct{}, 2)
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked <- struct{}{}
		<-hold
	}))
	defer server.Close()
	client, err := NewClient(ClientConfig{Issuer: server.URL, ClientID: "app"})
	if err != nil {
		t.Fatal(err)
	}
	first := make(chan struct{})
	go func() { defer close(first); _, _ = client.Metadata(background) }()
	<-asked
	gone, cancel := context.WithCancel(background)
	cancel()
	if _, err := client.Metadata(gone); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(hold)
	<-first
}

func TestThoseWhoWaitForTheMetadataShareTheFailureAndTheNextAsksAgain(t *testing.T) {
	hold, asked := make(chan struct{}), make(chan struct{}, 3)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked <- struct{}{}
		<-hold
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer server.Close()
	client, err := NewClient(ClientConfig{Issuer: server.URL, ClientID: "app"})
	if err != nil {
		t.Fatal(err)
	}
	joined := client.discovering(background)
	if client.discovering(background) != joined {
		t.Error("each asks for the metadata by itself")
	}
	close(hold)
	<-joined.done
	var failure *Error
	if !errors.As(joined.err, &failure) || failure.Status != http.StatusServiceUnavailable || len(asked) != 1 {
		t.Error(joined.err, len(asked))
	}
	if _, err := client.Metadata(background); err == nil || len(asked) != 2 {
		t.Error(err, len(asked))
	}
}

func TestWhatIsNilAndNeededIsNamed(t *testing.T) {
	_, noKeys := VerifyIDToken(background, "a.b.c", nil, Expected{Issuer: "https://id.example"})
	noTokens := NewManagement("https://id.example", nil, nil).Do(background, &Call{Method: "GET", Path: "/api/v1/roles"})
	for wanted, err := range map[string]error{"NewRemoteKeys": noKeys, "TokenSource": noTokens} {
		var failure *Error
		if !errors.As(err, &failure) || failure.Code != clientError || !strings.Contains(failure.Description, wanted) {
			t.Errorf("%s: %v", wanted, err)
		}
	}
}
