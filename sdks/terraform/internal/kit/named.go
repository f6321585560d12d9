package kit

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// optional are fields of which a configuration names those that it wants, at every depth.
func optional(fields []Field) []Field {
	all := slices.Clone(fields)
	for i := range all {
		all[i].Required, all[i].Chosen, all[i].Default = false, false, nil
		if all[i].Kind == Object {
			all[i].Fields = optional(all[i].Fields)
		}
	}
	return all
}

// giveBack adds null for each member that was named before and is not named now; one that the document requires has no default, and
// stays.
func giveBack(fields []Field, before, now map[string]any) {
	for _, field := range fields {
		was, wasNamed := before[field.Name]
		is, isNamed := now[field.Name]
		switch {
		case !wasNamed || field.Required:
		case field.Kind == Object:
			wasMembers, _ := was.(map[string]any)
			isMembers, _ := is.(map[string]any)
			if isMembers == nil {
				isMembers = map[string]any{}
			}
			giveBack(field.Fields, wasMembers, isMembers)
			if len(isMembers) > 0 {
				now[field.Name] = isMembers
			}
		case !isNamed:
			now[field.Name] = nil
		}
	}
}

// narrowed is of a value what is named, at every depth.
func narrowed(field Field, named, whole tftypes.Value) (tftypes.Value, error) {
	if named.IsNull() {
		return tftypes.NewValue(whole.Type(), nil), nil
	}
	if field.Kind != Object {
		return whole, nil
	}
	return eachMember(field, whole, func(member Field, members attributes, standard tftypes.Value) (tftypes.Value, error) {
		names, err := attributesOf(named)
		if err != nil {
			return standard, err
		}
		if present, has := members[member.Name]; has {
			standard = present
		}
		return narrowed(member, names[member.Name], standard)
	})
}

// unusual is of a value what is not its default, at every depth: what a configuration that leads to it has to name.
func unusual(field Field, whole tftypes.Value) (tftypes.Value, error) {
	none := tftypes.NewValue(whole.Type(), nil)
	if whole.IsNull() {
		return none, nil
	}
	if field.Kind != Object {
		standard, err := value(field, whole.Type(), nil)
		if err != nil || standard.Equal(whole) {
			return none, err
		}
		return whole, nil
	}
	some := false
	object, err := eachMember(field, whole, func(member Field, members attributes, _ tftypes.Value) (tftypes.Value, error) {
		left, err := unusual(member, members[member.Name])
		some = some || !left.IsNull()
		return left, err
	})
	if !some {
		return none, err
	}
	return object, err
}

// eachMember makes an object of what becomes of the members of another, which come with the null of theirs.
func eachMember(field Field, whole tftypes.Value, becomes func(Field, attributes, tftypes.Value) (tftypes.Value, error)) (tftypes.Value, error) {
	members, err := attributesOf(whole)
	if err != nil {
		return whole, err
	}
	kind := whole.Type().(tftypes.Object)
	values := map[string]tftypes.Value{}
	for _, member := range field.Fields {
		none := tftypes.NewValue(kind.AttributeTypes[member.Name], nil)
		if values[member.Name], err = becomes(member, members, none); err != nil {
			return whole, err
		}
	}
	return tftypes.NewValue(kind, values), nil
}
