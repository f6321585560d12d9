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
	asked    *asking
}

// asking is one request for a token, whose outcome all get who wait for it.
type asking struct {
	done   chan struct{}
	tokens *Tokens
	err    error
}

// NewCredentialsSource asks by this client, for these scopes of this API. The resource may be empty.
func NewCredentialsSource(client *Client, scopes []string, resource string) *CredentialsSource {
	return &CredentialsSource{client: client, scopes: scopes, resource: resource}
}

// AccessToken is the present token, or a new one.
func (s *CredentialsSource) AccessToken(ctx context.Context) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", lost(err, s.client.config.Issuer)
	}
	present, asked := s.present(ctx)
	if present != nil {
		return present.AccessToken, nil
	}
	select {
	case <-ctx.Done():
		return "", lost(ctx.Err(), s.client.config.Issuer)
	case <-asked.done:
	}
	if asked.err != nil {
		return "", asked.err
	}
	return asked.tokens.AccessToken, nil
}

// Forget drops a token that was refused with 401, so that the next call gets another one. A token that has come since stays.
func (s *CredentialsSource) Forget(accessToken string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.tokens != nil && s.tokens.AccessToken == accessToken {
		s.tokens = nil
	}
}

// present is the token that there is, or the request for another one.
func (s *CredentialsSource) present(ctx context.Context) (*Tokens, *asking) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.tokens != nil && time.Until(s.tokens.Expiry) >= 30*time.Second {
		return s.tokens, nil
	}
	if s.asked == nil {
		s.asked = &asking{done: make(chan struct{})}
		// It goes on for the others where this caller goes away; the bounds of the client end it.
		go s.ask(context.WithoutCancel(ctx), s.asked)
	}
	return nil, s.asked
}

func (s *CredentialsSource) ask(ctx context.Context, asked *asking) {
	asked.tokens, asked.err = s.client.ClientCredentials(ctx, s.scopes, s.resource)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.asked = nil; asked.err == nil {
		s.tokens = asked.tokens
	}
	close(asked.done)
}
