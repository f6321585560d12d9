package resources

import "terraform-provider-svc/internal/kit"

var policy = kit.Record{
	Name:  "policy",
	Path:  "/api/v1/policies",
	About: "A policy: Cedar texts that decide what people may do. Each change makes a version.",
}
