// Package resources declares what the provider manages, one resource in a file.
package resources

import "terraform-provider-svc/internal/kit"

// Records are the resources with an id of their own.
var Records = []kit.Record{
	api,
	apiKey,
	application,
	group,
	organization,
	policy,
	registrationToken,
	role,
	scimToken,
	tenantUser,
	trustedIssuer,
	webhook,
}

// Links are the resources that stand between two records.
var Links = []kit.Link{
	groupGroup,
	groupMember,
	organizationMember,
}

const (
	observed = "what happens, not what is configured: it changes by itself, and would make every plan differ"
	rotation = "comes of rotating the secret, which is done with an operation of its own"
)
