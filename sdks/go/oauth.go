package svc

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
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
	// HTTP may be nil.
	HTTP *http.Client
}

// Client asks the issuer for tokens. It is safe for concurrent use.
type Client struct {
	config ClientConfig
	http   *http.Client
	mutex  sync.Mutex
	found  *Metadata
	nonce  string
}

// NewClient makes a client; nothing is fetched yet.
func NewClient(config ClientConfig) (*Client, error) {
	if config.Issuer == "" || config.ClientID == "" {
		return nil, errors.New("svc: issuer and client id are needed")
	}
	if config.Key != nil && (config.Key.Curve != elliptic.P256() || config.KeyID == "") {
		return nil, errors.New("svc: assertions are signed by a P-256 key that has an id")
	}
	return &Client{config: config, http: quiet(config.HTTP)}, nil
}

// Metadata is the issuer's, fetched once.
func (c *Client) Metadata(ctx context.Context) (*Metadata, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.found == nil {
		found, err := Discover(ctx, c.config.Issuer, c.http)
		if err != nil {
			return nil, err
		}
		c.found = found
	}
	return c.found, nil
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

// AuthorizationURL is where to send the browser. The flow is remembered until the callback; extra has further parameters such as
// acr_values, organization or prompt.
func (c *Client) AuthorizationURL(
	ctx context.Context, flow Flow, redirectURI string, scopes []string, extra url.Values,
) (string, error) {
	found, err := c.Metadata(ctx)
	if err != nil {
		return "", err
	}
	query := url.Values{
		"response_type": {"code"}, "client_id": {c.config.ClientID}, "redirect_uri": {redirectURI},
		"scope": {strings.Join(scopes, " ")}, "state": {flow.State}, "nonce": {flow.Nonce},
		"code_challenge": {Challenge(flow.Verifier)}, "code_challenge_method": {"S256"},
	}
	for name, values := range extra {
		if query.Has(name) {
			return "", errors.New("svc: " + name + " is set by the flow")
		}
		query[name] = values
	}
	separator := "?"
	if strings.Contains(found.AuthorizationEndpoint, "?") {
		separator = "&"
	}
	return found.AuthorizationEndpoint + separator + query.Encode(), nil
}

// ExchangeCode redeems the code of a callback that Callback has judged. Read the person from UserInfo, or verify the ID
// token with a library for OpenID Connect: this package judges access tokens.
func (c *Client) ExchangeCode(ctx context.Context, flow Flow, code, redirectURI string) (*Tokens, error) {
	return c.Grant(ctx, "authorization_code", url.Values{
		"code": {code}, "redirect_uri": {redirectURI}, "code_verifier": {flow.Verifier},
	})
}

// ClientCredentials is a token of the application itself (RFC 6749 §4.4). The resource may be empty.
func (c *Client) ClientCredentials(ctx context.Context, scopes []string, resource string) (*Tokens, error) {
	form := url.Values{"scope": {strings.Join(scopes, " ")}}
	if resource != "" {
		form.Set("resource", resource)
	}
	return c.Grant(ctx, "client_credentials", form)
}

// Refresh renews tokens (RFC 6749 §6). Keep the refresh token of the answer, if it has one.
func (c *Client) Refresh(ctx context.Context, refreshToken string, extra url.Values) (*Tokens, error) {
	form := url.Values{"refresh_token": {refreshToken}}
	for name, values := range extra {
		form[name] = values
	}
	return c.Grant(ctx, "refresh_token", form)
}

// ExchangeToken exchanges an access token for one of another API (RFC 8693).
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
	form.Set("grant_type", grantType)
	if form.Get("scope") == "" {
		form.Del("scope")
	}
	var tokens Tokens
	if err := c.post(ctx, found.TokenEndpoint, form, &tokens); err != nil {
		return nil, err
	}
	if tokens.AccessToken == "" {
		return nil, errors.New("svc: the answer has no access token")
	}
	tokens.Expiry = time.Now().Add(time.Duration(tokens.ExpiresIn) * time.Second)
	return &tokens, nil
}

// Device is a device that waits for its person (RFC 8628 §3.2).
type Device struct {
	DeviceCode      string `json:"device_code"`
	UserCode        string `json:"user_code"`
	VerificationURI string `json:"verification_uri"`
	Complete        string `json:"verification_uri_complete"`
	ExpiresIn       int64  `json:"expires_in"`
	Interval        int64  `json:"interval"`
}

// StartDevice asks for the code that the person types in.
func (c *Client) StartDevice(ctx context.Context, scopes []string) (*Device, error) {
	found, err := c.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	if found.DeviceEndpoint == "" {
		return nil, errors.New("svc: the issuer does not offer the device grant")
	}
	device := &Device{Interval: 5}
	return device, c.post(ctx, found.DeviceEndpoint, url.Values{"scope": {strings.Join(scopes, " ")}}, device)
}

// AwaitDevice polls until the person has decided (RFC 8628 §3.5).
func (c *Client) AwaitDevice(ctx context.Context, device *Device) (*Tokens, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(device.ExpiresIn)*time.Second)
	defer cancel()
	interval := time.Duration(max(device.Interval, 1)) * time.Second
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(interval):
		}
		form := url.Values{"device_code": {device.DeviceCode}}
		tokens, err := c.Grant(ctx, "urn:ietf:params:oauth:grant-type:device_code", form)
		var failure *Error
		if !errors.As(err, &failure) || (failure.Code != "authorization_pending" && failure.Code != "slow_down") {
			return tokens, err
		}
		if failure.Code == "slow_down" {
			interval += 5 * time.Second
		}
		interval = max(interval, failure.RetryAfter)
	}
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
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, found.UserinfoEndpoint, nil)
	if err != nil {
		return nil, err
	}
	scheme := "Bearer "
	if c.config.ProofKey != nil {
		scheme = "DPoP "
		proof, err := c.config.ProofKey.Proof(http.MethodGet, found.UserinfoEndpoint, accessToken, "")
		if err != nil {
			return nil, err
		}
		request.Header.Set("DPoP", proof)
	}
	request.Header.Set("Authorization", scheme+accessToken)
	var claims Claims
	if err := c.send(request, &claims); err != nil {
		return nil, err
	}
	if claims.Subject() == "" || (subject != "" && claims.Subject() != subject) {
		return nil, errors.New("svc: the claims are about somebody else")
	}
	return claims, nil
}

// post sends a form, once more where the server asks for a nonce in the proof (RFC 9449 §8).
func (c *Client) post(ctx context.Context, endpoint string, form url.Values, into any) error {
	if endpoint == "" {
		return errors.New("svc: the issuer does not offer this")
	}
	err := c.postOnce(ctx, endpoint, form, into)
	var failure *Error
	if errors.As(err, &failure) && failure.Code == "use_dpop_nonce" && c.config.ProofKey != nil {
		err = c.postOnce(ctx, endpoint, form, into)
	}
	return err
}

func (c *Client) postOnce(ctx context.Context, endpoint string, form url.Values, into any) error {
	sent := url.Values{"client_id": {c.config.ClientID}}
	for name, values := range form {
		sent[name] = values
	}
	switch {
	case c.config.Key != nil:
		assertion, err := c.assertion()
		if err != nil {
			return err
		}
		sent.Set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
		sent.Set("client_assertion", assertion)
	case c.config.Secret != "" && c.config.SecretInForm:
		sent.Set("client_secret", c.config.Secret)
	case c.config.Secret != "":
		sent.Del("client_id")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, strings.NewReader(sent.Encode()))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Accept", "application/json")
	if c.config.Key == nil && c.config.Secret != "" && !c.config.SecretInForm {
		request.SetBasicAuth(url.QueryEscape(c.config.ClientID), url.QueryEscape(c.config.Secret))
	}
	if c.config.ProofKey != nil {
		c.mutex.Lock()
		nonce := c.nonce
		c.mutex.Unlock()
		proof, err := c.config.ProofKey.Proof(http.MethodPost, endpoint, "", nonce)
		if err != nil {
			return err
		}
		request.Header.Set("DPoP", proof)
	}
	return c.send(request, into)
}

func (c *Client) send(request *http.Request, into any) error {
	response, err := c.http.Do(request)
	if err != nil {
		// The address may have a query of the issuer's; what was sent is in the body, which the error does not show.
		return fmt.Errorf("svc: the issuer is out of reach: %w", err)
	}
	defer response.Body.Close()
	if nonce := response.Header.Get("Dpop-Nonce"); nonce != "" {
		c.mutex.Lock()
		c.nonce = nonce
		c.mutex.Unlock()
	}
	body, err := bounded(response.Body, largestAnswer)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return answered(response, body, c.config.Issuer)
	}
	if into == nil {
		return nil
	}
	if json.Unmarshal(body, into) != nil {
		return errors.New("svc: the answer is no JSON of the expected shape")
	}
	return nil
}

// assertion proves the application by its key; it is for this issuer, lives a minute and is used once.
func (c *Client) assertion() (string, error) {
	now := time.Now().Unix()
	return signES256(c.config.Key, map[string]any{"typ": "JWT", "alg": "ES256", "kid": c.config.KeyID}, map[string]any{
		"iss": c.config.ClientID, "sub": c.config.ClientID, "aud": c.config.Issuer, "jti": randomText(), "iat": now, "exp": now + 60,
	})
}

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
