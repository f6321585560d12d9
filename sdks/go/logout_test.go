package svc

import (
	"errors"
	"maps"
	"net/http"
	"testing"
	"time"
)

const logoutNow = 1_800_000_000

func logoutHeader() map[string]any {
	return map[string]any{"alg": "ES256", "kid": "k1", "typ": "logout+jwt"}
}

// logoutOf is a logout token of this issuer at this time, changed so; what becomes nil is left out.
func logoutOf(issuer string, at int64, change map[string]any) map[string]any {
	claims := map[string]any{
		"iss": issuer, "sub": "usr_1", "sid": "sess-1", "aud": "app", "iat": at, "exp": at + 120, "jti": "lgo-1",
		"events": map[string]any{logoutEvent: map[string]any{}},
	}
	maps.Copy(claims, change)
	maps.DeleteFunc(claims, func(_ string, value any) bool { return value == nil })
	return claims
}

func TestALogoutTokenNamesTheSessionThatHasEnded(t *testing.T) {
	issuer := startIssuer(t, nil)
	now := time.Now().Unix()
	token := issuer.sign(t, logoutHeader(), logoutOf(issuer.URL, now, nil))
	logout, err := issuer.client(t).VerifyLogoutToken(background, token)
	if err != nil || *logout != (Logout{SessionID: "sess-1", Subject: "usr_1", At: time.Unix(now, 0)}) {
		t.Fatal(logout, err)
	}
	wrong := map[string]string{
		"no token":             "logout",
		"an ID token":          issuer.sign(t, map[string]any{"alg": "ES256", "kid": "k1", "typ": "JWT"}, logoutOf(issuer.URL, now, nil)),
		"no type":              issuer.sign(t, map[string]any{"alg": "ES256", "kid": "k1"}, logoutOf(issuer.URL, now, nil)),
		"an unknown key":       issuer.sign(t, map[string]any{"alg": "ES256", "kid": "k2", "typ": "logout+jwt"}, logoutOf(issuer.URL, now, nil)),
		"another one's":        startIssuer(t, nil).sign(t, logoutHeader(), logoutOf(issuer.URL, now, nil)),
		"of an hour ago":       issuer.sign(t, logoutHeader(), logoutOf(issuer.URL, now-3600, nil)),
		"of another algorithm": issuer.sign(t, map[string]any{"alg": "none", "kid": "k1", "typ": "logout+jwt"}, logoutOf(issuer.URL, now, nil)),
	}
	for name, token := range wrong {
		_, err := issuer.client(t).VerifyLogoutToken(background, token)
		var failure *Error
		if !errors.As(err, &failure) || failure.Code != "invalid_logout_token" || failure.Status != http.StatusBadRequest || failure.Tenant != issuer.URL {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestALogoutTokenWhoseClaimDoesNotFitIsRefused(t *testing.T) {
	issuer := startIssuer(t, nil)
	client := issuer.client(t)
	judge := func(change map[string]any) *Error {
		claims, failure := client.logoutClaims(background, issuer.sign(t, logoutHeader(), logoutOf(issuer.URL, logoutNow, change)))
		if failure != nil {
			t.Fatal(failure)
		}
		return client.judgeLogout(claims, time.Unix(logoutNow, 0))
	}
	good := []map[string]any{
		nil, {"sid": nil}, {"sub": nil}, {"aud": []string{"other", "app"}}, {"iat": logoutNow + 60}, {"iat": logoutNow - 600}, {"exp": logoutNow - 59},
	}
	for _, change := range good {
		if failure := judge(change); failure != nil {
			t.Errorf("%v: %v", change, failure)
		}
	}
	wrong := []map[string]any{
		{"iss": "https://id.example/"}, {"iss": nil}, {"aud": "other"}, {"aud": nil}, {"iat": logoutNow + 61}, {"iat": logoutNow - 601}, {"iat": nil},
		{"iat": "1800000000"}, {"exp": logoutNow - 60}, {"exp": nil}, {"nonce": "n-1"}, {"events": nil}, {"events": map[string]any{}},
		{"events": []string{logoutEvent}}, {"events": map[string]any{logoutEvent: true}}, {"sid": nil, "sub": nil}, {"sid": 1, "sub": ""},
	}
	for _, change := range wrong {
		if failure := judge(change); failure == nil || failure.Code != "invalid_logout_token" {
			t.Errorf("%v: %v", change, failure)
		}
	}
}
