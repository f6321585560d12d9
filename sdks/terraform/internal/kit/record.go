// Package kit makes Terraform resources and data sources of declarations and the OpenAPI document.
package kit

import (
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"terraform-provider-svc/internal/api"
	"terraform-provider-svc/internal/document"
)

// Prefix begins the names of all resources.
const Prefix = "svc_"

// Record declares a record with an id of its own: POST makes it, GET reads it, PUT replaces it, DELETE ends it.
type Record struct {
	// Its name in Terraform, without the prefix.
	Name string
	// Where its list is.
	Path string
	// Of a list that lies under another record: the attribute of the parameter, which the API calls `id`.
	Parent string
	// What the API calls the parameter of one in the list; `id` unless given.
	Key string
	// What it is, in a sentence.
	About string
	// By which parameters of the list a data source finds one.
	Lookup []string
	// Members that are no attributes, each with the reason.
	Omit map[string]string
	// What the service takes for a member whose default the document does not say; a dot leads to the members of a member.
	Defaults map[string]any
	// Members that the service chooses by others of a new record, whatever default the document says; a change of what decides chooses
	// again, and every other one leaves them.
	Chosen map[string]Choice
	// Members that an operation of their own changes: its path below the record, and what its body calls them.
	Moves map[string]Move
	// Members that a PUT which leaves them out does not change: null takes them back.
	Cleared []string
	// Whether the service deletes only what is disabled.
	Disabled bool
	// The status of what was deleted, for a service that still reads it.
	Ended string
}

// Move changes one member of a record.
type Move struct {
	Path   string
	Member string
}

func (r Record) item() string { return r.Path + "/{" + r.key() + "}" }

func (r Record) key() string {
	if r.Key == "" {
		return "id"
	}
	return r.Key
}

// At is the address of one, by its attributes.
func (r Record) At(attribute func(name string) string) string {
	return api.Path(r.item(), r.place(attribute))
}

// list is the address of the list that has one, by its attributes.
func (r Record) list(attribute func(name string) string) string {
	return api.Path(r.Path, r.place(attribute))
}

func (r Record) place(attribute func(name string) string) map[string]string {
	place := map[string]string{r.key(): attribute("id")}
	if r.Parent != "" {
		place["id"] = attribute(r.Parent)
	}
	return place
}

// identity are the attributes of which the id for an import is made.
func (r Record) identity() []string {
	if r.Parent == "" {
		return []string{"id"}
	}
	return []string{r.Parent, "id"}
}

// Paths are those that the record uses.
func (r Record) Paths() []string {
	paths := []string{r.Path, r.item()}
	for _, move := range r.Moves {
		paths = append(paths, r.item()+"/"+move.Path)
	}
	return paths
}

// HasEnded tells whether a record is read although it was deleted.
func (r Record) HasEnded(record map[string]any) bool {
	return r.Ended != "" && record["status"] == r.Ended
}

// Fields are its attributes.
func (r Record) Fields(source *document.Document) []Field {
	documents := bodies{
		new:     source.Takes("post", r.Path),
		update:  source.Takes("put", r.item()),
		record:  source.Answers("get", r.item()),
		created: source.Answers("post", r.Path),
	}
	fields := slices.DeleteFunc(documents.fields(source, r.Defaults), func(field Field) bool {
		_, omitted := r.Omit[field.Name]
		return omitted
	})
	for i := range fields {
		if _, isChosen := r.Chosen[fields[i].Name]; isChosen {
			fields[i].Default, fields[i].Chosen, fields[i].Stays = nil, true, true
		}
		_, fields[i].Moves = r.Moves[fields[i].Name]
		fields[i].Identifies = fields[i].Name == "id"
		if fields[i].Name == r.Parent {
			fields[i] = addressed(r.Parent, fields[i].Schema.Description)
		}
	}
	return fields
}

// Resource makes the resource.
func (r Record) Resource() resource.Resource {
	fields := sync.OnceValue(func() []Field { return r.Fields(document.Published()) })
	return &recordResource{declared: r, fields: fields}
}

// DataSource makes what finds one, or nil.
func (r Record) DataSource() datasource.DataSource {
	if r.Lookup == nil {
		return nil
	}
	return &lookup{declared: r, fields: r.Fields(document.Published())}
}
