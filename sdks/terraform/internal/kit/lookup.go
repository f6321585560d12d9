package kit

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/datasourcevalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"terraform-provider-svc/internal/api"
)

// lookup finds a record by its id or by one of its names.
type lookup struct {
	client   *api.Client
	declared Record
	fields   []Field
}

var (
	_ datasource.DataSourceWithConfigure        = &lookup{}
	_ datasource.DataSourceWithConfigValidators = &lookup{}
)

func (l *lookup) Metadata(_ context.Context, _ datasource.MetadataRequest, response *datasource.MetadataResponse) {
	response.TypeName = Prefix + l.declared.Name
}

func (l *lookup) names() []string { return append([]string{"id"}, l.declared.Lookup...) }

func (l *lookup) Schema(_ context.Context, _ datasource.SchemaRequest, response *datasource.SchemaResponse) {
	all := map[string]schema.Attribute{}
	for _, field := range l.read() {
		all[field.Name] = found(field)
	}
	for _, name := range l.names() {
		text := all[name].(schema.StringAttribute)
		text.Optional = true
		all[name] = text
	}
	response.Schema = schema.Schema{MarkdownDescription: l.declared.About + " Found by `" + strings.Join(l.names(), "` or `") + "`.", Attributes: all}
}

// read are the fields that reading tells.
func (l *lookup) read() []Field {
	var fields []Field
	for _, field := range l.fields {
		if field.InRecord {
			fields = append(fields, field)
		}
	}
	return fields
}

func found(field Field) schema.Attribute {
	switch field.Kind {
	case Flag:
		return schema.BoolAttribute{Computed: true, MarkdownDescription: field.Schema.Description}
	case Number:
		return schema.Int64Attribute{Computed: true, MarkdownDescription: field.Schema.Description}
	case Set:
		return schema.SetAttribute{ElementType: types.StringType, Computed: true, MarkdownDescription: field.Schema.Description}
	case List, Map, Object:
		return foundNested(field)
	default:
		return schema.StringAttribute{Computed: true, CustomType: customType(field), MarkdownDescription: field.Schema.Description}
	}
}

func foundNested(field Field) schema.Attribute {
	members := schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{}}
	for _, member := range field.Fields {
		members.Attributes[member.Name] = found(member)
	}
	switch {
	case field.Kind == List:
		return schema.ListNestedAttribute{Computed: true, MarkdownDescription: field.Schema.Description, NestedObject: members}
	case field.Kind == Object:
		return schema.SingleNestedAttribute{Computed: true, MarkdownDescription: field.Schema.Description, Attributes: members.Attributes}
	case field.Fields == nil:
		element := attr.Type(types.StringType)
		if field.HasMaps() {
			element = types.MapType{ElemType: types.StringType}
		}
		return schema.MapAttribute{ElementType: element, Computed: true, MarkdownDescription: field.Schema.Description}
	default:
		return schema.MapNestedAttribute{Computed: true, MarkdownDescription: field.Schema.Description, NestedObject: members}
	}
}

func (l *lookup) ConfigValidators(context.Context) []datasource.ConfigValidator {
	var expressions []path.Expression
	for _, name := range l.names() {
		expressions = append(expressions, path.MatchRoot(name))
	}
	return []datasource.ConfigValidator{datasourcevalidator.ExactlyOneOf(expressions...)}
}

func (l *lookup) Configure(_ context.Context, request datasource.ConfigureRequest, response *datasource.ConfigureResponse) {
	l.client = clientOf(request.ProviderData, &response.Diagnostics)
}

func (l *lookup) Read(ctx context.Context, request datasource.ReadRequest, response *datasource.ReadResponse) {
	asked, err := attributesOf(request.Config.Raw)
	if err != nil {
		response.Diagnostics.AddError("The configuration cannot be read", err.Error())
		return
	}
	record, err := l.find(ctx, asked)
	if err != nil {
		report(&response.Diagnostics, nil, "The "+l.declared.Name+" was not found", err)
		return
	}
	kind := response.State.Schema.Type().TerraformType(ctx).(tftypes.Object)
	if response.State.Raw, err = object(l.read(), kind, record); err != nil {
		response.Diagnostics.AddError("The answer is not the one of this version of the API", err.Error())
	}
}

func (l *lookup) find(ctx context.Context, asked attributes) (map[string]any, error) {
	if id := asked.text("id"); id != "" {
		answer, err := l.client.Do(ctx, api.Call{Method: http.MethodGet, Path: l.declared.At(asked.text)})
		if err == nil && l.declared.HasEnded(answer.Body) {
			err = fmt.Errorf("the %s %q was deleted", l.declared.Name, id)
		}
		return answer.Body, err
	}
	// What was deleted, and is listed all the same, may have given its name to another.
	isThere := func(record map[string]any) bool { return !l.declared.HasEnded(record) }
	for _, name := range l.declared.Lookup {
		wanted := asked.text(name)
		if wanted == "" {
			continue
		}
		record, err := l.client.Find(ctx, l.declared.Path, url.Values{name: {wanted}}, isThere)
		if err == nil && record == nil {
			err = fmt.Errorf("no %s has the %s %q", l.declared.Name, name, wanted)
		}
		return record, err
	}
	return nil, fmt.Errorf("one of %s has to be known", strings.Join(l.names(), ", "))
}
