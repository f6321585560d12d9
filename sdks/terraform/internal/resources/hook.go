package resources

import "terraform-provider-svc/internal/kit"

var hook = kit.Record{
	Name:  "hook",
	Path:  "/api/v1/hooks",
	About: "A receiver or a module that is asked before people register or sign in, or before tokens are issued.",
	Omit: map[string]string{
		"former_secret_expires_at": rotation,
	},
	Defaults: map[string]any{
		"kind": "http",
	},
}
