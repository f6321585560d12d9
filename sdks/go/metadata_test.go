package svc

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestTheMetadataIsWhereAClientComputesItFromTheResource(t *testing.T) {
	var file tokenFile
	vectors(t, "access_tokens.json", &file)
	for resource, path := range map[string]string{
		"https://api.example": "", "https://api.example/": "", "https://api.example/mcp": "/mcp", "https://api.example/mcp/": "/mcp/",
	} {
		verifier := file.verifier(t)
		verifier.config.Audience = resource
		mcp, err := NewMCP(verifier, "https://api.example", nil)
		if err != nil {
			t.Fatal(err)
		}
		mux := http.NewServeMux()
		mcp.Register(mux)
		path = "/.well-known/oauth-protected-resource" + path
		for asked, status := range map[string]int{path: 200, strings.TrimSuffix(path, "/") + "/below": 404} {
			recorder := httptest.NewRecorder()
			mux.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, asked, nil))
			if recorder.Code != status {
				t.Errorf("%s: %s: %d", resource, asked, recorder.Code)
			}
		}
		recorder := httptest.NewRecorder()
		mcp.Require(Required{}, http.NotFoundHandler()).ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/mcp", nil))
		wanted := `Bearer resource_metadata="https://api.example` + path + `"`
		if got := recorder.Header().Get("WWW-Authenticate"); got != wanted {
			t.Errorf("%s: %s", resource, got)
		}
	}
}
