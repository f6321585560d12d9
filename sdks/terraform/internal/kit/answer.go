package kit

import (
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

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
	case Object:
		return object(field.Fields, kind.(tftypes.Object), answered)
	case Set, List:
		return elements(field, kind, answered)
	case Map:
		return keyed(field, kind.(tftypes.Map), answered)
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
	of := tftypes.Type(tftypes.String)
	if list, isList := kind.(tftypes.List); isList {
		of = list.ElementType
	}
	values := make([]tftypes.Value, len(list))
	for i, one := range list {
		var err error
		if values[i], err = element(field, of, one); err != nil {
			return tftypes.Value{}, err
		}
	}
	return tftypes.NewValue(kind, values), nil
}

func keyed(field Field, kind tftypes.Map, answered any) (tftypes.Value, error) {
	members, ok := answered.(map[string]any)
	if !ok {
		return tftypes.Value{}, fmt.Errorf("`%s`: the API answered %T instead of an object", field.Name, answered)
	}
	values := make(map[string]tftypes.Value, len(members))
	for key, one := range members {
		var err error
		if values[key], err = element(field, kind.ElementType, one); err != nil {
			return tftypes.Value{}, err
		}
	}
	return tftypes.NewValue(kind, values), nil
}

func element(field Field, kind tftypes.Type, answered any) (tftypes.Value, error) {
	if field.Fields != nil {
		return object(field.Fields, kind.(tftypes.Object), answered)
	}
	if field.HasMaps() {
		return value(field.inner(), kind, answered)
	}
	return value(Field{Name: field.Name}, kind, answered)
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
