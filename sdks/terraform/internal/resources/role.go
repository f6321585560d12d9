package resources

import "terraform-provider-svc/internal/kit"

var role = kit.Record{
	Name:   "role",
	Path:   "/api/v1/roles",
	About:  "A role of people, with what it permits.",
	Lookup: []string{"name"},
}
