package main

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// The program of docs/frameworks/go.md, which main.go is.
func TestTheProgramOfTheGuideSignsAPersonInAndOut(t *testing.T) {
	server := started(t)
	client := server.application(t, "go")
	shop, err := newShop(context.Background(), server.Issuer, client.ClientID, client.ClientSecret)
	if err != nil {
		t.Fatal(err)
	}
	listen(t, "localhost:5556", shop.routes())
	browser := newBrowser(t, server.User)

	var claims struct{ Sub, Email string }
	if err := json.Unmarshal([]byte(browser.arrive(home+"/login")), &claims); err != nil {
		t.Fatal(err)
	}
	if claims.Email != "ada@demo.example" || claims.Sub == "" {
		t.Fatalf("claims %+v", claims)
	}

	if left := browser.visit(home+"/logout", home+"/").String(); left != home+"/" {
		t.Fatalf("sign-out led to %s", left)
	}
	silent := shop.config.AuthCodeURL("the state", oauth2.SetAuthURLParam("prompt", "none"), oidc.Nonce("a nonce"))
	if reached := browser.visit(silent, shop.config.RedirectURL); reached.Query().Get("error") != "login_required" {
		t.Fatalf("after sign-out %s", reached)
	}
}

func TestATokenSourceRefreshesAndUserInfoNamesThePerson(t *testing.T) {
	server := started(t)
	client := server.application(t, "go")
	ctx := context.Background()
	shop, err := newShop(ctx, server.Issuer, client.ClientID, client.ClientSecret)
	if err != nil {
		t.Fatal(err)
	}
	pkce := oauth2.GenerateVerifier()
	address := shop.config.AuthCodeURL("the state", oidc.Nonce("the nonce"), oauth2.S256ChallengeOption(pkce))
	reached := newBrowser(t, server.User).visit(address, shop.config.RedirectURL)
	token, err := shop.config.Exchange(ctx, reached.Query().Get("code"), oauth2.VerifierOption(pkce))
	if err != nil {
		t.Fatal(err)
	}

	refreshed, err := shop.config.TokenSource(ctx, &oauth2.Token{RefreshToken: token.RefreshToken}).Token()
	if err != nil {
		t.Fatal(err)
	}
	if refreshed.AccessToken == token.AccessToken {
		t.Fatal("the access token is the same after a refresh")
	}
	raw, _ := refreshed.Extra("id_token").(string)
	idToken, err := shop.verifier.Verify(ctx, raw)
	if err != nil {
		t.Fatal(err)
	}
	provider, err := oidc.NewProvider(ctx, server.Issuer)
	if err != nil {
		t.Fatal(err)
	}
	info, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(refreshed))
	if err != nil {
		t.Fatal(err)
	}
	if info.Subject != idToken.Subject || info.Email != "ada@demo.example" {
		t.Fatalf("UserInfo %+v", info)
	}
}

// listen serves for the length of a test.
func listen(t *testing.T, address string, handler http.Handler) {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: handler}
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })
}

// between returns what stands between two texts.
func between(t *testing.T, text, before, after string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, before)
	if !found {
		t.Fatalf("%q is missing", before)
	}
	value, _, _ := strings.Cut(rest, after)
	return value
}
