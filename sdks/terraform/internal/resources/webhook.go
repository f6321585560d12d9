package resources

import "terraform-provider-svc/internal/kit"

var webhook = kit.Record{
	Name:    "webhook",
	Path:    "/api/v1/webhooks",
	About:   "A subscription: events of the tenant are posted to an address.",
	Cleared: []string{"description"},
	Omit: map[string]string{
		"failing_since":            observed,
		"deactivated_because":      observed,
		"former_secret_expires_at": rotation,
	},
}
