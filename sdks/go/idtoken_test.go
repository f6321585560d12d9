package svc

import (
	"crypto/sha256"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

const idTokenNow = 1_800_000_000

func half(text string) string {
	digest := sha256.Sum256([]byte(text))
	return base64url.EncodeToString(digest[:16])
}

func idClaims() map[string]any {
	return map[string]any{
		"iss": "https://id.example", "sub": "usr_1", "aud": "app", "exp": idTokenNow + 300, "iat": idTokenNow,
		"auth_time": idTokenNow - 10, "nonce": "n-1", "acr": "urn:svc:aal2", "at_hash": half("access"), "c_hash": half("code"),
	}
}

func idHeader() map[string]any { return map[string]any{"alg": "ES256", "kid": "k1", "typ": "JWT"} }

// idToken verifies a token with this header and these claims, of which none is nil.
func idToken(t *testing.T, issuer *testIssuer, header, claims map[string]any) (Claims, error) {
	t.Helper()
	maps.DeleteFunc(claims, func(_ string, value any) bool { return value == nil })
	return VerifyIDToken(background, issuer.sign(t, header, claims), issuer.keys(t), Expected{
		Issuer: "https://id.example", ClientID: "app", Nonce: "n-1", AccessToken: "access", Code: "code", MaxAge: time.Minute,
		ACRValues: []string{"urn:svc:aal2"}, Leeway: 10 * time.Second, Now: func() time.Time { return time.Unix(idTokenNow, 0) },
	})
}

func TestAGoodIDTokenGivesItsClaims(t *testing.T) {
	issuer := startIssuer(t, nil)
	good := []map[string]any{
		{}, {"aud": []string{"other", "app"}, "azp": "app"}, {"exp": idTokenNow - 9}, {"iat": idTokenNow + 10}, {"at_hash": nil},
		{"acr": "urn:svc:aal3"},
	}
	for _, change := range good {
		claims := idClaims()
		maps.Copy(claims, change)
		if got, err := idToken(t, issuer, idHeader(), claims); err != nil || got.Subject() != "usr_1" {
			t.Errorf("%v: %v", change, err)
		}
	}
}

func TestAnIDTokenWhoseClaimDoesNotFitIsRefused(t *testing.T) {
	issuer := startIssuer(t, nil)
	wrong := []map[string]any{
		{"iss": "https://id.example/"}, {"iss": nil}, {"sub": nil}, {"sub": ""}, {"aud": "other"}, {"aud": []string{}},
		{"aud": []string{"other", "app"}}, {"azp": "other"}, {"azp": 7}, {"exp": idTokenNow - 10}, {"exp": "1900000000"}, {"exp": nil},
		{"iat": idTokenNow + 11}, {"iat": nil}, {"auth_time": idTokenNow - 71}, {"auth_time": nil}, {"nonce": "n-2"}, {"nonce": nil},
		{"acr": "urn:svc:aal1"}, {"acr": "urn:svc:aal"}, {"acr": "urn:other:aal3"}, {"acr": nil}, {"at_hash": half("other")}, {"at_hash": 7}, {"c_hash": half("other")},
	}
	for _, change := range wrong {
		claims := idClaims()
		maps.Copy(claims, change)
		wanted := "invalid_id_token"
		if _, isStrength := change["acr"]; isStrength {
			wanted = "acr_not_reached"
		} else if change["auth_time"] == idTokenNow-71 {
			wanted = "max_age_exceeded"
		}
		_, err := idToken(t, issuer, idHeader(), claims)
		var failure *Error
		if !errors.As(err, &failure) || failure.Code != wanted || failure.Tenant != "https://id.example" {
			t.Errorf("%v: %v", change, err)
		}
	}
}

func TestAClockThatIsTenMinutesOffIsNamedWithTheSeconds(t *testing.T) {
	issuer := startIssuer(t, nil)
	access := issuer.sign(t, map[string]any{"alg": "ES256", "kid": "k1", "typ": "at+jwt"}, map[string]any{
		"iss": "https://id.example", "aud": "api", "sub": "usr_1", "client_id": "app_1", "tenant_id": "tnt_1",
		"subject_type": "human", "iat": idTokenNow, "exp": idTokenNow + 300,
	})
	identity := issuer.sign(t, idHeader(), idClaims())
	texts := map[int64]string{-600: "iat is 600 s ahead of this machine's clock", 600: "expired 300 s ago by this machine's clock"}
	for off, text := range texts {
		now := func() time.Time { return time.Unix(idTokenNow+off, 0) }
		verifier, err := NewVerifier(VerifierConfig{
			Issuer: "https://id.example", Audience: "api", TenantID: "tnt_1", Keys: issuer.keys(t), Now: now,
		})
		if err != nil {
			t.Fatal(err)
		}
		_, atAPI := verifier.Verify(background, Request{Authorization: []string{"Bearer " + access}, Method: "GET"}, Required{})
		_, atSignIn := VerifyIDToken(background, identity, issuer.keys(t), Expected{Issuer: "https://id.example", ClientID: "app", Now: now})
		for _, err := range []error{atAPI, atSignIn} {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%d s: %v", off, err)
			}
		}
	}
}

func TestAnIDTokenOfAnotherTypeAlgorithmOrKeyIsRefused(t *testing.T) {
	issuer := startIssuer(t, nil)
	wrong := []map[string]any{
		{"alg": "none"}, {"alg": "HS256"}, {"alg": "RS256"}, {"alg": "EdDSA"}, {"kid": "k2"}, {"kid": ""}, {"typ": "at+jwt"},
		{"typ": "logout+jwt"}, {"crit": []string{"exp"}}, {"jku": "https://evil.example"},
	}
	for _, change := range wrong {
		header := idHeader()
		maps.Copy(header, change)
		if _, err := idToken(t, issuer, header, idClaims()); err == nil {
			t.Errorf("%v is accepted", change)
		}
	}
}

func TestASignInEndsWithTheVerifiedClaimsAndNotWithout(t *testing.T) {
	var issuer *testIssuer
	issuer = startIssuer(t, func(_ http.ResponseWriter, seen seenRequest) (int, any) {
		now := time.Now().Unix()
		claims := map[string]any{
			"iss": issuer.URL, "sub": "usr_1", "aud": "app", "exp": now + 60, "iat": now, "nonce": seen.Form.Get("code"),
			"at_hash": half("at-1"),
		}
		return 200, map[string]any{"access_token": "at-1", "token_type": "Bearer", "id_token": issuer.sign(t, idHeader(), claims)}
	})
	client, flow := issuer.client(t), NewFlow("https://app.example/cb")
	back := func(code string) *url.URL {
		query := url.Values{"code": {code}, "state": {flow.State}, "iss": {issuer.URL}}
		return &url.URL{Path: "/cb", RawQuery: query.Encode()}
	}
	signIn, err := client.Finish(background, flow, back(flow.Nonce))
	if err != nil || signIn.Claims.Subject() != "usr_1" {
		t.Fatal(err)
	}
	form := issuer.requests()[0].Form
	if form.Get("code_verifier") != flow.Verifier || form.Get("redirect_uri") != flow.RedirectURI {
		t.Error(form)
	}
	if _, err := client.Finish(background, flow, back("of another")); err == nil || !strings.Contains(err.Error(), "nonce") {
		t.Error(err)
	}
	flow.ACRValues = []string{"urn:svc:aal2"}
	if _, err := client.Finish(background, flow, back(flow.Nonce)); err == nil || !strings.Contains(err.Error(), "acr") {
		t.Error(err)
	}
	asked := len(issuer.requests())
	var refusal CallbackError
	if _, err := client.Finish(background, NewFlow(flow.RedirectURI), back("x")); !errors.As(err, &refusal) || len(issuer.requests()) != asked {
		t.Error("a callback of another sign-in asks for no tokens")
	}
}

func TestTheAgeOfASignInCountsFromWhenItBegan(t *testing.T) {
	var issuer *testIssuer
	began := time.Now().Add(-5 * time.Minute)
	issuer = startIssuer(t, func(_ http.ResponseWriter, seen seenRequest) (int, any) {
		now := time.Now().Unix()
		claims := map[string]any{
			"iss": issuer.URL, "sub": "usr_1", "aud": "app", "exp": now + 60, "iat": now, "nonce": seen.Form.Get("code"), "auth_time": began.Unix(),
		}
		return 200, map[string]any{"access_token": "at-1", "token_type": "Bearer", "id_token": issuer.sign(t, idHeader(), claims)}
	})
	for started, isRecent := range map[time.Time]bool{began: true, time.Now(): false, {}: false, time.Now().Add(time.Hour): false} {
		flow := NewFlow("https://app.example/cb")
		flow.MaxAge, flow.Started = time.Minute, started
		_, err := issuer.client(t).ExchangeCode(background, flow, flow.Nonce)
		if isRecent != (err == nil) || (err != nil && !strings.Contains(err.Error(), "max_age")) {
			t.Error(started, err)
		}
	}
}

func TestASignInThatIsAskedForNowIsNoFormerOne(t *testing.T) {
	var issuer *testIssuer
	var signedIn time.Time
	issuer = startIssuer(t, func(_ http.ResponseWriter, seen seenRequest) (int, any) {
		now := time.Now().Unix()
		claims := map[string]any{
			"iss": issuer.URL, "sub": "usr_1", "aud": "app", "exp": now + 60, "iat": now, "nonce": seen.Form.Get("code"), "auth_time": signedIn.Unix(),
		}
		return 200, map[string]any{"access_token": "at-1", "token_type": "Bearer", "id_token": issuer.sign(t, idHeader(), claims)}
	})
	client, flow := issuer.client(t), NewFlow("https://app.example/cb")
	flow.MaxAge = time.Nanosecond
	address, err := client.AuthorizationURL(background, flow, []string{"openid"}, nil)
	if err != nil || !strings.Contains(address, "max_age=0&") {
		t.Error(address, err)
	}
	for ago, isNow := range map[time.Duration]bool{0: true, 5 * time.Minute: false} {
		signedIn = time.Now().Add(-ago)
		if _, err := client.ExchangeCode(background, flow, flow.Nonce); isNow != (err == nil) {
			t.Error(ago, err)
		}
	}
}

func TestASignInWithOpenidNeedsItsIDToken(t *testing.T) {
	for scope, isRight := range map[string]bool{"openid email": false, "notes:read": true, "": true} {
		issuer := startIssuer(t, func(http.ResponseWriter, seenRequest) (int, any) {
			answer := tokenAnswer()
			answer["scope"] = scope
			return 200, answer
		})
		_, err := issuer.client(t).ExchangeCode(background, NewFlow("https://app.example/callback"), "code-1")
		var failure *Error
		if isRight != (err == nil) || (!isRight && (!errors.As(err, &failure) || failure.Code != "invalid_id_token" || failure.Tenant != issuer.URL)) {
			t.Error(scope, err)
		}
	}
}
