// Package kit makes Terraform resources and data sources of declarations and the OpenAPI document.
package kit

import (
	"context"
	"net/http"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"terraform-provider-svc/internal/api"
	"terraform-provider-svc/internal/document"
)

// Prefix begins the names of all resources.
const Prefix = "svc_"

// Record declares a record with an id of its own: POST makes it, GET reads it, PUT replaces it, DELETE ends it.
type Record struct {
	// Its name in Terraform, without the prefix.
	Name string
	// Where its list is.
	Path string
	// What it is, in a sentence.
	About string
	// By which parameters of the list a data source finds one.
	Lookup []string
	// Members that are no attributes, each with the reason.
	Omit map[string]string
	// What the service takes for a member whose default the document does not say.
	Defaults map[string]any
	// Members that an operation of their own changes: its path below the record, and what its body calls them.
	Moves map[string]Move
	// Whether the service deletes only what is disabled.
	Disabled bool
	// The status of what was deleted, for a service that still reads it.
	Ended string
}

// Move changes one member of a record.
type Move struct {
	Path   string
	Member string
}

func (r Record) item() string { return r.Path + "/{id}" }

// Paths are those that the record uses.
func (r Record) Paths() []string {
	paths := []string{r.Path, r.item()}
	for _, move := range r.Moves {
		paths = append(paths, r.item()+"/"+move.Path)
	}
	return paths
}

// HasEnded tells whether a record is read although it was deleted.
func (r Record) HasEnded(record map[string]any) bool {
	return r.Ended != "" && record["status"] == r.Ended
}

// Fields are its attributes.
func (r Record) Fields(source *document.Document) []Field {
	documents := bodies{
		new:     source.Takes("post", r.Path),
		update:  source.Takes("put", r.item()),
		record:  source.Answers("get", r.item()),
		created: source.Answers("post", r.Path),
	}
	fields := slices.DeleteFunc(documents.fields(source, r.Defaults), func(field Field) bool {
		_, omitted := r.Omit[field.Name]
		return omitted
	})
	for i := range fields {
		_, fields[i].Moves = r.Moves[fields[i].Name]
		fields[i].Identifies = fields[i].Name == "id"
	}
	return fields
}

// Resource makes the resource.
func (r Record) Resource() resource.Resource {
	fields := sync.OnceValue(func() []Field { return r.Fields(document.Published()) })
	return &recordResource{declared: r, fields: fields}
}

// DataSource makes what finds one, or nil.
func (r Record) DataSource() datasource.DataSource {
	if r.Lookup == nil {
		return nil
	}
	return &lookup{declared: r, fields: r.Fields(document.Published())}
}

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
	created, err := r.client.Do(ctx, api.Call{Method: http.MethodPost, Path: r.declared.Path, Body: body})
	if err != nil {
		report(&response.Diagnostics, r.fields(), "The "+r.declared.Name+" was not made", err)
		return
	}
	// What was made is known even where the next call fails.
	if !w.store(created, nil, &response.State, response.Private) {
		return
	}
	if answer, changed := w.finish(r, created); changed {
		w.store(answer, created.Body, &response.State, response.Private)
	}
}

// finish changes what cannot be said when a record is made.
func (w writing) finish(r *recordResource, created api.Answer) (api.Answer, bool) {
	late, ok := w.late(created.Body)
	if !ok || !late {
		return created, false
	}
	body, ok := w.body(func(field Field) bool { return field.InUpdate })
	if !ok {
		return created, false
	}
	id, _ := created.Body["id"].(string)
	answer, err := r.client.Do(w.ctx, api.Call{Method: http.MethodPut, Path: r.at(id), Body: body, IfMatch: created.ETag})
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
	answer, err := r.client.Do(ctx, api.Call{Method: http.MethodGet, Path: r.at(before.text("id"))})
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
	id := before.text("id")
	version, err := r.move(ctx, id, w, before, etagOf(ctx, request.Private))
	if err != nil {
		report(&response.Diagnostics, r.fields(), "The "+r.declared.Name+" was not changed", err)
		return
	}
	call := api.Call{Method: http.MethodGet, Path: r.at(id)}
	if document.Published().Has("put", r.declared.item()) {
		body, ok := w.body(func(field Field) bool { return field.InUpdate })
		if !ok {
			return
		}
		call = api.Call{Method: http.MethodPut, Path: r.at(id), Body: body, IfMatch: version}
	}
	answer, err := r.client.Do(ctx, call)
	if err != nil {
		report(&response.Diagnostics, r.fields(), "The "+r.declared.Name+" was not changed", err)
		return
	}
	w.store(answer, nil, &response.State, response.Private)
}

// move changes the members that have operations of their own; the version is the one to change next.
func (r *recordResource) move(ctx context.Context, id string, w writing, before attributes, version string) (string, error) {
	wanted, err := attributesOf(w.plan)
	if err != nil {
		return "", err
	}
	for name, move := range r.declared.Moves {
		if wanted[name].Equal(before[name]) {
			continue
		}
		body := map[string]any{move.Member: wanted.text(name)}
		if _, err := r.client.Do(ctx, api.Call{Method: http.MethodPut, Path: r.at(id) + "/" + move.Path, Body: body, IfMatch: version}); err != nil {
			return "", err
		}
		moved, err := r.client.Do(ctx, api.Call{Method: http.MethodGet, Path: r.at(id)})
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
	at := r.at(before.text("id"))
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
	resource.ImportStatePassthroughID(ctx, path.Root("id"), request, response)
}

func (r *recordResource) at(id string) string {
	return api.Path(r.declared.item(), map[string]string{"id": id})
}
