package resources

import "terraform-provider-svc/internal/kit"

var group = kit.Record{
	Name:   "group",
	Path:   "/api/v1/groups",
	About:  "A group of people, who have its roles.",
	Lookup: []string{"name"},
}
