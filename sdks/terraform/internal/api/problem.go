package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// Problem is an error of the service (RFC 9457).
type Problem struct {
	Status    int    `json:"-"`
	Title     string `json:"title"`
	Detail    string `json:"detail"`
	Type      string `json:"type"`
	RequestID string `json:"request_id"`
	Flaws     []Flaw `json:"errors"`
	// Whether something else than the service answered.
	foreign bool
}

// Flaw is one fault of a body.
type Flaw struct {
	Pointer string `json:"pointer"`
	Detail  string `json:"detail"`
}

// Error is the problem in one line.
func (p *Problem) Error() string {
	return fmt.Sprintf("%d %s: %s", p.Status, p.Title, p.Explained(p.Detail))
}

// Explained adds to a text where the error is documented, and the id that finds the request in the log.
func (p *Problem) Explained(text string) string {
	parts := []string{text}
	if p.RequestID != "" {
		parts = append(parts, "Request: "+p.RequestID)
	}
	return strings.Join(parts, "\n")
}

// IsMissing tells whether the service says that the record is not there. The 404 of a proxy without a route says nothing of records:
// taken for an answer, it would empty the state.
func IsMissing(err error) bool {
	var problem *Problem
	return errors.As(err, &problem) && problem.Status == http.StatusNotFound && !problem.foreign
}

func problemOf(response *http.Response, text []byte) error {
	problem := &Problem{Status: response.StatusCode}
	if json.Unmarshal(text, problem) != nil || problem.Detail == "" {
		problem.Title = http.StatusText(response.StatusCode)
		problem.Detail = foreign(response.StatusCode)
		problem.foreign = true
	}
	if problem.RequestID == "" {
		problem.RequestID = response.Header.Get("X-Request-Id")
	}
	return problem
}

// foreign says of an answer without a problem document what may be done.
func foreign(status int) string {
	if status == http.StatusTooManyRequests || status >= http.StatusInternalServerError {
		return fmt.Sprintf("The service is not reached: something before it, such as a proxy, answered %d. Try again later.", status)
	}
	return "The answer is not one of the service; is `url` the address of the tenant?"
}
