package resources

import "terraform-provider-svc/internal/kit"

var signUpField = kit.Record{
	Name:  "sign_up_field",
	Path:  "/api/v1/sign-up-fields",
	About: "Something that people are asked for when they register, or later.",
	Defaults: map[string]any{
		"asked":            "at_sign_up",
		"after_sign_ins":   3,
		"again_after_days": 30,
		"enabled":          true,
		"editable":         true,
		"kept_in":          "public_metadata",
	},
}
