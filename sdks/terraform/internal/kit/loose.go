package kit

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"golang.org/x/net/idna"
)

// looseType is the type of a string that can be written in several ways: names whose order says nothing, such as a scope (RFC 6749
// §3.3), the name of a domain (RFC 5891), or a time (RFC 3339).
type looseType struct {
	basetypes.StringType
	kind Kind
}

// looseValue is such a string.
type looseValue struct {
	basetypes.StringValue
	kind Kind
}

var (
	_ basetypes.StringTypable                    = looseType{}
	_ basetypes.StringValuableWithSemanticEquals = looseValue{}
)

func (t looseType) Equal(other attr.Type) bool {
	loose, same := other.(looseType)
	return same && loose.kind == t.kind
}

func (t looseType) String() string { return "loose" }

func (t looseType) ValueType(context.Context) attr.Value { return looseValue{kind: t.kind} }

func (t looseType) ValueFromString(_ context.Context, text basetypes.StringValue) (basetypes.StringValuable, diag.Diagnostics) {
	return looseValue{text, t.kind}, nil
}

func (t looseType) ValueFromTerraform(ctx context.Context, value tftypes.Value) (attr.Value, error) {
	text, err := t.StringType.ValueFromTerraform(ctx, value)
	if err != nil {
		return nil, err
	}
	return looseValue{text.(basetypes.StringValue), t.kind}, nil
}

func (v looseValue) Type(context.Context) attr.Type { return looseType{kind: v.kind} }

func (v looseValue) Equal(other attr.Value) bool {
	loose, same := other.(looseValue)
	return same && v.kind == loose.kind && v.StringValue.Equal(loose.StringValue)
}

// StringSemanticEquals tells whether both say the same.
func (v looseValue) StringSemanticEquals(_ context.Context, other basetypes.StringValuable) (bool, diag.Diagnostics) {
	loose, isLoose := other.(looseValue)
	if !isLoose || v.kind != loose.kind {
		return false, nil
	}
	return same(v.kind, v.ValueString(), loose.ValueString()), nil
}

// same tells whether two texts of a kind say the same.
func same(kind Kind, one, other string) bool {
	switch kind {
	case Words:
		return slices.Equal(sorted(one), sorted(other))
	case Host:
		return one == other || sameHost(one, other)
	case Moment:
		return sameMoment(one, other)
	default:
		return one == other
	}
}

// sameHost compares names as the service keeps them: in ASCII, and in lower case.
func sameHost(one, other string) bool {
	first, err := idna.Lookup.ToASCII(one)
	if err != nil {
		return false
	}
	second, err := idna.Lookup.ToASCII(other)
	return err == nil && first == second
}

func sameMoment(one, other string) bool {
	first, err := time.Parse(time.RFC3339, one)
	if err != nil {
		return false
	}
	second, err := time.Parse(time.RFC3339, other)
	return err == nil && first.Equal(second)
}

func sorted(text string) []string {
	words := strings.Fields(text)
	slices.Sort(words)
	return slices.Compact(words)
}
