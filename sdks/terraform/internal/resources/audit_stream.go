package resources

import "terraform-provider-svc/internal/kit"

var auditStream = kit.Record{
	Name:  "audit_stream",
	Path:  "/api/v1/audit/streams",
	About: "Where the audit log of the tenant is sent.",
	Omit: map[string]string{
		"deactivated_because": observed,
		"position":            observed,
		"behind":              observed,
		"sent_at":             observed,
		"failing_since":       observed,
		"last_error":          observed,
	},
}
