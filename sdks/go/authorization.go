package svc

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// SignIn is a sign-in that is complete.
type SignIn struct {
	Tokens *Tokens
	// Claims are those of the verified ID token; nil where the scope had no openid.
	Claims Claims
}

// AuthorizationURL is where to send the browser. The flow is remembered until the callback; extra has further parameters such as
// organization, resource or prompt.
func (c *Client) AuthorizationURL(ctx context.Context, flow Flow, scopes []string, extra url.Values) (string, error) {
	found, err := c.Metadata(ctx)
	if err != nil {
		return "", err
	}
	query, err := c.parameters(flow, scopes, extra)
	if err != nil {
		return "", err
	}
	return withQuery(found.AuthorizationEndpoint, query), nil
}

// PushedAuthorizationURL is the same with the parameters sent ahead, so that the browser carries a reference to them alone (RFC 9126).
func (c *Client) PushedAuthorizationURL(ctx context.Context, flow Flow, scopes []string, extra url.Values) (string, error) {
	found, err := c.Metadata(ctx)
	if err != nil {
		return "", err
	}
	form, err := c.parameters(flow, scopes, extra)
	if err != nil {
		return "", err
	}
	var pushed struct {
		RequestURI string `json:"request_uri"`
	}
	if err := c.post(ctx, found.PAREndpoint, form, &pushed); err != nil {
		return "", err
	}
	if pushed.RequestURI == "" {
		return "", local(invalidAnswer, c.config.Issuer, "the answer has no request_uri")
	}
	query := url.Values{"client_id": {c.config.ClientID}, "request_uri": {pushed.RequestURI}}
	return withQuery(found.AuthorizationEndpoint, query), nil
}

// SignOutURL is where to send the browser, so that the session ends at the issuer too (OpenID Connect RP-Initiated Logout 1.0 §2). By its
// ID token, which may have expired, the person is not asked; returnTo is a registered address to come back to. Both may be empty.
func (c *Client) SignOutURL(ctx context.Context, idToken, returnTo string) (string, error) {
	found, err := c.Metadata(ctx)
	if err != nil {
		return "", err
	}
	if found.EndSessionEndpoint == "" {
		return "", local(unsupported, c.config.Issuer, "the issuer does not offer this")
	}
	query := url.Values{"client_id": {c.config.ClientID}}
	for name, value := range map[string]string{"id_token_hint": idToken, "post_logout_redirect_uri": returnTo} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return withQuery(found.EndSessionEndpoint, query), nil
}

func (c *Client) parameters(flow Flow, scopes []string, extra url.Values) (url.Values, error) {
	query := url.Values{
		"response_type": {"code"}, "client_id": {c.config.ClientID}, "redirect_uri": {flow.RedirectURI},
		"scope": {strings.Join(scopes, " ")}, "state": {flow.State}, "nonce": {flow.Nonce},
		"code_challenge": {Challenge(flow.Verifier)}, "code_challenge_method": {"S256"},
	}
	if flow.MaxAge != 0 {
		query.Set("max_age", strconv.Itoa(int(flow.MaxAge/time.Second)))
	}
	if len(flow.ACRValues) > 0 {
		query.Set("acr_values", strings.Join(flow.ACRValues, " "))
	}
	for name, values := range extra {
		if query.Has(name) || name == "max_age" || name == "acr_values" {
			return nil, local(clientError, c.config.Issuer, name+" is set by the flow")
		}
		query[name] = values
	}
	return query, nil
}

func withQuery(endpoint string, query url.Values) string {
	separator := "?"
	if strings.Contains(endpoint, "?") {
		separator = "&"
	}
	return endpoint + separator + query.Encode()
}

// Finish completes a sign-in at the address that the browser came back to. Take the flow out of the session first: it counts once.
func (c *Client) Finish(ctx context.Context, flow Flow, callback *url.URL) (*SignIn, error) {
	code, err := Callback(callback, flow.State, c.config.Issuer)
	if err != nil {
		return nil, err
	}
	return c.ExchangeCode(ctx, flow, code)
}

// ExchangeCode redeems the code of a callback that Callback has judged, and verifies the ID token that comes with it.
func (c *Client) ExchangeCode(ctx context.Context, flow Flow, code string) (*SignIn, error) {
	tokens, err := c.Grant(ctx, "authorization_code", url.Values{
		"code": {code}, "redirect_uri": {flow.RedirectURI}, "code_verifier": {flow.Verifier},
	})
	if err != nil {
		return nil, err
	}
	if tokens.IDToken == "" {
		return c.withoutIDToken(tokens)
	}
	if flow.Nonce == "" {
		return nil, local(clientError, c.config.Issuer, "the flow has no nonce")
	}
	claims, err := VerifyIDToken(ctx, tokens.IDToken, c.config.Keys, Expected{
		Issuer: c.config.Issuer, ClientID: c.config.ClientID, Nonce: flow.Nonce, AccessToken: tokens.AccessToken, Code: code,
		MaxAge: flow.maxAge(), ACRValues: flow.ACRValues,
	})
	if err != nil {
		return nil, err
	}
	return &SignIn{Tokens: tokens, Claims: claims}, nil
}

// withoutIDToken is a sign-in that says nothing about the person: right where no openid was granted, and there alone.
func (c *Client) withoutIDToken(tokens *Tokens) (*SignIn, error) {
	if slices.Contains(strings.Fields(tokens.Scope), "openid") {
		failure := refusedIDToken("it is missing, although openid was granted")
		failure.Tenant = c.config.Issuer
		return nil, failure
	}
	return &SignIn{Tokens: tokens}, nil
}
