package kit

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"terraform-provider-svc/internal/api"
)

// writing is one change: what is wanted, and where faults go.
type writing struct {
	ctx          context.Context
	fields       []Field
	plan, config tftypes.Value
	diagnostics  *diag.Diagnostics
}

// attributes are what is wanted, or what was.
func (w writing) attributes() (attributes, bool) {
	wanted, err := attributesOf(w.plan)
	if err != nil {
		w.diagnostics.AddError("The plan cannot be read", err.Error())
	}
	return wanted, err == nil
}

// body is the document of the fields that have a place in it.
func (w writing) body(has func(Field) bool) (map[string]any, bool) {
	wanted, err := attributesOf(w.plan)
	if err == nil {
		err = w.addBrought(wanted)
	}
	body := map[string]any{}
	for _, field := range w.fields {
		if err != nil || field.Identifies || !has(field) {
			continue
		}
		var member any
		if member, err = said(field, wanted[field.Name]); err != nil {
			w.diagnostics.AddAttributeError(path.Root(field.Name), "Invalid value", err.Error())
			return nil, false
		}
		if member != nil {
			body[field.Name] = member
		}
	}
	if err != nil {
		w.diagnostics.AddError("The plan cannot be read", err.Error())
	}
	return body, err == nil
}

// addBrought puts the secrets that the configuration brings where the API has them.
func (w writing) addBrought(wanted attributes) error {
	configured, err := attributesOf(w.config)
	for _, field := range w.fields {
		if field.Brought() {
			wanted[field.Name] = configured[field.Name+writeOnly]
		}
	}
	return err
}

// late tells whether something that only a change can say differs from what was made.
func (w writing) late(created map[string]any) (bool, bool) {
	body, ok := w.body(func(field Field) bool { return field.InUpdate && !field.InNew })
	for name, wanted := range body {
		if !reflect.DeepEqual(wanted, created[name]) {
			return true, ok
		}
	}
	return false, ok
}

// versions is where the version of a record waits for the next change of it.
type versions interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

const etagKey = "etag"

// store makes the state of an answer; what no answer tells is taken from what was shown once, or stays.
func (w writing) store(answer api.Answer, once map[string]any, state *tfsdk.State, kept versions) bool {
	before, err := attributesOf(w.plan)
	if err != nil {
		w.diagnostics.AddError("The plan cannot be read", err.Error())
		return false
	}
	kind := state.Schema.Type().TerraformType(w.ctx).(tftypes.Object)
	values := map[string]tftypes.Value{}
	for name, attribute := range kind.AttributeTypes {
		values[name] = tftypes.NewValue(attribute, nil)
		// Versions of secrets; the secrets themselves are never in a plan.
		if value, known := before[name]; known && value.IsKnown() {
			values[name] = value
		}
	}
	for _, field := range w.fields {
		answered, given := answer.Body[field.Name]
		if !given {
			answered, given = once[field.Name]
		}
		if (field.Unread() || field.Identifies) && !given {
			continue
		}
		values[field.Name], err = value(field, kind.AttributeTypes[field.Name], answered)
		if err != nil {
			w.diagnostics.AddAttributeError(path.Root(field.Name), "The answer is not the one of this version of the API", err.Error())
			return false
		}
	}
	state.Raw = tftypes.NewValue(kind, values)
	etag, _ := json.Marshal(answer.ETag)
	w.diagnostics.Append(kept.SetKey(w.ctx, etagKey, etag)...)
	return !w.diagnostics.HasError()
}

// known is the private state of a request.
type known interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

// etagOf is the version that the plan was made for, or nothing.
func etagOf(ctx context.Context, kept known) string {
	var etag string
	if text, _ := kept.GetKey(ctx, etagKey); text != nil {
		_ = json.Unmarshal(text, &etag)
	}
	return etag
}
