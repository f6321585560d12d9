package resources

import "terraform-provider-svc/internal/kit"

var organizationTexts = kit.Sole{
	Name:   "organization_texts",
	Path:   "/api/v1/organizations/{id}/texts",
	Parent: "organization_id",
	About:  "An organization's own texts in place of messages of the hosted pages and mails.",
}
