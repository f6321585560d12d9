// Package svc signs people in by an issuer of svc, protects HTTP APIs with its access tokens, verifies its webhooks and calls its
// management API. It needs the standard library alone.
package svc

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Error is a refusal: of this package where Status says what to answer, or of the server. It never holds a token, secret or code.
type Error struct {
	// Code is the machine-readable name, such as invalid_token or rate_limited. This package's own are unanswered (whether the request took
	// effect is not known), invalid_answer, invalid_discovery, unsupported (by this issuer) and client_error (the call is at fault).
	Code string
	// Description is for the developer.
	Description string
	// Status is the HTTP status.
	Status int
	// RequestID finds the request in the server's log, where the server answered.
	RequestID string
	// Tenant is the tenant or issuer that was asked.
	Tenant string
	// RetryAfter is how long the server asks to wait, or zero.
	RetryAfter time.Duration

	cause error
}

// Unwrap is what kept the server from answering, such as context.Canceled.
func (e *Error) Unwrap() error { return e.cause }

func (e *Error) Error() string {
	text := "svc: " + e.Code
	if e.Description != "" {
		text += ": " + e.Description
	}
	switch {
	case e.RequestID != "":
		text += fmt.Sprintf(" (status %d, request %s, tenant %s)", e.Status, e.RequestID, e.Tenant)
	case e.Tenant != "":
		text += fmt.Sprintf(" (tenant %s)", e.Tenant)
	}
	return text
}

func refused(status int, code, description string) *Error {
	return &Error{Status: status, Code: code, Description: description}
}

func invalidToken(description string) *Error {
	return refused(http.StatusUnauthorized, "invalid_token", description)
}

func invalidProof(description string) *Error {
	return refused(http.StatusUnauthorized, "invalid_dpop_proof", description)
}

func forbidden(description string) *Error {
	return refused(http.StatusForbidden, "forbidden", description)
}

// withoutKeys is the refusal while the issuer's keys are out of reach. Of the reason callers see its code, which leads to what is wrong.
func withoutKeys(reason error) *Error {
	failure := refused(http.StatusServiceUnavailable, "temporarily_unavailable", "the issuer's keys are out of reach")
	failure.cause = reason
	var known *Error
	if errors.As(reason, &known) {
		failure.Description += " (" + known.Code + ")"
		failure.RequestID = known.RequestID
	}
	return failure
}

const (
	unanswered       = "unanswered"
	invalidAnswer    = "invalid_answer"
	invalidDiscovery = "invalid_discovery"
	unsupported      = "unsupported"
	clientError      = "client_error"
)

// local is an error of this package's own, about a tenant or issuer.
func local(code, tenant, description string) *Error {
	return &Error{Code: code, Description: description, Tenant: tenant}
}

// unread is an answer of the server that is not what was asked for; response may be nil.
func unread(response *http.Response, tenant, description string) *Error {
	failure := local(invalidAnswer, tenant, description)
	if response != nil {
		failure.Status, failure.RequestID = response.StatusCode, response.Header.Get("X-Request-Id")
	}
	return failure
}

// lost is a request of which it is not known whether it took effect. The address is left out, for it may have a query.
func lost(cause error, tenant string) *Error {
	if address, ok := errors.AsType[*url.Error](cause); ok {
		cause = address.Err
	}
	failure := local(unanswered, tenant, cause.Error())
	failure.cause = cause
	return failure
}

const largestAnswer = 4 << 20

var errTooLong = errors.New("it is too long")

// cut is an answer that did not come whole. One that is too long has come all the same, and comes no shorter when it is asked for again.
func cut(err error, response *http.Response, tenant string) *Error {
	if errors.Is(err, errTooLong) {
		return unread(response, tenant, "the answer cannot be read: "+err.Error())
	}
	return lost(err, tenant)
}

// bounded reads at most most bytes; more is an error.
func bounded(body io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(body, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%w: more than %d bytes", errTooLong, most)
	}
	return data, err
}

// answered is the error of an answer that is no success. Only members that are known not to repeat the request are taken over.
func answered(response *http.Response, body []byte, tenant string) *Error {
	var problem struct {
		Error       string `json:"error"`
		Description string `json:"error_description"`
		Detail      string `json:"detail"`
		RequestID   string `json:"request_id"`
	}
	_ = json.Unmarshal(body, &problem)
	failure := &Error{
		Code: plain(problem.Error), Description: plain(problem.Description), Status: response.StatusCode,
		RequestID: response.Header.Get("X-Request-Id"), Tenant: tenant,
		RetryAfter: retryAfter(response.Header.Get("Retry-After"), time.Now()),
	}
	if failure.Description == "" {
		// SCIM has this alone (RFC 7644 §3.12).
		failure.Description = plain(problem.Detail)
	}
	if failure.Code == "" {
		failure.Code = challenged(response.Header)
	}
	if failure.Code == "" {
		failure.Code = "http_" + strconv.Itoa(response.StatusCode)
	}
	if failure.RequestID == "" {
		failure.RequestID = plain(problem.RequestID)
	}
	return failure
}

var challengeCode = regexp.MustCompile(`\berror="([A-Za-z0-9_]{1,64})"`)

// challenged is the code that a challenge has, for a resource server whose body has none (RFC 6750 §3, RFC 9449 §9).
func challenged(header http.Header) string {
	for _, challenge := range header.Values("WWW-Authenticate") {
		if found := challengeCode.FindStringSubmatch(challenge); found != nil {
			return found[1]
		}
	}
	return ""
}

// plain is a text of the server's without control characters: a line of a log stays one line whatever a server says.
func plain(text string) string {
	return strings.Join(strings.FieldsFunc(text, unicode.IsControl), " ")
}

// retryAfter reads both forms of the header (RFC 9110 §10.2.3). What is longer than any wait stays so: it must not become none.
func retryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(value); err == nil && date.After(now) {
		return date.Sub(now)
	}
	return 0
}

// without takes what was sent in confidence out of what the server says, should it repeat that, also as it stands in a form.
func without(err error, secrets ...string) error {
	var failure *Error
	if errors.As(err, &failure) {
		for _, secret := range secrets {
			if len(secret) >= 8 {
				hidden := strings.NewReplacer(secret, "[redacted]", url.QueryEscape(secret), "[redacted]")
				failure.Code, failure.Description = hidden.Replace(failure.Code), hidden.Replace(failure.Description)
				failure.RequestID = hidden.Replace(failure.RequestID)
			}
		}
	}
	return err
}
