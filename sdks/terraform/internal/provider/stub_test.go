package provider

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"terraform-provider-svc/internal/api"
)

// stub keeps records in memory, for what a server for development refuses.
type stub struct {
	mutex   sync.Mutex
	records map[string]map[string]any
	// What a record has that was not sent.
	made func(body map[string]any) map[string]any
	// Why a record may not be deleted, or nothing.
	keeps func(record map[string]any) string
	count int
}

// stubbed starts one, which the provider reaches by the environment.
func stubbed(t *testing.T, service *stub) *api.Client {
	t.Helper()
	service.records = map[string]map[string]any{}
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	t.Setenv("SVC_URL", server.URL)
	t.Setenv("SVC_TOKEN", "svc_at")
	client, err := api.Connect(api.Settings{URL: server.URL, Token: "svc_at"})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func (s *stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	at := r.URL.Path
	record, known := s.records[at]
	switch {
	case r.Method == http.MethodPost:
		s.count++
		id := fmt.Sprintf("rec_%d", s.count)
		record = map[string]any{}
		_ = json.NewDecoder(r.Body).Decode(&record)
		maps.Copy(record, s.made(record))
		record["id"] = id
		s.records[at+"/"+id] = record
		answer(w, http.StatusCreated, record)
	case !known:
		answer(w, http.StatusNotFound, map[string]any{"detail": "no record has this id"})
	case r.Method == http.MethodGet:
		answer(w, http.StatusOK, record)
	case r.Method != http.MethodDelete:
		answer(w, http.StatusMethodNotAllowed, map[string]any{"detail": "not here"})
	case s.keeps(record) != "":
		answer(w, http.StatusConflict, map[string]any{"detail": s.keeps(record)})
	default:
		delete(s.records, at)
		w.WriteHeader(http.StatusNoContent)
	}
}

func answer(w http.ResponseWriter, status int, body map[string]any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// changed is what becomes of records in the meantime.
func (s *stub) changed(members map[string]any) func() {
	return func() {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		for _, record := range s.records {
			maps.Copy(record, members)
		}
	}
}

// gone takes away the records of a list.
func (s *stub) gone(list string) func() {
	return func() {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		maps.DeleteFunc(s.records, func(at string, _ map[string]any) bool { return strings.HasPrefix(at, list+"/") })
	}
}
