// Package api calls the management API: tokens, retries, versions of records, errors.
package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"
	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// An answer is as long as a page of 200 large records at most.
const longestAnswer = 64 << 20

// Client calls the management API of one tenant.
type Client struct {
	base string
	http *http.Client
}

// Call is one operation.
type Call struct {
	Method  string
	Path    string
	Query   url.Values
	Body    any
	IfMatch string
}

// Answer is what a successful call answered.
type Answer struct {
	Body map[string]any
	ETag string
}

// Do calls an operation; what is no success is a *Problem.
func (c *Client) Do(ctx context.Context, call Call) (Answer, error) {
	request, err := c.request(ctx, call)
	if err != nil {
		return Answer{}, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return Answer{}, fmt.Errorf("%s %s: %w", call.Method, call.Path, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, longestAnswer+1))
	if err == nil && len(text) > longestAnswer {
		err = fmt.Errorf("the answer is longer than %d bytes", longestAnswer)
	}
	if err != nil {
		return Answer{}, fmt.Errorf("%s %s: %w", call.Method, call.Path, err)
	}
	tflog.Debug(ctx, "called the management API", map[string]any{
		"method": call.Method, "path": call.Path, "status": response.StatusCode, "request_id": response.Header.Get("X-Request-Id"),
	})
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return Answer{}, problemOf(response, text)
	}
	answer := Answer{ETag: response.Header.Get("ETag")}
	if len(text) > 0 {
		decoder := json.NewDecoder(bytes.NewReader(text))
		// Numbers stay as they are written.
		decoder.UseNumber()
		if err := decoder.Decode(&answer.Body); err != nil {
			return Answer{}, fmt.Errorf("%s %s: the answer is not a JSON object; is `url` the address of the tenant? %w", call.Method, call.Path, err)
		}
	}
	return answer, nil
}

// Find reads a list until a record fits.
func (c *Client) Find(ctx context.Context, path string, query url.Values, fits func(map[string]any) bool) (map[string]any, error) {
	query = cloned(query)
	query.Set("limit", "200")
	for {
		page, err := c.Do(ctx, Call{Method: http.MethodGet, Path: path, Query: query})
		if err != nil {
			return nil, err
		}
		records, _ := page.Body["data"].([]any)
		for _, record := range records {
			if record, _ := record.(map[string]any); fits(record) {
				return record, nil
			}
		}
		next, _ := page.Body["next_cursor"].(string)
		if next == "" {
			return nil, nil
		}
		if query.Get("cursor") == next {
			return nil, fmt.Errorf("GET %s: the list repeats its cursor", path)
		}
		query.Set("cursor", next)
	}
}

func (c *Client) request(ctx context.Context, call Call) (*http.Request, error) {
	var body io.Reader
	if call.Body != nil {
		text, err := json.Marshal(call.Body)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	address := c.base + call.Path
	if len(call.Query) > 0 {
		address += "?" + call.Query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, call.Method, address, body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	if call.Body != nil {
		request.Header.Set("Content-Type", mediaType(call.Method))
	}
	if call.Method != http.MethodGet {
		// The same in every retry of this call, so that a write whose answer was lost is not done twice.
		request.Header.Set("Idempotency-Key", uuid.NewString())
	}
	if call.IfMatch != "" {
		request.Header.Set("If-Match", call.IfMatch)
	}
	return request, nil
}

func mediaType(method string) string {
	if method == http.MethodPatch {
		return "application/merge-patch+json"
	}
	return "application/json"
}

func cloned(query url.Values) url.Values {
	clone := url.Values{}
	for name, values := range query {
		clone[name] = values
	}
	return clone
}

// Path fills the parameters of a path.
func Path(template string, values map[string]string) string {
	for name, value := range values {
		template = strings.ReplaceAll(template, "{"+name+"}", url.PathEscape(value))
	}
	return template
}
