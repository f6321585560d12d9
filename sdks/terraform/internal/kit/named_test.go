package kit

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

var (
	flag    = Field{Name: "flag", Kind: Flag, InUpdate: true, Default: false}
	words   = Field{Name: "words", Kind: Set, InUpdate: true, Default: []any{}}
	count   = Field{Name: "count", Kind: Number, InUpdate: true}
	inner   = Field{Name: "inner", Kind: Object, InUpdate: true, Default: map[string]any{}, Fields: []Field{count, flag}}
	outer   = Field{Name: "outer", Kind: Object, InUpdate: true, Default: map[string]any{}, Fields: []Field{flag, inner, words}}
	called  = Field{Name: "called", Kind: Text, InUpdate: true, Required: true}
	ofInner = tftypes.Object{AttributeTypes: map[string]tftypes.Type{"count": tftypes.Number, "flag": tftypes.Bool}}
	ofOuter = tftypes.Object{AttributeTypes: map[string]tftypes.Type{
		"flag": tftypes.Bool, "inner": ofInner, "words": tftypes.Set{ElementType: tftypes.String},
	}}
)

// parsed is a value that an answer has, or nothing.
func parsed(t *testing.T, text string) map[string]any {
	t.Helper()
	var body map[string]any
	if err := json.Unmarshal([]byte(text), &body); err != nil {
		t.Fatal(err)
	}
	return body
}

func TestWhatIsNamedNoLongerIsGivenBack(t *testing.T) {
	for _, one := range []struct{ before, now, sent string }{
		{`{}`, `{"flag": true}`, `{"flag":true}`},
		{`{"flag": true}`, `{}`, `{"flag":null}`},
		{`{"flag": true}`, `{"flag": false}`, `{"flag":false}`},
		{`{"called": "Acme"}`, `{}`, `{}`},
		{`{"outer": {"inner": {"count": 1, "flag": true}, "words": ["a"]}}`, `{"outer": {"inner": {"count": 2}}}`, `{"outer":{"inner":{"count":2,"flag":null},"words":null}}`},
		{`{"outer": {"inner": {"count": 1}}}`, `{"flag": true}`, `{"flag":true,"outer":{"inner":{"count":null}}}`},
		{`{"outer": {"inner": {}}}`, `{}`, `{}`},
	} {
		body := parsed(t, one.now)
		giveBack([]Field{called, flag, outer}, parsed(t, one.before), body)
		if sent, _ := json.Marshal(body); string(sent) != one.sent {
			t.Errorf("%s after %s: %s", one.now, one.before, sent)
		}
	}
}

func TestAStateHasWhatIsNamedAndAnImportWhatIsUnusual(t *testing.T) {
	answered, err := value(outer, ofOuter, parsed(t, `{"flag": true, "inner": {"flag": true}}`))
	if err != nil {
		t.Fatal(err)
	}
	null := func(kind tftypes.Type) tftypes.Value { return tftypes.NewValue(kind, nil) }
	yes, no := tftypes.NewValue(tftypes.Bool, true), tftypes.NewValue(tftypes.Bool, false)
	none := tftypes.NewValue(ofOuter.AttributeTypes["words"], []tftypes.Value{})
	object := func(flag, inner, words tftypes.Value) tftypes.Value {
		return tftypes.NewValue(ofOuter, map[string]tftypes.Value{"flag": flag, "inner": inner, "words": words})
	}
	within := func(count, flag tftypes.Value) tftypes.Value {
		return tftypes.NewValue(ofInner, map[string]tftypes.Value{"count": count, "flag": flag})
	}
	nothing, nowhere := null(tftypes.Number), null(tftypes.Bool)
	for name, named := range map[string]struct{ asked, kept tftypes.Value }{
		"a flag":          {object(no, null(ofInner), null(none.Type())), object(yes, null(ofInner), null(none.Type()))},
		"an empty object": {object(nowhere, within(nothing, nowhere), null(none.Type())), object(nowhere, within(nothing, nowhere), null(none.Type()))},
		"what has gone":   {object(nowhere, within(tftypes.NewValue(tftypes.Number, 5), no), none), object(nowhere, within(nothing, yes), none)},
		"nothing":         {null(ofOuter), null(ofOuter)},
	} {
		if kept, err := narrowed(outer, named.asked, answered); err != nil || !kept.Equal(named.kept) {
			t.Errorf("%s: %s %v", name, kept, err)
		}
	}
	wanted := object(yes, within(nothing, yes), null(none.Type()))
	if imported, err := unusual(outer, answered); err != nil || !imported.Equal(wanted) {
		t.Errorf("%s %v", imported, err)
	}
	usual, err := value(outer, ofOuter, map[string]any{})
	if err != nil {
		t.Fatal(err)
	}
	if imported, err := unusual(outer, usual); err != nil || !imported.IsNull() {
		t.Errorf("%s %v", imported, err)
	}
}
