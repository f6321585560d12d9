package svc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// TokenSource gives the access token of a call. Where it has a method Forget(string), as CredentialsSource has, that gets the token of a
// call that was refused with 401.
type TokenSource interface {
	AccessToken(ctx context.Context) (string, error)
}

// StaticToken is a token, or an API key, that does not change.
type StaticToken string

// AccessToken is the token.
func (s StaticToken) AccessToken(context.Context) (string, error) { return string(s), nil }

// String keeps the token out of logs.
func (s StaticToken) String() string { return "[token]" }

// GoString keeps the token out of logs.
func (s StaticToken) GoString() string { return "[token]" }

// largestPage is what a page of 200 large records may take.
const largestPage = 64 << 20

// Management calls the management API of a tenant, as docs/openapi.json describes it.
type Management struct {
	issuer string
	tokens TokenSource
	http   *http.Client
	// Attempts is how often a call is sent at most, where it may be repeated.
	Attempts int
	// LongestWait is the longest Retry-After that is waited for.
	LongestWait time.Duration
}

// NewManagement calls the tenant of this issuer; TenantIssuer makes that of another. The client may be nil.
func NewManagement(issuer string, tokens TokenSource, client *http.Client) *Management {
	return &Management{
		issuer: strings.TrimSuffix(issuer, "/"), tokens: tokens, http: quiet(client), Attempts: 4, LongestWait: 30 * time.Second,
	}
}

// Call is one call. In and Out are JSON, or nil; an In of []byte is sent as it is, and an Out of *[]byte gets the answer as it is.
type Call struct {
	Method, Path string
	Query        url.Values
	In, Out      any
	// ContentType is that of In; the one that the path takes for JSON unless given.
	ContentType string
	// IdempotencyKey of a write; a fresh one unless given, which stays here where it is not known whether the call took effect.
	IdempotencyKey string
	// IfMatch is the ETag that the record has to have.
	IfMatch string
	// ETag is that of the answer.
	ETag string
}

// Do sends a call, again where that is safe: where the server did nothing (429), where the method has the same effect twice, and where
// the server knows the repetition by its idempotency key, which it does below /api/v1/. So it is with a token that is refused: where the
// source forgets it, the call is sent once more with another one.
func (m *Management) Do(ctx context.Context, call *Call) error {
	body, isRaw := call.In.([]byte)
	if call.In != nil && !isRaw {
		var err error
		if body, err = json.Marshal(call.In); err != nil {
			return local(clientError, m.issuer, "In is no JSON: "+err.Error())
		}
	}
	if m.tokens == nil {
		return local(clientError, m.issuer, "tokens are nil; give NewManagement a TokenSource")
	}
	isPath := strings.HasPrefix(call.Path, "/") && !strings.ContainsAny(call.Path, "?#\\")
	if !isSafeURL(m.issuer) || !isPath || slices.ContainsFunc(strings.Split(call.Path, "/"), isDots) {
		const wrong = "the issuer is no https address, or the path does not begin with a slash, has a query or leads elsewhere"
		return local(clientError, m.issuer, wrong)
	}
	isWrite := call.Method != http.MethodGet && call.Method != http.MethodHead
	isFresh := isWrite && call.IdempotencyKey == ""
	if isFresh {
		call.IdempotencyKey = randomText()
	}
	err := m.repeated(ctx, call, body)
	if isFresh && isDecided(err) {
		call.IdempotencyKey = ""
	}
	return err
}

// isDecided says whether it is known what became of a call, so that the same Call sent again is another one.
func isDecided(err error) bool {
	var failure *Error
	return err == nil || (errors.As(err, &failure) && failure.Status >= 400 && failure.Status < 500)
}

func (m *Management) repeated(ctx context.Context, call *Call, body []byte) error {
	isRenewed := false
	for attempt := 1; ; attempt++ {
		token, err := m.attempt(ctx, call, body)
		if prover := m.prover(); prover != nil && prover.wantsNonce(err) {
			token, err = m.attempt(ctx, call, body)
		}
		if !isRenewed && m.forgets(token, err) {
			isRenewed = true
			if attempt < m.Attempts && !call.mayHaveEffectTwice() {
				continue
			}
		}
		wait, isWorth := m.pause(call, err, attempt)
		if err == nil || !isWorth || attempt >= m.Attempts {
			return err
		}
		select {
		case <-ctx.Done():
			return lost(ctx.Err(), m.issuer)
		case <-time.After(wait):
		}
	}
}

// forgets drops the token of a call that was refused, and says whether another one may pass.
func (m *Management) forgets(token string, err error) bool {
	var failure *Error
	source, isKept := m.tokens.(interface{ Forget(accessToken string) })
	if !isKept || token == "" || !errors.As(err, &failure) || failure.Status != http.StatusUnauthorized {
		return false
	}
	// The token is not what is wrong where it is the proof.
	if failure.Code == "invalid_dpop_proof" || failure.Code == "use_dpop_nonce" {
		return false
	}
	source.Forget(token)
	return true
}

// attempt sends a call once, with the token that it gives back.
func (m *Management) attempt(ctx context.Context, call *Call, body []byte) (string, error) {
	token, err := m.tokens.AccessToken(ctx)
	if err != nil {
		return "", err
	}
	return token, m.send(ctx, call, body, token)
}

func (m *Management) send(ctx context.Context, call *Call, body []byte, token string) error {
	address := m.issuer + call.Path
	if len(call.Query) > 0 {
		address += "?" + call.Query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, call.Method, address, bytes.NewReader(body))
	if err != nil {
		return local(clientError, m.issuer, "the method or the path is malformed")
	}
	prover := m.prover()
	if prover == nil {
		request.Header.Set("Authorization", "Bearer "+token)
	} else if err := prover.bind(request, token); err != nil {
		return err
	}
	raw, isRaw := call.Out.(*[]byte)
	if !isRaw {
		request.Header.Set("Accept", "application/json")
	}
	if body != nil {
		request.Header.Set("Content-Type", call.mediaType())
	}
	// net/http itself repeats what has this header, so that only a server that heeds it gets it.
	if call.IdempotencyKey != "" && call.hasIdempotencyKeys() {
		request.Header.Set("Idempotency-Key", call.IdempotencyKey)
	}
	if call.IfMatch != "" {
		request.Header.Set("If-Match", call.IfMatch)
	}
	response, err := m.http.Do(request)
	if err != nil {
		return lost(err, m.issuer)
	}
	defer response.Body.Close()
	if prover != nil {
		prover.keepNonce(response)
	}
	answer, err := bounded(response.Body, largestPage)
	if err != nil {
		return cut(err, response, m.issuer)
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return without(answered(response, answer, m.issuer), append(confided(body), token)...)
	}
	call.ETag = response.Header.Get("Etag")
	if isRaw {
		*raw = answer
		return nil
	}
	if call.Out == nil || (len(answer) == 0 && call.Method != http.MethodGet) {
		return nil
	}
	if json.Unmarshal(answer, call.Out) != nil {
		return unread(response, m.issuer, "the answer is no JSON of the expected shape")
	}
	return nil
}

// prover is the client whose key the tokens are bound to, or nil.
func (m *Management) prover() *Client {
	if source, ok := m.tokens.(*CredentialsSource); ok && source.client.config.ProofKey != nil {
		return source.client
	}
	return nil
}

// mediaType is that of In.
func (c *Call) mediaType() string {
	switch {
	case c.ContentType != "":
		return c.ContentType
	case strings.HasPrefix(c.Path, "/scim/"):
		return "application/scim+json"
	case c.Method == http.MethodPatch:
		// RFC 7396: members that are absent stay, null removes.
		return "application/merge-patch+json"
	}
	return "application/json"
}

// confided are the texts of a body that no error repeats, by the names of their members.
func confided(body []byte) []string {
	var members map[string]any
	if json.Unmarshal(body, &members) != nil {
		return nil
	}
	var secrets []string
	isSecret := func(part string) bool { return slices.Contains([]string{"secret", "password", "token"}, part) }
	for name, member := range members {
		if text, ok := member.(string); ok && slices.ContainsFunc(strings.Split(name, "_"), isSecret) {
			secrets = append(secrets, text)
		}
	}
	return secrets
}

// hasIdempotencyKeys says whether the server knows repetitions by their key: SCIM and registration do not.
func (c *Call) hasIdempotencyKeys() bool { return strings.HasPrefix(c.Path, "/api/v1/") }

// mayHaveEffectTwice says whether a call that came through must not be sent again.
func (c *Call) mayHaveEffectTwice() bool {
	isRepeatable := c.Method != http.MethodPost && c.Method != http.MethodPatch
	return !isRepeatable && !c.hasIdempotencyKeys()
}

func (m *Management) pause(call *Call, err error, attempt int) (time.Duration, bool) {
	backoff := time.Duration(1<<min(attempt, 7)) * 100 * time.Millisecond
	backoff += time.Duration(rand.Int64N(int64(backoff)))
	var failure *Error
	if !errors.As(err, &failure) || failure.RetryAfter > m.LongestWait {
		return 0, false
	}
	if failure.Code == unanswered {
		return backoff, !call.mayHaveEffectTwice()
	}
	switch failure.Status {
	case http.StatusTooManyRequests:
		return max(failure.RetryAfter, backoff), true
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return max(failure.RetryAfter, backoff), !call.mayHaveEffectTwice()
	case http.StatusConflict: // The first call of this idempotency key is still running.
		return failure.RetryAfter, failure.RetryAfter > 0
	}
	return 0, false
}

// List reads a list to its end, page by page. It ends with the first error.
func List[T any](ctx context.Context, m *Management, path string, query url.Values) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		asked := url.Values{}
		for name, values := range query {
			asked[name] = values
		}
		var none T
		for {
			var page struct {
				Data *[]T    `json:"data"`
				Next *string `json:"next_cursor"`
			}
			if err := m.Do(ctx, &Call{Method: http.MethodGet, Path: path, Query: asked, Out: &page}); err != nil {
				yield(none, err)
				return
			}
			if page.Data == nil {
				yield(none, local(invalidAnswer, m.issuer, "the answer is no list"))
				return
			}
			for _, item := range *page.Data {
				if !yield(item, nil) {
					return
				}
			}
			if page.Next == nil || *page.Next == "" {
				return
			}
			if asked.Get("cursor") == *page.Next {
				yield(none, local(invalidAnswer, m.issuer, "the list repeats its cursor"))
				return
			}
			asked.Set("cursor", *page.Next)
		}
	}
}
