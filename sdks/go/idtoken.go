package svc

import (
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Expected is what an ID token has to say (OpenID Connect Core 1.0 §3.1.3.7).
type Expected struct {
	// Issuer and ClientID are those of the sign-in, byte for byte.
	Issuer, ClientID string
	// Nonce is that of the sign-in; not judged where it is empty.
	Nonce string
	// AccessToken and Code came with the token: at_hash and c_hash have to fit where they are there.
	AccessToken, Code string
	// MaxAge is how long ago the person may have authenticated; any time unless given.
	MaxAge time.Duration
	// ACRValues are the strengths of authentication that are enough, as is a stronger one; any unless given.
	ACRValues []string
	// Leeway is how far clocks may differ; a minute unless given.
	Leeway time.Duration
	// Now is the clock; time.Now unless given.
	Now func() time.Time
}

// VerifyIDToken verifies an ID token by the keys of its issuer and gives its claims.
func VerifyIDToken(ctx context.Context, token string, keys KeySource, expected Expected) (Claims, error) {
	if keys == nil {
		return nil, local(clientError, expected.Issuer, "keys are nil; make them once by NewRemoteKeys")
	}
	if expected.Leeway == 0 {
		expected.Leeway = time.Minute
	}
	if expected.Now == nil {
		expected.Now = time.Now
	}
	claims, alg, failure := expected.signed(ctx, token, keys)
	for _, check := range []func(Claims) *Error{expected.parties, expected.times, expected.signIn} {
		if failure == nil {
			failure = check(claims)
		}
	}
	if failure == nil {
		failure = expected.hashes(claims, alg)
	}
	if failure != nil {
		failure.Tenant = expected.Issuer
		return nil, failure
	}
	return claims, nil
}

func (e *Expected) signed(ctx context.Context, token string, keys KeySource) (Claims, string, *Error) {
	parsed, err := parseJWS(token)
	if err != nil || parsed.kid == "" || len(parsed.kid) > 128 {
		return nil, "", refusedIDToken("it is malformed")
	}
	// An access token or a logout token has a type of its own.
	if _, isTyped := parsed.header["typ"]; isTyped && !parsed.isTyp("jwt") {
		return nil, "", refusedIDToken("it is of another type")
	}
	key, err := keys.key(ctx, parsed.kid)
	if err != nil {
		return nil, "", withoutKeys(err)
	}
	if key == nil || key.alg != parsed.alg {
		return nil, "", refusedIDToken("the issuer does not have its key")
	}
	claims, err := parsed.verify(key)
	if err != nil {
		return nil, "", refusedIDToken("its signature or its claims are not valid")
	}
	return claims, key.alg, nil
}

func (e *Expected) parties(claims Claims) *Error {
	audiences, _ := claims["aud"].([]any)
	azp, hasAzp := claims["azp"]
	switch {
	case claims.Text("iss") != e.Issuer || e.Issuer == "":
		return refusedIDToken("it is of another issuer")
	case !claims.hasAudience(e.ClientID) || e.ClientID == "":
		return refusedIDToken("it is for another application")
	case hasAzp && azp != e.ClientID, len(audiences) > 1 && !hasAzp:
		return refusedIDToken("it was issued to another application (azp)")
	case claims.Subject() == "":
		return refusedIDToken("it names no subject")
	}
	return nil
}

func (e *Expected) times(claims Claims) *Error {
	now, leeway := e.Now().Unix(), int64(e.Leeway/time.Second)
	exp, hasExp, expErr := claims.time("exp")
	iat, hasIat, iatErr := claims.time("iat")
	switch {
	case !hasExp || !hasIat || expErr != nil || iatErr != nil:
		return refusedIDToken("exp or iat is missing or malformed")
	case exp+leeway <= now:
		return refusedIDToken(fmt.Sprintf("it expired %d s ago by this machine's clock; compare it with the issuer's", now-exp))
	case iat > now+leeway:
		return refusedIDToken(fmt.Sprintf("its iat is %d s ahead of this machine's clock; compare it with the issuer's", iat-now))
	case e.MaxAge == 0:
		return nil
	}
	at, isThere, err := claims.time("auth_time")
	if !isThere || err != nil {
		return refusedIDToken("auth_time is missing, although max_age was asked for")
	}
	if at < now-leeway-int64(e.MaxAge/time.Second) {
		return refused(0, "max_age_exceeded", "the sign-in is older than was asked for (max_age)")
	}
	return nil
}

func (e *Expected) signIn(claims Claims) *Error {
	if e.Nonce != "" && subtle.ConstantTimeCompare([]byte(claims.Text("nonce")), []byte(e.Nonce)) != 1 {
		return refusedIDToken("it belongs to another sign-in (nonce)")
	}
	isEnough := func(asked string) bool { return reaches(claims.Text("acr"), asked) }
	if len(e.ACRValues) > 0 && !slices.ContainsFunc(e.ACRValues, isEnough) {
		return refused(0, "acr_not_reached", "the sign-in is weaker than was asked for (acr)")
	}
	return nil
}

// reaches says whether a sign-in is as strong as was asked for, or stronger: urn:svc:aal3 is more than urn:svc:aal2.
func reaches(acr, asked string) bool {
	return acr == asked || level(asked) > 0 && level(acr) > level(asked)
}

// level is the level that the name of a strength has, or 0.
func level(acr string) int {
	digits, found := strings.CutPrefix(acr, "urn:svc:aal")
	number, err := strconv.Atoi(digits)
	if !found || err != nil {
		return 0
	}
	return number
}

// hashes are the left halves of the digests of what came with the token (OpenID Connect Core 1.0 §3.1.3.8, §3.3.2.11).
func (e *Expected) hashes(claims Claims, alg string) *Error {
	for name, value := range map[string]string{"at_hash": e.AccessToken, "c_hash": e.Code} {
		given, isThere := claims[name]
		if !isThere || value == "" {
			continue
		}
		short, long := sha256.Sum256([]byte(value)), sha512.Sum512([]byte(value))
		half := base64url.EncodeToString(short[:16])
		if alg == "EdDSA" {
			half = base64url.EncodeToString(long[:32])
		}
		if given != half {
			return refusedIDToken("it came with another access token or code (" + name + ")")
		}
	}
	return nil
}

func refusedIDToken(why string) *Error {
	return refused(0, "invalid_id_token", "the ID token is refused: "+why)
}
