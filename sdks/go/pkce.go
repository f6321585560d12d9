package svc

import (
	"crypto/subtle"
	"net/url"
	"time"
)

// Challenge is the S256 challenge of a verifier (RFC 7636 §4.2).
func Challenge(verifier string) string { return digestOf(verifier) }

// VerifyChallenge says whether the verifier is well-formed and the one that the challenge was made of (RFC 7636 §4.6).
func VerifyChallenge(verifier, challenge string) bool {
	if len(verifier) < 43 || len(verifier) > 128 {
		return false
	}
	for _, letter := range []byte(verifier) {
		isLetter := letter >= 'a' && letter <= 'z' || letter >= 'A' && letter <= 'Z' || letter >= '0' && letter <= '9'
		if !isLetter && letter != '-' && letter != '.' && letter != '_' && letter != '~' {
			return false
		}
	}
	return subtle.ConstantTimeCompare([]byte(Challenge(verifier)), []byte(challenge)) == 1
}

// Flow is what a sign-in has to remember between its redirect and its callback: in a sealed cookie or a session, never in a URL.
type Flow struct {
	State, Nonce, Verifier string
	// RedirectURI is where the answer goes.
	RedirectURI string
	// MaxAge is how long ago the person may have authenticated; any time where it is zero, and less than a second, such as
	// time.Nanosecond, has the person authenticate now.
	MaxAge time.Duration
	// Started is when the sign-in began: MaxAge counts from then, since a second factor and consent may take their time.
	Started time.Time
	// ACRValues are the strengths of authentication that are enough; any unless given.
	ACRValues []string
}

// NewFlow draws the secrets of a sign-in whose answer goes to this address.
func NewFlow(redirectURI string) Flow {
	return Flow{State: randomText(), Nonce: randomText(), Verifier: randomText(), RedirectURI: redirectURI, Started: time.Now()}
}

// maxAge is how long ago the person may have authenticated by now.
func (f Flow) maxAge() time.Duration {
	if f.MaxAge == 0 || f.Started.IsZero() {
		return f.MaxAge
	}
	return f.MaxAge + max(time.Since(f.Started), 0)
}

// String keeps the secrets out of logs.
func (f Flow) String() string { return "[flow]" }

// GoString keeps the secrets out of logs.
func (f Flow) GoString() string { return f.String() }

// CallbackError says why a callback was refused: malformed_query, duplicate_parameter, missing_state, state_mismatch, missing_issuer,
// issuer_mismatch or missing_code.
type CallbackError string

func (e CallbackError) Error() string { return "svc: the callback is refused: " + string(e) }

// Callback reads the answer to an authorization request (RFC 6749 §4.1.2, RFC 9207 §2.4). An error of the server is *Error.
func Callback(callback *url.URL, state, issuer string) (code string, err error) {
	query, err := url.ParseQuery(callback.RawQuery)
	if err != nil {
		return "", CallbackError("malformed_query")
	}
	for _, name := range []string{"state", "iss", "error", "code"} {
		if len(query[name]) > 1 {
			return "", CallbackError("duplicate_parameter")
		}
	}
	switch given := query.Get("state"); {
	case given == "" || state == "":
		return "", CallbackError("missing_state")
	case subtle.ConstantTimeCompare([]byte(given), []byte(state)) != 1:
		return "", CallbackError("state_mismatch")
	}
	switch given := query.Get("iss"); {
	case given == "":
		return "", CallbackError("missing_issuer")
	case given != issuer:
		return "", CallbackError("issuer_mismatch")
	}
	if failure := query.Get("error"); failure != "" {
		return "", &Error{Code: plain(failure), Description: plain(query.Get("error_description")), Tenant: issuer}
	}
	if code = query.Get("code"); code == "" {
		return "", CallbackError("missing_code")
	}
	return code, nil
}
