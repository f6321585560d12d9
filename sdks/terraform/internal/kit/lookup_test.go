package kit

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"terraform-provider-svc/internal/api"
	"terraform-provider-svc/internal/document"
)

func TestADataSourceFindsNothingThatWasDeleted(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/v1/people/gone":
			w.Write([]byte(`{"id": "gone", "status": "removed"}`))
		case "/api/v1/people":
			w.Write([]byte(`{"data": [{"id": "gone", "status": "removed"}, {"id": "here", "status": "active"}], "next_cursor": null}`))
		}
	}))
	defer server.Close()
	client, err := api.Connect(api.Settings{URL: server.URL, Token: "t"})
	if err != nil {
		t.Fatal(err)
	}
	people := &lookup{client: client, declared: Record{Name: "person", Path: "/api/v1/people", Lookup: []string{"email"}, Ended: "removed"}}
	asked := func(name, value string) attributes {
		return attributes{name: tftypes.NewValue(tftypes.String, value)}
	}
	if record, err := people.find(t.Context(), asked("email", "a@b.example")); err != nil || record["id"] != "here" {
		t.Error(record, err)
	}
	if _, err := people.find(t.Context(), asked("id", "gone")); err == nil {
		t.Error("what was deleted is found by its id")
	}
}

func TestADataSourceHasMapsOfMapsAsTheResourceDoes(t *testing.T) {
	texts := document.Schema{AdditionalProperties: &document.Schema{Type: document.Types{"string"}}}
	found, isMap := found(Field{Name: "texts", Kind: Map, Elements: texts}).(schema.MapAttribute)
	if !isMap || !found.ElementType.Equal(types.MapType{ElemType: types.StringType}) {
		t.Error(found)
	}
}
