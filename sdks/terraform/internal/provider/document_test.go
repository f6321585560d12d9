package provider

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"terraform-provider-svc/internal/document"
	"terraform-provider-svc/internal/resources"
)

const (
	published = "../../../../docs/openapi.json"
	embedded  = "../document/openapi.json"
)

// Operations that write and that no resource does, by the beginning of their path.
var elsewhere = map[string]string{
	"/api/v1/applications/{id}/secret":                                                 "replaces a secret: what is done once, by a person or a pipeline, is no state; an application that gets its first secret asks for it",
	"/api/v1/api-keys/{id}/rotate":                                                     "replaces a secret",
	"/api/v1/scim-tokens/{id}/rotate":                                                  "replaces a secret",
	"/api/v1/webhooks/{id}/secret":                                                     "replaces a secret",
	"/api/v1/webhooks/{id}/test":                                                       "sends something",
	"/api/v1/webhooks/{id}/replay":                                                     "sends something",
	"/api/v1/webhooks/{id}/deliveries":                                                 "sends something",
	"/api/v1/organizations/{id}/api-keys/{key_id}/rotate":                              "replaces a secret",
	"/api/v1/organizations/{id}/sso-connections/{connection_id}/test":                  "asks",
	"/api/v1/organizations/{id}/trusted-issuers/{issuer_id}/subjects/{tenant_user_id}": "the API does not tell the links, so that Terraform could not see what became of them",
	"/api/v1/hooks/{id}/secret":                                                        "replaces a secret",
	"/api/v1/hooks/{id}/test":                                                          "sends something",
	"/api/v1/scim-targets/{id}/test":                                                   "asks",
	"/api/v1/scim-targets/{id}/sync":                                                   "sends something",
	"/api/v1/audit/streams/{id}/test":                                                  "sends something",
	"/api/v1/identity":                                                                 "a person's own account and decisions",
	"/api/v1/imports":                                                                  "brings people once",
	"/api/v1/delegations":                                                              "ends what people began",
	"/api/v1/tenant-users/{id}/suspend":                                                "answers an incident",
	"/api/v1/tenant-users/{id}/reactivate":                                             "answers an incident",
	"/api/v1/tenant-users/{id}/invitation":                                             "sends a mail",
	"/api/v1/tenant-users/{id}/recovery":                                               "sends a mail",
	"/api/v1/tenant-users/{id}/password":                                               "passwords stand in no file",
	"/api/v1/tenant-users/{id}/sessions":                                               "ends sessions",
	"/api/v1/tenant-users/{id}/consents":                                               "ends what a person allowed",
	"/api/v1/tenant-users/{id}/credentials":                                            "the person sets credentials; an administrator removes what was lost",
	"/api/v1/organizations/{id}/invitations":                                           "sends a mail, and ends when it is accepted",
	"/api/v1/organizations/{id}/directory-groups/{directory_group_id}":                 "the directory makes the group, so that there is none before people are provisioned",
	"/api/v1/policies/{id}/versions":                                                   "lets a former version decide: the text of `svc_policy` says which one decides",
	"/api/v1/policies/validate":                                                        "asks",
	"/api/v1/policies/simulate":                                                        "asks",
	"/api/v1/policies/{id}/dry-run":                                                    "asks",
	"/api/v1/trusted-issuers/{id}/subjects/{tenant_user_id}":                           "the API does not tell the links, so that Terraform could not see what became of them",
	"/api/v1/impersonations":                                                           "begins and ends what support staff does once",
	"/api/v1/organizations/{id}/domains/{domain_id}/verify":                            "asks the name servers, when the record has reached them",
	"/api/v1/custom-domains/{id}/verify":                                               "asks the name servers, when the record has reached them",
	"/api/v1/custom-domains/{id}/activate":                                             "moves the issuer, and with it every sign-in, at an hour that a person chooses",
	"/api/v1/custom-domains/{id}/deactivate":                                           "moves the issuer back",
	"/api/v1/organizations/{id}/branding":                                              "the members of `svc_organization` that say how it looks",
	"/api/v1/ssf":                                                                      "a receiver's own streams, under its own token",
	"/api/v1/control-plane":                                                            "takes tokens of operators, who are people; `svc-runtime apply` makes tenants",
}

func original(t *testing.T) (*document.Document, []byte) {
	t.Helper()
	text, err := os.ReadFile(published)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := document.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return whole, text
}

func used() (paths []string) {
	for _, record := range resources.Records {
		paths = append(paths, record.Paths()...)
	}
	for _, link := range resources.Links {
		paths = append(paths, link.Paths()...)
	}
	for _, sole := range resources.Soles {
		paths = append(paths, sole.Paths()...)
	}
	for _, settings := range resources.Settings {
		paths = append(paths, settings.Paths()...)
	}
	return paths
}

func TestTheEmbeddedPartIsThatOfThePublishedDocument(t *testing.T) {
	whole, _ := original(t)
	var wanted bytes.Buffer
	encoder := json.NewEncoder(&wanted)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(whole.Part(used())); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("SVC_REWRITE_DOCS") != "" {
		if err := os.WriteFile(embedded, wanted.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	present, err := os.ReadFile(embedded)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(present, wanted.Bytes()) {
		t.Error("docs/openapi.json has changed: run SVC_REWRITE_DOCS=1 go test ./internal/provider -run Embedded in sdks/terraform")
	}
}

func TestEveryOperationThatWritesHasAResourceOrAReason(t *testing.T) {
	whole, _ := original(t)
	managed, reasons := used(), map[string]bool{}
	for path, operations := range whole.Paths {
		if !strings.HasPrefix(path, "/api/v1/") || slices.Contains(managed, path) || !writes(operations) {
			continue
		}
		reason := ""
		for beginning := range elsewhere {
			if strings.HasPrefix(path, beginning) {
				reason, reasons[beginning] = elsewhere[beginning], true
			}
		}
		if reason == "" {
			t.Errorf("%s is written by no resource: declare one in internal/resources, or say why not", path)
		}
	}
	for beginning := range elsewhere {
		if !reasons[beginning] {
			t.Errorf("%s is no operation without a resource: remove the reason", beginning)
		}
	}
}

func writes(operations map[string]document.Operation) bool {
	for method := range operations {
		if slices.Contains([]string{"post", "put", "patch", "delete"}, method) {
			return true
		}
	}
	return false
}

// member is what the documents of a record say of one name, read without the code under test.
type member struct {
	types                              []string
	inNew, inUpdate, inRecord, created bool
	required                           bool
}

// isSecret tells whether no reading shows it: it was shown when it was made, or is replaced and never shown.
func (m member) isSecret() bool { return !m.inRecord && (m.created || m.inUpdate) }

// raw reads a published schema as plain JSON.
type raw map[string]any

func (r raw) at(keys ...string) raw {
	for _, key := range keys {
		r, _ = r[key].(map[string]any)
	}
	return r
}

func (r raw) resolve(schema raw) raw {
	for {
		if name, ok := schema["$ref"].(string); ok {
			schema = r.at("components", "schemas", strings.TrimPrefix(name, "#/components/schemas/"))
			continue
		}
		choices, ok := schema["oneOf"].([]any)
		if !ok {
			return schema
		}
		for _, choice := range choices {
			if choice := raw(choice.(map[string]any)); choice["type"] != "null" {
				schema = choice
			}
		}
	}
}

// types are those of a value; of objects there are those whose members are known, those with members alike, and any others.
func (r raw) types(property raw) []string {
	schema := r.resolve(property)
	types := asList(schema["type"])
	for i, kind := range types {
		switch _, isMap := schema["additionalProperties"].(map[string]any); {
		case kind == "object" && schema["properties"] != nil:
			types[i] = "members"
		case kind == "object" && isMap:
			types[i] = "map"
		}
	}
	return types
}

func (r raw) members(path, item string) map[string]*member {
	body := func(path, method string) raw {
		return r.resolve(r.at("paths", path, method, "requestBody", "content", "application/json", "schema"))
	}
	answer := func(path, method, status string) raw {
		return r.resolve(r.at("paths", path, method, "responses", status, "content", "application/json", "schema"))
	}
	all := map[string]*member{}
	note := func(schema raw, mark func(*member)) {
		for name, property := range schema.at("properties") {
			if all[name] == nil {
				all[name] = &member{}
			}
			all[name].types = append(all[name].types, r.types(property.(map[string]any))...)
			mark(all[name])
		}
	}
	created := body(path, "post")
	note(created, func(m *member) { m.inNew = true })
	note(body(item, "put"), func(m *member) { m.inUpdate = true })
	note(answer(item, "get", "200"), func(m *member) { m.inRecord = true })
	note(answer(path, "post", "201"), func(m *member) { m.created = true })
	for _, name := range asList(created["required"]) {
		all[name].required = true
	}
	return all
}

func asList(value any) (all []string) {
	switch value := value.(type) {
	case string:
		return []string{value}
	case []any:
		for _, one := range value {
			all = append(all, one.(string))
		}
	}
	return all
}

func TestEveryAttributeOfARecordIsAMemberOfItsDocuments(t *testing.T) {
	_, text := original(t)
	var whole raw
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	for _, record := range resources.Records {
		attributes := schemaOf(t, record.Resource())
		members := whole.members(record.Path, record.Paths()[1])
		if len(members) == 0 {
			t.Errorf("%s: nothing is at %s", record.Name, record.Path)
		}
		for name, member := range members {
			if _, omitted := record.Omit[name]; omitted {
				continue
			}
			attribute, known := attributes[name]
			switch {
			case member.isSecret() && !member.created:
				known = attributes[name+"_wo"] != nil && attribute == nil
			case name == record.Parent:
				known = known && attribute.IsRequired()
			case known:
				holdAgainst(t, record.Name+"."+name, attribute, *member)
			}
			if !known {
				t.Errorf("%s has no attribute %s", record.Name, name)
			}
		}
		for name := range attributes {
			brought, _, isBrought := strings.Cut(name, "_wo")
			if members[name] == nil && !(isBrought && members[brought].inNew && members[brought].isSecret()) {
				t.Errorf("%s.%s is no member of the API", record.Name, name)
			}
		}
		for name := range record.Omit {
			if members[name] == nil || members[name].inNew || members[name].inUpdate {
				t.Errorf("%s omits %s, which is no member, or one that is configured", record.Name, name)
			}
		}
		for name, choice := range record.Chosen {
			if members[choice.By] == nil || members[choice.Secret] == nil || !members[choice.Secret].isSecret() {
				t.Errorf("%s chooses %s by %s, with %s, which are no member and no secret", record.Name, name, choice.By, choice.Secret)
			}
			if whole.at("paths", record.Paths()[1]+"/"+choice.Renewal) == nil {
				t.Errorf("%s has no operation %s", record.Name, choice.Renewal)
			}
			if attribute := attributes[name]; attribute == nil || !attribute.IsOptional() || !attribute.IsComputed() {
				t.Errorf("%s leaves %s to the service, which is no text that may be left out", record.Name, name)
			} else if text := attribute.(schema.StringAttribute); text.Default != nil {
				t.Errorf("%s has a default for %s, which the service chooses", record.Name, name)
			}
		}
		for name := range record.Defaults {
			if first, _, _ := strings.Cut(name, "."); members[first] == nil {
				t.Errorf("%s has a default for %s, which is no member", record.Name, name)
			}
		}
	}
}

func holdAgainst(t *testing.T, name string, attribute schema.Attribute, member member) {
	t.Helper()
	isSecret := member.isSecret()
	settable := (member.inNew || member.inUpdate) && !isSecret
	if attribute.IsRequired() != member.required {
		t.Errorf("%s: required is %v in the API", name, member.required)
	}
	if (attribute.IsRequired() || attribute.IsOptional()) != settable {
		t.Errorf("%s: a configuration may say it, and the API may not take it, or the other way round", name)
	}
	if attribute.IsSensitive() != isSecret {
		t.Errorf("%s: what is shown once is sensitive, and nothing else", name)
	}
	wanted := map[string]string{"string": "String", "boolean": "Bool", "integer": "Int64", "object": "String", "members": "Object", "map": "Map", "array": "List or Set"}
	for _, kind := range member.types {
		if kind != "null" && !strings.Contains(wanted[kind], typeName(attribute)) {
			t.Errorf("%s: %s in the API, %s here", name, kind, typeName(attribute))
		}
	}
}

func typeName(attribute schema.Attribute) string {
	switch attribute.(type) {
	case schema.BoolAttribute:
		return "Bool"
	case schema.Int64Attribute:
		return "Int64"
	case schema.SetAttribute:
		return "Set"
	case schema.ListNestedAttribute:
		return "List"
	case schema.SingleNestedAttribute:
		return "Object"
	case schema.MapAttribute, schema.MapNestedAttribute:
		return "Map"
	default:
		return "String"
	}
}

func schemaOf(t *testing.T, made resource.Resource) map[string]schema.Attribute {
	t.Helper()
	var response resource.SchemaResponse
	made.Schema(t.Context(), resource.SchemaRequest{}, &response)
	if faults := response.Schema.ValidateImplementation(t.Context()); faults.HasError() {
		t.Error(faults)
	}
	return response.Schema.Attributes
}

func TestEveryLinkHasWhatItsAddressAndItsBodySay(t *testing.T) {
	whole, _ := original(t)
	for _, link := range resources.Links {
		attributes := schemaOf(t, link.Resource())
		if !whole.Has("put", link.Path) || !whole.Has("delete", link.Path) {
			t.Errorf("%s: %s is not put and deleted", link.Name, link.Path)
		}
		if link.Listed == "" && !whole.Has("get", link.Path) {
			t.Errorf("%s: %s is not read", link.Name, link.Path)
		}
		if body := whole.Takes("put", link.Path); body != nil {
			for name := range body.Properties {
				if attribute, known := attributes[name]; !known || attribute.IsRequired() != slices.Contains(body.Required, name) {
					t.Errorf("%s.%s is not as the API has it", link.Name, name)
				}
			}
		}
		if !attributes[link.Parent].IsRequired() {
			t.Errorf("%s.%s is not required", link.Name, link.Parent)
		}
	}
}

func TestWhatIsThereOnceHasWhatItsBodySays(t *testing.T) {
	whole, _ := original(t)
	for _, sole := range resources.Soles {
		attributes := schemaOf(t, sole.Resource())
		if !whole.Has("get", sole.Path) || !whole.Has("put", sole.Path) {
			t.Errorf("%s: %s is not read and put", sole.Name, sole.Path)
			continue
		}
		body := whole.Takes("put", sole.Path)
		// What it is without them is what it ends with.
		if len(body.Required) != 0 {
			t.Errorf("%s cannot be empty: it requires %v", sole.Name, body.Required)
		}
		names := []string{"id"}
		for name := range body.Properties {
			names = append(names, name)
		}
		if sole.Parent != "" {
			names = append(names, sole.Parent)
		}
		for _, name := range names {
			if attribute, known := attributes[name]; !known || attribute.IsRequired() != (name == sole.Parent) {
				t.Errorf("%s.%s is not as the API has it", sole.Name, name)
			}
		}
		if len(attributes) != len(names) {
			t.Errorf("%s has other attributes than %v", sole.Name, names)
		}
	}
}

func TestSettingsHaveWhatAPatchTakesAndGivesBack(t *testing.T) {
	_, text := original(t)
	var whole raw
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	for _, settings := range resources.Settings {
		patch := whole.at("paths", settings.Path, "patch", "requestBody", "content", "application/merge-patch+json", "schema")
		attributes := schemaOf(t, settings.Resource())
		if id := attributes["id"]; id == nil || !id.IsComputed() {
			t.Errorf("%s has no id", settings.Name)
		}
		delete(attributes, "id")
		omitted := map[string]bool{}
		whole.holdPatch(t, patch, attributes, "", func(name string) bool {
			_, omits := settings.Omit[name]
			omitted[name] = omits
			return omits
		})
		for name := range settings.Omit {
			if !omitted[name] {
				t.Errorf("%s omits %s, which is no member", settings.Name, name)
			}
		}
	}
}

// holdPatch holds attributes against the members of a merge patch: each may be left out, and all but what the tenant must have are
// given back by null.
func (r raw) holdPatch(t *testing.T, patch raw, attributes map[string]schema.Attribute, place string, omits func(string) bool) {
	t.Helper()
	members := r.resolve(patch).at("properties")
	for name, described := range members {
		place, described := place+name, raw(described.(map[string]any))
		attribute, known := attributes[name]
		if omits(place) == known {
			t.Errorf("%s is no attribute, or one that is omitted", place)
		}
		if !known {
			continue
		}
		if !attribute.IsOptional() || attribute.IsComputed() {
			t.Errorf("%s has to be what a configuration may name or leave", place)
		}
		if !r.isNullable(described) && place != "name" {
			t.Errorf("%s cannot be given back", place)
		}
		if object, isObject := attribute.(schema.SingleNestedAttribute); isObject {
			r.holdPatch(t, described, object.Attributes, place+".", omits)
		}
	}
	for name := range attributes {
		if members[name] == nil {
			t.Errorf("%s%s is no member of the API", place, name)
		}
	}
}

func (r raw) isNullable(schema raw) bool {
	choices, _ := schema["oneOf"].([]any)
	return slices.Contains(asList(schema["type"]), "null") || slices.ContainsFunc(choices, func(choice any) bool {
		return r.isNullable(choice.(map[string]any))
	})
}

func TestEachNameThatADataSourceFindsByIsAParameterOfTheList(t *testing.T) {
	whole, _ := original(t)
	for _, record := range resources.Records {
		for _, name := range record.Lookup {
			parameters := whole.Paths[record.Path]["get"].Parameters
			if !slices.ContainsFunc(parameters, func(p document.Parameter) bool { return p.Name == name && p.In == "query" }) {
				t.Errorf("%s cannot be found by %s", record.Name, name)
			}
		}
	}
}
