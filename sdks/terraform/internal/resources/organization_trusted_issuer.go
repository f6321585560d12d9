package resources

import "terraform-provider-svc/internal/kit"

var organizationTrustedIssuer = kit.Record{
	Name:   "organization_trusted_issuer",
	Path:   "/api/v1/organizations/{id}/trusted-issuers",
	Parent: "organization_id",
	Key:    "issuer_id",
	About:  "An issuer whose assertions about members of an organization are believed.",
	Defaults: map[string]any{
		"enabled": true,
	},
}
