package svc

import "testing"

func TestAddressesOfProofsAreHeldAgainstEachOtherInTheirNormalForm(t *testing.T) {
	const address = "https://api.example/a~b/%2F?q=1"
	for htu, isSame := range map[string]bool{
		"https://api.example/a~b/%2F":       true,
		"https://api.example/a%7Eb/%2f":     true,
		"HTTPS://API.example:443/%61~b/%2F": true,
		"https://api.example:/a~b/%2F#x":    true,
		"https://api.example/a~b//":         false,
		"https://api.example/a~b/%252F":     false,
		"https://api.example:444/a~b/%2F":   false,
		"https://me@api.example/a~b/%2F":    false,
		"http://api.example/a~b/%2F":        false,
		"https://api.example/A~b/%2F":       false,
		"https://api.example.evil/a~b/%2F":  false,
		"https://api.example/a~b/%2F/":      false,
		`https://api.example\a~b/%2F`:       false,
		"https://api.example/a~b/%2F%":      false,
	} {
		if isSameURL(htu, address) != isSame {
			t.Errorf("%s: %v", htu, !isSame)
		}
	}
}
