package resources

import "terraform-provider-svc/internal/kit"

var groupMember = kit.Link{
	Name:   "group_member",
	Path:   "/api/v1/groups/{id}/members/{tenant_user_id}",
	About:  "A person in a group.",
	Parent: "group_id",
	Listed: "tenant_user_id",
}
