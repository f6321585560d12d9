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
	Chosen: map[string]kit.Choice{
		// Programs on people's devices keep no secret.
		"token_endpoint_auth_method": {
			By:      "type",
			Usual:   map[string]string{"spa": "none", "native": "none", "": "client_secret_basic"},
			Secret:  "client_secret",
			Renewal: "secret",
			With:    []string{"client_secret_basic", "client_secret_post"},
		},
	},
}
