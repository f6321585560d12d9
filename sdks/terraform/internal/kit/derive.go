package kit

import (
	"encoding/json"
	"slices"
	"strings"

	"terraform-provider-svc/internal/document"
)

// bodies are the documents of a record; those that it does not have are nil.
type bodies struct {
	new, update, record, created *document.Schema
}

// defaults are what the service takes for a member whose default the document does not say; those of a member's members have names
// with a dot.
type defaults map[string]any

func (d defaults) below(name string) defaults {
	inner := defaults{}
	for path, standard := range d {
		if rest, isBelow := strings.CutPrefix(path, name+"."); isBelow {
			inner[rest] = standard
		}
	}
	return inner
}

func (b bodies) fields(source *document.Document, known defaults) []Field {
	names := map[string]bool{}
	for _, body := range []*document.Schema{b.new, b.update, b.record, b.created} {
		for name := range properties(body) {
			names[name] = true
		}
	}
	fields := make([]Field, 0, len(names))
	for name := range names {
		fields = append(fields, b.field(source, name, known))
	}
	slices.SortFunc(fields, func(a, b Field) int { return strings.Compare(a.Name, b.Name) })
	return fields
}

func (b bodies) field(source *document.Document, name string, known defaults) Field {
	var described *document.Schema
	// What is sent describes a field better than what is answered.
	for _, body := range []*document.Schema{b.created, b.record, b.update, b.new} {
		if property, has := properties(body)[name]; has {
			described = property
		}
	}
	field := plain(source, name, described, known.below(name))
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
	if isScalar := field.Kind == Flag || field.Kind == Number; isScalar && field.Chosen && field.Schema.Default == nil {
		field.Default = nil
	}
	if standard, has := known[name]; has {
		field.Default = standard
	}
	if field.Required || !field.Settable() || !field.InRecord {
		field.Default = nil
	}
	field.Omissible = field.Settable() && !field.Required && !field.Chosen && field.Default == nil
	return field
}

// plain is a field by its own schema.
func plain(source *document.Document, name string, schema *document.Schema, inner defaults) Field {
	flat, nullable := source.Flat(schema)
	field := Field{Name: name, Schema: flat, Kind: kind(name, flat)}
	members := flat
	switch field.Kind {
	case Set, List:
		field.Elements, _ = source.Flat(flat.Items)
		members = field.Elements
	case Map:
		field.Elements, _ = source.Flat(flat.AdditionalProperties)
		members = field.Elements
	}
	field.Fields = parts(source, members, inner)
	if field.Kind == Set && field.Fields != nil {
		field.Kind = List
	}
	if flat.Default != nil {
		// The document was read before, so that its values are JSON.
		_ = json.Unmarshal(flat.Default, &field.Default)
	} else if !nullable {
		field.Default = empty(field)
	}
	return field
}

// parts are the fields of an object whose members are known.
func parts(source *document.Document, object document.Schema, known defaults) []Field {
	if object.Properties == nil {
		return nil
	}
	return bodies{update: &object, record: &object}.fields(source, known)
}

// empty is what leaving out means where null is no value: no, zero, an empty set, or an object that has the defaults of its members.
func empty(field Field) any {
	switch field.Kind {
	case Flag:
		return false
	case Number:
		return float64(0)
	case Set, List:
		return []any{}
	case Object:
		if slices.ContainsFunc(field.Fields, func(member Field) bool { return member.Required }) {
			return nil
		}
		return map[string]any{}
	case JSON, Map:
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
	case schema.Properties != nil:
		return Object
	case schema.AdditionalProperties != nil:
		return Map
	case slices.Contains(schema.Type, "object"):
		return JSON
	case slices.Contains(schema.Type, "boolean"):
		return Flag
	case slices.Contains(schema.Type, "integer"):
		return Number
	case schema.Format == "date-time":
		return Moment
	case name == "scope":
		return Words
	case name == "domain":
		return Host
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
