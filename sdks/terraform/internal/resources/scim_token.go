package resources

import "terraform-provider-svc/internal/kit"

var scimToken = kit.Record{
	Name:  "scim_token",
	Path:  "/api/v1/scim-tokens",
	About: "A token with which the directory of an organization provisions people.",
	Omit: map[string]string{
		"last_used_at":      observed,
		"former_expires_at": rotation,
	},
}
