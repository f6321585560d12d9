// Package resources declares what the provider manages, one resource in a file.
package resources

import "terraform-provider-svc/internal/kit"

// Records are the resources with an id of their own.
var Records = []kit.Record{
	api,
	apiKey,
	application,
	auditStream,
	connector,
	customDomain,
	group,
	hook,
	hookModule,
	organization,
	organizationAPIKey,
	organizationDomain,
	organizationTrustedIssuer,
	policy,
	registrationToken,
	role,
	scimSchema,
	scimTarget,
	scimToken,
	signUpField,
	ssoConnection,
	tenantUser,
	terms,
	trustedIssuer,
	webhook,
}

// Links are the resources that stand between two records.
var Links = []kit.Link{
	groupGroup,
	groupMember,
	organizationMember,
}

// Soles are the resources that are there once, for the tenant or for another record.
var Soles = []kit.Sole{
	branding,
	organizationTexts,
	texts,
}

// Settings are the resources that change in part what the tenant always has.
var Settings = []kit.Settings{
	tenantSettings,
}

const (
	observed = "what happens, not what is configured: it changes by itself, and would make every plan differ"
	rotation = "comes of rotating the secret, which is done with an operation of its own"
)
