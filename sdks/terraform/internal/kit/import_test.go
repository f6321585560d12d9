package kit

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

func TestAnIDForAnImportNamesEveryPart(t *testing.T) {
	shape := schema.Schema{Attributes: map[string]schema.Attribute{
		"group_id": schema.StringAttribute{Required: true}, "user_id": schema.StringAttribute{Required: true},
	}}
	for id, isTaken := range map[string]bool{
		"grp_1/usr_1": true, "grp_1": false, "grp_1/": false, "/usr_1": false, "grp_1/..": false, "./usr_1": false, "a/b/c": false, "": false,
	} {
		kind := shape.Type().TerraformType(t.Context())
		response := resource.ImportStateResponse{State: tfsdk.State{Schema: shape, Raw: tftypes.NewValue(kind, nil)}}
		importParts(t.Context(), "group_member", []string{"group_id", "user_id"}, resource.ImportStateRequest{ID: id}, &response)
		if response.Diagnostics.HasError() == isTaken {
			t.Errorf("%q: %v", id, response.Diagnostics)
		}
	}
}
