package kit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

const (
	writeOnly        = "_wo"
	writeOnlyVersion = "_wo_version"
)

// brought adds a secret that a configuration brings: it reaches the service and stands in no plan and no state, so that a
// version says when it is another one.
func brought(all map[string]schema.Attribute, field Field) {
	version := path.MatchRoot(field.Name + writeOnlyVersion)
	read, another := "it is read when the record is made", "makes another record with"
	if field.InUpdate {
		read, another = "it is read whenever the record is made or changed", "puts in its place"
	}
	all[field.Name+writeOnly] = schema.StringAttribute{
		Required: field.Required, Optional: !field.Required, WriteOnly: true, Sensitive: true,
		Validators:          append(textValidators(field), stringvalidator.AlsoRequires(version)),
		MarkdownDescription: field.Schema.Description + " Kept in no plan and no state; " + read + ".",
	}
	all[field.Name+writeOnlyVersion] = schema.Int64Attribute{
		// A record that was made without the secret, or imported, has another one.
		Optional: true, PlanModifiers: numberModifiers(Field{InNew: true, InUpdate: field.InUpdate, InRecord: true}),
		MarkdownDescription: "Another number " + another + " the `" + field.Name + writeOnly + "` of now.",
	}
}

// instead plans that nothing is shown where the configuration brings the secret itself.
type instead struct{ field Field }

func (i instead) Description(context.Context) string {
	return "Nothing is shown of a secret of one's own."
}

func (i instead) MarkdownDescription(ctx context.Context) string { return i.Description(ctx) }

func (i instead) PlanModifyString(ctx context.Context, request planmodifier.StringRequest, response *planmodifier.StringResponse) {
	var own types.String
	response.Diagnostics.Append(request.Config.GetAttribute(ctx, path.Root(i.field.Name+writeOnly), &own)...)
	if !own.IsNull() {
		response.PlanValue = types.StringNull()
	}
}
