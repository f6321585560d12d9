package svc

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// openAPI is what these tests read of docs/openapi.json.
type openAPI struct {
	Paths map[string]map[string]struct {
		Parameters []struct{ Name, In string }
	}
	Components struct {
		Schemas map[string]struct{ Properties map[string]any }
	}
}

func openAPIDocument(t *testing.T) *openAPI {
	t.Helper()
	text, err := os.ReadFile("../../docs/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	document := new(openAPI)
	if err := json.Unmarshal(text, document); err != nil {
		t.Fatal(err)
	}
	return document
}

// operations are those of the template that a path fits.
func (o *openAPI) operations(path string) []string {
	parts := strings.Split(path, "/")
	for template, operations := range o.Paths {
		wanted := strings.Split(template, "/")
		fits := len(wanted) == len(parts)
		for i := 0; fits && i < len(parts); i++ {
			fits = wanted[i] == parts[i] || (parts[i] == "x" && strings.HasPrefix(wanted[i], "{"))
		}
		if fits {
			var names []string
			for name := range operations {
				names = append(names, name)
			}
			return names
		}
	}
	return nil
}

func TestEveryNamedPathIsInTheOpenAPIDocument(t *testing.T) {
	document := openAPIDocument(t)
	api := reflect.ValueOf(NewManagement("https://id.example", StaticToken("t"), nil))
	named := 0
	for i := range api.NumMethod() {
		method := api.Method(i)
		if method.Type().NumOut() != 1 || !strings.HasPrefix(method.Type().Out(0).Name(), "Resource[") {
			continue
		}
		ids := slices.Repeat([]reflect.Value{reflect.ValueOf("x")}, method.Type().NumIn())
		path := method.Call(ids)[0].FieldByName("path").String()
		if len(document.operations(path)) == 0 {
			t.Errorf("%s: there is no %q", api.Type().Method(i).Name, path)
		}
		named++
	}
	if named < 50 {
		t.Errorf("%d collections are named", named)
	}
}

func TestEveryMemberOfARecordIsInTheOpenAPIDocument(t *testing.T) {
	document := openAPIDocument(t)
	records := map[string]any{
		"applications": Application{}, "tenant-users": TenantUser{}, "organizations": Organization{}, "webhooks": Webhook{},
	}
	for path, record := range records {
		of := reflect.TypeOf(record)
		for i := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			isKnown := false
			for _, schema := range []string{of.Name(), "New" + of.Name(), "Created" + of.Name()} {
				_, has := document.Components.Schemas[schema].Properties[name]
				isKnown = isKnown || has
			}
			if !isKnown {
				t.Errorf("%s has no %s", of.Name(), name)
			}
		}
		list, one := document.operations("/api/v1/"+path), document.operations("/api/v1/"+path+"/x")
		for _, method := range []string{"get", "post"} {
			if !slices.Contains(list, method) {
				t.Errorf("%s %s is not offered", method, path)
			}
		}
		for _, method := range []string{"get", "put", "patch", "delete"} {
			if !slices.Contains(one, method) {
				t.Errorf("%s of a record of %s is not offered", method, path)
			}
		}
	}
}

func TestTheServerKnowsRepetitionsWhereThisPackageTrustsItTo(t *testing.T) {
	for path, operations := range openAPIDocument(t).Paths {
		for method, operation := range operations {
			takesKey := false
			for _, parameter := range operation.Parameters {
				takesKey = takesKey || parameter.In == "header" && strings.EqualFold(parameter.Name, "Idempotency-Key")
			}
			call := Call{Method: strings.ToUpper(method), Path: path}
			if isWrite := method != "get" && method != "head"; isWrite && takesKey != call.hasIdempotencyKeys() {
				t.Errorf("%s %s takes an idempotency key: %t", method, path, takesKey)
			}
		}
	}
}
