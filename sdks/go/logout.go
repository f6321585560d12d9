package svc

import (
	"context"
	"net/http"
	"time"
)

const (
	logoutEvent = "http://schemas.openid.net/event/backchannel-logout"
	// logoutMaxAge is the oldest logout token that counts.
	logoutMaxAge = 10 * time.Minute
	logoutLeeway = time.Minute
)

// Logout says that a session has ended at the issuer: that of SessionID, the sid of the ID token, or where there is none every one of
// Subject that began before At.
type Logout struct {
	SessionID, Subject string
	At                 time.Time
}

// VerifyLogoutToken judges the parameter logout_token of a form that the issuer posts to the application's backchannel_logout_uri (OpenID
// Connect Back-Channel Logout 1.0 §2.6). The Status of an error is what to answer.
func (c *Client) VerifyLogoutToken(ctx context.Context, token string) (*Logout, error) {
	claims, failure := c.logoutClaims(ctx, token)
	if failure == nil {
		failure = c.judgeLogout(claims, time.Now())
	}
	if failure != nil {
		failure.Tenant = c.config.Issuer
		return nil, failure
	}
	at, _, _ := claims.time("iat")
	return &Logout{SessionID: claims.Text("sid"), Subject: claims.Subject(), At: time.Unix(at, 0)}, nil
}

func (c *Client) logoutClaims(ctx context.Context, token string) (Claims, *Error) {
	parsed, err := parseJWS(token)
	if err != nil || parsed.kid == "" || len(parsed.kid) > 128 || !parsed.isTyp("logout+jwt") {
		return nil, refusedLogout("it is malformed or of another type")
	}
	key, err := c.config.Keys.key(ctx, parsed.kid)
	if err != nil {
		return nil, withoutKeys(err)
	}
	if key == nil || key.alg != parsed.alg {
		return nil, refusedLogout("the issuer does not have its key")
	}
	claims, err := parsed.verify(key)
	if err != nil {
		return nil, refusedLogout("its signature or its claims are not valid")
	}
	return claims, nil
}

func (c *Client) judgeLogout(claims Claims, now time.Time) *Error {
	exp, hasExp, expErr := claims.time("exp")
	iat, hasIat, iatErr := claims.time("iat")
	events, _ := claims["events"].(map[string]any)
	_, isLogout := events[logoutEvent].(map[string]any)
	_, hasNonce := claims["nonce"]
	switch {
	case claims.Text("iss") != c.config.Issuer:
		return refusedLogout("it is of another issuer")
	case !claims.hasAudience(c.config.ClientID):
		return refusedLogout("it is for another application")
	case !hasExp || !hasIat || expErr != nil || iatErr != nil:
		return refusedLogout("exp or iat is missing or malformed")
	case exp <= now.Add(-logoutLeeway).Unix(), iat < now.Add(-logoutMaxAge).Unix(), iat > now.Add(logoutLeeway).Unix():
		return refusedLogout("it is too old, or a clock is wrong")
	// A nonce would make it an ID token.
	case !isLogout || hasNonce:
		return refusedLogout("it tells of no logout")
	case claims.Text("sid") == "" && claims.Subject() == "":
		return refusedLogout("it names neither a session nor a person")
	}
	return nil
}

func refusedLogout(why string) *Error {
	return refused(http.StatusBadRequest, "invalid_logout_token", "the logout token is refused: "+why)
}
