package resources

import "terraform-provider-svc/internal/kit"

var trustedIssuer = kit.Record{
	Name:   "trusted_issuer",
	Path:   "/api/v1/trusted-issuers",
	About:  "An issuer whose assertions about people are believed.",
	Lookup: []string{"issuer"},
	Defaults: map[string]any{
		"enabled": true,
	},
}
