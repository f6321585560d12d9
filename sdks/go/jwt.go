package svc

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

const (
	longestToken   = 16 << 10
	largestInteger = 1 << 53
)

var (
	errMalformed = errors.New("malformed")
	errSignature = errors.New("the signature does not verify")
	base64url    = base64.RawURLEncoding.Strict()
)

// Claims are the members of a verified token.
type Claims map[string]any

// Text is a claim that is a string, or "".
func (c Claims) Text(name string) string {
	text, _ := c[name].(string)
	return text
}

// Subject is the claim sub.
func (c Claims) Subject() string { return c.Text("sub") }

// HasScope says whether the token grants this scope, whole and in this spelling.
func (c Claims) HasScope(scope string) bool {
	for granted := range strings.SplitSeq(c.Text("scope"), " ") {
		if granted == scope && scope != "" {
			return true
		}
	}
	return false
}

// time is a NumericDate, of which a fraction is dropped (RFC 7519 §2).
func (c Claims) time(name string) (value int64, isThere bool, err error) {
	member, isThere := c[name]
	if !isThere {
		return 0, false, nil
	}
	number, isNumber := member.(json.Number)
	if !isNumber {
		return 0, true, errMalformed
	}
	value, err = number.Int64()
	if err != nil {
		// NaN and infinities are no JSON; a number that is out of range is an error here.
		fraction, err := number.Float64()
		if err != nil || fraction < 0 || fraction >= largestInteger {
			return 0, true, errMalformed
		}
		return int64(fraction), true, nil
	}
	if value < 0 || value > largestInteger {
		return 0, true, errMalformed
	}
	return value, true, nil
}

func (c Claims) hasAudience(audience string) bool {
	switch aud := c["aud"].(type) {
	case string:
		return aud == audience
	case []any:
		for _, one := range aud {
			if one == audience {
				return true
			}
		}
	}
	return false
}

// jws is a compact token whose signature is not verified yet (RFC 7515 §7.1).
type jws struct {
	alg, kid, typ string
	header        map[string]any
	input         string
	payload       string
	signature     []byte
}

func parseJWS(token string) (*jws, error) {
	if len(token) > longestToken {
		return nil, errMalformed
	}
	first, last := strings.IndexByte(token, '.'), strings.LastIndexByte(token, '.')
	if first < 0 || first == last || strings.IndexByte(token[first+1:last], '.') >= 0 {
		return nil, errMalformed
	}
	header, err := decodedObject(token[:first])
	if err != nil {
		return nil, err
	}
	signature, err := base64url.DecodeString(token[last+1:])
	if err != nil {
		return nil, errMalformed
	}
	for _, name := range []string{"crit", "jku", "x5u", "x5c"} {
		if _, has := header[name]; has {
			return nil, errMalformed
		}
	}
	parsed := &jws{header: header, input: token[:last], payload: token[first+1 : last], signature: signature}
	for name, into := range map[string]*string{"alg": &parsed.alg, "kid": &parsed.kid, "typ": &parsed.typ} {
		member, has := header[name]
		text, isText := member.(string)
		if has && !isText {
			return nil, errMalformed
		}
		*into = text
	}
	return parsed, nil
}

// isTyp compares media types: in any letter case, application/ is optional (RFC 7515 §4.1.9).
func (j *jws) isTyp(typ string) bool {
	own := strings.ToLower(j.typ)
	return strings.TrimPrefix(own, "application/") == typ
}

// verify verifies the signature and only then reads the claims.
func (j *jws) verify(key *publicKey) (Claims, error) {
	if key.alg != j.alg || !key.verifies([]byte(j.input), j.signature) {
		return nil, errSignature
	}
	claims, err := decodedObject(j.payload)
	return claims, err
}

func decodedObject(part string) (map[string]any, error) {
	data, err := base64url.DecodeString(part)
	if err != nil {
		return nil, errMalformed
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var object map[string]any
	if decoder.Decode(&object) != nil || object == nil {
		return nil, errMalformed
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errMalformed
	}
	// Readers differ in which of two members of one name counts (RFC 8259 §4), and in what bytes that are no text are.
	if members(object) != colons(data) || !utf8.Valid(data) {
		return nil, errMalformed
	}
	return object, nil
}

// members is how many a value has, at every depth.
func members(value any) int {
	sum := 0
	switch value := value.(type) {
	case map[string]any:
		sum = len(value)
		for _, member := range value {
			sum += members(member)
		}
	case []any:
		for _, element := range value {
			sum += members(element)
		}
	}
	return sum
}

// colons is how many well-formed JSON has outside of strings: one for each member.
func colons(data []byte) int {
	count, inString := 0, false
	for at := 0; at < len(data); at++ {
		switch letter := data[at]; {
		case letter == '"':
			inString = !inString
		case inString && letter == '\\':
			at++
		case !inString && letter == ':':
			count++
		}
	}
	return count
}

// digestOf is the SHA-256 of a text in base64url: thumbprints (RFC 7638), ath (RFC 9449 §4.2), challenges (RFC 7636 §4.2).
func digestOf(text string) string {
	digest := sha256.Sum256([]byte(text))
	return base64url.EncodeToString(digest[:])
}
