package kit

import (
	"context"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"terraform-provider-svc/internal/api"
	"terraform-provider-svc/internal/document"
)

type recordResource struct {
	client   *api.Client
	declared Record
	fields   func() []Field
}

var (
	_ resource.ResourceWithConfigure   = &recordResource{}
	_ resource.ResourceWithImportState = &recordResource{}
)

func (r *recordResource) Metadata(_ context.Context, _ resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = Prefix + r.declared.Name
}

func (r *recordResource) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	response.Schema = schema.Schema{MarkdownDescription: r.declared.About, Attributes: schemaOf(r.fields())}
}

func (r *recordResource) Configure(_ context.Context, request resource.ConfigureRequest, response *resource.ConfigureResponse) {
	r.client = clientOf(request.ProviderData, &response.Diagnostics)
}

func (r *recordResource) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	w := writing{ctx: ctx, fields: r.fields(), plan: request.Plan.Raw, config: request.Config.Raw, diagnostics: &response.Diagnostics}
	body, ok := w.body(func(field Field) bool { return field.InNew })
	if !ok {
		return
	}
	wanted, err := attributesOf(w.plan)
	if err != nil {
		response.Diagnostics.AddError("The plan cannot be read", err.Error())
		return
	}
	created, err := r.client.Do(ctx, api.Call{Method: http.MethodPost, Path: r.declared.list(wanted.text), Body: body})
	if err != nil {
		report(&response.Diagnostics, r.fields(), "The "+r.declared.Name+" was not made", err)
		return
	}
	// What was made is known even where the next call fails.
	if !w.store(created, nil, &response.State, response.Private) {
		return
	}
	if answer, changed := w.finish(r, created, wanted); changed {
		w.store(answer, created.Body, &response.State, response.Private)
	}
}

// finish changes what cannot be said when a record is made.
func (w writing) finish(r *recordResource, created api.Answer, wanted attributes) (api.Answer, bool) {
	late, ok := w.late(created.Body)
	if !ok || !late {
		return created, false
	}
	body, ok := w.body(func(field Field) bool { return field.InUpdate })
	if !ok {
		return created, false
	}
	wanted["id"] = tftypes.NewValue(tftypes.String, created.Body["id"])
	at := r.declared.At(wanted.text)
	answer, err := r.client.Do(w.ctx, api.Call{Method: http.MethodPut, Path: at, Body: body, IfMatch: created.ETag})
	if err != nil {
		report(w.diagnostics, r.fields(), "The "+r.declared.Name+" was made, but not as it is configured", err)
		return created, false
	}
	return answer, true
}

func (r *recordResource) Read(ctx context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	before, err := attributesOf(request.State.Raw)
	if err != nil {
		response.Diagnostics.AddError("The state cannot be read", err.Error())
		return
	}
	answer, err := r.client.Do(ctx, api.Call{Method: http.MethodGet, Path: r.declared.At(before.text)})
	if api.IsMissing(err) || (err == nil && r.declared.HasEnded(answer.Body)) {
		response.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		report(&response.Diagnostics, nil, "The "+r.declared.Name+" could not be read", err)
		return
	}
	w := writing{ctx: ctx, fields: r.fields(), plan: request.State.Raw, diagnostics: &response.Diagnostics}
	w.store(answer, nil, &response.State, response.Private)
}

func (r *recordResource) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	w := writing{ctx: ctx, fields: r.fields(), plan: request.Plan.Raw, config: request.Config.Raw, diagnostics: &response.Diagnostics}
	before, err := attributesOf(request.State.Raw)
	if err != nil {
		response.Diagnostics.AddError("The state cannot be read", err.Error())
		return
	}
	wanted, ok := w.attributes()
	if !ok {
		return
	}
	at := r.declared.At(before.text)
	version, err := r.move(at, w, before, etagOf(ctx, request.Private))
	if err != nil {
		report(&response.Diagnostics, r.fields(), "The "+r.declared.Name+" was not changed", err)
		return
	}
	call := api.Call{Method: http.MethodGet, Path: at}
	if document.Published().Has("put", r.declared.item()) {
		body, ok := w.body(func(field Field) bool { return field.InUpdate })
		if !ok {
			return
		}
		r.choose(body, wanted)
		for _, name := range r.declared.Cleared {
			if _, said := body[name]; !said {
				body[name] = nil
			}
		}
		call = api.Call{Method: http.MethodPut, Path: at, Body: body, IfMatch: version}
	}
	answer, err := r.client.Do(ctx, call)
	if err != nil {
		report(&response.Diagnostics, r.fields(), "The "+r.declared.Name+" was not changed", err)
		return
	}
	answer, once := w.shown(r, at, before, answer)
	w.store(answer, once, &response.State, response.Private)
}

// move changes the members that have operations of their own; the version is the one to change next.
func (r *recordResource) move(at string, w writing, before attributes, version string) (string, error) {
	wanted, err := attributesOf(w.plan)
	if err != nil {
		return "", err
	}
	for name, move := range r.declared.Moves {
		if wanted[name].Equal(before[name]) {
			continue
		}
		body := map[string]any{move.Member: wanted.text(name)}
		if _, err := r.client.Do(w.ctx, api.Call{Method: http.MethodPut, Path: at + "/" + move.Path, Body: body, IfMatch: version}); err != nil {
			return "", err
		}
		moved, err := r.client.Do(w.ctx, api.Call{Method: http.MethodGet, Path: at})
		if err != nil {
			return "", err
		}
		version = moved.ETag
	}
	return version, nil
}

func (r *recordResource) Delete(ctx context.Context, request resource.DeleteRequest, response *resource.DeleteResponse) {
	before, err := attributesOf(request.State.Raw)
	if err != nil {
		response.Diagnostics.AddError("The state cannot be read", err.Error())
		return
	}
	at := r.declared.At(before.text)
	if r.declared.Disabled {
		_, err = r.client.Do(ctx, api.Call{Method: http.MethodPatch, Path: at, Body: map[string]any{"enabled": false}})
	}
	if err == nil {
		_, err = r.client.Do(ctx, api.Call{Method: http.MethodDelete, Path: at})
	}
	if err != nil && !api.IsMissing(err) {
		report(&response.Diagnostics, nil, "The "+r.declared.Name+" was not deleted", err)
	}
}

func (r *recordResource) ImportState(ctx context.Context, request resource.ImportStateRequest, response *resource.ImportStateResponse) {
	importParts(ctx, r.declared.Name, r.declared.identity(), request, response)
}
