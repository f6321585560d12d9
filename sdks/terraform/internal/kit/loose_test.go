package kit

import "testing"

func TestTheSameInAnotherSpellingIsTheSame(t *testing.T) {
	for _, pair := range []struct {
		kind       Kind
		one, other string
		isSame     bool
	}{
		{Words, "openid profile", "profile  openid", true},
		{Words, "openid profile", "openid", false},
		{Moment, "2040-01-01T01:00:00+01:00", "2040-01-01T00:00:00Z", true},
		{Moment, "2040-01-01T01:00:00Z", "2040-01-01T00:00:00Z", false},
		{Moment, "tomorrow", "tomorrow", false},
		{Host, "Acme.Example", "acme.example", true},
		{Host, "Bücher.example", "xn--bcher-kva.example", true},
		{Host, "bucher.example", "xn--bcher-kva.example", false},
		{Host, "no name", "no name", true},
		{Host, "no name", "No name", false},
		{Text, "Acme", "acme", false},
	} {
		if is := same(pair.kind, pair.one, pair.other); is != pair.isSame {
			t.Errorf("%q and %q: %v", pair.one, pair.other, is)
		}
	}
}
