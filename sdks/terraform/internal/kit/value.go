package kit

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// attributes are the values of an object; a whole one that is null has none.
type attributes map[string]tftypes.Value

func attributesOf(object tftypes.Value) (attributes, error) {
	values := attributes{}
	if object.IsNull() || !object.IsKnown() {
		return values, nil
	}
	err := object.As((*map[string]tftypes.Value)(&values))
	// The map is the one of the object.
	return maps.Clone(values), err
}

// text is a string of an object, or the empty one.
func (a attributes) text(name string) string {
	var text string
	if value, known := a[name]; known && value.IsKnown() && !value.IsNull() {
		_ = value.As(&text)
	}
	return text
}

// said is what a configuration says of a field as JSON, or nil.
func said(field Field, value tftypes.Value) (any, error) {
	if !value.IsKnown() || value.IsNull() {
		return nil, nil
	}
	switch field.Kind {
	case Flag:
		var flag bool
		err := value.As(&flag)
		return flag, err
	case Number:
		var number *big.Float
		err := value.As(&number)
		return json.Number(number.Text('f', 0)), err
	case JSON:
		var text string
		if err := value.As(&text); err != nil {
			return nil, err
		}
		if !json.Valid([]byte(text)) {
			return nil, fmt.Errorf("`%s` is JSON, such as `jsonencode({ key = \"value\" })`", field.Name)
		}
		return json.RawMessage(text), nil
	case Object:
		return saidObject(field.Fields, value)
	case Set, List:
		return saidElements(field, value)
	case Map:
		return saidMap(field, value)
	case FlagOrWord:
		var text string
		err := value.As(&text)
		if flag, fault := strconv.ParseBool(text); fault == nil {
			return flag, err
		}
		return text, err
	default:
		var text string
		err := value.As(&text)
		return text, err
	}
}

func saidElements(field Field, value tftypes.Value) (any, error) {
	var values []tftypes.Value
	if err := value.As(&values); err != nil {
		return nil, err
	}
	elements := make([]any, len(values))
	for i, element := range values {
		var err error
		if elements[i], err = saidElement(field, element); err != nil {
			return nil, err
		}
	}
	if standard, given := field.Default.([]any); given && field.Kind == Set && sameElements(elements, standard) {
		// The service may tell its default by the order.
		return standard, nil
	}
	return elements, nil
}

func sameElements(these, those []any) bool {
	missing := func(one any) bool { return !slices.Contains(those, one) }
	return len(these) == len(those) && !slices.ContainsFunc(these, missing)
}

func saidMap(field Field, value tftypes.Value) (any, error) {
	values := map[string]tftypes.Value{}
	if err := value.As(&values); err != nil {
		return nil, err
	}
	members := make(map[string]any, len(values))
	for key, element := range values {
		var err error
		if members[key], err = saidElement(field, element); err != nil {
			return nil, err
		}
	}
	return members, nil
}

// saidElement is an element of a set, a list or a map: an object, a map of texts, or a text.
func saidElement(field Field, element tftypes.Value) (any, error) {
	if field.Fields != nil {
		return saidObject(field.Fields, element)
	}
	if field.HasMaps() {
		return said(field.inner(), element)
	}
	return said(Field{Kind: Text}, element)
}

func saidObject(fields []Field, object tftypes.Value) (map[string]any, error) {
	values, err := attributesOf(object)
	if err != nil {
		return nil, err
	}
	body := map[string]any{}
	for _, field := range fields {
		member, err := said(field, values[field.Name])
		if err != nil {
			return nil, err
		}
		if member != nil {
			body[field.Name] = member
		}
	}
	return body, nil
}
