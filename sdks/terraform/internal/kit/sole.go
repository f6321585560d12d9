package kit

import (
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"terraform-provider-svc/internal/api"
	"terraform-provider-svc/internal/document"
)

// Sole declares a document that is there once, for the tenant or for another record: PUT makes it what is wanted, and it ends by being
// empty.
type Sole struct {
	// Its name in Terraform, without the prefix.
	Name string
	// Its address.
	Path string
	// What it is, in a sentence.
	About string
	// Of one of another record: the attribute of the parameter, which the API calls `id`.
	Parent string
}

// OfTenant is the id of a document of the tenant.
const OfTenant = "tenant"

// At is its address, by its attributes.
func (s Sole) At(attribute func(name string) string) string {
	if s.Parent == "" {
		return s.Path
	}
	return api.Path(s.Path, map[string]string{"id": attribute(s.Parent)})
}

// Paths are those that it uses.
func (s Sole) Paths() []string { return []string{s.Path} }

// Fields are its attributes.
func (s Sole) Fields(source *document.Document) []Field {
	documents := bodies{update: source.Takes("put", s.Path), record: source.Answers("get", s.Path)}
	fields := documents.fields(source, nil)
	described := "Always `" + OfTenant + "`."
	if s.Parent != "" {
		described = "The id of the " + strings.ReplaceAll(strings.TrimSuffix(s.Parent, "_id"), "_", " ") + "."
		fields = append(fields, addressed(s.Parent, described))
	}
	id := document.Schema{Type: document.Types{"string"}, Description: described}
	return append(fields, Field{Name: "id", Schema: id, InRecord: true, Identifies: true})
}

// Resource makes the resource.
func (s Sole) Resource() resource.Resource {
	fields := sync.OnceValue(func() []Field { return s.Fields(document.Published()) })
	return &soleResource{declared: s, fields: fields}
}
