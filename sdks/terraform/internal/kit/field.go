package kit

import "terraform-provider-svc/internal/document"

// Kind is how Terraform sees a value of the API.
type Kind int

const (
	// Text is a string.
	Text Kind = iota
	// Words is a string of names in any order, separated by spaces.
	Words
	// Host is the name of a domain, which may be written in any script and in upper case.
	Host
	// Moment is a time, which may be written in several ways.
	Moment
	// Flag is true or false.
	Flag
	// FlagOrWord is `true`, `false` or a word; Terraform writes the former as texts.
	FlagOrWord
	// Number is an integer.
	Number
	// JSON is an object of any form, written with `jsonencode`.
	JSON
	// Object has members that are known.
	Object
	// Map has texts, objects or maps of texts by keys of the tenant's choice.
	Map
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
	// What the elements of a set, a list or a map are.
	Elements document.Schema
	// The members of an object, or of each object in a list or a map.
	Fields []Field
	// What the API takes when nothing is said, or nil: nothing, or what the service chooses.
	Default any

	Required bool
	// Which documents have it.
	InNew, InUpdate, InRecord, InCreated bool
	// The record always has it, so that the service chooses where a request leaves it out.
	Chosen bool
	// What the service chose, a change of attributes that do not decide it leaves as it is.
	Stays bool
	// The value may be left out, and the empty text is none.
	Omissible bool
	// An operation of its own changes it.
	Moves bool
	// It identifies the record, and stands in its address instead of a body.
	Identifies bool
}

// Settable tells whether a configuration may say it.
func (f Field) Settable() bool { return f.InNew || f.InUpdate }

// Secret tells whether no reading shows it: it is shown once, or can be replaced and is never shown.
func (f Field) Secret() bool { return !f.InRecord && (f.InCreated || f.InUpdate) }

// Shown tells whether the API shows the secret once.
func (f Field) Shown() bool { return f.Secret() && f.InCreated }

// Brought tells whether a configuration may bring the secret; then it is written and kept nowhere.
func (f Field) Brought() bool { return f.Secret() && f.Settable() }

// Unread tells whether reading the record does not bring it.
func (f Field) Unread() bool { return !f.InRecord }

// Fixed tells whether another value needs another record.
func (f Field) Fixed() bool { return f.InNew && !f.InUpdate && !f.Moves && !f.Secret() }

// HasMaps tells whether the elements of a map are maps of texts.
func (f Field) HasMaps() bool {
	return f.Kind == Map && f.Fields == nil && f.Elements.AdditionalProperties != nil
}

// inner is an element of it.
func (f Field) inner() Field { return Field{Name: f.Name, Kind: Map} }

// Computed tells whether the service may choose the value.
func (f Field) Computed() bool {
	return !f.Settable() || f.Secret() || (f.Chosen && !f.Required && f.Default == nil)
}

// addressed is what stands in the address of a record: its own id, or that of what it lies under.
func addressed(name, described string) Field {
	text := document.Schema{Type: document.Types{"string"}, Description: described}
	return Field{Name: name, Schema: text, Required: true, InNew: true, InRecord: true, Identifies: true}
}
