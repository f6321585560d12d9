package main

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// kubernetes is what docs/frameworks/kubelogin.md gives to `kubectl oidc-login` and to the API server.
type kubernetes struct {
	config   oauth2.Config
	verifier *oidc.IDTokenVerifier
	groups   string
}

func newKubernetes(t *testing.T, server dev) kubernetes {
	t.Helper()
	page, err := os.ReadFile("../../../docs/frameworks/kubelogin.md")
	if err != nil {
		t.Fatal(err)
	}
	guide, ctx := string(page), context.Background()
	provider, err := oidc.NewProvider(ctx, server.Issuer)
	if err != nil {
		t.Fatal(err)
	}
	clientID := server.application(t, "kubernetes").ClientID
	scopes := strings.Split(between(t, guide, "--oidc-extra-scope=", "\n"), ",")
	return kubernetes{
		// A public client: its id goes into the form.
		config: oauth2.Config{
			ClientID:    clientID,
			Endpoint:    withoutSecret(provider.Endpoint()),
			RedirectURL: between(t, guide, `redirect_uris = ["`, `"`),
			Scopes:      append([]string{oidc.ScopeOpenID}, scopes...),
		},
		// The API server accepts RS256 alone unless it is configured otherwise.
		verifier: provider.Verifier(&oidc.Config{ClientID: clientID, SupportedSigningAlgs: []string{oidc.RS256}}),
		groups:   between(t, guide, "--oidc-groups-claim=", "\n"),
	}
}

func withoutSecret(endpoint oauth2.Endpoint) oauth2.Endpoint {
	endpoint.AuthStyle = oauth2.AuthStyleInParams
	return endpoint
}

// authenticated returns user and groups as the API server reads them from an ID token.
func (k kubernetes) authenticated(t *testing.T, token *oauth2.Token) (string, []string) {
	t.Helper()
	raw, _ := token.Extra("id_token").(string)
	idToken, err := k.verifier.Verify(context.Background(), raw)
	if err != nil {
		t.Fatal(err)
	}
	var claims map[string]any
	if err := idToken.Claims(&claims); err != nil {
		t.Fatal(err)
	}
	var groups []string
	listed, _ := claims[k.groups].([]any)
	for _, group := range listed {
		groups = append(groups, group.(string))
	}
	return idToken.Subject, groups
}

func TestKubernetesKnowsAPersonWithTheGroupsByBrowserAndAfterARefresh(t *testing.T) {
	server := started(t)
	k, ctx := newKubernetes(t, server), context.Background()
	pkce := oauth2.GenerateVerifier()
	address := k.config.AuthCodeURL("the state", oidc.Nonce("the nonce"), oauth2.S256ChallengeOption(pkce))
	reached := newBrowser(t, server.Admin).visit(address, k.config.RedirectURL)
	token, err := k.config.Exchange(ctx, reached.Query().Get("code"), oauth2.VerifierOption(pkce))
	if err != nil {
		t.Fatal(err)
	}
	user, groups := k.authenticated(t, token)
	if user == "" || !slices.Equal(groups, []string{"admin"}) {
		t.Fatalf("user %q, groups %v", user, groups)
	}
	refreshed, err := k.config.TokenSource(ctx, &oauth2.Token{RefreshToken: token.RefreshToken}).Token()
	if err != nil {
		t.Fatal(err)
	}
	again, groups := k.authenticated(t, refreshed)
	if again != user || !slices.Equal(groups, []string{"admin"}) {
		t.Fatalf("after a refresh user %q, groups %v", again, groups)
	}
}

func TestKubernetesKnowsAPersonByDeviceCode(t *testing.T) {
	server := started(t)
	k, ctx := newKubernetes(t, server), context.Background()
	device, err := k.config.DeviceAuth(ctx)
	if err != nil {
		t.Fatal(err)
	}
	newBrowser(t, server.User).arrive(device.VerificationURIComplete)
	token, err := k.config.DeviceAccessToken(ctx, device)
	if err != nil {
		t.Fatal(err)
	}
	if user, groups := k.authenticated(t, token); user == "" || groups != nil {
		t.Fatalf("user %q, groups %v", user, groups)
	}
}

func TestAnAccessTokenIsNoIDToken(t *testing.T) {
	server := started(t)
	k := newKubernetes(t, server)
	pkce := oauth2.GenerateVerifier()
	address := k.config.AuthCodeURL("the state", oidc.Nonce("the nonce"), oauth2.S256ChallengeOption(pkce))
	reached := newBrowser(t, server.User).visit(address, k.config.RedirectURL)
	token, err := k.config.Exchange(context.Background(), reached.Query().Get("code"), oauth2.VerifierOption(pkce))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.verifier.Verify(context.Background(), token.AccessToken); err == nil {
		t.Fatal("the API server would accept an access token")
	}
}
