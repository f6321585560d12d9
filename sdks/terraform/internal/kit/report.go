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
	var elsewhere []string
	for _, flaw := range problem.Flaws {
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
	case len(elsewhere) == len(problem.Flaws):
		diagnostics.AddError(summary, problem.Explained(problem.Detail))
	case len(elsewhere) > 0:
		diagnostics.AddError(summary, problem.Explained(strings.Join(elsewhere, "\n")))
	}
}

func clientOf(configured any, diagnostics *diag.Diagnostics) *api.Client {
	client, ok := configured.(*api.Client)
	// Terraform also asks before the provider is configured.
	if configured != nil && !ok {
		diagnostics.AddError("The provider is not configured", fmt.Sprintf("unexpected %T", configured))
	}
	return client
}
