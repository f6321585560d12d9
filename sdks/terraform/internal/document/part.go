package document

import "strings"

// Part is what a document says of some paths: what is sent, what success answers, and the schemas of both.
func (d *Document) Part(paths []string) *Document {
	part := &Document{Paths: map[string]map[string]Operation{}}
	part.Components.Schemas = map[string]*Schema{}
	for _, path := range paths {
		operations, known := d.Paths[path]
		if !known {
			continue
		}
		part.Paths[path] = map[string]Operation{}
		for method, operation := range operations {
			if method != "patch" {
				part.Paths[path][method] = d.successful(operation, part)
			}
		}
	}
	return part
}

func (d *Document) successful(operation Operation, part *Document) Operation {
	kept := operation
	kept.Responses = map[string]Response{}
	if operation.RequestBody != nil {
		d.take(*operation.RequestBody, part)
	}
	for status, response := range operation.Responses {
		if strings.HasPrefix(status, "2") {
			kept.Responses[status] = response
			d.take(response.Body, part)
		}
	}
	return kept
}

func (d *Document) take(body Body, part *Document) {
	for _, content := range body.Content {
		d.follow(content.Schema, part)
	}
}

func (d *Document) follow(schema *Schema, part *Document) {
	if schema == nil {
		return
	}
	if name := strings.TrimPrefix(schema.Ref, "#/components/schemas/"); name != "" && part.Components.Schemas[name] == nil {
		part.Components.Schemas[name] = d.Components.Schemas[name]
		d.follow(d.Components.Schemas[name], part)
	}
	d.follow(schema.Items, part)
	d.follow(schema.AdditionalProperties, part)
	for _, one := range schema.OneOf {
		d.follow(one, part)
	}
	for _, property := range schema.Properties {
		d.follow(property, part)
	}
}
