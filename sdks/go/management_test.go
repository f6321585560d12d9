package svc

import (
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
)

// later is an answer that asks to come back.
func later(status int, seconds string) answer {
	return func(w http.ResponseWriter, _ seenRequest) (int, any) {
		w.Header().Set("Retry-After", seconds)
		return status, problem("temporarily_unavailable")
	}
}

func made(http.ResponseWriter, seenRequest) (int, any) { return 200, map[string]string{"id": "org_1"} }

// managed answers these one after the other, and then the last.
func managed(t *testing.T, answers ...answer) (*testIssuer, *Management) {
	t.Helper()
	issuer := startIssuer(t, func(w http.ResponseWriter, seen seenRequest) (int, any) {
		next := answers[0]
		if len(answers) > 1 {
			answers = answers[1:]
		}
		return next(w, seen)
	})
	return issuer, NewManagement(issuer.URL, StaticToken("canary-token-90"), nil)
}

func TestEveryWriteCarriesOneKeyAndIsRepeatedByIt(t *testing.T) {
	issuer, api := managed(t, later(503, "0"), later(429, "0"), made, later(502, "0"), made)
	if record, err := api.Organizations().Create(background, Organization{Name: "A"}, ""); err != nil || record.ID != "org_1" {
		t.Fatal(err)
	}
	if _, err := api.Organizations().Update(background, "org_1", map[string]string{"name": "B"}); err != nil {
		t.Fatal(err)
	}
	if err := api.Organizations().Delete(background, "org_1"); err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, seen := range issuer.requests() {
		keys = append(keys, seen.Header.Get("Idempotency-Key"))
	}
	if len(keys) != 6 || keys[0] == "" || keys[0] != keys[1] || keys[1] != keys[2] || keys[3] != keys[4] || keys[0] == keys[3] || keys[5] == "" {
		t.Error(keys)
	}
	if patch := issuer.requests()[3]; patch.Method != "PATCH" || patch.Header.Get("Content-Type") != "application/merge-patch+json" {
		t.Error(patch)
	}
}

// silent closes the connection without an answer.
func silent(http.ResponseWriter, seenRequest) (int, any) { panic(http.ErrAbortHandler) }

func TestACallThatIsSentOnceMoreIsAnotherOneUnlessItsFateIsUnknown(t *testing.T) {
	for _, one := range []struct {
		status  int
		isSame  bool
		isGiven bool
	}{{201, false, false}, {422, false, false}, {503, true, false}, {201, true, true}} {
		issuer, api := managed(t, func(http.ResponseWriter, seenRequest) (int, any) { return one.status, map[string]any{"error": "x"} })
		api.Attempts = 1
		call := &Call{Method: "POST", Path: "/api/v1/webhooks"}
		if one.isGiven {
			call.IdempotencyKey = "mine"
		}
		for range 2 {
			_ = api.Do(background, call)
		}
		first, second := issuer.requests()[0].Header.Get("Idempotency-Key"), issuer.requests()[1].Header.Get("Idempotency-Key")
		if first == "" || second == "" || (first == second) != one.isSame {
			t.Errorf("%d: the keys %q and %q", one.status, first, second)
		}
	}
}

func TestAWriteWithoutIdempotencyKeysIsNotRepeatedUnlessNothingWasDone(t *testing.T) {
	for name, first := range map[string]answer{"502": later(502, "0"), "503": later(503, "0"), "504": later(504, "0"), "silent": silent} {
		for method, sent := range map[string]int{"POST": 1, "PATCH": 1, "PUT": 2, "DELETE": 2, "GET": 2} {
			issuer, api := managed(t, first, made)
			err := api.Do(background, &Call{Method: method, Path: "/scim/v2/Users"})
			if len(issuer.requests()) != sent || (err == nil) != (sent == 2) {
				t.Errorf("%s after %s: sent %d times, %v", method, name, len(issuer.requests()), err)
			}
		}
		if issuer, api := managed(t, first, made); api.Do(background, &Call{Method: "POST", Path: "/api/v1/webhooks"}) != nil {
			t.Errorf("%s: a write that has a key is not repeated: %v", name, issuer.requests())
		}
	}
	issuer, api := managed(t, made, silent, made)
	for _, method := range []string{"GET", "POST"} {
		_ = api.Do(background, &Call{Method: method, Path: "/scim/v2/Users", IdempotencyKey: "mine"})
	}
	if len(issuer.requests()) != 2 {
		t.Error("net/http repeats a write on a connection that was in use before")
	}
	issuer, api = managed(t, later(429, "0"), made)
	if err := api.Do(background, &Call{Method: "POST", Path: "/scim/v2/Users"}); err != nil || len(issuer.requests()) != 2 {
		t.Error("what the server did not do is safe to repeat", err)
	}
}

// refusing refuses the first token that it gives, with this code, and every other one where it is strict.
func refusing(t *testing.T, code string, isStrict bool) (*testIssuer, *Management) {
	t.Helper()
	var given atomic.Int32
	issuer := startIssuer(t, func(_ http.ResponseWriter, seen seenRequest) (int, any) {
		if seen.Path == "/token" {
			answer := tokenAnswer()
			answer["access_token"] = fmt.Sprintf("canary-access-%d", given.Add(1))
			return 200, answer
		}
		if isStrict || seen.Header.Get("Authorization") == "Bearer canary-access-1" {
			return 401, problem(code)
		}
		return 200, map[string]string{"id": "org_1"}
	})
	return issuer, NewManagement(issuer.URL, NewCredentialsSource(issuer.client(t), nil, ""), nil)
}

// sentTo are how many requests went for tokens, and to the API.
func sentTo(issuer *testIssuer) (tokens, calls int) {
	for _, seen := range issuer.requests() {
		if seen.Path == "/token" {
			tokens++
		} else {
			calls++
		}
	}
	return tokens, calls
}

func TestATokenThatIsRefusedIsDroppedAndTheCallIsSentOnceMoreWhereThatIsSafe(t *testing.T) {
	for _, one := range []struct {
		method, path string
		calls        int
	}{{"GET", "/api/v1/webhooks", 2}, {"POST", "/api/v1/webhooks", 2}, {"PUT", "/scim/v2/Users", 2}, {"POST", "/scim/v2/Users", 1}} {
		issuer, api := refusing(t, "invalid_token", false)
		err := api.Do(background, &Call{Method: one.method, Path: one.path})
		tokens, calls := sentTo(issuer)
		if (err == nil) != (one.calls == 2) || calls != one.calls || tokens != one.calls {
			t.Errorf("%s %s: %v after %d calls with %d tokens", one.method, one.path, err, calls, tokens)
		}
		if err := api.Do(background, &Call{Method: one.method, Path: one.path}); err != nil {
			t.Errorf("%s %s: the token stays: %v", one.method, one.path, err)
		}
		if tokens, _ := sentTo(issuer); tokens != 2 {
			t.Errorf("%s %s: %d tokens", one.method, one.path, tokens)
		}
	}
}

func TestTokensThatAreAllRefusedAreAskedForOnceMoreAndNotForEver(t *testing.T) {
	for _, one := range []struct {
		code          string
		attempts      int
		tokens, calls int
	}{{"invalid_token", 4, 2, 2}, {"invalid_token", 1, 1, 1}, {"invalid_dpop_proof", 4, 1, 1}} {
		issuer, api := refusing(t, one.code, true)
		api.Attempts = one.attempts
		err := api.Do(background, &Call{Method: "GET", Path: "/api/v1/webhooks"})
		var failure *Error
		if tokens, calls := sentTo(issuer); !errors.As(err, &failure) || failure.Code != one.code || tokens != one.tokens || calls != one.calls {
			t.Errorf("%s: %v after %d calls with %d tokens", one.code, err, calls, tokens)
		}
	}
	issuer, api := managed(t, func(http.ResponseWriter, seenRequest) (int, any) { return 401, problem("invalid_token") })
	if err := api.Do(background, &Call{Method: "GET", Path: "/api/v1/webhooks"}); err == nil || len(issuer.requests()) != 1 {
		t.Error("a token that does not change is not sent twice", err)
	}
}

func TestATokenThatHasComeSinceAnotherWasRefusedStays(t *testing.T) {
	issuer := startIssuer(t, func(http.ResponseWriter, seenRequest) (int, any) { return 200, tokenAnswer() })
	source := NewCredentialsSource(issuer.client(t), nil, "")
	source.Forget("canary-access-76")
	for range 2 {
		token, err := source.AccessToken(background)
		if err != nil || token != "canary-access-77" {
			t.Fatal(token, err)
		}
		source.Forget("canary-access-76")
	}
	if len(issuer.requests()) != 1 {
		t.Error("the present token is dropped")
	}
}

func TestARefusalAndAWaitThatIsTooLongAreGivenBackAtOnce(t *testing.T) {
	refusal := func(status int) answer {
		return func(http.ResponseWriter, seenRequest) (int, any) { return status, problem("refused") }
	}
	for _, one := range []answer{refusal(400), refusal(409), refusal(500), later(429, "31"), later(429, "99999999999999999999")} {
		issuer, api := managed(t, one)
		_, err := api.Organizations().Create(background, Organization{}, "mine")
		var failure *Error
		if !errors.As(err, &failure) || len(issuer.requests()) != 1 || failure.RequestID != "req-1" || failure.Tenant != issuer.URL {
			t.Error(err, issuer.requests())
		}
		if issuer.requests()[0].Header.Get("Idempotency-Key") != "mine" {
			t.Error("the caller's key is not used")
		}
	}
}

func TestAListThatTurnsInCirclesOrIsNoneIsAnError(t *testing.T) {
	page := func(body any) answer { return func(http.ResponseWriter, seenRequest) (int, any) { return 200, body } }
	bodies := []any{map[string]any{"data": []int{1}, "next_cursor": "c"}, map[string]any{"items": []int{}}, []int{}}
	for _, body := range bodies {
		_, api := managed(t, page(body))
		var last error
		for _, err := range List[int](background, api, "/api/v1/things", nil) {
			last = err
		}
		if last == nil {
			t.Errorf("%v is accepted", body)
		}
	}
}

func TestIDsAndPathsLeadNowhereElse(t *testing.T) {
	issuer, api := managed(t, made)
	for _, id := range []string{"", ".", ".."} {
		if _, err := api.Organizations().Find(background, id); err == nil {
			t.Error(id)
		}
	}
	for _, id := range []string{"", ".", ".."} {
		if _, err := api.OrganizationInvitations(id).Find(background, "inv_1"); err == nil {
			t.Error(id)
		}
	}
	for _, path := range []string{"api/v1/x", "/x?y=1", "/x#y", `/x\y`, "/api/v1/../x"} {
		if err := api.Do(background, &Call{Method: http.MethodGet, Path: path}); err == nil {
			t.Error(path)
		}
	}
	if len(issuer.requests()) != 0 {
		t.Error(issuer.requests())
	}
}

func TestARecordBelowAnotherIsReadAndReplacedAtItsPath(t *testing.T) {
	issuer, api := managed(t, made)
	if _, err := api.OrganizationInvitations("org_1").Find(background, "inv_1"); err != nil {
		t.Fatal(err)
	}
	if _, err := api.GroupMembers("grp_1").Replace(background, "usr_1", nil); err != nil {
		t.Fatal(err)
	}
	seen := issuer.requests()
	if seen[0].Path != "/api/v1/organizations/org_1/invitations/inv_1" || seen[1].Method+seen[1].Path != "PUT/api/v1/groups/grp_1/members/usr_1" {
		t.Error(seen)
	}
}

func TestATenantsIssuerIsALabelBeforeThatOfTheDeployment(t *testing.T) {
	if got, err := TenantIssuer("https://id.example", "acme"); err != nil || got != "https://acme.id.example" {
		t.Error(got, err)
	}
	for _, slug := range []string{"", "a.b", "A", "-a", "a/", "a@b"} {
		if _, err := TenantIssuer("https://id.example", slug); err == nil {
			t.Error(slug)
		}
	}
}
