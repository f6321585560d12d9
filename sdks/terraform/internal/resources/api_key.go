package resources

import "terraform-provider-svc/internal/kit"

var apiKey = kit.Record{
	Name:  "api_key",
	Path:  "/api/v1/api-keys",
	About: "A key that calls the management API or an API of the tenant.",
	Omit: map[string]string{
		"last_used_at":      observed,
		"former_expires_at": rotation,
	},
}
