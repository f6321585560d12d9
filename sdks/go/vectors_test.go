package svc

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"reflect"
	"testing"
	"time"
)

// vectors reads a file that the server's own code has made.
func vectors(t testing.TB, name string, into any) {
	t.Helper()
	data, err := os.ReadFile("../vectors/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

func TestPKCE(t *testing.T) {
	var file struct {
		Cases []struct {
			Name      string
			Verifier  string `json:"code_verifier"`
			Challenge string `json:"code_challenge"`
			Valid     bool
		}
	}
	vectors(t, "pkce.json", &file)
	for _, one := range file.Cases {
		if VerifyChallenge(one.Verifier, one.Challenge) != one.Valid {
			t.Error(one.Name)
		}
	}
}

func TestCallback(t *testing.T) {
	var file struct {
		Cases []struct {
			Name, URL string
			State     string `json:"expected_state"`
			Issuer    string `json:"expected_issuer"`
			Outcome   map[string]string
		}
	}
	vectors(t, "callback.json", &file)
	for _, one := range file.Cases {
		address, err := url.Parse(one.URL)
		if err != nil {
			t.Fatal(err)
		}
		code, err := Callback(address, one.State, one.Issuer)
		outcome := map[string]string{"code": code}
		var refusal CallbackError
		var failure *Error
		if errors.As(err, &refusal) {
			outcome = map[string]string{"refused": string(refusal)}
		} else if errors.As(err, &failure) {
			outcome = map[string]string{"error": failure.Code}
		}
		if !reflect.DeepEqual(outcome, one.Outcome) {
			t.Errorf("%s: %v instead of %v", one.Name, outcome, one.Outcome)
		}
	}
}

func TestDiscoveryDocuments(t *testing.T) {
	var file struct {
		Cases []struct {
			Name, Issuer, Outcome string
			Document              json.RawMessage
		}
	}
	vectors(t, "discovery.json", &file)
	for _, one := range file.Cases {
		if _, err := ParseMetadata(one.Issuer, one.Document); (err == nil) != (one.Outcome == "ok") {
			t.Errorf("%s: %v", one.Name, err)
		}
	}
}

type tokenFile struct {
	Issuer, Audience string
	TenantID         string `json:"tenant_id"`
	Now              int64
	Leeway           int64 `json:"leeway_secs"`
	JWKS             json.RawMessage
	Cases            []tokenCase
}

type tokenCase struct {
	Name, Method, URL string
	Rule              int
	Headers           map[string]string
	Required          struct {
		Scope           string
		SubjectTypes    []string `json:"subject_types"`
		AllowDelegation bool     `json:"allow_delegation"`
		Actors          []string
		DPoP            string
	}
	Outcome struct {
		Claims json.RawMessage
		Error  string
		Status int
	}
}

func (f *tokenFile) verifier(t testing.TB) *Verifier {
	t.Helper()
	keys, err := StaticKeys(f.JWKS)
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := NewVerifier(VerifierConfig{
		Issuer: f.Issuer, Audience: f.Audience, TenantID: f.TenantID, Keys: keys, Leeway: time.Duration(f.Leeway) * time.Second,
		Now: func() time.Time { return time.Unix(f.Now, 0) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return verifier
}

func (c *tokenCase) request() (Request, Required) {
	request := Request{Method: c.Method, URL: c.URL}
	if value, has := c.Headers["authorization"]; has {
		request.Authorization = []string{value}
	}
	if value, has := c.Headers["dpop"]; has {
		request.DPoP = []string{value}
	}
	return request, Required{
		Scope: c.Required.Scope, SubjectTypes: c.Required.SubjectTypes, AllowDelegation: c.Required.AllowDelegation,
		Actors: c.Required.Actors, RequireDPoP: c.Required.DPoP == "required",
	}
}

func TestAccessTokens(t *testing.T) {
	var file tokenFile
	vectors(t, "access_tokens.json", &file)
	verifier := file.verifier(t)
	for _, one := range file.Cases {
		claims, err := verifier.Verify(context.Background(), requestOf(&one), requiredOf(&one))
		var failure *Error
		if errors.As(err, &failure) {
			if failure.Code != one.Outcome.Error || failure.Status != one.Outcome.Status {
				t.Errorf("%s: %v", one.Name, failure)
			}
			continue
		}
		own, err := json.Marshal(claims)
		if err != nil {
			t.Fatal(err)
		}
		var given, wanted any
		if json.Unmarshal(own, &given) != nil || json.Unmarshal(one.Outcome.Claims, &wanted) != nil ||
			!reflect.DeepEqual(given, wanted) {
			t.Errorf("%s: %s", one.Name, own)
		}
	}
}

func requestOf(c *tokenCase) Request { request, _ := c.request(); return request }

func requiredOf(c *tokenCase) Required { _, required := c.request(); return required }

func TestWebhooks(t *testing.T) {
	var file struct {
		Now     int64
		Ceiling int64 `json:"max_age_ceiling_secs"`
		Cases   []struct {
			Name    string
			Secrets []string
			Headers map[string]string
			Body    string `json:"body_base64"`
			Outcome struct {
				OK *struct {
					Event string
					ID    string `json:"delivery_id"`
				}
				Refused string
			}
		}
	}
	vectors(t, "webhooks.json", &file)
	now := func() time.Time { return time.Unix(file.Now, 0) }
	deliveries := newMemoryReplays(1000, now)
	for _, one := range file.Cases {
		verifier := WebhookVerifier{
			Secrets: one.Secrets, MaxAge: time.Duration(file.Ceiling) * time.Second, Deliveries: deliveries, Now: now,
		}
		header := http.Header{}
		for name, value := range one.Headers {
			header.Set(name, value)
		}
		body, err := base64.StdEncoding.DecodeString(one.Body)
		if err != nil {
			t.Fatal(err)
		}
		delivery, err := verifier.Verify(context.Background(), header, body)
		var refusal WebhookError
		if errors.As(err, &refusal) {
			if string(refusal) != one.Outcome.Refused {
				t.Errorf("%s: %v", one.Name, err)
			}
		} else if err != nil || one.Outcome.OK == nil || delivery.Event != one.Outcome.OK.Event || delivery.ID != one.Outcome.OK.ID {
			t.Errorf("%s: %v %v", one.Name, delivery, err)
		}
	}
}

func TestPagination(t *testing.T) {
	var file struct {
		Cases []struct {
			Name     string
			Limit    int
			Pages    []json.RawMessage
			Items    []map[string]any
			Requests []string
		}
	}
	vectors(t, "pagination.json", &file)
	for _, one := range file.Cases {
		var asked []string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			page := one.Pages[len(asked)]
			asked = append(asked, "?"+r.URL.RawQuery)
			_, _ = w.Write(page)
		}))
		api := NewManagement(server.URL, StaticToken("t"), nil)
		items := []map[string]any{}
		for item, err := range List[map[string]any](context.Background(), api, "/api/v1/things", url.Values{"limit": {fmt.Sprint(one.Limit)}}) {
			if err != nil {
				t.Fatal(err)
			}
			items = append(items, item)
		}
		server.Close()
		if !reflect.DeepEqual(items, one.Items) {
			t.Errorf("%s: %v", one.Name, items)
		}
		for n, query := range asked {
			given, _ := url.ParseQuery(query[1:])
			wanted, _ := url.ParseQuery(one.Requests[n][1:])
			if len(asked) != len(one.Requests) || !reflect.DeepEqual(given, wanted) {
				t.Errorf("%s: %v", one.Name, asked)
			}
		}
	}
}
