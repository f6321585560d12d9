package resources

import "terraform-provider-svc/internal/kit"

var tenantUser = kit.Record{
	Name:   "tenant_user",
	Path:   "/api/v1/tenant-users",
	About:  "A member of the tenant, made or invited. Deleting it ends the membership, not the account.",
	Lookup: []string{"email", "username"},
	Ended:  "removed",
	Omit: map[string]string{
		"groups":          "said by `svc_group_member`; the list would change after it was read",
		"effective_roles": "what follows from roles and groups; the list would change after it was read",
	},
}
