package kit

import (
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

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

func setValidators(field Field) []validator.Set {
	if !field.Settable() {
		return nil
	}
	var all []validator.Set
	if field.Schema.MinItems != nil && *field.Schema.MinItems > 0 {
		all = append(all, setvalidator.SizeAtLeast(int(*field.Schema.MinItems)))
	}
	if words := field.Elements.Words(); words != nil {
		all = append(all, setvalidator.ValueStringsAre(stringvalidator.OneOf(words...)))
	}
	return all
}
