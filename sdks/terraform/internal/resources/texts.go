package resources

import "terraform-provider-svc/internal/kit"

var texts = kit.Sole{
	Name:  "texts",
	Path:  "/api/v1/texts",
	About: "The tenant's own texts in place of messages of the hosted pages and mails.",
}
