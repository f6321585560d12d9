package kit

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"terraform-provider-svc/internal/api"
)

// Choice is what the service chooses for a member of a new record that does not say it.
type Choice struct {
	// By is the member that decides.
	By string
	// Usual are the choices by the values of that member; the one of the empty text is for every other value.
	Usual map[string]string
	// Secret is an attribute that is there only with some of the choices, which are With; the service shows it once. Renewal is the
	// operation below the record that puts another one in its place.
	Secret, Renewal string
	With            []string
}

// usual is what the service makes of a new record; what decides may be known only when the plan is applied.
func (c Choice) usual(by tftypes.Value) types.String {
	if !by.IsKnown() {
		return types.StringUnknown()
	}
	if choice, has := c.Usual[attributes{c.By: by}.text(c.By)]; has {
		return types.StringValue(choice)
	}
	return types.StringValue(c.Usual[""])
}

// begins and ends tell what a change of the choice makes of the secret.
func (c Choice) begins(before, now string) bool {
	return before != "" && !slices.Contains(c.With, before) && slices.Contains(c.With, now)
}

func (c Choice) ends(before, now string) bool {
	return now != "" && slices.Contains(c.With, before) && !slices.Contains(c.With, now)
}

var _ resource.ResourceWithModifyPlan = &recordResource{}

// ModifyPlan plans what the change of one member makes of others: what a configuration leaves to the service is chosen again where what
// decides it is another one, and a secret goes and comes with it.
func (r *recordResource) ModifyPlan(ctx context.Context, request resource.ModifyPlanRequest, response *resource.ModifyPlanResponse) {
	// A new record is what the service makes of it, and of one that is deleted nothing stays.
	if request.State.Raw.IsNull() || request.Plan.Raw.IsNull() {
		return
	}
	before, unread := attributesOf(request.State.Raw)
	planned, unplanned := attributesOf(request.Plan.Raw)
	configured, unsaid := attributesOf(request.Config.Raw)
	if err := errors.Join(unread, unplanned, unsaid); err != nil {
		response.Diagnostics.AddError("The plan cannot be read", err.Error())
		return
	}
	for name, choice := range r.declared.Chosen {
		now := planned.text(name)
		if configured[name].IsNull() && !planned[choice.By].Equal(before[choice.By]) {
			usual := choice.usual(planned[choice.By])
			now = usual.ValueString()
			response.Diagnostics.Append(response.Plan.SetAttribute(ctx, path.Root(name), usual)...)
		}
		switch {
		case choice.begins(before.text(name), now):
			response.Diagnostics.Append(response.Plan.SetAttribute(ctx, path.Root(choice.Secret), types.StringUnknown())...)
		case choice.ends(before.text(name), now):
			response.Diagnostics.Append(response.Plan.SetAttribute(ctx, path.Root(choice.Secret), types.StringNull())...)
		}
	}
}

// choose says what a plan could not: the service takes what is left out of a change for the default of every record.
func (r *recordResource) choose(body map[string]any, wanted attributes) {
	for name, choice := range r.declared.Chosen {
		if _, said := body[name]; !said {
			body[name] = choice.usual(wanted[choice.By]).ValueString()
		}
	}
}

// shown is the secret of a record that has one from now on. The one that came with the change was shown to no one, so that another takes
// its place; of the record, what it is afterwards.
func (w writing) shown(r *recordResource, at string, before attributes, changed api.Answer) (api.Answer, map[string]any) {
	for name, choice := range r.declared.Chosen {
		now, _ := changed.Body[name].(string)
		if !choice.begins(before.text(name), now) {
			continue
		}
		secret, err := r.client.Do(w.ctx, api.Call{Method: http.MethodPost, Path: at + "/" + choice.Renewal, IfMatch: changed.ETag})
		if err != nil {
			report(w.diagnostics, nil, "The "+r.declared.Name+" was changed, but its new "+choice.Secret+" was not shown", err)
			return changed, nil
		}
		if read, err := r.client.Do(w.ctx, api.Call{Method: http.MethodGet, Path: at}); err == nil {
			changed = read
		}
		return changed, secret.Body
	}
	return changed, nil
}
