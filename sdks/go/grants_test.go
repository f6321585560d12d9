package svc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestARefreshAnExchangeAndARevocationSendWhatTheirStandardsSay(t *testing.T) {
	issuer := startIssuer(t, func(http.ResponseWriter, seenRequest) (int, any) { return 200, tokenAnswer() })
	client := issuer.client(t)
	if _, err := client.Refresh(background, "r-1", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := client.ExchangeToken(background, "a-1", "https://api.example", nil); err != nil {
		t.Fatal(err)
	}
	if err := client.Revoke(background, "r-2"); err != nil {
		t.Fatal(err)
	}
	seen := issuer.requests()
	if seen[0].Form.Get("refresh_token") != "r-1" || seen[0].Form.Get("grant_type") != "refresh_token" {
		t.Error(seen[0].Form)
	}
	exchange := seen[1].Form
	if exchange.Get("subject_token_type") != "urn:ietf:params:oauth:token-type:access_token" || exchange.Get("subject_token") != "a-1" ||
		exchange.Get("resource") != "https://api.example" || exchange.Has("scope") {
		t.Error(exchange)
	}
	if seen[2].Path != "/revoke" || seen[2].Form.Get("token") != "r-2" {
		t.Error(seen[2])
	}
}

func TestARefreshTokenStaysWhereTheServerMakesNoOther(t *testing.T) {
	for next, kept := range map[string]string{"": "r-1", "r-2": "r-2"} {
		issuer := startIssuer(t, func(http.ResponseWriter, seenRequest) (int, any) {
			answer := map[string]any{"access_token": "at", "token_type": "Bearer", "expires_in": 60}
			if next != "" {
				answer["refresh_token"] = next
			}
			return 200, answer
		})
		tokens, err := issuer.client(t).Refresh(background, "r-1", nil)
		if err != nil || tokens.RefreshToken != kept {
			t.Error(next, tokens, err)
		}
	}
}

func TestAnErrorHasTheCodeTheRequestAndTheIssuer(t *testing.T) {
	issuer := startIssuer(t, func(http.ResponseWriter, seenRequest) (int, any) { return 400, problem("invalid_grant") })
	_, err := issuer.client(t).Refresh(background, "gone", nil)
	var failure *Error
	if !errors.As(err, &failure) || failure.Code != "invalid_grant" || failure.RequestID != "req-1" || failure.Tenant != issuer.URL {
		t.Fatal(err)
	}
	if len(issuer.requests()) != 1 {
		t.Error("a grant is not repeated")
	}
}

func TestErrorsOfThisPackageHaveACodeAndTheIssuerAndNoAddress(t *testing.T) {
	unreadable := func(http.ResponseWriter, seenRequest) (int, any) { return 200, "canary" }
	another := func(http.ResponseWriter, seenRequest) (int, any) { return 200, map[string]string{"sub": "usr_2"} }
	calls := map[string]func(*Client, *Management) error{
		"grant":    func(c *Client, _ *Management) error { _, err := c.Refresh(background, "canary", nil); return err },
		"userinfo": func(c *Client, _ *Management) error { _, err := c.Userinfo(background, "canary", "usr_1"); return err },
		"pushed": func(c *Client, _ *Management) error {
			_, err := c.PushedAuthorizationURL(background, NewFlow("https://app.example"), nil, nil)
			return err
		},
		"management": func(_ *Client, m *Management) error {
			var into []string
			return m.Do(background, &Call{Method: "POST", Path: "/scim/v2/Users", Query: url.Values{"q": {"canary"}}, Out: &into})
		},
		"list": func(_ *Client, m *Management) error {
			for _, err := range List[int](background, m, "/scim/v2/Users", url.Values{"q": {"canary"}}) {
				return err
			}
			return nil
		},
	}
	for _, one := range []struct {
		code string
		say  answer
	}{{invalidAnswer, unreadable}, {invalidAnswer, another}, {unanswered, silent}} {
		code, say := one.code, one.say
		issuer := startIssuer(t, say)
		api := NewManagement(issuer.URL, StaticToken("canary"), nil)
		api.Attempts = 1
		for name, call := range calls {
			err := call(issuer.client(t), api)
			var failure *Error
			if !errors.As(err, &failure) || failure.Code != code || failure.Tenant != issuer.URL {
				t.Errorf("%s, %s: %#v", name, code, err)
			} else if text := err.Error(); !strings.Contains(text, issuer.URL) || strings.Contains(text, "canary") {
				t.Errorf("%s: %s", name, text)
			} else if strings.Contains(text, "JSON") && failure.RequestID != "req-1" {
				t.Errorf("%s: an answer is not named by its request", text)
			}
		}
	}
	cancelled, cancel := context.WithCancel(background)
	cancel()
	_, err := startIssuer(t, another).client(t).Refresh(cancelled, "r", nil)
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	var failure *Error
	for _, err := range []error{
		func() error { _, err := Discover(background, "http://id.example", nil); return err }(),
		func() error { _, err := ParseMetadata("https://id.example", []byte("{}")); return err }(),
		func() error { _, err := NewClient(ClientConfig{Issuer: "https://id.example"}); return err }(),
	} {
		if !errors.As(err, &failure) || failure.Code == "" || !strings.HasSuffix(failure.Tenant, "id.example") {
			t.Error(err)
		}
	}
}

func TestUserinfoAboutAnotherPersonIsRefused(t *testing.T) {
	issuer := startIssuer(t, func(http.ResponseWriter, seenRequest) (int, any) { return 200, map[string]string{"sub": "usr_1"} })
	client := issuer.client(t)
	claims, err := client.Userinfo(background, "token", "usr_1")
	if err != nil || claims.Subject() != "usr_1" || issuer.requests()[0].Header.Get("Authorization") != "Bearer token" {
		t.Fatal(err)
	}
	if _, err := client.Userinfo(background, "token", "usr_2"); err == nil {
		t.Error("another person's claims are accepted")
	}
}

func TestANonceOfTheServerIsPutIntoTheNextProof(t *testing.T) {
	issuer := startIssuer(t, func(w http.ResponseWriter, seen seenRequest) (int, any) {
		proof, err := parseJWS(seen.Header.Get("Dpop"))
		if err != nil {
			t.Error(err)
		}
		claims, _ := decodedObject(proof.payload)
		if claims["nonce"] != "n-1" {
			w.Header().Set("Dpop-Nonce", "n-1")
			return 400, problem("use_dpop_nonce")
		}
		return 200, map[string]any{"access_token": "a", "sub": "usr_1"}
	})
	key, err := NewProofKey()
	if err != nil {
		t.Fatal(err)
	}
	client, err := NewClient(ClientConfig{Issuer: issuer.URL, ClientID: "app", ProofKey: key})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Refresh(background, "r", nil); err != nil || len(issuer.requests()) != 2 {
		t.Fatal(err)
	}
	if _, err := client.Userinfo(background, "a", ""); err != nil || issuer.requests()[2].Header.Get("Authorization") != "DPoP a" {
		t.Fatal(err)
	}
}

// device gives the outcome of waiting where the token endpoint answers these one after the other, and then that it is pending.
func device(t *testing.T, expiresIn int, answers ...string) (*testIssuer, *Tokens, error) {
	t.Helper()
	issuer := startIssuer(t, func(_ http.ResponseWriter, seen seenRequest) (int, any) {
		if seen.Path == "/device" {
			return 200, map[string]any{
				"device_code": "canary-device", "user_code": "ABCD-EFGH", "verification_uri": "https://id.example/device",
				"expires_in": expiresIn, "interval": 1,
			}
		}
		if seen.Form.Get("device_code") != "canary-device" {
			t.Error(seen.Form)
		}
		next := "authorization_pending"
		if len(answers) > 0 {
			next, answers = answers[0], answers[1:]
		}
		if next == "" {
			return 200, tokenAnswer()
		}
		if status, err := strconv.Atoi(next); err == nil {
			return status, "Bad day"
		}
		return 400, problem(next)
	})
	client := issuer.client(t)
	started, err := client.StartDevice(background, []string{"openid"})
	if err != nil || started.UserCode != "ABCD-EFGH" || strings.Contains(fmt.Sprintf("%v %+v %#v", started, *started, started), "canary") {
		t.Fatal(err, started)
	}
	tokens, err := client.AwaitDevice(background, started)
	return issuer, tokens, err
}

func TestADeviceWaitsUntilThePersonHasDecided(t *testing.T) {
	t.Parallel()
	if issuer, tokens, err := device(t, 60, "authorization_pending", ""); err != nil || tokens.ExpiresIn != 60 || len(issuer.requests()) != 3 {
		t.Fatal(err)
	}
}

func TestARefusalEndsTheWaitingOfADevice(t *testing.T) {
	t.Parallel()
	var failure *Error
	if _, _, err := device(t, 60, "access_denied"); !errors.As(err, &failure) || failure.Code != "access_denied" {
		t.Fatal(err)
	}
}

func TestADeviceThatIsToldToSlowDownAsksLessOftenUntilItsCodeEnds(t *testing.T) {
	t.Parallel()
	issuer, _, err := device(t, 3, "slow_down")
	var failure *Error
	if !errors.As(err, &failure) || failure.Code != "expired_token" || failure.Tenant != issuer.URL || len(issuer.requests()) != 2 {
		t.Fatal(err, len(issuer.requests()))
	}
}

func TestADeviceWaitsOnWhereAProxyAnswersForTheIssuer(t *testing.T) {
	t.Parallel()
	if issuer, tokens, err := device(t, 60, "503", "429", ""); err != nil || tokens == nil || len(issuer.requests()) != 4 {
		t.Fatal(err)
	}
}

func TestADeviceAsksForTheAPIThatItsTokenIsFor(t *testing.T) {
	issuer := startIssuer(t, func(http.ResponseWriter, seenRequest) (int, any) {
		return 200, map[string]any{
			"device_code": "canary-device", "user_code": "ABCD-EFGH", "verification_uri": "https://id.example/device", "expires_in": 60,
		}
	})
	extra := url.Values{"resource": {"https://api.example"}, "organization": {"acme"}}
	if _, err := issuer.client(t).StartDeviceWith(background, []string{"notes:read"}, extra); err != nil {
		t.Fatal(err)
	}
	form := issuer.requests()[0].Form
	if form.Get("scope") != "notes:read" || form.Get("resource") != "https://api.example" || form.Get("organization") != "acme" || len(extra) != 2 {
		t.Fatal(form, extra)
	}
}

func TestADeviceWithoutACodeOrAnEndIsNone(t *testing.T) {
	for _, body := range []map[string]any{
		{}, {"device_code": "d", "user_code": "u", "verification_uri": "https://id.example/device"},
		{"user_code": "u", "verification_uri": "https://id.example/device", "expires_in": 60},
	} {
		issuer := startIssuer(t, func(http.ResponseWriter, seenRequest) (int, any) { return 200, body })
		var failure *Error
		if started, err := issuer.client(t).StartDevice(background, nil); started != nil || !errors.As(err, &failure) || failure.Code != invalidAnswer {
			t.Error(started, err)
		}
	}
}

func TestTheAuthorizationAddressHasTheChallengeAndNeverTheVerifier(t *testing.T) {
	issuer := startIssuer(t, func(http.ResponseWriter, seenRequest) (int, any) {
		return 201, map[string]any{"request_uri": "urn:r:1", "expires_in": 60}
	})
	client, flow := issuer.client(t), NewFlow("https://app.example/cb")
	flow.MaxAge, flow.ACRValues = time.Minute, []string{"urn:svc:aal2"}
	text, err := client.AuthorizationURL(background, flow, []string{"openid"}, url.Values{"prompt": {"login"}})
	if err != nil {
		t.Fatal(err)
	}
	address, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	query := address.Query()
	if query.Get("code_challenge") != Challenge(flow.Verifier) || query.Get("max_age") != "60" || query.Get("acr_values") != "urn:svc:aal2" ||
		query.Get("prompt") != "login" || strings.Contains(text, flow.Verifier) {
		t.Error(text)
	}
	for _, name := range []string{"state", "redirect_uri", "acr_values"} {
		if _, err := client.AuthorizationURL(background, flow, nil, url.Values{name: {"x"}}); err == nil {
			t.Error(name)
		}
	}
	pushed, err := client.PushedAuthorizationURL(background, flow, []string{"openid"}, nil)
	if err != nil || !strings.HasSuffix(pushed, "/authorize?client_id=app&request_uri=urn%3Ar%3A1") {
		t.Error(pushed, err)
	}
}

func TestTheAddressOfASignOutHasWhatIsGivenAlone(t *testing.T) {
	issuer := startIssuer(t, nil)
	client := issuer.client(t)
	for _, one := range []struct{ idToken, returnTo, query string }{
		{"", "", "client_id=app"},
		{"id-1", "https://app.example/?a=1", "client_id=app&id_token_hint=id-1&post_logout_redirect_uri=https%3A%2F%2Fapp.example%2F%3Fa%3D1"},
	} {
		if address, err := client.SignOutURL(background, one.idToken, one.returnTo); err != nil || address != issuer.URL+"/logout?"+one.query {
			t.Error(address, err)
		}
	}
	client.found.Store(&Metadata{Issuer: issuer.URL})
	_, err := client.SignOutURL(background, "", "")
	var failure *Error
	if !errors.As(err, &failure) || failure.Code != unsupported {
		t.Error(err)
	}
}

func TestACallbackIsOfNoIssuerWhereNoneIsExpected(t *testing.T) {
	for query, wanted := range map[string]string{"": "missing_issuer", "&iss=": "missing_issuer", "&iss=https://id.example": "issuer_mismatch"} {
		answer, _ := url.Parse("https://app.example/cb?code=c&state=s" + query)
		var refusal CallbackError
		if _, err := Callback(answer, "s", ""); !errors.As(err, &refusal) || string(refusal) != wanted {
			t.Errorf("%q: %v", query, err)
		}
	}
}

func TestALineOfALogStaysOneLineWhateverAnIssuerSays(t *testing.T) {
	issuer := startIssuer(t, func(http.ResponseWriter, seenRequest) (int, any) {
		return 400, map[string]string{
			"error": "invalid\n_grant", "error_description": "a\r\nERROR b\x1b[2J\u0085c",
		}
	})
	_, err := issuer.client(t).Refresh(background, "refresh-1", nil)
	if want := "svc: invalid _grant: a ERROR b [2J c (status 400, request req-1, tenant " + issuer.URL + ")"; err == nil || err.Error() != want {
		t.Errorf("%q", err)
	}
	answer, _ := url.Parse("https://app.example/cb?state=s&iss=https://id.example&error=access_denied%0A&error_description=a%0D%0Ab")
	if _, err := Callback(answer, "s", "https://id.example"); err == nil || err.Error() != "svc: access_denied: a b (tenant https://id.example)" {
		t.Errorf("%q", err)
	}
}

func TestAnIssuerThatRepeatsWhatItWasSentPutsNoneOfItIntoTheError(t *testing.T) {
	issuer := startIssuer(t, func(_ http.ResponseWriter, seen seenRequest) (int, any) {
		heard, _ := json.Marshal(seen)
		return 400, map[string]string{"error": "invalid_request", "error_description": string(heard)}
	})
	client := issuer.client(t)
	flow := Flow{State: "s", Nonce: "n", Verifier: "canary-verifier", RedirectURI: "https://app.example/cb"}
	_, code := client.ExchangeCode(background, flow, "canary-code-1")
	_, refresh := client.Refresh(background, "canary-refresh-1", nil)
	_, exchange := client.ExchangeToken(background, "canary-subject-1", "https://api.example", nil)
	_, userinfo := client.Userinfo(background, "canary-access-1", "")
	_, managed := NewManagement(issuer.URL, StaticToken("canary-token-2"), nil).Webhooks().Find(background, "x")
	for _, err := range []error{code, refresh, exchange, userinfo, managed, client.Revoke(background, "canary-token-1")} {
		if err == nil || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "canary") || !strings.Contains(err.Error(), "[redacted]") {
			t.Error(err)
		}
	}
	shown := fmt.Sprintf("%v %+v %#v %v %#v", client, client, client, client.config, flow)
	if strings.Contains(shown, "canary") {
		t.Error(shown)
	}
}
