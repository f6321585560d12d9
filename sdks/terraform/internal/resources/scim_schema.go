package resources

import "terraform-provider-svc/internal/kit"

var scimSchema = kit.Record{
	Name:  "scim_schema",
	Path:  "/api/v1/scim-schemas",
	About: "Attributes of the tenant's own that directories may say of people (SCIM).",
	Defaults: map[string]any{
		"attributes.type":                      "string",
		"attributes.mutability":                "readWrite",
		"attributes.returned":                  "default",
		"attributes.uniqueness":                "none",
		"attributes.sub_attributes.type":       "string",
		"attributes.sub_attributes.mutability": "readWrite",
		"attributes.sub_attributes.returned":   "default",
		"attributes.sub_attributes.uniqueness": "none",
	},
}
