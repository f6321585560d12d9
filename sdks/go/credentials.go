package svc

import (
	"context"
	"time"
)

// CredentialsSource is a TokenSource by client credentials: one token for all, renewed half a minute before it ends.
type CredentialsSource struct {
	client   *Client
	scopes   []string
	resource string
	// turn is held by the one who asks, so that others can stop waiting for it.
	turn   chan struct{}
	tokens *Tokens
}

// NewCredentialsSource asks by this client, for these scopes of this API. The resource may be empty.
func NewCredentialsSource(client *Client, scopes []string, resource string) *CredentialsSource {
	return &CredentialsSource{client: client, scopes: scopes, resource: resource, turn: make(chan struct{}, 1)}
}

// AccessToken is the present token, or a new one.
func (s *CredentialsSource) AccessToken(ctx context.Context) (string, error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return "", lost(ctx.Err(), s.client.config.Issuer)
	}
	if s.tokens == nil || time.Until(s.tokens.Expiry) < 30*time.Second {
		tokens, err := s.client.ClientCredentials(ctx, s.scopes, s.resource)
		if err != nil {
			return "", err
		}
		s.tokens = tokens
	}
	return s.tokens.AccessToken, nil
}
