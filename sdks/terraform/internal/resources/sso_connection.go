package resources

import "terraform-provider-svc/internal/kit"

var ssoConnection = kit.Record{
	Name:   "sso_connection",
	Path:   "/api/v1/organizations/{id}/sso-connections",
	Parent: "organization_id",
	Key:    "connection_id",
	About:  "The provider of an organization, through which its people sign in.",
	Defaults: map[string]any{
		"kind":        "oidc",
		"client_auth": "client_secret_basic",
		"scopes":      []any{"openid", "profile", "email"},
	},
}
