package main

import (
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

var (
	form   = regexp.MustCompile(`(?s)<form([^>]*method="post"[^>]*)>(.*?)</form>`)
	input  = regexp.MustCompile(`<input[^>]*>`)
	button = regexp.MustCompile(`<button[^>]*>`)
	action = regexp.MustCompile(`\saction="([^"]*)"`)
	name   = regexp.MustCompile(`\sname="([^"]*)"`)
	value  = regexp.MustCompile(`\svalue="([^"]*)"`)
)

// browser is a person with a browser, as far as plain HTML forms need one.
type browser struct {
	t      *testing.T
	person person
	client *http.Client
}

func newBrowser(t *testing.T, person person) browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return browser{t, person, &http.Client{Jar: jar, CheckRedirect: stay}}
}

// visit opens an address and answers pages until the browser would leave for target; returns that last address.
func (b browser) visit(start, target string) *url.URL {
	b.t.Helper()
	address, page := b.walk(start, target)
	if page != "" {
		b.t.Fatalf("%s is the end, not %s: %.500s", address, target, page)
	}
	return address
}

// arrive opens an address and answers pages until there is one without a form; returns that page.
func (b browser) arrive(start string) string {
	b.t.Helper()
	_, page := b.walk(start, "nowhere:")
	return page
}

func (b browser) walk(start, target string) (*url.URL, string) {
	b.t.Helper()
	address, fields := b.parsed(start), url.Values(nil)
	for range 16 {
		reply := b.send(address, fields)
		body, err := io.ReadAll(reply.Body)
		reply.Body.Close()
		if err != nil {
			b.t.Fatal(err)
		}
		if location := reply.Header.Get("location"); location != "" {
			address, fields = address.ResolveReference(b.parsed(location)), nil
			if strings.HasPrefix(address.String(), target) {
				return address, ""
			}
			continue
		}
		if reply.StatusCode != http.StatusOK {
			b.t.Fatalf("%s answered %d: %.500s", address, reply.StatusCode, body)
		}
		found := form.FindStringSubmatch(string(body))
		if found == nil {
			return address, string(body)
		}
		fields = b.filled(found[2])
		address = address.ResolveReference(b.parsed(first(action, found[1])))
	}
	b.t.Fatalf("one page after another, at last %s", address)
	return nil, ""
}

// filled returns the fields of a form with what the person types, and its first button.
func (b browser) filled(form string) url.Values {
	fields := url.Values{}
	for _, tag := range input.FindAllString(form, -1) {
		fields.Set(first(name, tag), first(value, tag))
	}
	if pressed := button.FindString(form); first(name, pressed) != "" {
		fields.Set(first(name, pressed), first(value, pressed))
	}
	if fields.Has("password") {
		fields.Set("username", b.person.Username)
		fields.Set("password", b.person.Password)
	}
	return fields
}

func (b browser) send(address *url.URL, fields url.Values) *http.Response {
	b.t.Helper()
	method, body := http.MethodGet, io.Reader(nil)
	if fields != nil {
		method, body = http.MethodPost, strings.NewReader(fields.Encode())
	}
	request, err := http.NewRequest(method, address.String(), body)
	if err != nil {
		b.t.Fatal(err)
	}
	if fields != nil {
		request.Header.Set("content-type", "application/x-www-form-urlencoded")
		request.Header.Set("origin", address.Scheme+"://"+address.Host)
	}
	reply, err := b.client.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	return reply
}

func (b browser) parsed(text string) *url.URL {
	b.t.Helper()
	address, err := url.Parse(text)
	if err != nil {
		b.t.Fatal(err)
	}
	return address
}

func first(pattern *regexp.Regexp, text string) string {
	if found := pattern.FindStringSubmatch(text); found != nil {
		return html.UnescapeString(found[1])
	}
	return ""
}
