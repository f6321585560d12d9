package resources

import "terraform-provider-svc/internal/kit"

var terms = kit.Record{
	Name:  "terms",
	Path:  "/api/v1/terms",
	About: "A version of a document that people accept, such as terms of service.",
	Defaults: map[string]any{
		"required": true,
	},
}
