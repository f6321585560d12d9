package resources

import "terraform-provider-svc/internal/kit"

var organizationAPIKey = kit.Record{
	Name:   "organization_api_key",
	Path:   "/api/v1/organizations/{id}/api-keys",
	Parent: "organization_id",
	Key:    "key_id",
	About:  "A key of an organization, which calls the management API for it.",
	Omit: map[string]string{
		"tenant_user_id":    "null: the key of an organization acts for no person",
		"last_used_at":      observed,
		"former_expires_at": rotation,
	},
}
