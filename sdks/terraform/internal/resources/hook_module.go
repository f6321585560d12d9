package resources

import "terraform-provider-svc/internal/kit"

var hookModule = kit.Record{
	Name:  "hook_module",
	Path:  "/api/v1/hook-modules",
	About: "A WebAssembly module that hooks can name. It never changes: another one has a name of its own.",
}
