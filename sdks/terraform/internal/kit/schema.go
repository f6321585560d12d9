package kit

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
)

// schemaOf is the schema of the attributes of a resource, or of an object in it.
func schemaOf(fields []Field) map[string]schema.Attribute {
	all := map[string]schema.Attribute{}
	for _, field := range fields {
		if !field.Secret() || field.Shown() {
			all[field.Name] = attribute(field)
		}
		if field.Brought() {
			brought(all, field)
		}
	}
	return all
}

// said words of an attribute.
type flags struct {
	required, optional, computed, sensitive bool
	described                               string
}

func flagsOf(field Field) flags {
	settable := field.Settable() && !field.Secret()
	return flags{
		required:  field.Required,
		optional:  settable && !field.Required,
		computed:  !settable || field.Computed() || field.Default != nil,
		sensitive: field.Secret(),
		described: field.Schema.Description,
	}
}

func attribute(field Field) schema.Attribute {
	f := flagsOf(field)
	switch field.Kind {
	case Flag:
		flag := schema.BoolAttribute{Required: f.required, Optional: f.optional, Computed: f.computed, MarkdownDescription: f.described, PlanModifiers: boolModifiers(field)}
		if standard, given := standard(field, types.BoolType).(types.Bool); given {
			flag.Default = booldefault.StaticBool(standard.ValueBool())
		}
		return flag
	case Number:
		number := schema.Int64Attribute{Required: f.required, Optional: f.optional, Computed: f.computed, MarkdownDescription: f.described, PlanModifiers: numberModifiers(field), Validators: numberValidators(field)}
		if standard, given := standard(field, types.Int64Type).(types.Int64); given {
			number.Default = int64default.StaticInt64(standard.ValueInt64())
		}
		return number
	case Set:
		return setAttribute(field, f)
	case List, Map, Object:
		return nestedAttribute(field, f)
	default:
		return textAttribute(field, f)
	}
}

// nestedAttribute is an attribute with attributes of its own, or a map of texts or of such maps.
func nestedAttribute(field Field, f flags) schema.Attribute {
	members := schema.NestedAttributeObject{Attributes: schemaOf(field.Fields)}
	switch {
	case field.Kind == List:
		list := schema.ListNestedAttribute{Required: f.required, Optional: f.optional, Computed: f.computed, MarkdownDescription: f.described, PlanModifiers: listModifiers(field), NestedObject: members}
		if standard, given := standard(field, list.GetType()).(types.List); given {
			list.Default = listdefault.StaticValue(standard)
		}
		return list
	case field.Kind == Object:
		object := schema.SingleNestedAttribute{Required: f.required, Optional: f.optional, Computed: f.computed, MarkdownDescription: f.described, PlanModifiers: objectModifiers(field), Attributes: members.Attributes}
		if standard, given := standard(field, object.GetType()).(types.Object); given {
			object.Default = objectdefault.StaticValue(standard)
		}
		return object
	case field.Fields == nil:
		element := attr.Type(types.StringType)
		if field.HasMaps() {
			element = types.MapType{ElemType: types.StringType}
		}
		texts := schema.MapAttribute{ElementType: element, Required: f.required, Optional: f.optional, Computed: f.computed, MarkdownDescription: f.described, PlanModifiers: mapModifiers(field)}
		if standard, given := standard(field, texts.GetType()).(types.Map); given {
			texts.Default = mapdefault.StaticValue(standard)
		}
		return texts
	default:
		objects := schema.MapNestedAttribute{Required: f.required, Optional: f.optional, Computed: f.computed, MarkdownDescription: f.described, PlanModifiers: mapModifiers(field), NestedObject: members}
		if standard, given := standard(field, objects.GetType()).(types.Map); given {
			objects.Default = mapdefault.StaticValue(standard)
		}
		return objects
	}
}

func setAttribute(field Field, f flags) schema.Attribute {
	set := schema.SetAttribute{ElementType: types.StringType, Required: f.required, Optional: f.optional, Computed: f.computed, MarkdownDescription: f.described, PlanModifiers: setModifiers(field), Validators: setValidators(field)}
	if standard, given := standard(field, set.GetType()).(types.Set); given {
		set.Default = setdefault.StaticValue(standard)
	}
	return set
}

func textAttribute(field Field, f flags) schema.Attribute {
	text := schema.StringAttribute{Required: f.required, Optional: f.optional, Computed: f.computed, Sensitive: f.sensitive, MarkdownDescription: f.described, PlanModifiers: textModifiers(field), Validators: textValidators(field)}
	text.CustomType = customType(field)
	if standard, given := standard(field, types.StringType).(types.String); given {
		text.Default = stringdefault.StaticString(standard.ValueString())
	}
	return text
}

func customType(field Field) basetypes.StringTypable {
	switch field.Kind {
	case Words, Host, Moment:
		return looseType{kind: field.Kind}
	case JSON:
		return jsontypes.NormalizedType{}
	default:
		return nil
	}
}

// standard is the default as Terraform has it, or nil.
func standard(field Field, kind attr.Type) attr.Value {
	if field.Default == nil {
		return nil
	}
	ctx := context.Background()
	held, err := value(field, kind.TerraformType(ctx), field.Default)
	if err == nil {
		var standard attr.Value
		if standard, err = kind.ValueFromTerraform(ctx, held); err == nil {
			return standard
		}
	}
	// A declaration says it, or the document that the provider was built with.
	panic(fmt.Sprintf("the default of %s: %v", field.Name, err))
}
