package kit

import (
	"encoding/json"
	"slices"

	"terraform-provider-svc/internal/document"
)

// Kind is how Terraform sees a value of the API.
type Kind int

const (
	// Text is a string.
	Text Kind = iota
	// Words is a string of names in any order, separated by spaces.
	Words
	// Flag is true or false.
	Flag
	// FlagOrWord is `true`, `false` or a word; Terraform writes the former as texts.
	FlagOrWord
	// Number is an integer.
	Number
	// JSON is an object of any form, written with `jsonencode`.
	JSON
	// Set is a set of strings.
	Set
	// List is a list of objects.
	List
)

// Field is an attribute, as the documents of a record describe it.
type Field struct {
	Name   string
	Kind   Kind
	Schema document.Schema
	// What the elements of a set or a list are, and what the latter have.
	Elements document.Schema
	Fields   []Field
	// What the API takes when nothing is said, or nil: nothing, or what the service chooses.
	Default any

	Required bool
	// Which documents have it.
	InNew, InUpdate, InRecord, InCreated bool
	// The record always has it, so that the service chooses where a request leaves it out.
	Chosen bool
	// The value may be left out, and the empty text is none.
	Omissible bool
	// An operation of its own changes it.
	Moves bool
	// It identifies the record.
	Identifies bool
}

// Settable tells whether a configuration may say it.
func (f Field) Settable() bool { return f.InNew || f.InUpdate }

// Secret tells whether the API shows it once.
func (f Field) Secret() bool { return f.InCreated && !f.InRecord }

// Brought tells whether a configuration may bring the secret; then it is written and kept nowhere.
func (f Field) Brought() bool { return f.Secret() && f.InNew }

// Unread tells whether reading the record does not bring it.
func (f Field) Unread() bool { return !f.InRecord }

// Fixed tells whether another value needs another record.
func (f Field) Fixed() bool { return f.InNew && !f.InUpdate && !f.Moves && !f.Secret() }

// Computed tells whether the service may choose the value.
func (f Field) Computed() bool {
	return !f.Settable() || f.Secret() || (f.Chosen && !f.Required && f.Default == nil)
}

// bodies are the documents of a record; those that it does not have are nil.
type bodies struct {
	new, update, record, created *document.Schema
}

func (b bodies) fields(source *document.Document, defaults map[string]any) []Field {
	names := map[string]bool{}
	for _, body := range []*document.Schema{b.new, b.update, b.record, b.created} {
		for name := range properties(body) {
			names[name] = true
		}
	}
	fields := make([]Field, 0, len(names))
	for name := range names {
		fields = append(fields, b.field(source, name, defaults))
	}
	slices.SortFunc(fields, func(a, b Field) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return fields
}

func (b bodies) field(source *document.Document, name string, defaults map[string]any) Field {
	var described *document.Schema
	// What is sent describes a field better than what is answered.
	for _, body := range []*document.Schema{b.created, b.record, b.update, b.new} {
		if property, known := properties(body)[name]; known {
			described = property
		}
	}
	field := plain(source, name, described)
	_, field.InNew = properties(b.new)[name]
	_, field.InUpdate = properties(b.update)[name]
	_, field.InCreated = properties(b.created)[name]
	answer, inRecord := properties(b.record)[name]
	field.InRecord = inRecord
	field.Required = requires(b.new, name) || (b.new == nil && requires(b.update, name))
	if inRecord {
		_, nullable := source.Flat(answer)
		field.Chosen = !nullable && requires(b.record, name)
	}
	if standard, known := defaults[name]; known {
		field.Default = standard
	}
	if field.Required || !field.Settable() || !field.InRecord {
		field.Default = nil
	}
	field.Omissible = field.Settable() && !field.Required && !field.Chosen && field.Default == nil
	return field
}

// plain is a field by its own schema.
func plain(source *document.Document, name string, schema *document.Schema) Field {
	flat, nullable := source.Flat(schema)
	field := Field{Name: name, Schema: flat, Kind: kind(name, flat)}
	if field.Kind == Set || field.Kind == List {
		field.Elements, _ = source.Flat(flat.Items)
		field.Fields = parts(source, field.Elements)
		if field.Fields != nil {
			field.Kind = List
		}
	}
	if flat.Default != nil {
		// The document was read before, so that its values are JSON.
		_ = json.Unmarshal(flat.Default, &field.Default)
	} else if !nullable {
		field.Default = empty(field)
	}
	return field
}

// parts are the fields of the objects in a list.
func parts(source *document.Document, items document.Schema) []Field {
	if items.Properties == nil {
		return nil
	}
	fields := bodies{update: &items}.fields(source, nil)
	for i := range fields {
		_, nullable := source.Flat(items.Properties[fields[i].Name])
		if !fields[i].Required && !nullable {
			fields[i].Default = plain(source, fields[i].Name, items.Properties[fields[i].Name]).Default
		}
	}
	return fields
}

// empty is what leaving out means where null is no value: an empty set, list or object.
func empty(field Field) any {
	switch field.Kind {
	case Set, List:
		return []any{}
	case JSON:
		return map[string]any{}
	default:
		return nil
	}
}

func kind(name string, schema document.Schema) Kind {
	switch {
	case schema.IsFlagOrWord():
		return FlagOrWord
	case slices.Contains(schema.Type, "array"):
		return Set
	case slices.Contains(schema.Type, "object"):
		return JSON
	case slices.Contains(schema.Type, "boolean"):
		return Flag
	case slices.Contains(schema.Type, "integer"):
		return Number
	case name == "scope":
		return Words
	default:
		return Text
	}
}

func properties(schema *document.Schema) map[string]*document.Schema {
	if schema == nil {
		return nil
	}
	return schema.Properties
}

func requires(schema *document.Schema, name string) bool {
	return schema != nil && slices.Contains(schema.Required, name)
}
