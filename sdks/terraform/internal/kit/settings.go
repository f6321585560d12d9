package kit

import (
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"terraform-provider-svc/internal/document"
)

// Settings declares a document of the tenant that is always there: PATCH changes the members that a configuration names, and no others;
// one that is named no longer gets its default back.
type Settings struct {
	// Its name in Terraform, without the prefix.
	Name string
	// Its address.
	Path string
	// What it is, in a sentence.
	About string
	// Members that are no attributes, each with the reason; a dot leads to the members of a member.
	Omit map[string]string
}

// Paths are those that it uses.
func (s Settings) Paths() []string { return []string{s.Path} }

// Fields are its attributes: what can be changed. What is only read follows from that, from the plan and from the deployment.
func (s Settings) Fields(source *document.Document) []Field {
	documents := bodies{update: source.Takes("put", s.Path), record: source.Answers("get", s.Path)}
	var fields []Field
	for _, field := range documents.fields(source, nil) {
		if field.InUpdate {
			fields = append(fields, field)
		}
	}
	id := document.Schema{Type: document.Types{"string"}, Description: "Always `" + OfTenant + "`."}
	return append(s.without("", fields), Field{Name: "id", Schema: id, InRecord: true, Identifies: true})
}

func (s Settings) without(place string, fields []Field) (kept []Field) {
	for _, field := range fields {
		if _, omitted := s.Omit[place+field.Name]; omitted {
			continue
		}
		if field.Kind == Object {
			field.Fields = s.without(place+field.Name+".", field.Fields)
		}
		kept = append(kept, field)
	}
	return kept
}

// Resource makes the resource.
func (s Settings) Resource() resource.Resource {
	fields := sync.OnceValue(func() []Field { return s.Fields(document.Published()) })
	return &settingsResource{declared: s, fields: fields}
}
