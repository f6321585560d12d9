package svc

import (
	"context"
	"sync"
	"time"
)

// CredentialsSource is a TokenSource by client credentials: one token for all, renewed half a minute before it ends.
type CredentialsSource struct {
	client   *Client
	scopes   []string
	resource string
	mutex    sync.Mutex
	tokens   *Tokens
}

// NewCredentialsSource asks by this client, for these scopes of this API. The resource may be empty.
func NewCredentialsSource(client *Client, scopes []string, resource string) *CredentialsSource {
	return &CredentialsSource{client: client, scopes: scopes, resource: resource}
}

// AccessToken is the present token, or a new one.
func (s *CredentialsSource) AccessToken(ctx context.Context) (string, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.tokens == nil || time.Until(s.tokens.Expiry) < 30*time.Second {
		tokens, err := s.client.ClientCredentials(ctx, s.scopes, s.resource)
		if err != nil {
			return "", err
		}
		s.tokens = tokens
	}
	return s.tokens.AccessToken, nil
}
