package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"net/url"
	"os"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

const home = "http://localhost:5556"

type shop struct {
	config     oauth2.Config
	verifier   *oidc.IDTokenVerifier
	endSession string
}

func main() {
	issuer := os.Getenv("SVC_ISSUER") // http://localhost:8080
	shop, err := newShop(context.Background(), issuer, os.Getenv("SVC_CLIENT_ID"), os.Getenv("SVC_CLIENT_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe("localhost:5556", shop.routes()))
}

func newShop(ctx context.Context, issuer, clientID, clientSecret string) (*shop, error) {
	provider, err := oidc.NewProvider(ctx, issuer)
	if err != nil {
		return nil, err
	}
	var metadata struct {
		EndSession string `json:"end_session_endpoint"`
	}
	if err := provider.Claims(&metadata); err != nil {
		return nil, err
	}
	config := oauth2.Config{
		ClientID:     clientID,
		ClientSecret: clientSecret,
		Endpoint:     provider.Endpoint(),
		RedirectURL:  home + "/auth/callback",
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email", oidc.ScopeOfflineAccess},
	}
	return &shop{config, provider.Verifier(&oidc.Config{ClientID: clientID}), metadata.EndSession}, nil
}

func (s *shop) routes() http.Handler {
	routes := http.NewServeMux()
	routes.HandleFunc("GET /login", s.login)
	routes.HandleFunc("GET /auth/callback", s.callback)
	routes.HandleFunc("GET /logout", s.logout)
	return routes
}

// Sends the person to svc; state, nonce and PKCE verifier wait in cookies.
func (s *shop) login(w http.ResponseWriter, r *http.Request) {
	state, nonce, pkce := oauth2.GenerateVerifier(), oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
	remember(w, "state", state)
	remember(w, "nonce", nonce)
	remember(w, "pkce", pkce)
	http.Redirect(w, r, s.config.AuthCodeURL(state, oidc.Nonce(nonce), oauth2.S256ChallengeOption(pkce)), http.StatusFound)
}

// Answers with the claims of the person who came back.
func (s *shop) callback(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	if state := remembered(r, "state"); state == "" || query.Get("state") != state {
		http.Error(w, "the sign-in was not started in this browser", http.StatusBadRequest)
		return
	}
	token, err := s.config.Exchange(r.Context(), query.Get("code"), oauth2.VerifierOption(remembered(r, "pkce")))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	raw, _ := token.Extra("id_token").(string)
	idToken, err := s.verifier.Verify(r.Context(), raw)
	if err != nil || idToken.Nonce != remembered(r, "nonce") {
		http.Error(w, "the ID token is not for this sign-in", http.StatusBadGateway)
		return
	}
	var claims map[string]any
	if err := idToken.Claims(&claims); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	remember(w, "id_token", raw) // for signing out; `token` belongs in the session
	json.NewEncoder(w).Encode(claims)
}

// Signs the person out at svc too.
func (s *shop) logout(w http.ResponseWriter, r *http.Request) {
	query := url.Values{"id_token_hint": {remembered(r, "id_token")}, "post_logout_redirect_uri": {home + "/"}}
	http.Redirect(w, r, s.endSession+"?"+query.Encode(), http.StatusFound)
}

func remember(w http.ResponseWriter, name, value string) {
	cookie := &http.Cookie{Name: name, Value: value, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode}
	http.SetCookie(w, cookie) // with `Secure` where the application is on https
}

func remembered(r *http.Request, name string) string {
	cookie, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	return cookie.Value
}
