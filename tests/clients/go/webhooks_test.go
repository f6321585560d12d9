package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"
)

// The program of docs/how-to/webhooks.md, which webhooks.go is.
func TestTheProgramOfTheGuideIsTheOneThatIsCompiled(t *testing.T) {
	page, err := os.ReadFile("../../../docs/how-to/webhooks.md")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile("webhooks.go")
	if err != nil {
		t.Fatal(err)
	}
	if between(t, string(page), "```go\n", "```") != string(program) {
		t.Fatal("webhooks.go is not what docs/how-to/webhooks.md shows")
	}
}

func TestTheVectorOfTheGuideIsVerifiedAndNothingThatDiffersFromIt(t *testing.T) {
	header := http.Header{}
	for name, value := range map[string]string{
		"X-SVC-Signature-Suite":   "svc-webhook-v1",
		"X-SVC-Signature-Max-Age": "300",
		"X-SVC-Timestamp":         "1800000000",
		"X-SVC-Event":             "webhook.test",
		"X-SVC-Delivery":          "dlv_01jcqzv7y0e8kstk6yq6k3a4mf",
		"X-SVC-Signature-256":     "sha256=631d5da8ee91e6d97863c23e138738f4600b158f2d303bf7791f18401ad21d06",
	} {
		header.Set(name, value)
	}
	body, secret := []byte(`{"name":"Zoë"}`), "svc_whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY"
	now := time.Unix(1_800_000_300, 0)
	if _, err := verified(header, body, secret, now); err != nil {
		t.Fatal(err)
	}
	for name := range header {
		changed := header.Clone()
		changed.Set(name, "x")
		if _, err := verified(changed, body, secret, now); err == nil {
			t.Fatalf("verified with another %s", name)
		}
	}
	if _, err := verified(header, []byte("{}"), secret, now); err == nil {
		t.Fatal("verified with another body")
	}
	if _, err := verified(header, body, secret, now.Add(time.Second)); err == nil {
		t.Fatal("verified when it was stale")
	}
}

func TestATestDeliveryIsVerifiedWithTheSecretThatWasShownOnce(t *testing.T) {
	server := started(t)
	type delivery struct {
		header http.Header
		body   []byte
	}
	received := make(chan delivery, 1)
	receiver := httptest.NewServer(http.HandlerFunc(func(reply http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		received <- delivery{request.Header, body}
		reply.WriteHeader(http.StatusNoContent)
	}))
	defer receiver.Close()

	webhooks := server.Issuer + "/api/v1/webhooks"
	var made struct{ ID, Secret string }
	subscription := map[string]any{"url": receiver.URL, "event_types": []string{"org.created"}}
	server.manage(t, "POST", webhooks, subscription, &made)
	defer server.manage(t, "DELETE", webhooks+"/"+made.ID, nil, nil)
	server.manage(t, "POST", webhooks+"/"+made.ID+"/test", nil, nil)

	select {
	case sent := <-received:
		body, err := verified(sent.header, sent.body, made.Secret, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(body), made.ID) {
			t.Fatalf("body %s", body)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("no delivery came")
	}
}

// manage calls the management API as the application that administers.
func (d dev) manage(t *testing.T, method, address string, document, answer any) {
	t.Helper()
	client := d.application(t, "admin-cli")
	form := url.Values{"grant_type": {"client_credentials"}, "scope": {"webhooks:read webhooks:write"}}
	request, _ := http.NewRequest("POST", d.Issuer+"/oauth/token", strings.NewReader(form.Encode()))
	request.SetBasicAuth(client.ClientID, client.ClientSecret)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	var token struct {
		AccessToken string `json:"access_token"`
	}
	exchange(t, request, &token)

	var body io.Reader
	if document != nil {
		text, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		body = bytes.NewReader(text)
	}
	request, _ = http.NewRequest(method, address, body)
	request.Header.Set("Authorization", "Bearer "+token.AccessToken)
	request.Header.Set("Content-Type", "application/json")
	exchange(t, request, answer)
}

func exchange(t *testing.T, request *http.Request, answer any) {
	t.Helper()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	if response.StatusCode >= 300 {
		t.Fatalf("%s %s: %d %s", request.Method, request.URL, response.StatusCode, text)
	}
	if answer != nil {
		if err := json.Unmarshal(text, answer); err != nil {
			t.Fatal(err)
		}
	}
}
