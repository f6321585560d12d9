package kit

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
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
	case Set, List:
		return saidElements(field, value)
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
		if field.Kind == Set {
			elements[i], err = said(Field{Kind: Text}, element)
		} else {
			elements[i], err = saidObject(field.Fields, element)
		}
		if err != nil {
			return nil, err
		}
	}
	return elements, nil
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

// value is what the API answered of a field; where it says nothing, the default holds.
func value(field Field, kind tftypes.Type, answered any) (tftypes.Value, error) {
	if answered == nil {
		answered = field.Default
	}
	if answered == nil || (answered == "" && field.Omissible) {
		return tftypes.NewValue(kind, nil), nil
	}
	switch field.Kind {
	case Number:
		number, _, err := big.ParseFloat(fmt.Sprint(answered), 10, 64, big.ToNearestEven)
		return tftypes.NewValue(kind, number), err
	case JSON:
		text, err := json.Marshal(answered)
		return tftypes.NewValue(kind, string(text)), err
	case FlagOrWord:
		return tftypes.NewValue(kind, fmt.Sprint(answered)), nil
	case Set, List:
		return elements(field, kind, answered)
	default:
		if err := tftypes.ValidateValue(kind, answered); err != nil {
			return tftypes.Value{}, fmt.Errorf("`%s`: %w", field.Name, err)
		}
		return tftypes.NewValue(kind, answered), nil
	}
}

func elements(field Field, kind tftypes.Type, answered any) (tftypes.Value, error) {
	list, ok := answered.([]any)
	if !ok {
		return tftypes.Value{}, fmt.Errorf("`%s`: the API answered %T instead of a list", field.Name, answered)
	}
	values := make([]tftypes.Value, len(list))
	for i, element := range list {
		var err error
		if field.Kind == Set {
			values[i], err = value(Field{Name: field.Name}, tftypes.String, element)
		} else {
			values[i], err = object(field.Fields, kind.(tftypes.List).ElementType.(tftypes.Object), element)
		}
		if err != nil {
			return tftypes.Value{}, err
		}
	}
	return tftypes.NewValue(kind, values), nil
}

func object(fields []Field, kind tftypes.Object, answered any) (tftypes.Value, error) {
	members, _ := answered.(map[string]any)
	values := map[string]tftypes.Value{}
	for _, field := range fields {
		var err error
		values[field.Name], err = value(field, kind.AttributeTypes[field.Name], members[field.Name])
		if err != nil {
			return tftypes.Value{}, err
		}
	}
	return tftypes.NewValue(kind, values), nil
}
