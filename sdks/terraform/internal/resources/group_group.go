package resources

import "terraform-provider-svc/internal/kit"

var groupGroup = kit.Link{
	Name:   "group_group",
	Path:   "/api/v1/groups/{id}/groups/{group_id}",
	About:  "A group in a group: its people have the roles of both.",
	Parent: "parent_group_id",
	Listed: "group_id",
}
