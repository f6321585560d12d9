package kit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"terraform-provider-svc/internal/api"
)

// report makes diagnostics of an error, at the attributes that the service found faults in.
func report(diagnostics *diag.Diagnostics, fields []Field, summary string, err error) {
	var problem *api.Problem
	if !errors.As(err, &problem) {
		diagnostics.AddError(summary, err.Error())
		return
	}
	flaws := problem.Flaws
	if len(flaws) == 0 {
		flaws = []api.Flaw{{Pointer: pointer(problem.Detail), Detail: problem.Detail}}
	}
	var elsewhere []string
	for _, flaw := range flaws {
		name, _, _ := strings.Cut(strings.TrimPrefix(flaw.Pointer, "/"), "/")
		if at := slices.IndexFunc(fields, func(field Field) bool { return field.Name == name }); at >= 0 {
			if fields[at].Brought() {
				name += writeOnly
			}
			diagnostics.AddAttributeError(path.Root(name), summary, problem.Explained(flaw.Detail))
		} else {
			elsewhere = append(elsewhere, flaw.Detail)
		}
	}
	// No fault is passed over: neither one of the whole nor one of what is no attribute.
	switch {
	case len(elsewhere) == len(flaws):
		diagnostics.AddError(summary, problem.Explained(problem.Detail))
	case len(elsewhere) > 0:
		diagnostics.AddError(summary, problem.Explained(strings.Join(elsewhere, "\n")))
	}
}

// pointer leads to what a text is about, which begins with it where there is a single fault: `scope: …`, `redirect_uris[0]: …`.
func pointer(detail string) string {
	name, _, _ := strings.Cut(detail, ":")
	if end := strings.IndexAny(name, "[."); end >= 0 {
		name = name[:end]
	}
	return "/" + name
}

func clientOf(configured any, diagnostics *diag.Diagnostics) *api.Client {
	client, ok := configured.(*api.Client)
	// Terraform also asks before the provider is configured.
	if configured != nil && !ok {
		diagnostics.AddError("The provider is not configured", fmt.Sprintf("unexpected %T", configured))
	}
	return client
}
