package kit

import (
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
)

// schemaOf is the schema of the attributes of a resource.
func schemaOf(fields []Field) map[string]schema.Attribute {
	all := map[string]schema.Attribute{}
	for _, field := range fields {
		all[field.Name] = attribute(field)
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
		if standard, given := field.Default.(bool); given {
			flag.Default = booldefault.StaticBool(standard)
		}
		return flag
	case Number:
		number := schema.Int64Attribute{Required: f.required, Optional: f.optional, Computed: f.computed, MarkdownDescription: f.described, PlanModifiers: numberModifiers(field), Validators: numberValidators(field)}
		if standard, given := field.Default.(float64); given {
			number.Default = int64default.StaticInt64(int64(standard))
		}
		return number
	case Set:
		return setAttribute(field, f)
	case List:
		list := schema.ListNestedAttribute{Required: f.required, Optional: f.optional, Computed: f.computed, MarkdownDescription: f.described, PlanModifiers: listModifiers(field), NestedObject: schema.NestedAttributeObject{Attributes: schemaOf(field.Fields)}}
		if field.Default != nil {
			list.Default = listdefault.StaticValue(types.ListValueMust(list.NestedObject.Type(), []attr.Value{}))
		}
		return list
	default:
		return textAttribute(field, f)
	}
}

func setAttribute(field Field, f flags) schema.Attribute {
	set := schema.SetAttribute{ElementType: types.StringType, Required: f.required, Optional: f.optional, Computed: f.computed, MarkdownDescription: f.described, PlanModifiers: setModifiers(field)}
	if standard, given := field.Default.([]any); given {
		values := make([]attr.Value, len(standard))
		for i, text := range standard {
			values[i] = types.StringValue(fmt.Sprint(text))
		}
		set.Default = setdefault.StaticValue(types.SetValueMust(types.StringType, values))
	}
	if field.Schema.MinItems != nil && *field.Schema.MinItems > 0 && field.Settable() {
		set.Validators = append(set.Validators, setvalidator.SizeAtLeast(int(*field.Schema.MinItems)))
	}
	if words := field.Elements.Words(); words != nil && field.Settable() {
		set.Validators = append(set.Validators, setvalidator.ValueStringsAre(stringvalidator.OneOf(words...)))
	}
	return set
}

func textAttribute(field Field, f flags) schema.Attribute {
	text := schema.StringAttribute{Required: f.required, Optional: f.optional, Computed: f.computed, Sensitive: f.sensitive, MarkdownDescription: f.described, PlanModifiers: textModifiers(field), Validators: textValidators(field)}
	text.CustomType = customType(field)
	switch standard := field.Default.(type) {
	case string:
		text.Default = stringdefault.StaticString(standard)
	case map[string]any:
		encoded, _ := json.Marshal(standard)
		text.Default = stringdefault.StaticString(string(encoded))
	}
	return text
}

func customType(field Field) basetypes.StringTypable {
	switch field.Kind {
	case Words:
		return wordsType{}
	case JSON:
		return jsontypes.NormalizedType{}
	default:
		return nil
	}
}

func textValidators(field Field) []validator.String {
	if !field.Settable() || field.Kind == JSON {
		return nil
	}
	var all []validator.String
	words := field.Schema.Words()
	if field.Kind == FlagOrWord {
		words = append(words, "true", "false")
	}
	if words != nil {
		all = append(all, stringvalidator.OneOf(words...))
	}
	if field.Omissible && words == nil {
		all = append(all, stringvalidator.UTF8LengthAtLeast(1))
	} else if field.Schema.MinLength != nil {
		all = append(all, stringvalidator.UTF8LengthAtLeast(int(*field.Schema.MinLength)))
	}
	if field.Schema.MaxLength != nil {
		all = append(all, stringvalidator.UTF8LengthAtMost(int(*field.Schema.MaxLength)))
	}
	if field.Schema.Pattern != "" {
		all = append(all, stringvalidator.RegexMatches(regexp.MustCompile(field.Schema.Pattern), ""))
	}
	return all
}

func numberValidators(field Field) []validator.Int64 {
	if !field.Settable() {
		return nil
	}
	var all []validator.Int64
	if field.Schema.Minimum != nil {
		all = append(all, int64validator.AtLeast(*field.Schema.Minimum))
	}
	if field.Schema.Maximum != nil {
		all = append(all, int64validator.AtMost(*field.Schema.Maximum))
	}
	return all
}

// brought adds a secret that a configuration brings: it reaches the service and stands in no plan and no state, so that a
// version says when it is another one.
func brought(all map[string]schema.Attribute, field Field) {
	version := path.MatchRoot(field.Name + writeOnlyVersion)
	all[field.Name+writeOnly] = schema.StringAttribute{
		Optional: true, WriteOnly: true, Sensitive: true, Validators: append(textValidators(field), stringvalidator.AlsoRequires(version)),
		MarkdownDescription: fmt.Sprintf("%s Kept in no plan and no state; it is read when the record is made.", field.Schema.Description),
	}
	all[field.Name+writeOnlyVersion] = schema.Int64Attribute{
		// A record that was made without the secret, or imported, has another one.
		Optional: true, PlanModifiers: numberModifiers(Field{InNew: true, InRecord: true}),
		MarkdownDescription: fmt.Sprintf("Another number makes another record with the `%s%s` of now.", field.Name, writeOnly),
	}
}

const (
	writeOnly        = "_wo"
	writeOnlyVersion = "_wo_version"
)
