package svc

import (
	"context"
	"maps"
	"net/url"
	"strings"
	"time"
)

// ClientCredentials is a token of the application itself (RFC 6749 §4.4). The resource may be empty.
func (c *Client) ClientCredentials(ctx context.Context, scopes []string, resource string) (*Tokens, error) {
	form := url.Values{"scope": {strings.Join(scopes, " ")}}
	if resource != "" {
		form.Set("resource", resource)
	}
	return c.Grant(ctx, "client_credentials", form)
}

// Refresh renews tokens (RFC 6749 §6). Keep the refresh token of the answer, which is the present one where the server makes no other.
func (c *Client) Refresh(ctx context.Context, refreshToken string, extra url.Values) (*Tokens, error) {
	form := url.Values{"refresh_token": {refreshToken}}
	for name, values := range extra {
		form[name] = values
	}
	tokens, err := c.Grant(ctx, "refresh_token", form)
	if err == nil && tokens.RefreshToken == "" {
		tokens.RefreshToken = refreshToken
	}
	return tokens, err
}

// ExchangeToken exchanges an access token for one of another API (RFC 8693). The resource may be empty.
func (c *Client) ExchangeToken(ctx context.Context, subjectToken, resource string, scopes []string) (*Tokens, error) {
	form := url.Values{
		"subject_token": {subjectToken}, "subject_token_type": {"urn:ietf:params:oauth:token-type:access_token"},
		"resource": {resource}, "scope": {strings.Join(scopes, " ")},
	}
	return c.Grant(ctx, "urn:ietf:params:oauth:grant-type:token-exchange", form)
}

// Grant asks the token endpoint, as the application. Grants are not repeated: what was redeemed is spent.
func (c *Client) Grant(ctx context.Context, grantType string, form url.Values) (*Tokens, error) {
	found, err := c.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	// The caller's form stays as it is.
	sent := url.Values{}
	maps.Copy(sent, form)
	sent.Set("grant_type", grantType)
	var tokens Tokens
	if err := c.post(ctx, found.TokenEndpoint, sent, &tokens); err != nil {
		return nil, err
	}
	if tokens.AccessToken == "" {
		return nil, local(invalidAnswer, c.config.Issuer, "the answer has no access token")
	}
	tokens.Expiry = time.Now().Add(time.Duration(tokens.ExpiresIn) * time.Second)
	return &tokens, nil
}

// Revoke takes a token back (RFC 7009).
func (c *Client) Revoke(ctx context.Context, token string) error {
	found, err := c.Metadata(ctx)
	if err != nil {
		return err
	}
	return c.post(ctx, found.RevocationEndpoint, url.Values{"token": {token}}, nil)
}

// Userinfo are the claims about the person (OpenID Connect Core 1.0 §5.3). The subject has to be that of the
// ID token; without an ID token it is empty.
func (c *Client) Userinfo(ctx context.Context, accessToken, subject string) (Claims, error) {
	found, err := c.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	var claims Claims
	if err := c.ask(ctx, found.UserinfoEndpoint, accessToken, &claims); err != nil {
		return nil, err
	}
	if claims.Subject() == "" || (subject != "" && claims.Subject() != subject) {
		return nil, local(invalidAnswer, c.config.Issuer, "the claims are about another person")
	}
	return claims, nil
}
