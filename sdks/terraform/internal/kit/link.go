package kit

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"terraform-provider-svc/internal/document"
)

// Link declares what stands at the address of two records: PUT makes and changes it, DELETE ends it.
type Link struct {
	// Its name in Terraform, without the prefix.
	Name string
	// Its address.
	Path string
	// What it is, in a sentence.
	About string
	// The attribute of the first parameter of the path, which the API calls `id`; others have the name of theirs.
	Parent string
	// The member of a record in the list that is the last parameter of the path, for an API that does not read one.
	Listed string
	// Members that are no attributes, each with the reason.
	Omit map[string]string
}

var parameter = regexp.MustCompile(`\{([a-z_]+)\}`)

// attribute is the name of a parameter in Terraform.
func (l Link) attribute(name string) string {
	if name == "id" {
		return l.Parent
	}
	return name
}

func (l Link) parameters() []string {
	var names []string
	for _, match := range parameter.FindAllStringSubmatch(l.Path, -1) {
		names = append(names, match[1])
	}
	return names
}

func (l Link) list() string { return l.Path[:strings.LastIndex(l.Path, "/")] }

// Paths are those that the link uses.
func (l Link) Paths() []string { return []string{l.Path, l.list()} }

// Fields are its attributes.
func (l Link) Fields(source *document.Document) []Field {
	documents := bodies{update: source.Takes("put", l.Path), record: source.Answers("get", l.Path)}
	fields := slices.DeleteFunc(documents.fields(source, nil), func(field Field) bool {
		_, omitted := l.Omit[field.Name]
		return omitted || field.Name == "id" || slices.Contains(l.parameters(), field.Name)
	})
	for _, name := range l.parameters() {
		of := strings.ReplaceAll(strings.TrimSuffix(l.attribute(name), "_id"), "_", " ")
		fields = append(fields, addressed(l.attribute(name), "The id of the "+of+"."))
	}
	whole := document.Schema{Type: document.Types{"string"}, Description: "The ids of both, with a slash between them."}
	return append(fields, Field{Name: "id", Schema: whole, InRecord: true, Identifies: true})
}

// Resource makes the resource.
func (l Link) Resource() resource.Resource {
	fields := sync.OnceValue(func() []Field { return l.Fields(document.Published()) })
	return &linkResource{declared: l, fields: fields}
}
