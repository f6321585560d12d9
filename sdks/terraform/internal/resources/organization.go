package resources

import "terraform-provider-svc/internal/kit"

var organization = kit.Record{
	Name:   "organization",
	Path:   "/api/v1/organizations",
	About:  "A customer of the tenant.",
	Lookup: []string{"slug"},
	Defaults: map[string]any{
		"status":  "active",
		"sign_in": map[string]any{},
	},
	Moves: map[string]kit.Move{
		"owner_id": {Path: "owner", Member: "tenant_user_id"},
	},
}
