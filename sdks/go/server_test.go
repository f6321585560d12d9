package svc

import (
	"context"
	"encoding/json"
	"net/url"
	"os"
	"testing"
)

// TestAgainstTheRunningServer needs SVC_DEV, the line that `svc-runtime dev --json` printed.
func TestAgainstTheRunningServer(t *testing.T) {
	line := os.Getenv("SVC_DEV")
	if line == "" {
		t.Skip("SVC_DEV is not set")
	}
	var server struct {
		Issuer  string
		Clients []struct {
			Handle string
			ID     string `json:"client_id"`
			Secret string `json:"client_secret"`
		}
	}
	if err := json.Unmarshal([]byte(line), &server); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	found := 0
	for _, application := range server.Clients {
		if application.Secret == "" {
			continue
		}
		client, err := NewClient(ClientConfig{Issuer: server.Issuer, ClientID: application.ID, Secret: application.Secret})
		if err != nil {
			t.Fatal(err)
		}
		tokens, err := client.ClientCredentials(ctx, nil, "")
		if err != nil {
			t.Logf("%s: %v", application.Handle, err)
			continue
		}
		found++
		parsed, err := parseJWS(tokens.AccessToken)
		if err != nil {
			t.Fatal(err)
		}
		claims, err := decodedObject(parsed.payload)
		if err != nil {
			t.Fatal(err)
		}
		c := Claims(claims)
		verifier, err := NewVerifier(VerifierConfig{Issuer: server.Issuer, Audience: c.Text("aud"), TenantID: c.Text("tenant_id")})
		if err != nil {
			t.Fatal(err)
		}
		request := Request{Authorization: []string{"Bearer " + tokens.AccessToken}, Method: "GET", URL: "https://api.example/"}
		if _, err := verifier.Verify(ctx, request, Required{SubjectTypes: []string{"system"}}); err != nil {
			t.Errorf("%s: %v", application.Handle, err)
		}
		if _, err := verifier.Verify(ctx, request, Required{}); err == nil {
			t.Errorf("%s: a service is no person", application.Handle)
		}
		t.Logf("%s: scope %q", application.Handle, tokens.Scope)
		if c.HasScope("organizations:read") {
			api := NewManagement(server.Issuer, StaticToken(tokens.AccessToken), nil)
			for _, err := range api.Organizations().All(ctx, url.Values{"limit": {"1"}}) {
				if err != nil {
					t.Error(err)
				}
			}
		}
		if err := client.Revoke(ctx, tokens.AccessToken); err != nil {
			t.Errorf("%s: %v", application.Handle, err)
		}
	}
	if found == 0 {
		t.Fatal("no application got a token")
	}
}
