package kit

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"terraform-provider-svc/internal/api"
)

func TestEveryFaultThatTheServiceFindsIsShown(t *testing.T) {
	known := []Field{{Name: "name"}, {Name: "secret", InCreated: true, InNew: true}}
	name, secret := api.Flaw{Pointer: "/name", Detail: "name: too long"}, api.Flaw{Pointer: "/secret", Detail: "secret: too short"}
	whole, other := api.Flaw{Detail: "one of both"}, api.Flaw{Pointer: "/other/0", Detail: "other: unknown"}
	for _, one := range []struct {
		flaws []api.Flaw
		told  []string
	}{
		{nil, []string{"everything"}},
		{[]api.Flaw{whole, other}, []string{"everything"}},
		{[]api.Flaw{name, secret}, []string{"name: too long", "secret: too short"}},
		{[]api.Flaw{name, whole, other}, []string{"name: too long", "one of both\nother: unknown"}},
	} {
		var diagnostics diag.Diagnostics
		report(&diagnostics, known, "It was not made", &api.Problem{Status: 400, Detail: "everything", Flaws: one.flaws, RequestID: "req_1"})
		if len(diagnostics) != len(one.told) {
			t.Fatalf("%v: %v", one.flaws, diagnostics)
		}
		for i, told := range one.told {
			if diagnostics[i].Detail() != told+"\nRequest: req_1" {
				t.Errorf("%q instead of %q", diagnostics[i].Detail(), told)
			}
		}
	}
}

func TestASingleFaultStandsAtTheAttributeThatItsTextBeginsWith(t *testing.T) {
	known := []Field{{Name: "scope"}, {Name: "secret", InCreated: true, InNew: true}}
	for detail, at := range map[string]string{
		"scope: unknown":             "scope",
		"scope[1]: unknown":          "scope",
		"scope.api: unknown":         "scope",
		"secret: too short":          "secret_wo",
		"other: unknown":             "",
		"the record has changed":     "",
		"scope and secret: not both": "",
	} {
		var diagnostics diag.Diagnostics
		report(&diagnostics, known, "It was not made", &api.Problem{Status: 400, Detail: detail, RequestID: "req_1"})
		if len(diagnostics) != 1 || diagnostics[0].Detail() != detail+"\nRequest: req_1" {
			t.Fatalf("%q: %v", detail, diagnostics)
		}
		found := ""
		if placed, ok := diagnostics[0].(diag.DiagnosticWithPath); ok {
			found = placed.Path().String()
		}
		if found != at {
			t.Errorf("%q stands at %q instead of %q", detail, found, at)
		}
	}
}
