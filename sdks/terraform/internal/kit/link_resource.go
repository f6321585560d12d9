package kit

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"terraform-provider-svc/internal/api"
	"terraform-provider-svc/internal/document"
)

type linkResource struct {
	client   *api.Client
	declared Link
	fields   func() []Field
}

var (
	_ resource.ResourceWithConfigure   = &linkResource{}
	_ resource.ResourceWithImportState = &linkResource{}
)

func (l *linkResource) Metadata(_ context.Context, _ resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = Prefix + l.declared.Name
}

func (l *linkResource) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	response.Schema = schema.Schema{MarkdownDescription: l.declared.About, Attributes: schemaOf(l.fields())}
}

func (l *linkResource) Configure(_ context.Context, request resource.ConfigureRequest, response *resource.ConfigureResponse) {
	l.client = clientOf(request.ProviderData, &response.Diagnostics)
}

func (l *linkResource) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	w := writing{ctx: ctx, fields: l.fields(), plan: request.Plan.Raw, diagnostics: &response.Diagnostics}
	l.put(w, "", "made", &response.State, response.Private)
}

func (l *linkResource) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	w := writing{ctx: ctx, fields: l.fields(), plan: request.Plan.Raw, diagnostics: &response.Diagnostics}
	l.put(w, etagOf(ctx, request.Private), "changed", &response.State, response.Private)
}

func (l *linkResource) put(w writing, version, verb string, state *tfsdk.State, kept versions) {
	values, ok := l.place(w)
	if !ok {
		return
	}
	call := api.Call{Method: http.MethodPut, Path: api.Path(l.declared.Path, values), IfMatch: version}
	if document.Published().Takes("put", l.declared.Path) != nil {
		if call.Body, ok = w.body(func(field Field) bool { return field.InUpdate }); !ok {
			return
		}
	}
	answer, err := l.client.Do(w.ctx, call)
	if err != nil {
		report(w.diagnostics, l.fields(), fmt.Sprintf("The %s was not %s", l.declared.Name, verb), err)
		return
	}
	w.store(l.placed(answer, values), nil, state, kept)
}

func (l *linkResource) Read(ctx context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	w := writing{ctx: ctx, fields: l.fields(), plan: request.State.Raw, diagnostics: &response.Diagnostics}
	values, ok := l.place(w)
	if !ok {
		return
	}
	answer, err := l.find(ctx, values)
	if api.IsMissing(err) {
		response.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		report(&response.Diagnostics, nil, "The "+l.declared.Name+" could not be read", err)
		return
	}
	w.store(l.placed(answer, values), nil, &response.State, response.Private)
}

func (l *linkResource) find(ctx context.Context, values map[string]string) (api.Answer, error) {
	if l.declared.Listed == "" {
		return l.client.Do(ctx, api.Call{Method: http.MethodGet, Path: api.Path(l.declared.Path, values)})
	}
	names := l.declared.parameters()
	wanted := values[names[len(names)-1]]
	record, err := l.client.Find(ctx, api.Path(l.declared.list(), values), nil, func(record map[string]any) bool {
		return record[l.declared.Listed] == wanted
	})
	if err == nil && record == nil {
		err = &api.Problem{Status: http.StatusNotFound}
	}
	return api.Answer{Body: record}, err
}

func (l *linkResource) Delete(ctx context.Context, request resource.DeleteRequest, response *resource.DeleteResponse) {
	w := writing{ctx: ctx, fields: l.fields(), plan: request.State.Raw, diagnostics: &response.Diagnostics}
	values, ok := l.place(w)
	if !ok {
		return
	}
	_, err := l.client.Do(ctx, api.Call{Method: http.MethodDelete, Path: api.Path(l.declared.Path, values)})
	if err != nil && !api.IsMissing(err) {
		report(&response.Diagnostics, nil, "The "+l.declared.Name+" was not deleted", err)
	}
}

func (l *linkResource) ImportState(ctx context.Context, request resource.ImportStateRequest, response *resource.ImportStateResponse) {
	var names []string
	for _, name := range l.declared.parameters() {
		names = append(names, l.declared.attribute(name))
	}
	importParts(ctx, l.declared.Name, names, request, response)
}

// place is what fills the parameters of the path.
func (l *linkResource) place(w writing) (map[string]string, bool) {
	wanted, err := attributesOf(w.plan)
	if err != nil {
		w.diagnostics.AddError("The plan cannot be read", err.Error())
	}
	values := map[string]string{}
	for _, name := range l.declared.parameters() {
		values[name] = wanted.text(l.declared.attribute(name))
	}
	return values, err == nil
}

// placed adds to an answer the address, which it does not have.
func (l *linkResource) placed(answer api.Answer, values map[string]string) api.Answer {
	body := maps.Clone(answer.Body)
	if body == nil {
		body = map[string]any{}
	}
	var ids []string
	for _, name := range l.declared.parameters() {
		body[l.declared.attribute(name)] = values[name]
		ids = append(ids, values[name])
	}
	body["id"] = strings.Join(ids, "/")
	return api.Answer{Body: body, ETag: answer.ETag}
}
