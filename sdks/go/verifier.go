package svc

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Verifier judges access tokens by the ten rules of the access-token contract, in their order; the first that fails decides.
// It is safe for concurrent use, and needs no network while the keys are known.
type Verifier struct {
	config VerifierConfig
}

// VerifierConfig says whose tokens are accepted.
type VerifierConfig struct {
	// Issuer is the tenant's issuer, byte for byte.
	Issuer string
	// Audience is the identifier of this API.
	Audience string
	// TenantID is the tenant that owns the resources.
	TenantID string
	// Typ is "JWT" for an API with access_token_typ = "JWT"; "at+jwt" unless given.
	Typ string
	// Keys are those of the issuer; NewRemoteKeys(Issuer) unless given.
	Keys KeySource
	// Replays remembers proofs; in this process's memory unless given.
	Replays ReplayStore
	// Leeway is how far the issuer's clock and those of senders may be ahead; ten seconds unless given.
	Leeway time.Duration
	// ProofMaxAge is the oldest proof that counts; a minute unless given.
	ProofMaxAge time.Duration
	// Now is the clock; time.Now unless given.
	Now func() time.Time
	// Client fetches keys; one with bounds unless given.
	Client *http.Client
}

// Required says what a route asks of a token.
type Required struct {
	// Scope are the scopes that have to be granted, separated by spaces; "" asks for none.
	Scope string
	// SubjectTypes are those accepted; human alone unless given.
	SubjectTypes []string
	// AllowDelegation accepts tokens with an actor.
	AllowDelegation bool
	// Actors are the client ids that may act; any unless given.
	Actors []string
	// RequireDPoP accepts only tokens that are bound to a key.
	RequireDPoP bool
}

// Request is what of an HTTP request is judged.
type Request struct {
	// Authorization and DPoP are all fields of these names.
	Authorization, DPoP []string
	Method              string
	// URL is the address as it is published, whatever proxies make of it.
	URL string
}

// NewVerifier checks the configuration and fills in what is not given.
func NewVerifier(config VerifierConfig) (*Verifier, error) {
	if config.Issuer == "" || config.Audience == "" || config.TenantID == "" {
		return nil, local(clientError, config.Issuer, "issuer, audience and tenant id are needed")
	}
	if config.Typ == "" {
		config.Typ = "at+jwt"
	}
	if config.Typ = strings.ToLower(config.Typ); config.Typ != "at+jwt" && config.Typ != "jwt" {
		return nil, local(clientError, config.Issuer, "Typ has to be at+jwt or JWT")
	}
	if config.Keys == nil {
		if !isSafeURL(config.Issuer) {
			return nil, local(clientError, config.Issuer, "the issuer is no https address")
		}
		config.Keys = NewRemoteKeys(config.Issuer, config.Client)
	}
	if config.Leeway == 0 {
		config.Leeway = 10 * time.Second
	}
	if config.ProofMaxAge == 0 {
		config.ProofMaxAge = time.Minute
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Replays == nil {
		config.Replays = newMemoryReplays(100_000, config.Now)
	}
	return &Verifier{config}, nil
}

// Verify judges a request; an error is always *Error, whose Status is what to answer.
func (v *Verifier) Verify(ctx context.Context, request Request, required Required) (Claims, error) {
	claims, failure := v.judged(ctx, request, required)
	if failure != nil {
		failure.Tenant = v.config.TenantID
		return nil, failure
	}
	return claims, nil
}

func (v *Verifier) judged(ctx context.Context, request Request, required Required) (Claims, *Error) {
	isDPoP, token, ok := credential(request.Authorization) // Rule 1.
	if !ok {
		return nil, refused(http.StatusUnauthorized, "missing_token", "an access token is required")
	}
	claims, failure := v.signed(ctx, token)
	if failure == nil {
		failure = v.parties(claims)
	}
	if failure == nil {
		failure = powers(claims, required)
	}
	if failure == nil {
		failure = v.sender(ctx, request, claims, token, isDPoP, required.RequireDPoP)
	}
	return claims, failure
}

// credential reads rule 1: one Authorization field with the scheme Bearer or DPoP.
func credential(fields []string) (isDPoP bool, token string, ok bool) {
	if len(fields) != 1 {
		return false, "", false
	}
	scheme, token, _ := strings.Cut(fields[0], " ")
	token = strings.Trim(token, " ")
	isDPoP = strings.EqualFold(scheme, "DPoP")
	return isDPoP, token, token != "" && (isDPoP || strings.EqualFold(scheme, "Bearer"))
}

// signed is rule 2.
func (v *Verifier) signed(ctx context.Context, token string) (Claims, *Error) {
	parsed, err := parseJWS(token)
	if err != nil || !parsed.isTyp(v.config.Typ) || (parsed.alg != "ES256" && parsed.alg != "EdDSA") {
		return nil, invalidToken("the token is malformed or no access token")
	}
	if _, bringsKey := parsed.header["jwk"]; bringsKey || parsed.kid == "" || len(parsed.kid) > 128 {
		return nil, invalidToken("the token does not name its key")
	}
	key, err := v.config.Keys.key(ctx, parsed.kid)
	if err != nil {
		return nil, withoutKeys(err)
	}
	if key == nil || key.alg != parsed.alg {
		return nil, invalidToken("the token names a key that the issuer does not have")
	}
	claims, err := parsed.verify(key)
	if err != nil {
		return nil, invalidToken("the token's signature or its claims are not valid")
	}
	// Every access token has both (RFC 9068 §2.2).
	if claims.Subject() == "" || claims.Text("client_id") == "" {
		return nil, invalidToken("the token names no subject or no client")
	}
	return claims, nil
}

// parties are rules 3 to 6.
func (v *Verifier) parties(claims Claims) *Error {
	if claims.Text("iss") != v.config.Issuer {
		return invalidToken("the token is of another issuer")
	}
	if !claims.hasAudience(v.config.Audience) {
		return invalidToken("the token is for another audience")
	}
	if failure := v.timely(claims); failure != nil {
		return failure
	}
	if claims.Text("tenant_id") != v.config.TenantID {
		return forbidden("the token is of another tenant")
	}
	return nil
}

// timely is rule 5: exp is exact, as it is at the issuer.
func (v *Verifier) timely(claims Claims) *Error {
	now := v.config.Now().Unix()
	exp, isThere, err := claims.time("exp")
	if err != nil || !isThere {
		return invalidToken("the token has no valid exp")
	}
	if exp <= now {
		return invalidToken(fmt.Sprintf("the token expired %d s ago by this machine's clock; compare it with the issuer's", now-exp))
	}
	for _, name := range []string{"nbf", "iat"} {
		at, isThere, err := claims.time(name)
		if err != nil {
			return invalidToken("the token has no valid " + name)
		}
		if isThere && at > now+int64(v.config.Leeway/time.Second) {
			const ahead = "the token's %s is %d s ahead of this machine's clock; compare it with the issuer's"
			return invalidToken(fmt.Sprintf(ahead, name, at-now))
		}
	}
	return nil
}

// powers are rules 7 to 9.
func powers(claims Claims, required Required) *Error {
	for scope := range strings.FieldsSeq(required.Scope) {
		if claims.HasScope(scope) {
			continue
		}
		return refused(http.StatusForbidden, "insufficient_scope", "the token lacks the scope "+required.Scope)
	}
	accepted := required.SubjectTypes
	if accepted == nil {
		accepted = []string{"human"}
	}
	if !slices.Contains(accepted, claims.Text("subject_type")) {
		return forbidden("this kind of caller is not accepted here")
	}
	act, isDelegated := claims["act"]
	if !isDelegated {
		return nil
	}
	actor, _ := act.(map[string]any)
	name, _ := actor["sub"].(string)
	if !required.AllowDelegation || name == "" || (required.Actors != nil && !slices.Contains(required.Actors, name)) {
		return forbidden("this actor is not accepted here")
	}
	return nil
}

// sender is rule 10.
func (v *Verifier) sender(
	ctx context.Context, request Request, claims Claims, token string, isDPoP, mustBeDPoP bool,
) *Error {
	var bound string
	if cnf, has := claims["cnf"]; has {
		members, _ := cnf.(map[string]any)
		if bound, _ = members["jkt"].(string); bound == "" {
			return invalidToken("the token is bound to something else than a DPoP key")
		}
	}
	if (bound != "") != isDPoP {
		return invalidToken("the token is sent by another scheme than it is bound by")
	}
	if bound == "" {
		if mustBeDPoP {
			return invalidToken("a token bound to a key is required (DPoP)")
		}
		return nil
	}
	if len(request.DPoP) != 1 {
		return invalidProof("the request needs one DPoP proof")
	}
	return v.proof(ctx, request, token, bound)
}
