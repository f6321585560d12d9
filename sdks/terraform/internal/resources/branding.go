package resources

import "terraform-provider-svc/internal/kit"

var branding = kit.Sole{
	Name:  "branding",
	Path:  "/api/v1/branding",
	About: "How the hosted pages and mails of the tenant look.",
}
