package resources

import "terraform-provider-svc/internal/kit"

var customDomain = kit.Record{
	Name:  "custom_domain",
	Path:  "/api/v1/custom-domains",
	About: "A domain at which the tenant is to answer, with its DNS records. Proving and activating it are operations of their own.",
	Omit: map[string]string{
		"failing_since": observed,
	},
}
