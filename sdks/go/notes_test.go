// The code of docs/packages/go.md, which guide_test.go compares with the page and runs.
package svc_test

import (
	"context"
	"crypto/ecdsa"
	"fmt"
	"net/http"
	"net/url"

	svc "svc.example/go"
)

// NewAPI is made once: it keeps the keys.
func NewAPI(issuer, tenantID string) (http.Handler, error) {
	verifier, err := svc.NewVerifier(svc.VerifierConfig{
		Issuer: issuer, Audience: "https://api.example", TenantID: tenantID,
	})
	if err != nil {
		return nil, err
	}
	protection := svc.NewProtection(verifier, "https://api.example")
	mux := http.NewServeMux()
	mux.Handle("GET /notes", protection.Require(svc.Required{Scope: "notes:read"}, http.HandlerFunc(notes)))
	return mux, nil
}

func notes(w http.ResponseWriter, r *http.Request) {
	fmt.Fprint(w, "Notes of "+svc.ClaimsOf(r.Context()).Subject())
}

// NewApplication is kept: it changes only when the issuer's endpoints do.
func NewApplication(issuer, secret string) (*svc.Client, error) {
	return svc.NewClient(svc.ClientConfig{Issuer: issuer, ClientID: "app_1", Secret: secret})
}

// Start gives the flow, which the browser's session keeps, and the address to redirect to.
func Start(ctx context.Context, client *svc.Client) (svc.Flow, string, error) {
	flow := svc.NewFlow("https://shop.example/callback")
	address, err := client.AuthorizationURL(ctx, flow, []string{"openid", "profile", "offline_access"}, nil)
	return flow, address, err
}

// Finish takes the address that the browser came back to. Take the flow out of the session first: it counts once.
func Finish(ctx context.Context, client *svc.Client, flow svc.Flow, callback *url.URL) (svc.Claims, error) {
	signIn, err := client.Finish(ctx, flow, callback)
	if err != nil {
		return nil, err
	}
	return signIn.Claims, nil
}

// NewMachine proves itself by a P-256 key.
func NewMachine(issuer string, key *ecdsa.PrivateKey) (*svc.Client, error) {
	return svc.NewClient(svc.ClientConfig{Issuer: issuer, ClientID: "app_2", Key: key, KeyID: "key-1"})
}

// Token is for the API of notes.
func Token(ctx context.Context, client *svc.Client) (*svc.Tokens, error) {
	return client.ClientCredentials(ctx, []string{"notes:read"}, "https://api.example")
}

// NewAdmin renews its token by itself.
func NewAdmin(issuer string, client *svc.Client) *svc.Management {
	source := svc.NewCredentialsSource(client, []string{"webhooks:write", "users:read"}, "")
	return svc.NewManagement(issuer, source, nil)
}

// Subscribe makes one webhook for an order, however often it is called.
func Subscribe(ctx context.Context, api *svc.Management, order int) (svc.Webhook, error) {
	webhook := svc.Webhook{URL: "https://shop.example/events", EventTypes: []string{"tenant_user.*"}}
	return api.Webhooks().Create(ctx, webhook, fmt.Sprintf("subscribe-%d", order))
}

// People are all, page by page.
func People(ctx context.Context, api *svc.Management) ([]string, error) {
	var ids []string
	for person, err := range api.TenantUsers().All(ctx, url.Values{"limit": {"200"}}) {
		if err != nil {
			return nil, err
		}
		ids = append(ids, person.ID)
	}
	return ids, nil
}

// NewReceiver takes deliveries; store puts an event where it lasts, once for each ID.
func NewReceiver(secret string, store func(*svc.Delivery) error) http.Handler {
	verifier := &svc.WebhookVerifier{Secrets: []string{secret}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		delivery, err := verifier.VerifyRequest(r)
		switch {
		case err != nil:
			w.WriteHeader(http.StatusBadRequest)
		case store(delivery) != nil:
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			w.WriteHeader(http.StatusNoContent)
		}
	})
}

// NewTools is a server of the Model Context Protocol.
func NewTools(verifier *svc.Verifier) (http.Handler, error) {
	mcp, err := svc.NewMCP(verifier, "https://tools.example", []string{"notes:read", "notes:write"})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mcp.Register(mux)
	mux.Handle("POST /mcp", mcp.Require(svc.Required{Scope: "notes:read"}, http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			// A tool that needs more than the route does.
			if !svc.ClaimsOf(r.Context()).HasScope("notes:write") {
				mcp.InsufficientScope(w, r, "notes:write")
				return
			}
			fmt.Fprint(w, "written")
		},
	)))
	return mux, nil
}
