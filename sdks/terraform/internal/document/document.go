// Package document reads the part of the OpenAPI document that the resources of the provider are made of.
package document

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed openapi.json
var embedded []byte

// Published is the document that the provider was built with.
var Published = sync.OnceValue(func() *Document {
	document, err := Parse(embedded)
	if err != nil {
		panic(err)
	}
	return document
})

// Document is an OpenAPI 3.1 document.
type Document struct {
	Paths      map[string]map[string]Operation `json:"paths"`
	Components struct {
		Schemas map[string]*Schema `json:"schemas"`
	} `json:"components"`
}

// Operation is what a method does at a path.
type Operation struct {
	Summary     string              `json:"summary,omitempty"`
	Parameters  []Parameter         `json:"parameters,omitempty"`
	RequestBody *Body               `json:"requestBody,omitempty"`
	Responses   map[string]Response `json:"responses,omitempty"`
}

// Parameter is a parameter of the path, the query or the header.
type Parameter struct {
	Name        string `json:"name"`
	In          string `json:"in"`
	Description string `json:"description,omitempty"`
}

// Body is a document that is sent or answered.
type Body struct {
	Content map[string]struct {
		Schema *Schema `json:"schema,omitempty"`
	} `json:"content,omitempty"`
}

// Response is an answer.
type Response struct {
	Body
}

// Schema is the part of JSON Schema that the service writes.
type Schema struct {
	Ref         string             `json:"$ref,omitempty"`
	Type        Types              `json:"type,omitempty"`
	Description string             `json:"description,omitempty"`
	Format      string             `json:"format,omitempty"`
	Properties  map[string]*Schema `json:"properties,omitempty"`
	Required    []string           `json:"required,omitempty"`
	Items       *Schema            `json:"items,omitempty"`
	// What the members are whose names are not known before, or nil.
	AdditionalProperties *Schema         `json:"additionalProperties,omitempty"`
	OneOf                []*Schema       `json:"oneOf,omitempty"`
	Enum                 []any           `json:"enum,omitempty"`
	Default              json.RawMessage `json:"default,omitempty"`
	Pattern              string          `json:"pattern,omitempty"`
	MinLength            *int64          `json:"minLength,omitempty"`
	MaxLength            *int64          `json:"maxLength,omitempty"`
	Minimum              *int64          `json:"minimum,omitempty"`
	Maximum              *int64          `json:"maximum,omitempty"`
	MinItems             *int64          `json:"minItems,omitempty"`
	MaxItems             *int64          `json:"maxItems,omitempty"`
}

// IsFlagOrWord tells whether the value is true, false or a word.
func (s *Schema) IsFlagOrWord() bool {
	return slices.ContainsFunc(s.OneOf, func(one *Schema) bool { return slices.Contains(one.Type, "boolean") })
}

// Words are the strings that the value may be, or nil.
func (s *Schema) Words() []string {
	var words []string
	for _, one := range s.OneOf {
		words = append(words, one.Words()...)
	}
	for _, value := range s.Enum {
		if word, isText := value.(string); isText {
			words = append(words, word)
		}
	}
	return words
}

// UnmarshalJSON reads a schema; `true` is the one that everything fits, `false` the one that nothing does.
func (s *Schema) UnmarshalJSON(text []byte) error {
	if string(text) == "true" || string(text) == "false" {
		return nil
	}
	type plain Schema
	if err := json.Unmarshal(text, (*plain)(s)); err != nil {
		return err
	}
	// `true` and `false` say nothing of what the others are.
	if others := s.AdditionalProperties; others != nil && others.Type == nil && others.Ref == "" {
		s.AdditionalProperties = nil
	}
	return nil
}

// Types are the types that a value may have.
type Types []string

// UnmarshalJSON reads one type or several.
func (t *Types) UnmarshalJSON(text []byte) error {
	if strings.HasPrefix(string(text), `"`) {
		*t = make(Types, 1)
		return json.Unmarshal(text, &(*t)[0])
	}
	return json.Unmarshal(text, (*[]string)(t))
}

// MarshalJSON writes one type without brackets.
func (t Types) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return json.Marshal(t[0])
	}
	return json.Marshal([]string(t))
}

// Parse reads a document.
func Parse(text []byte) (*Document, error) {
	var document Document
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("the OpenAPI document: %w", err)
	}
	return &document, nil
}

// Takes is the schema of the body that an operation takes, or nil.
func (d *Document) Takes(method, path string) *Schema {
	if body := d.Paths[path][method].RequestBody; body != nil {
		return d.resolved(body.Content["application/json"].Schema)
	}
	return nil
}

// Answers is the schema of what an operation answers when it succeeds, or nil.
func (d *Document) Answers(method, path string) *Schema {
	for _, status := range []string{"200", "201"} {
		if response, known := d.Paths[path][method].Responses[status]; known {
			return d.resolved(response.Content["application/json"].Schema)
		}
	}
	return nil
}

// Has tells whether there is an operation.
func (d *Document) Has(method, path string) bool {
	_, known := d.Paths[path][method]
	return known
}

// Flat is a schema without references at its top, and whether its value may be null.
func (d *Document) Flat(schema *Schema) (flat Schema, nullable bool) {
	description, standard := schema.Description, schema.Default
	for {
		present := schema.present()
		if len(present) == 1 {
			nullable = nullable || len(schema.OneOf) > 1
			schema = present[0]
		} else if schema.Ref != "" {
			schema = d.resolved(schema)
		} else {
			break
		}
		if description == "" {
			description = schema.Description
		}
	}
	flat = *schema
	if description != "" {
		flat.Description = description
	}
	if standard != nil {
		flat.Default = standard
	}
	if members := alternatives(schema.OneOf); members != nil {
		flat.Type, flat.Properties, flat.OneOf = Types{"object"}, members, nil
		return flat, nullable
	}
	flat.Type = slices.DeleteFunc(slices.Clone(schema.Type), func(name string) bool { return name == "null" })
	return flat, nullable || len(flat.Type) < len(schema.Type)
}

// alternatives are the members of objects of which there is one or another, each of which may be missing; or nil.
func alternatives(objects []*Schema) map[string]*Schema {
	var members map[string]*Schema
	for _, object := range objects {
		for name, member := range object.Properties {
			if members == nil {
				members = map[string]*Schema{}
			}
			members[name] = &Schema{OneOf: []*Schema{member, {Type: Types{"null"}}}}
		}
	}
	return members
}

// present are the alternatives besides null.
func (s *Schema) present() []*Schema {
	return slices.DeleteFunc(slices.Clone(s.OneOf), func(one *Schema) bool { return slices.Contains(one.Type, "null") })
}

func (d *Document) resolved(schema *Schema) *Schema {
	if schema == nil || schema.Ref == "" {
		return schema
	}
	return d.Components.Schemas[strings.TrimPrefix(schema.Ref, "#/components/schemas/")]
}
