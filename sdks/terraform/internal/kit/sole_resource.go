package kit

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"terraform-provider-svc/internal/api"
)

type soleResource struct {
	client   *api.Client
	declared Sole
	fields   func() []Field
}

var (
	_ resource.ResourceWithConfigure   = &soleResource{}
	_ resource.ResourceWithImportState = &soleResource{}
)

func (s *soleResource) Metadata(_ context.Context, _ resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = Prefix + s.declared.Name
}

func (s *soleResource) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	response.Schema = schema.Schema{MarkdownDescription: s.declared.About, Attributes: schemaOf(s.fields())}
}

func (s *soleResource) Configure(_ context.Context, request resource.ConfigureRequest, response *resource.ConfigureResponse) {
	s.client = clientOf(request.ProviderData, &response.Diagnostics)
}

func (s *soleResource) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	w := writing{ctx: ctx, fields: s.fields(), plan: request.Plan.Raw, diagnostics: &response.Diagnostics}
	s.put(w, "made", &response.State, response.Private)
}

func (s *soleResource) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	w := writing{ctx: ctx, fields: s.fields(), plan: request.Plan.Raw, diagnostics: &response.Diagnostics}
	s.put(w, "changed", &response.State, response.Private)
}

// turns are those of documents that have one version together, that of the tenant: what changes one while another is changed is
// refused.
var turns sync.Mutex

func (s *soleResource) send(ctx context.Context, at string, body map[string]any) (api.Answer, error) {
	if s.declared.Parent == "" {
		turns.Lock()
		defer turns.Unlock()
	}
	// No version is named: the same apply may have changed what it is that of.
	return s.client.Do(ctx, api.Call{Method: http.MethodPut, Path: at, Body: body})
}

func (s *soleResource) put(w writing, verb string, state *tfsdk.State, kept versions) {
	wanted, ok := w.attributes()
	if !ok {
		return
	}
	body, ok := w.body(func(field Field) bool { return field.InUpdate })
	if !ok {
		return
	}
	answer, err := s.send(w.ctx, s.declared.At(wanted.text), body)
	if err != nil {
		report(w.diagnostics, s.fields(), fmt.Sprintf("The %s was not %s", s.declared.Name, verb), err)
		return
	}
	w.store(s.placed(answer, wanted), nil, state, kept)
}

func (s *soleResource) Read(ctx context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	w := writing{ctx: ctx, fields: s.fields(), plan: request.State.Raw, diagnostics: &response.Diagnostics}
	before, ok := w.attributes()
	if !ok {
		return
	}
	answer, err := s.client.Do(ctx, api.Call{Method: http.MethodGet, Path: s.declared.At(before.text)})
	if api.IsMissing(err) {
		response.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		report(&response.Diagnostics, nil, "The "+s.declared.Name+" could not be read", err)
		return
	}
	w.store(s.placed(answer, before), nil, &response.State, response.Private)
}

func (s *soleResource) Delete(ctx context.Context, request resource.DeleteRequest, response *resource.DeleteResponse) {
	w := writing{ctx: ctx, fields: s.fields(), plan: request.State.Raw, diagnostics: &response.Diagnostics}
	before, ok := w.attributes()
	if !ok {
		return
	}
	_, err := s.send(ctx, s.declared.At(before.text), map[string]any{})
	if err != nil && !api.IsMissing(err) {
		report(&response.Diagnostics, nil, "The "+s.declared.Name+" was not emptied", err)
	}
}

func (s *soleResource) ImportState(ctx context.Context, request resource.ImportStateRequest, response *resource.ImportStateResponse) {
	if s.declared.Parent != "" {
		importParts(ctx, s.declared.Name, []string{s.declared.Parent}, request, response)
		return
	}
	if request.ID != OfTenant {
		response.Diagnostics.AddError("Unknown id", fmt.Sprintf("The id of a %s is `%s`, not %q.", s.declared.Name, OfTenant, request.ID))
		return
	}
	importParts(ctx, s.declared.Name, []string{"id"}, request, response)
}

// placed adds to an answer the address, which it does not have.
func (s *soleResource) placed(answer api.Answer, known attributes) api.Answer {
	body := maps.Clone(answer.Body)
	if body == nil {
		body = map[string]any{}
	}
	body["id"] = OfTenant
	if parent := s.declared.Parent; parent != "" {
		body["id"], body[parent] = known.text(parent), known.text(parent)
	}
	return api.Answer{Body: body, ETag: answer.ETag}
}
