package svc

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// post sends a form, once more where the server asks for a nonce in the proof (RFC 9449 §8).
func (c *Client) post(ctx context.Context, endpoint string, form url.Values, into any) error {
	if endpoint == "" {
		return local(unsupported, c.config.Issuer, "the issuer does not offer this")
	}
	for _, name := range []string{"scope", "resource"} {
		if form.Get(name) == "" {
			form.Del(name)
		}
	}
	err := c.postOnce(ctx, endpoint, form, into)
	if c.wantsNonce(err) {
		err = c.postOnce(ctx, endpoint, form, into)
	}
	secrets := []string{c.config.Secret}
	for _, name := range confidential {
		secrets = append(secrets, form.Get(name))
	}
	return without(err, secrets...)
}

// confidential are parameters whose values no error repeats.
var confidential = []string{
	"code", "code_verifier", "refresh_token", "subject_token", "actor_token", "device_code", "token", "assertion", "client_assertion",
	"client_secret", "password", "auth_req_id", "id_token_hint", "login_hint_token", "request",
}

func (c *Client) wantsNonce(err error) bool {
	var failure *Error
	return errors.As(err, &failure) && failure.Code == "use_dpop_nonce" && c.config.ProofKey != nil
}

// ask sends an access token.
func (c *Client) ask(ctx context.Context, endpoint, accessToken string, into any) error {
	if endpoint == "" {
		return local(unsupported, c.config.Issuer, "the issuer does not offer this")
	}
	err := c.askOnce(ctx, endpoint, accessToken, into)
	if c.wantsNonce(err) {
		err = c.askOnce(ctx, endpoint, accessToken, into)
	}
	return without(err, accessToken)
}

func (c *Client) askOnce(ctx context.Context, endpoint, accessToken string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, endpoint, nil)
	if err != nil {
		return err
	}
	if err := c.bind(request, accessToken); err != nil {
		return err
	}
	return c.send(request, into)
}

// bind adds an access token by the scheme that it is bound by (RFC 9449 §7.1).
func (c *Client) bind(request *http.Request, accessToken string) error {
	scheme := "Bearer "
	if c.config.ProofKey != nil {
		scheme = "DPoP "
	}
	request.Header.Set("Authorization", scheme+accessToken)
	return c.prove(request, accessToken)
}

// prove adds a proof where the client has a key for it.
func (c *Client) prove(request *http.Request, accessToken string) error {
	if c.config.ProofKey == nil {
		return nil
	}
	c.mutex.Lock()
	nonce := c.nonce
	c.mutex.Unlock()
	proof, err := c.config.ProofKey.Proof(request.Method, request.URL.String(), accessToken, nonce)
	if err == nil {
		request.Header.Set("DPoP", proof)
	}
	return err
}

// keepNonce takes the nonce of an answer for the next proof (RFC 9449 §8.2).
func (c *Client) keepNonce(response *http.Response) {
	if nonce := response.Header.Get("Dpop-Nonce"); nonce != "" {
		c.mutex.Lock()
		c.nonce = nonce
		c.mutex.Unlock()
	}
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
	if err := c.prove(request, ""); err != nil {
		return err
	}
	_, credential, _ := strings.Cut(request.Header.Get("Authorization"), " ")
	return without(c.send(request, into), sent.Get("client_assertion"), credential)
}

func (c *Client) send(request *http.Request, into any) error {
	response, err := c.http.Do(request)
	if err != nil {
		return lost(err, c.config.Issuer)
	}
	defer response.Body.Close()
	c.keepNonce(response)
	body, err := bounded(response.Body, largestAnswer)
	if err != nil {
		return cut(err, response, c.config.Issuer)
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return answered(response, body, c.config.Issuer)
	}
	if into == nil {
		return nil
	}
	if json.Unmarshal(body, into) != nil {
		return unread(response, c.config.Issuer, "the answer is no JSON of the expected shape")
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
