// Package clients signs a person in with coreos/go-oidc and golang.org/x/oauth2, with the settings of docs/frameworks/go.md.
package clients

import (
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

type dev struct {
	Issuer string `json:"issuer"`
	User   struct {
		Username string `json:"username"`
		Password string `json:"password"`
	} `json:"user"`
	Clients []struct {
		Handle       string `json:"handle"`
		ClientID     string `json:"client_id"`
		ClientSecret string `json:"client_secret"`
	} `json:"clients"`
}

const callback = "http://localhost:5556/auth/callback"

func TestGoOidcSignsAPersonIn(t *testing.T) {
	var server dev
	if err := json.Unmarshal([]byte(os.Getenv("SVC_DEV")), &server); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	provider, err := oidc.NewProvider(ctx, server.Issuer)
	if err != nil {
		t.Fatal(err)
	}
	config := oauth2.Config{
		Endpoint:    provider.Endpoint(),
		RedirectURL: callback,
		Scopes:      []string{oidc.ScopeOpenID, "profile", "email"},
	}
	for _, client := range server.Clients {
		if client.Handle == "go" {
			config.ClientID, config.ClientSecret = client.ClientID, client.ClientSecret
		}
	}
	pkce := oauth2.GenerateVerifier()
	address := config.AuthCodeURL("the state", oidc.Nonce("the nonce"), oauth2.S256ChallengeOption(pkce))
	reached := visit(t, server.User.Username, server.User.Password, address, callback)
	if state := reached.Query().Get("state"); state != "the state" {
		t.Fatalf("state %q in %s", state, reached)
	}
	token, err := config.Exchange(ctx, reached.Query().Get("code"), oauth2.VerifierOption(pkce))
	if err != nil {
		t.Fatal(err)
	}
	raw, _ := token.Extra("id_token").(string)
	verified, err := provider.Verifier(&oidc.Config{ClientID: config.ClientID}).Verify(ctx, raw)
	if err != nil {
		t.Fatal(err)
	}
	var claims struct{ Email, Nonce string }
	if err := verified.Claims(&claims); err != nil {
		t.Fatal(err)
	}
	if claims.Email != "ada@demo.example" || claims.Nonce != "the nonce" {
		t.Fatalf("claims %+v", claims)
	}
	info, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		t.Fatal(err)
	}
	if info.Subject != verified.Subject || info.Email != claims.Email {
		t.Fatalf("UserInfo %+v", info)
	}
}
