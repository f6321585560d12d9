package clients

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
	action = regexp.MustCompile(`\saction="([^"]*)"`)
	name   = regexp.MustCompile(`\sname="([^"]*)"`)
	value  = regexp.MustCompile(`\svalue="([^"]*)"`)
)

// visit opens an address and answers pages until the browser would leave for target; returns that last address.
func visit(t *testing.T, username, password, start, target string) *url.URL {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	browser := &http.Client{Jar: jar, CheckRedirect: stay}
	address, fields := parsed(t, start), url.Values(nil)
	for range 12 {
		reply := send(t, browser, address, fields)
		body, err := io.ReadAll(reply.Body)
		reply.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if location := reply.Header.Get("location"); location != "" {
			address, fields = address.ResolveReference(parsed(t, location)), nil
			if strings.HasPrefix(address.String(), target) {
				return address
			}
			continue
		}
		found := form.FindStringSubmatch(string(body))
		if reply.StatusCode != http.StatusOK || found == nil {
			t.Fatalf("%s answered %d: %.500s", address, reply.StatusCode, body)
		}
		fields = url.Values{}
		for _, tag := range input.FindAllString(found[2], -1) {
			fields.Set(first(name, tag), first(value, tag))
		}
		if fields.Has("password") {
			fields.Set("username", username)
			fields.Set("password", password)
		}
		address = address.ResolveReference(parsed(t, first(action, found[1])))
	}
	t.Fatalf("never reached %s", target)
	return nil
}

func send(t *testing.T, browser *http.Client, address *url.URL, fields url.Values) *http.Response {
	t.Helper()
	method, body := http.MethodGet, io.Reader(nil)
	if fields != nil {
		method, body = http.MethodPost, strings.NewReader(fields.Encode())
	}
	request, err := http.NewRequest(method, address.String(), body)
	if err != nil {
		t.Fatal(err)
	}
	if fields != nil {
		request.Header.Set("content-type", "application/x-www-form-urlencoded")
		request.Header.Set("origin", address.Scheme+"://"+address.Host)
	}
	reply, err := browser.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	return reply
}

func parsed(t *testing.T, text string) *url.URL {
	t.Helper()
	address, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return address
}

func first(pattern *regexp.Regexp, text string) string {
	if found := pattern.FindStringSubmatch(text); found != nil {
		return html.UnescapeString(found[1])
	}
	return ""
}
