package api

import (
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"
)

// service answers calls in order, and notes what it was asked.
type service struct {
	answers []http.HandlerFunc
	asked   []*http.Request
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.asked = append(s.asked, r)
	s.answers[min(len(s.asked), len(s.answers))-1](w, r)
}

func connected(t *testing.T, service *service) *Client {
	t.Helper()
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	client, err := Connect(Settings{URL: server.URL + "/", Token: "svc_at", UserAgent: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func created(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("ETag", `"1"`)
	w.WriteHeader(http.StatusCreated)
	w.Write([]byte(`{"id": "app_1", "quota": 9007199254740993}`))
}

func busy(status, seconds int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", strconv.Itoa(seconds))
		w.WriteHeader(status)
	}
}

func cut(w http.ResponseWriter, _ *http.Request) {
	connection, _, _ := w.(http.Hijacker).Hijack()
	connection.Close()
}

var create = Call{Method: http.MethodPost, Path: "/api/v1/applications", Body: map[string]string{"name": "Shop"}}

func TestARepeatedWriteCarriesTheSameKey(t *testing.T) {
	for name, first := range map[string]http.HandlerFunc{
		"that was limited":           busy(http.StatusTooManyRequests, 0),
		"that came too early":        busy(http.StatusServiceUnavailable, 1),
		"whose answer was lost":      cut,
		"that a proxy lost":          busy(http.StatusBadGateway, 0),
		"that took a proxy too long": busy(http.StatusGatewayTimeout, 0),
		"whose first is running":     busy(http.StatusConflict, 1),
	} {
		t.Run(name, func(t *testing.T) {
			service := &service{answers: []http.HandlerFunc{first, created}}
			answer, err := connected(t, service).Do(t.Context(), create)
			if err != nil || answer.ETag != `"1"` {
				t.Fatalf("%v %v", answer, err)
			}
			keys := [2]string{service.asked[0].Header.Get("Idempotency-Key"), service.asked[1].Header.Get("Idempotency-Key")}
			if keys[0] == "" || keys[0] != keys[1] || len(service.asked) != 2 {
				t.Errorf("%d calls with the keys %v", len(service.asked), keys)
			}
		})
	}
}

func TestTwoWritesHaveTwoKeys(t *testing.T) {
	service := &service{answers: []http.HandlerFunc{created}}
	client := connected(t, service)
	for range 2 {
		if _, err := client.Do(t.Context(), create); err != nil {
			t.Fatal(err)
		}
	}
	if service.asked[0].Header.Get("Idempotency-Key") == service.asked[1].Header.Get("Idempotency-Key") {
		t.Error("the second write would get the answer of the first")
	}
}

func TestWhatIsRefusedOrBusyForLongIsNotRepeated(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"refused":       busy(http.StatusBadRequest, 0),
		"a conflict":    busy(http.StatusConflict, 0),
		"a fault":       busy(http.StatusInternalServerError, 0),
		"busy for long": busy(http.StatusServiceUnavailable, 3600),
		"busy for ever": busy(http.StatusServiceUnavailable, math.MaxInt),
		"busy until a date": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat))
			w.WriteHeader(http.StatusTooManyRequests)
		},
		"still running for long": busy(http.StatusConflict, 3600),
	} {
		t.Run(name, func(t *testing.T) {
			service := &service{answers: []http.HandlerFunc{answer}}
			if _, err := connected(t, service).Do(t.Context(), create); err == nil || len(service.asked) != 1 {
				t.Errorf("%d calls: %v", len(service.asked), err)
			}
		})
	}
}

func TestTheTokenIsSentNowhereElse(t *testing.T) {
	other := &service{answers: []http.HandlerFunc{created}}
	server := httptest.NewServer(other)
	defer server.Close()
	service := &service{answers: []http.HandlerFunc{func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, server.URL, http.StatusTemporaryRedirect)
	}}}
	if _, err := connected(t, service).Do(t.Context(), create); err == nil {
		t.Error("a redirect is no answer")
	}
	if len(other.asked) != 0 || service.asked[0].Header.Get("Authorization") != "Bearer svc_at" {
		t.Errorf("%d requests elsewhere", len(other.asked))
	}
}

func TestAProblemIsToldWithItsRequest(t *testing.T) {
	service := &service{answers: []http.HandlerFunc{func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		w.Write([]byte(`{"title": "The request is not valid", "detail": "name: too long", "request_id": "req_1", "errors": [{"pointer": "/name", "detail": "name: too long"}]}`))
	}}}
	_, err := connected(t, service).Do(t.Context(), create)
	var problem *Problem
	if !errors.As(err, &problem) || len(problem.Flaws) != 1 || !strings.Contains(err.Error(), "req_1") {
		t.Errorf("%v", err)
	}
}

func TestAnAnswerOfAProxyIsToldWithItsRequest(t *testing.T) {
	service := &service{answers: []http.HandlerFunc{func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Request-Id", "req_2")
		w.WriteHeader(http.StatusInternalServerError)
		w.Write([]byte(`<html>Bad day</html>`))
	}}}
	_, err := connected(t, service).Do(t.Context(), create)
	if err == nil || !strings.Contains(err.Error(), "req_2") || !strings.Contains(err.Error(), "proxy") {
		t.Errorf("%v", err)
	}
}

func TestOnlyTheServiceSaysThatARecordIsGone(t *testing.T) {
	for text, isMissing := range map[string]bool{
		`{"title": "Not found", "status": 404, "detail": "no record has this id", "error": "not_found"}`: true,
		`<html>404 Not Found</html>`: false,
		`default backend - 404`:      false,
		`{"message": "no Route"}`:    false,
		``:                           false,
	} {
		service := &service{answers: []http.HandlerFunc{func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNotFound)
			w.Write([]byte(text))
		}}}
		_, err := connected(t, service).Do(t.Context(), Call{Method: http.MethodGet, Path: "/api/v1/groups/g"})
		if err == nil || IsMissing(err) != isMissing {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAListThatRepeatsItsCursorEnds(t *testing.T) {
	service := &service{answers: []http.HandlerFunc{func(w http.ResponseWriter, _ *http.Request) {
		w.Write([]byte(`{"data": [], "next_cursor": "1"}`))
	}}}
	_, err := connected(t, service).Find(t.Context(), "/", nil, func(map[string]any) bool { return false })
	if err == nil || len(service.asked) != 2 {
		t.Errorf("%d pages: %v", len(service.asked), err)
	}
}

func TestAListIsReadToTheRecordThatFits(t *testing.T) {
	page := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(text)) }
	}
	service := &service{answers: []http.HandlerFunc{
		page(`{"data": [{"group_id": "a"}], "next_cursor": "2"}`),
		page(`{"data": [{"group_id": "b"}], "next_cursor": null}`),
	}}
	client := connected(t, service)
	record, err := client.Find(t.Context(), "/api/v1/groups/g/groups", nil, func(record map[string]any) bool { return record["group_id"] == "b" })
	if err != nil || record == nil || service.asked[1].URL.Query().Get("cursor") != "2" {
		t.Errorf("%v %v", record, err)
	}
	if record, err := client.Find(t.Context(), "/", nil, func(map[string]any) bool { return false }); record != nil || err != nil {
		t.Errorf("%v %v", record, err)
	}
}

func TestSecretsDoNotTravelInTheClear(t *testing.T) {
	for _, address := range []string{"http://id.example.com", "id.example.com", "ftp://id.example.com", "", "https://me:canary@id.example.com"} {
		if _, err := Connect(Settings{URL: address, Token: "t"}); err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("%q: %v", address, err)
		}
	}
	for _, address := range []string{"https://id.example.com", "http://localhost:8080", "http://demo.localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080"} {
		if _, err := Connect(Settings{URL: address, Token: "t"}); err != nil {
			t.Errorf("%q: %v", address, err)
		}
	}
}
