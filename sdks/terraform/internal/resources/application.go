package resources

import "terraform-provider-svc/internal/kit"

var application = kit.Record{
	Name:   "application",
	Path:   "/api/v1/applications",
	About:  "An application: an OAuth client, whose `id` is its `client_id`.",
	Lookup: []string{"handle"},
	Defaults: map[string]any{
		"enabled": true,
	},
	// By the type: `spa` and `native` are public.
	Chosen: []string{"token_endpoint_auth_method"},
}
