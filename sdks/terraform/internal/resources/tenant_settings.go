package resources

import "terraform-provider-svc/internal/kit"

const look = "said by `svc_branding`, which takes back what it does not have"

var tenantSettings = kit.Settings{
	Name:  "tenant_settings",
	Path:  "/api/v1/tenant-settings",
	About: "The name of the tenant and what its administrators choose. What a configuration does not name stays as it is.",
	Omit: map[string]string{
		"settings.accent":      look,
		"settings.font":        look,
		"settings.logo_uri":    look,
		"settings.policy_uri":  look,
		"settings.radius":      look,
		"settings.sender_name": look,
		"settings.tos_uri":     look,
	},
}
