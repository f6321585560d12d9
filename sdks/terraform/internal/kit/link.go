package kit

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"terraform-provider-svc/internal/api"
	"terraform-provider-svc/internal/document"
)

// Link declares what stands at the address of two records: PUT makes and changes it, DELETE ends it.
type Link struct {
	// Its name in Terraform, without the prefix.
	Name string
	// Its address.
	Path string
	// What it is, in a sentence.
	About string
	// The attribute of the first parameter of the path, which the API calls `id`; others have the name of theirs.
	Parent string
	// The member of a record in the list that is the last parameter of the path, for an API that does not read one.
	Listed string
	// Members that are no attributes, each with the reason.
	Omit map[string]string
}

var parameter = regexp.MustCompile(`\{([a-z_]+)\}`)

// attribute is the name of a parameter in Terraform.
func (l Link) attribute(name string) string {
	if name == "id" {
		return l.Parent
	}
	return name
}

func (l Link) parameters() []string {
	var names []string
	for _, match := range parameter.FindAllStringSubmatch(l.Path, -1) {
		names = append(names, match[1])
	}
	return names
}

func (l Link) list() string { return l.Path[:strings.LastIndex(l.Path, "/")] }

// Paths are those that the link uses.
func (l Link) Paths() []string { return []string{l.Path, l.list()} }

// Fields are its attributes.
func (l Link) Fields(source *document.Document) []Field {
	documents := bodies{update: source.Takes("put", l.Path), record: source.Answers("get", l.Path)}
	fields := slices.DeleteFunc(documents.fields(source, nil), func(field Field) bool {
		_, omitted := l.Omit[field.Name]
		return omitted || field.Name == "id" || slices.Contains(l.parameters(), field.Name)
	})
	for _, name := range l.parameters() {
		text := document.Schema{Type: document.Types{"string"}, Description: "The id of the " + strings.ReplaceAll(strings.TrimSuffix(l.attribute(name), "_id"), "_", " ") + "."}
		fields = append(fields, Field{Name: l.attribute(name), Schema: text, Required: true, InNew: true, InRecord: true, Identifies: true})
	}
	whole := document.Schema{Type: document.Types{"string"}, Description: "The ids of both, with a slash between them."}
	return append(fields, Field{Name: "id", Schema: whole, InRecord: true, Identifies: true})
}

// Resource makes the resource.
func (l Link) Resource() resource.Resource {
	fields := sync.OnceValue(func() []Field { return l.Fields(document.Published()) })
	return &linkResource{declared: l, fields: fields}
}

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

// ImportState takes the ids of both, with a slash between them.
func (l *linkResource) ImportState(ctx context.Context, request resource.ImportStateRequest, response *resource.ImportStateResponse) {
	ids := strings.Split(request.ID, "/")
	names := l.declared.parameters()
	if len(ids) != len(names) {
		response.Diagnostics.AddError("Unknown id", fmt.Sprintf("The id of a %s is `%s`, not %q.", l.declared.Name, strings.Join(names, "/"), request.ID))
		return
	}
	for i, name := range names {
		response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root(l.declared.attribute(name)), ids[i])...)
	}
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
