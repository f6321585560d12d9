package resources

import "terraform-provider-svc/internal/kit"

var organizationDomain = kit.Record{
	Name:   "organization_domain",
	Path:   "/api/v1/organizations/{id}/domains",
	Parent: "organization_id",
	Key:    "domain_id",
	About:  "A domain that an organization claims, with the DNS record that proves it. The proof is asked for with an operation of its own.",
	Omit: map[string]string{
		"failing_since": observed,
	},
}
