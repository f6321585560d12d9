package kit

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

func TestAChoiceIsTheOneOfANewRecordAndASecretComesAndGoesWithIt(t *testing.T) {
	choice := Choice{By: "kind", Usual: map[string]string{"open": "none", "": "secret"}, With: []string{"secret", "word"}}
	for kind, wanted := range map[string]types.String{"open": types.StringValue("none"), "shut": types.StringValue("secret")} {
		if usual := choice.usual(tftypes.NewValue(tftypes.String, kind)); !usual.Equal(wanted) {
			t.Error(kind, usual)
		}
	}
	if usual := choice.usual(tftypes.NewValue(tftypes.String, tftypes.UnknownValue)); !usual.IsUnknown() {
		t.Error(usual)
	}
	for _, change := range []struct {
		before, now  string
		begins, ends bool
	}{
		{"none", "secret", true, false},
		{"secret", "none", false, true},
		{"secret", "word", false, false},
		{"none", "key", false, false},
		// What is not known yet changes nothing.
		{"", "secret", false, false},
		{"secret", "", false, false},
	} {
		begins, ends := choice.begins(change.before, change.now), choice.ends(change.before, change.now)
		if begins != change.begins || ends != change.ends {
			t.Error(change, begins, ends)
		}
	}
}
