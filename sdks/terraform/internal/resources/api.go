package resources

import "terraform-provider-svc/internal/kit"

var api = kit.Record{
	Name:   "api",
	Path:   "/api/v1/apis",
	About:  "An API that access tokens are for, with its scopes.",
	Lookup: []string{"identifier"},
	Defaults: map[string]any{
		"enabled":          true,
		"access_token_typ": "at+jwt",
	},
	Disabled: true,
}
