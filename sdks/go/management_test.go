package svc

import (
	"errors"
	"net/http"
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

func TestARefusalAndAWaitThatIsTooLongAreGivenBackAtOnce(t *testing.T) {
	refusal := func(status int) answer {
		return func(http.ResponseWriter, seenRequest) (int, any) { return status, problem("refused") }
	}
	for _, one := range []answer{refusal(400), refusal(409), refusal(500), later(429, "31")} {
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
	for _, path := range []string{"api/v1/x", "/x?y=1", "/x#y", `/x\y`} {
		if err := api.Do(background, &Call{Method: http.MethodGet, Path: path}); err == nil {
			t.Error(path)
		}
	}
	if len(issuer.requests()) != 0 {
		t.Error(issuer.requests())
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
