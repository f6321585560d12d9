package resources

import "terraform-provider-svc/internal/kit"

var scimTarget = kit.Record{
	Name:  "scim_target",
	Path:  "/api/v1/scim-targets",
	About: "An application to which people and groups of the tenant are pushed (SCIM).",
	Omit: map[string]string{
		"deactivated_because": observed,
	},
	Defaults: map[string]any{
		"attributes": []any{"name", "display_name", "emails"},
	},
}
