package kit

import (
	"context"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// wordsType is the type of a string of names whose order says nothing, such as a scope (RFC 6749 §3.3).
type wordsType struct {
	basetypes.StringType
}

// wordsValue is such a string.
type wordsValue struct {
	basetypes.StringValue
}

var (
	_ basetypes.StringTypable                    = wordsType{}
	_ basetypes.StringValuableWithSemanticEquals = wordsValue{}
)

func (t wordsType) Equal(other attr.Type) bool {
	_, same := other.(wordsType)
	return same
}

func (t wordsType) String() string { return "words" }

func (t wordsType) ValueType(context.Context) attr.Value { return wordsValue{} }

func (t wordsType) ValueFromString(_ context.Context, text basetypes.StringValue) (basetypes.StringValuable, diag.Diagnostics) {
	return wordsValue{text}, nil
}

func (t wordsType) ValueFromTerraform(ctx context.Context, value tftypes.Value) (attr.Value, error) {
	text, err := t.StringType.ValueFromTerraform(ctx, value)
	if err != nil {
		return nil, err
	}
	return wordsValue{text.(basetypes.StringValue)}, nil
}

func (v wordsValue) Type(context.Context) attr.Type { return wordsType{} }

func (v wordsValue) Equal(other attr.Value) bool {
	words, same := other.(wordsValue)
	return same && v.StringValue.Equal(words.StringValue)
}

// StringSemanticEquals tells whether both have the same words.
func (v wordsValue) StringSemanticEquals(_ context.Context, other basetypes.StringValuable) (bool, diag.Diagnostics) {
	words, same := other.(wordsValue)
	return same && slices.Equal(sorted(v.ValueString()), sorted(words.ValueString())), nil
}

func sorted(text string) []string {
	words := strings.Fields(text)
	slices.Sort(words)
	return slices.Compact(words)
}
