package resources

import "terraform-provider-svc/internal/kit"

var connector = kit.Record{
	Name:  "connector",
	Path:  "/api/v1/connectors",
	About: "A provider at which the tenant has registered itself, and at which its people sign in.",
	Defaults: map[string]any{
		"client_auth": "client_secret_basic",
		"scopes":      []any{"openid", "profile", "email"},
	},
}
