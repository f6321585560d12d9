package svc

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// ClientConfig says which application asks, and how it proves itself.
type ClientConfig struct {
	Issuer, ClientID string
	// Secret is sent as HTTP Basic, or in the form where SecretInForm. Without Secret and Key the client is public.
	Secret       string
	SecretInForm bool
	// Key signs assertions (private_key_jwt, RFC 7523 §2.2), as ES256 under KeyID.
	Key   *ecdsa.PrivateKey
	KeyID string
	// ProofKey binds the tokens to itself (DPoP).
	ProofKey *ProofKey
	// Keys are those of ID tokens; of the issuer unless given.
	Keys KeySource
	// HTTP may be nil.
	HTTP *http.Client
}

// String keeps secret and key out of logs.
func (c ClientConfig) String() string { return "[client " + c.ClientID + " of " + c.Issuer + "]" }

// GoString keeps secret and key out of logs.
func (c ClientConfig) GoString() string { return c.String() }

// Client asks the issuer for tokens. It is safe for concurrent use.
type Client struct {
	config ClientConfig
	http   *http.Client
	mutex  sync.Mutex
	found  atomic.Pointer[Metadata]
	asked  *discovering
	nonce  string
}

// discovering is one request for the metadata, whose outcome all get who wait for it.
type discovering struct {
	done  chan struct{}
	found *Metadata
	err   error
}

// NewClient makes a client; nothing is fetched yet.
func NewClient(config ClientConfig) (*Client, error) {
	if config.Issuer == "" || config.ClientID == "" {
		return nil, local(clientError, config.Issuer, "issuer and client id are needed")
	}
	if config.Key != nil && (config.Key.Curve != elliptic.P256() || config.KeyID == "") {
		return nil, local(clientError, config.Issuer, "assertions are signed by a P-256 key that has an id")
	}
	if !isSafeURL(config.Issuer) {
		return nil, local(clientError, config.Issuer, "the issuer is no https address")
	}
	if config.Keys == nil {
		config.Keys = NewRemoteKeys(config.Issuer, config.HTTP)
	}
	return &Client{config: config, http: quiet(config.HTTP)}, nil
}

// String keeps secret and key out of logs.
func (c *Client) String() string { return c.config.String() }

// GoString keeps secret and key out of logs.
func (c *Client) GoString() string { return c.config.String() }

// Metadata is the issuer's, fetched once.
func (c *Client) Metadata(ctx context.Context) (*Metadata, error) {
	if found := c.found.Load(); found != nil {
		return found, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, lost(err, c.config.Issuer)
	}
	asked := c.discovering(ctx)
	select {
	case <-ctx.Done():
		return nil, lost(ctx.Err(), c.config.Issuer)
	case <-asked.done:
		return asked.found, asked.err
	}
}

// discovering is the request for the metadata that is on its way, or a new one.
func (c *Client) discovering(ctx context.Context) *discovering {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.asked == nil {
		c.asked = &discovering{done: make(chan struct{})}
		// It goes on for the others where this caller goes away; its own bound ends it.
		go c.discover(context.WithoutCancel(ctx), c.asked)
	}
	return c.asked
}

func (c *Client) discover(ctx context.Context, asked *discovering) {
	asked.found, asked.err = Discover(ctx, c.config.Issuer, c.http)
	if asked.err == nil {
		c.found.Store(asked.found)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.asked = nil
	close(asked.done)
}

// Tokens are an answer of the token endpoint. Printing them does not show them.
type Tokens struct {
	AccessToken  string `json:"access_token"`
	TokenType    string `json:"token_type"`
	RefreshToken string `json:"refresh_token"`
	IDToken      string `json:"id_token"`
	Scope        string `json:"scope"`
	ExpiresIn    int64  `json:"expires_in"`
	// Issued is the type of the token after an exchange.
	Issued string `json:"issued_token_type"`
	// Expiry is when the access token ends, by this machine's clock.
	Expiry time.Time `json:"-"`
}

// String keeps the tokens out of logs.
func (t Tokens) String() string {
	return fmt.Sprintf("[tokens until %s]", t.Expiry.Format(time.RFC3339))
}

// GoString keeps the tokens out of logs.
func (t Tokens) GoString() string { return t.String() }
