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
	placed := false
	for _, flaw := range problem.Flaws {
		name, _, _ := strings.Cut(strings.TrimPrefix(flaw.Pointer, "/"), "/")
		if at := slices.IndexFunc(fields, func(field Field) bool { return field.Name == name }); at >= 0 {
			if fields[at].Brought() {
				name += writeOnly
			}
			diagnostics.AddAttributeError(path.Root(name), summary, problem.Explained(flaw.Detail))
			placed = true
		}
	}
	if !placed {
		diagnostics.AddError(summary, problem.Explained(problem.Detail))
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
