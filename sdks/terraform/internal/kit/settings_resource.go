package kit

import (
	"context"
	"fmt"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"terraform-provider-svc/internal/api"
)

type settingsResource struct {
	client   *api.Client
	declared Settings
	fields   func() []Field
}

var (
	_ resource.ResourceWithConfigure   = &settingsResource{}
	_ resource.ResourceWithImportState = &settingsResource{}
)

func (s *settingsResource) Metadata(_ context.Context, _ resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = Prefix + s.declared.Name
}

func (s *settingsResource) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	response.Schema = schema.Schema{MarkdownDescription: s.declared.About, Attributes: schemaOf(optional(s.fields()))}
}

func (s *settingsResource) Configure(_ context.Context, request resource.ConfigureRequest, response *resource.ConfigureResponse) {
	s.client = clientOf(request.ProviderData, &response.Diagnostics)
}

func (s *settingsResource) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	if answer, ok := s.change(ctx, tftypes.Value{}, request.Plan.Raw, &response.Diagnostics); ok {
		s.store(answer, request.Plan.Raw, &response.State, &response.Diagnostics)
	}
}

func (s *settingsResource) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	if answer, ok := s.change(ctx, request.State.Raw, request.Plan.Raw, &response.Diagnostics); ok {
		s.store(answer, request.Plan.Raw, &response.State, &response.Diagnostics)
	}
}

func (s *settingsResource) Delete(ctx context.Context, request resource.DeleteRequest, response *resource.DeleteResponse) {
	s.change(ctx, request.State.Raw, tftypes.Value{}, &response.Diagnostics)
}

func (s *settingsResource) Read(ctx context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	answer, err := s.client.Do(ctx, api.Call{Method: http.MethodGet, Path: s.declared.Path})
	if api.IsMissing(err) {
		response.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		report(&response.Diagnostics, nil, "The "+s.declared.Name+" could not be read", err)
		return
	}
	s.store(answer, request.State.Raw, &response.State, &response.Diagnostics)
}

// ImportState takes what is not the default for what a configuration names.
func (s *settingsResource) ImportState(ctx context.Context, request resource.ImportStateRequest, response *resource.ImportStateResponse) {
	if request.ID != OfTenant {
		response.Diagnostics.AddError("Unknown id", fmt.Sprintf("The id of a %s is `%s`, not %q.", s.declared.Name, OfTenant, request.ID))
		return
	}
	answer, err := s.client.Do(ctx, api.Call{Method: http.MethodGet, Path: s.declared.Path})
	if err != nil {
		report(&response.Diagnostics, nil, "The "+s.declared.Name+" could not be read", err)
		return
	}
	s.put(answer, &response.State, &response.Diagnostics, unusual)
}

// change sends what is named now, and gives back what was named before.
func (s *settingsResource) change(ctx context.Context, before, now tftypes.Value, diagnostics *diag.Diagnostics) (api.Answer, bool) {
	was, ok := s.body(ctx, before, diagnostics)
	if !ok {
		return api.Answer{}, false
	}
	body, ok := s.body(ctx, now, diagnostics)
	if !ok {
		return api.Answer{}, false
	}
	giveBack(s.fields(), was, body)
	answer, err := s.send(ctx, body)
	if err != nil {
		report(diagnostics, s.fields(), "The "+s.declared.Name+" were not changed", err)
	}
	return answer, err == nil
}

func (s *settingsResource) send(ctx context.Context, body map[string]any) (api.Answer, error) {
	if len(body) == 0 {
		return s.client.Do(ctx, api.Call{Method: http.MethodGet, Path: s.declared.Path})
	}
	turns.Lock()
	defer turns.Unlock()
	// No version is named: the same apply may have changed what it is that of, and what is not named stays as it is.
	return s.client.Do(ctx, api.Call{Method: http.MethodPatch, Path: s.declared.Path, Body: body})
}

func (s *settingsResource) body(ctx context.Context, values tftypes.Value, diagnostics *diag.Diagnostics) (map[string]any, bool) {
	w := writing{ctx: ctx, fields: s.fields(), plan: values, diagnostics: diagnostics}
	return w.body(func(field Field) bool { return field.InUpdate })
}

// store makes the state of an answer and of what is named.
func (s *settingsResource) store(answer api.Answer, named tftypes.Value, state *tfsdk.State, diagnostics *diag.Diagnostics) {
	names, err := attributesOf(named)
	if err != nil {
		diagnostics.AddError("The plan cannot be read", err.Error())
		return
	}
	s.put(answer, state, diagnostics, func(field Field, whole tftypes.Value) (tftypes.Value, error) {
		return narrowed(field, names[field.Name], whole)
	})
}

func (s *settingsResource) put(answer api.Answer, state *tfsdk.State, diagnostics *diag.Diagnostics, kept func(Field, tftypes.Value) (tftypes.Value, error)) {
	kind := state.Schema.Type().TerraformType(context.Background()).(tftypes.Object)
	values := map[string]tftypes.Value{}
	for _, field := range s.fields() {
		if field.Identifies {
			values[field.Name] = tftypes.NewValue(tftypes.String, OfTenant)
			continue
		}
		whole, err := value(field, kind.AttributeTypes[field.Name], answer.Body[field.Name])
		if err == nil {
			values[field.Name], err = kept(field, whole)
		}
		if err != nil {
			diagnostics.AddAttributeError(path.Root(field.Name), "The answer is not the one of this version of the API", err.Error())
			return
		}
	}
	state.Raw = tftypes.NewValue(kind, values)
}
