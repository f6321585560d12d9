package resources

import "terraform-provider-svc/internal/kit"

var organizationMember = kit.Link{
	Name:   "organization_member",
	Path:   "/api/v1/organizations/{id}/members/{tenant_user_id}",
	About:  "A member of an organization, with the roles there.",
	Parent: "organization_id",
	Omit: map[string]string{
		"effective_roles": "what follows from groups of the directory; the list would change after it was read",
	},
}
