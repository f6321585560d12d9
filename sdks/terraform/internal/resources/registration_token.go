package resources

import "terraform-provider-svc/internal/kit"

var registrationToken = kit.Record{
	Name:  "registration_token",
	Path:  "/api/v1/registration-tokens",
	About: "An initial access token, with which applications register themselves.",
	Omit: map[string]string{
		"used": observed,
	},
}
