package svc

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
	formOf   = regexp.MustCompile(`(?s)<form([^>]*method="post"[^>]*)>(.*?)</form>`)
	inputOf  = regexp.MustCompile(`<input[^>]*>`)
	buttonOf = regexp.MustCompile(`<button[^>]*>`)
)

// attribute is a value of a tag, or "".
func attribute(tag, name string) string {
	found := regexp.MustCompile(`\s` + name + `="([^"]*)"`).FindStringSubmatch(tag)
	if found == nil {
		return ""
	}
	return html.UnescapeString(found[1])
}

// signInAs opens an address as a person with a browser, answers pages, and gives the address on which it would leave for target.
func signInAs(t *testing.T, address string, person map[string]string, target string) *url.URL {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := quiet(&http.Client{Jar: jar})
	request, err := http.NewRequest(http.MethodGet, address, nil)
	for range 16 {
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept", "text/html")
		response, sendErr := browser.Do(request)
		if sendErr != nil {
			t.Fatal(sendErr)
		}
		page, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if location := response.Header.Get("Location"); location != "" {
			next, parseErr := request.URL.Parse(location)
			if parseErr != nil {
				t.Fatal(parseErr)
			}
			if strings.HasPrefix(next.String(), target) {
				return next
			}
			request, err = http.NewRequest(http.MethodGet, next.String(), nil)
			continue
		}
		request, err = filled(t, request.URL, string(page), person)
	}
	t.Fatal("the sign-in did not come to an end at " + request.URL.String())
	return nil
}

// filled fills in the page's form and presses its first button.
func filled(t *testing.T, at *url.URL, page string, person map[string]string) (*http.Request, error) {
	t.Helper()
	form := formOf.FindStringSubmatch(page)
	if form == nil {
		t.Fatalf("%s has no form", at)
	}
	fields := url.Values{}
	for _, tag := range inputOf.FindAllString(form[2], -1) {
		if name := attribute(tag, "name"); name != "" {
			fields.Set(name, attribute(tag, "value"))
			if own, has := person[name]; has {
				fields.Set(name, own)
			}
		}
	}
	button := buttonOf.FindString(form[2])
	if name := attribute(button, "name"); name != "" {
		fields.Set(name, attribute(button, "value"))
	}
	next, err := at.Parse(attribute(form[1], "action"))
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequest(http.MethodPost, next.String(), strings.NewReader(fields.Encode()))
	if err == nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Origin", at.Scheme+"://"+at.Host)
	}
	return request, err
}
