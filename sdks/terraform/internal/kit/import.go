package kit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// importParts takes an id, or several with a slash between them, as the attributes that stand in the address of a record.
func importParts(ctx context.Context, resourceName string, names []string, request resource.ImportStateRequest, response *resource.ImportStateResponse) {
	ids := strings.Split(request.ID, "/")
	// What is empty or of dots would lead to another address than that of one record.
	isNone := func(id string) bool { return id == "" || id == "." || id == ".." }
	if len(ids) != len(names) || slices.ContainsFunc(ids, isNone) {
		response.Diagnostics.AddError("Unknown id", fmt.Sprintf("The id of a %s is `%s`, not %q.", resourceName, strings.Join(names, "/"), request.ID))
		return
	}
	for i, name := range names {
		response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root(name), ids[i])...)
	}
}
