package svc

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"testing"
)

const (
	// The demo's own API.
	liveAPI      = "https://api.demo.example"
	liveCallback = "http://127.0.0.1:8765/callback"
	liveURL      = "https://api.example/x"
)

// liveServer is a running one: SVC_DEV is the line that `svc-runtime dev --json` printed.
type liveServer struct {
	Issuer   string
	TenantID string `json:"tenant_id"`
	User     map[string]any
	Clients  []struct {
		Handle string
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
		Method string `json:"token_endpoint_auth_method"`
	}
}

func live(t *testing.T) *liveServer {
	t.Helper()
	line := os.Getenv("SVC_DEV")
	if line == "" {
		t.Skip("SVC_DEV is not set")
	}
	server := &liveServer{}
	if err := json.Unmarshal([]byte(line), server); err != nil {
		t.Fatal(err)
	}
	return server
}

func (s *liveServer) client(t *testing.T, handle string) *Client {
	t.Helper()
	for _, one := range s.Clients {
		if one.Handle == handle {
			client, err := NewClient(ClientConfig{
				Issuer: s.Issuer, ClientID: one.ID, Secret: one.Secret, SecretInForm: one.Method == "client_secret_post",
			})
			if err != nil {
				t.Fatal(err)
			}
			return client
		}
	}
	t.Fatal("there is no client " + handle)
	return nil
}

func (s *liveServer) verifier(t *testing.T, audience, tenant string) *Verifier {
	t.Helper()
	verifier, err := NewVerifier(VerifierConfig{Issuer: s.Issuer, Audience: audience, TenantID: tenant})
	if err != nil {
		t.Fatal(err)
	}
	return verifier
}

func (s *liveServer) signIn(t *testing.T, client *Client, scopes []string, extra url.Values) (Flow, *url.URL, *SignIn) {
	t.Helper()
	flow := NewFlow(liveCallback)
	address, err := client.PushedAuthorizationURL(background, flow, scopes, extra)
	if err != nil {
		t.Fatal(err)
	}
	person := map[string]string{}
	for _, name := range []string{"username", "password"} {
		person[name], _ = s.User[name].(string)
	}
	back := signInAs(t, address, person, liveCallback)
	signIn, err := client.Finish(background, flow, back)
	if err != nil {
		t.Fatal(err)
	}
	return flow, back, signIn
}

func judge(verifier *Verifier, token string, required Required) (Claims, error) {
	request := Request{Authorization: []string{"Bearer " + token}, Method: http.MethodGet, URL: liveURL}
	return verifier.Verify(background, request, required)
}

func codeOf(err error) string {
	var failure *Error
	if errors.As(err, &failure) {
		return failure.Code
	}
	return fmt.Sprint(err)
}

func TestLiveAServicesTokenPassesForItsAudienceTenantScopeAndKindAlone(t *testing.T) {
	server := live(t)
	tokens, err := server.client(t, "service").ClientCredentials(background, []string{"notes:read"}, liveAPI)
	if err != nil {
		t.Fatal(err)
	}
	system := []string{"system"}
	verifier := server.verifier(t, liveAPI, server.TenantID)
	if _, err := judge(verifier, tokens.AccessToken, Required{Scope: "notes:read", SubjectTypes: system}); err != nil {
		t.Fatal(err)
	}
	refusals := []struct {
		verifier *Verifier
		required Required
		code     string
	}{
		{server.verifier(t, "https://other.example", server.TenantID), Required{SubjectTypes: system}, "invalid_token"},
		{server.verifier(t, liveAPI, "tnt_other"), Required{SubjectTypes: system}, "forbidden"},
		{verifier, Required{Scope: "notes:read notes:write", SubjectTypes: system}, "insufficient_scope"},
		{verifier, Required{Scope: "notes:read"}, "forbidden"},
	}
	for _, one := range refusals {
		if _, err := judge(one.verifier, tokens.AccessToken, one.required); codeOf(err) != one.code {
			t.Errorf("%v instead of %s", err, one.code)
		}
	}
}

func TestLiveAPersonSignsInAndTheTokensRenewTellAboutThePersonAndEnd(t *testing.T) {
	server := live(t)
	client := server.client(t, "web")
	flow, back, signIn := server.signIn(t, client, []string{"openid", "profile", "email"}, nil)
	told, err := client.Userinfo(background, signIn.Tokens.AccessToken, signIn.Claims.Subject())
	if err != nil || told.Text("email") == "" {
		t.Fatal(err)
	}
	if _, err := client.Finish(background, flow, back); codeOf(err) != "invalid_grant" {
		t.Error(err)
	}
	_, _, signIn = server.signIn(t, client, []string{"openid", "offline_access", "notes:read"}, url.Values{"resource": {liveAPI}})
	verifier, required := server.verifier(t, liveAPI, server.TenantID), Required{Scope: "notes:read"}
	if _, err := judge(verifier, signIn.Tokens.AccessToken, required); err != nil {
		t.Fatal(err)
	}
	if _, err := judge(verifier, signIn.Tokens.IDToken, required); codeOf(err) != "invalid_token" {
		t.Error(err)
	}
	renewed, err := client.Refresh(background, signIn.Tokens.RefreshToken, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := judge(verifier, renewed.AccessToken, required); err != nil {
		t.Error(err)
	}
	const home = "http://localhost:3000/"
	signOut, err := client.SignOutURL(background, signIn.Tokens.IDToken, home)
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := client.http.Get(signOut); err != nil || answer.Header.Get("Location") != home {
		t.Error(answer, err)
	}
	if err := client.Revoke(background, renewed.RefreshToken); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Refresh(background, renewed.RefreshToken, nil); codeOf(err) != "invalid_grant" {
		t.Error(err)
	}
}

func TestLiveAServiceActsForAPersonAndIsNamedWithIt(t *testing.T) {
	server := live(t)
	_, _, person := server.signIn(t, server.client(t, "web"), []string{"openid", "notes:read"}, url.Values{"resource": {liveAPI}})
	service := server.client(t, "service")
	tokens, err := service.ExchangeToken(background, person.Tokens.AccessToken, liveAPI, []string{"notes:read"})
	if err != nil {
		t.Fatal(err)
	}
	verifier := server.verifier(t, liveAPI, server.TenantID)
	for _, one := range []struct {
		required Required
		code     string
	}{
		{Required{}, "forbidden"},
		{Required{AllowDelegation: true}, "<nil>"},
		{Required{AllowDelegation: true, Actors: []string{service.config.ClientID}}, "<nil>"},
		{Required{AllowDelegation: true, Actors: []string{"other"}}, "forbidden"},
	} {
		if _, err := judge(verifier, tokens.AccessToken, one.required); codeOf(err) != one.code {
			t.Errorf("%+v: %v", one.required, err)
		}
	}
}

func TestLiveADeviceGetsACodeToShow(t *testing.T) {
	device, err := live(t).client(t, "device").StartDevice(background, []string{"openid"})
	if err != nil || len(device.UserCode) != 9 {
		t.Fatal(err)
	}
}

func (s *liveServer) management(t *testing.T) *Management {
	t.Helper()
	return NewManagement(s.Issuer, NewCredentialsSource(s.client(t, "admin-cli"), nil, ""), nil)
}

func TestLiveWebhooksAreMadeOncePerKeyListedPageByPageChangedAndDeleted(t *testing.T) {
	webhooks := live(t).management(t).Webhooks()
	var ids, listed []string
	for number := range 3 {
		webhook := Webhook{URL: fmt.Sprintf("https://receiver.example/go-%d", number), EventTypes: []string{"auth.*"}}
		key := fmt.Sprintf("go-%d-%d", number, os.Getpid())
		first, err := webhooks.Create(background, webhook, key)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := webhooks.Create(background, webhook, key); err != nil || again.ID != first.ID {
			t.Error(again, err)
		}
		ids = append(ids, first.ID)
	}
	for webhook, err := range webhooks.All(background, url.Values{"limit": {"2"}}) {
		if err != nil {
			t.Fatal(err)
		}
		listed = append(listed, webhook.ID)
	}
	for _, id := range ids {
		if !slices.Contains(listed, id) {
			t.Error(id + " is not listed")
		}
	}
	if changed, err := webhooks.Update(background, ids[0], map[string]string{"description": "new"}); err != nil || changed.Description != "new" {
		t.Error(err)
	}
	for _, id := range ids {
		if err := webhooks.Delete(background, id); err != nil {
			t.Error(err)
		}
	}
	if _, err := webhooks.Find(background, ids[0]); codeOf(err) != "not_found" {
		t.Error(err)
	}
}

func TestLiveAnApplicationProvesItselfByItsKeyAndABoundTokenPassesWithAProof(t *testing.T) {
	server := live(t)
	signer, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	jwk, err := jwkOf(&signer.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	jwk["kid"] = "k-1"
	type application struct {
		ID       string `json:"id"`
		ClientID string `json:"client_id"`
	}
	made, err := ResourceAt[application](server.management(t), "/api/v1/applications").Create(background, map[string]any{
		"name": fmt.Sprintf("Go %d", os.Getpid()), "type": "machine", "grant_types": []string{"client_credentials"}, "scope": "notes:read",
		"token_endpoint_auth_method": "private_key_jwt", "jwks": map[string]any{"keys": []any{jwk}},
	}, "")
	if err != nil {
		t.Fatal(err)
	}
	if made.ClientID == "" {
		made.ClientID = made.ID
	}
	proofs, err := NewProofKey()
	if err != nil {
		t.Fatal(err)
	}
	client, err := NewClient(ClientConfig{Issuer: server.Issuer, ClientID: made.ClientID, Key: signer, KeyID: "k-1", ProofKey: proofs})
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := client.ClientCredentials(background, []string{"notes:read"}, liveAPI)
	if err != nil || tokens.TokenType != "DPoP" {
		t.Fatal(err)
	}
	verifier, required := server.verifier(t, liveAPI, server.TenantID), Required{Scope: "notes:read", SubjectTypes: []string{"system"}}
	if _, err := judge(verifier, tokens.AccessToken, required); codeOf(err) != "invalid_token" {
		t.Error(err)
	}
	for n, code := range []string{"<nil>", "invalid_dpop_proof"} {
		proof, err := proofs.Proof(http.MethodGet, liveURL, tokens.AccessToken, "")
		if n == 1 {
			other, _ := NewProofKey()
			proof, err = other.Proof(http.MethodGet, liveURL, tokens.AccessToken, "")
		}
		if err != nil {
			t.Fatal(err)
		}
		request := Request{Authorization: []string{"DPoP " + tokens.AccessToken}, DPoP: []string{proof}, Method: http.MethodGet, URL: liveURL}
		if _, err := verifier.Verify(background, request, required); codeOf(err) != code {
			t.Error(err)
		}
	}
}
