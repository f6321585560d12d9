package kit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
)

const replaced = "The API cannot change it: another value makes another record."

// stays tells whether a change of other attributes leaves the value as it is.
func stays(field Field) bool {
	return field.Identifies || field.Stays || field.Name == "created_at" || field.Secret() || (field.Computed() && field.Fixed())
}

// replaces tells whether another value makes another record. An imported record has no value where the API tells none.
func replaces(field Field, isChosen, wasKnown bool) bool {
	return isChosen && (wasKnown || field.InRecord)
}

func textModifiers(field Field) (all []planmodifier.String) {
	if stays(field) {
		all = append(all, stringplanmodifier.UseStateForUnknown())
	}
	if field.Shown() && field.Brought() {
		all = append(all, instead{field})
	}
	if field.Fixed() {
		all = append(all, stringplanmodifier.RequiresReplaceIf(func(_ context.Context, request planmodifier.StringRequest, response *stringplanmodifier.RequiresReplaceIfFuncResponse) {
			bothKnown := !request.PlanValue.IsUnknown() && !request.PlanValue.IsNull() && !request.StateValue.IsNull()
			// The same in another spelling is the same record, such as one that was imported.
			if bothKnown && same(field.Kind, request.PlanValue.ValueString(), request.StateValue.ValueString()) {
				return
			}
			response.RequiresReplace = replaces(field, !request.PlanValue.IsUnknown() || !request.ConfigValue.IsNull(), !request.StateValue.IsNull())
		}, replaced, replaced))
	}
	return all
}

func numberModifiers(field Field) (all []planmodifier.Int64) {
	if field.Fixed() {
		all = append(all, int64planmodifier.RequiresReplaceIf(func(_ context.Context, request planmodifier.Int64Request, response *int64planmodifier.RequiresReplaceIfFuncResponse) {
			response.RequiresReplace = replaces(field, !request.PlanValue.IsUnknown() || !request.ConfigValue.IsNull(), !request.StateValue.IsNull())
		}, replaced, replaced))
	}
	return all
}

func boolModifiers(field Field) (all []planmodifier.Bool) {
	if field.Fixed() {
		all = append(all, boolplanmodifier.RequiresReplaceIf(func(_ context.Context, request planmodifier.BoolRequest, response *boolplanmodifier.RequiresReplaceIfFuncResponse) {
			response.RequiresReplace = replaces(field, !request.PlanValue.IsUnknown() || !request.ConfigValue.IsNull(), !request.StateValue.IsNull())
		}, replaced, replaced))
	}
	return all
}

func setModifiers(field Field) (all []planmodifier.Set) {
	if field.Fixed() {
		all = append(all, setplanmodifier.RequiresReplace())
	}
	return all
}

func listModifiers(field Field) (all []planmodifier.List) {
	if field.Fixed() {
		all = append(all, listplanmodifier.RequiresReplace())
	}
	return all
}

func mapModifiers(field Field) (all []planmodifier.Map) {
	if field.Fixed() {
		all = append(all, mapplanmodifier.RequiresReplace())
	}
	return all
}

func objectModifiers(field Field) (all []planmodifier.Object) {
	if field.Fixed() {
		all = append(all, objectplanmodifier.RequiresReplace())
	}
	return all
}
