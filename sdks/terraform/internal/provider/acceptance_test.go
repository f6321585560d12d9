package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"terraform-provider-svc/internal/api"
	"terraform-provider-svc/internal/resources"
)

var factories = map[string]func() (tfprotov6.ProviderServer, error){
	"svc": providerserver.NewProtocol6WithError(New("test")()),
}

// started is a client of the running service, which the provider reaches by the environment.
func started(t *testing.T) *api.Client {
	t.Helper()
	line := os.Getenv("SVC_DEV")
	if line == "" {
		t.Skip("SVC_DEV, the line that `svc-runtime dev --json` prints, is not set")
	}
	var dev struct {
		Issuer  string
		Clients []struct {
			Handle string
			ID     string `json:"client_id"`
			Secret string `json:"client_secret"`
		}
	}
	if err := json.Unmarshal([]byte(line), &dev); err != nil {
		t.Fatal(err)
	}
	for _, client := range dev.Clients {
		if client.Handle == "admin-cli" {
			t.Setenv("SVC_URL", dev.Issuer)
			t.Setenv("SVC_CLIENT_ID", client.ID)
			t.Setenv("SVC_CLIENT_SECRET", client.Secret)
			connected, err := api.Connect(api.Settings{URL: dev.Issuer, ClientID: client.ID, ClientSecret: client.Secret})
			if err != nil {
				t.Fatal(err)
			}
			return connected
		}
	}
	t.Fatal("no application admin-cli")
	return nil
}

func example(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../examples/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// nothingLeft asks for every record of a state that was destroyed.
func nothingLeft(client *api.Client) resource.TestCheckFunc {
	return func(state *terraform.State) error {
		for name, left := range state.RootModule().Resources {
			if err := emptied(client, name, left); err != nil {
				return err
			}
			if err := givenBack(client, name, left); err != nil {
				return err
			}
			for _, record := range resources.Records {
				if left.Type != "svc_"+record.Name {
					continue
				}
				at := record.At(func(name string) string { return left.Primary.Attributes[name] })
				answer, err := client.Do(context.Background(), api.Call{Method: http.MethodGet, Path: at})
				if !api.IsMissing(err) && !record.HasEnded(answer.Body) {
					return fmt.Errorf("%s is still there: %v", name, err)
				}
			}
		}
		return nil
	}
}

// emptied asks whether what is there once has nothing any more.
func emptied(client *api.Client, name string, left *terraform.ResourceState) error {
	for _, sole := range resources.Soles {
		if left.Type != "svc_"+sole.Name {
			continue
		}
		at := sole.At(func(name string) string { return left.Primary.Attributes[name] })
		answer, err := client.Do(context.Background(), api.Call{Method: http.MethodGet, Path: at})
		if api.IsMissing(err) {
			continue
		}
		for member, value := range answer.Body {
			if members, isMap := value.(map[string]any); value != nil && (!isMap || len(members) != 0) {
				return fmt.Errorf("%s still has %s", name, member)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// givenBack asks whether what was named of settings has its default again; the name of the tenant has none.
func givenBack(client *api.Client, name string, left *terraform.ResourceState) error {
	for _, settings := range resources.Settings {
		if left.Type != "svc_"+settings.Name {
			continue
		}
		answer, err := client.Do(context.Background(), api.Call{Method: http.MethodGet, Path: settings.Paths()[0]})
		if err != nil {
			return err
		}
		for place, named := range left.Primary.Attributes {
			var present any = answer.Body
			for member := range strings.SplitSeq(place, ".") {
				members, _ := present.(map[string]any)
				present = members[member]
			}
			if place != "name" && named != "false" && fmt.Sprint(present) == named {
				return fmt.Errorf("%s still has %s", name, place)
			}
		}
	}
	return nil
}

// kept is what the service was seen to have.
func kept(address, attribute string, value *string) resource.TestCheckFunc {
	return func(state *terraform.State) error {
		*value = state.RootModule().Resources[address].Primary.Attributes[attribute]
		return nil
	}
}

func TestTheExampleIsAppliedPlannedEmptyImportedAndDestroyed(t *testing.T) {
	client := started(t)
	whole := example(t, "tenant/main.tf")
	steps := []resource.TestStep{{
		Config: whole + example(t, "tenant/outputs.tf"),
		Check: resource.ComposeTestCheckFunc(
			resource.TestCheckResourceAttrSet("svc_application.web", "client_secret"),
			resource.TestCheckResourceAttrSet("svc_webhook.audit", "secret"),
			resource.TestCheckResourceAttrSet("svc_api_key.report", "key"),
			resource.TestCheckResourceAttr("svc_organization_domain.acme", "record_name", "_svc-challenge.acme.example"),
			resource.TestCheckResourceAttrSet("svc_organization_domain.acme", "record_value"),
			resource.TestCheckResourceAttrPair("data.svc_application.web", "id", "svc_application.web", "id"),
		),
		ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
	}, {
		Config: whole,
	}}
	for _, match := range regexp.MustCompile(`(?m)^resource "(svc_\w+)" "(\w+)"`).FindAllStringSubmatch(whole, -1) {
		steps = append(steps, resource.TestStep{
			ResourceName: match[1] + "." + match[2], ImportState: true, ImportStateVerify: true, ImportStateIdFunc: idOf(match[1], match[2]),
			// Shown once, brought, or said when the record was made: nothing reads them again.
			ImportStateVerifyIgnore: []string{"client_secret", "secret", "key", "token", "expires_in", "owner", "begin", "module", "client_secret_wo_version", "secret_wo_version"},
		})
	}
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, CheckDestroy: nothingLeft(client), Steps: steps})
}

// idOf is what an import takes: of a record that lies under another one the ids of both.
func idOf(kind, name string) resource.ImportStateIdFunc {
	return func(state *terraform.State) (string, error) {
		found := state.RootModule().Resources[kind+"."+name].Primary
		for _, record := range resources.Records {
			if kind == "svc_"+record.Name && record.Parent != "" {
				return found.Attributes[record.Parent] + "/" + found.ID, nil
			}
		}
		return found.ID, nil
	}
}

func TestEveryResourceIsInAnExample(t *testing.T) {
	whole := example(t, "tenant/main.tf") + example(t, "custom-domain/main.tf")
	names := []string{}
	for _, record := range resources.Records {
		names = append(names, record.Name)
	}
	for _, link := range resources.Links {
		names = append(names, link.Name)
	}
	for _, sole := range resources.Soles {
		names = append(names, sole.Name)
	}
	for _, settings := range resources.Settings {
		names = append(names, settings.Name)
	}
	for _, name := range names {
		if !strings.Contains(whole, `resource "svc_`+name+`"`) {
			t.Errorf("no example has svc_%s", name)
		}
	}
}

// What a configuration leaves out is what the service takes for it: a plan after it is empty, for each resource.
func TestARecordWithWhatItNeedsAloneHasTheDefaultsOfTheService(t *testing.T) {
	client := started(t)
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, CheckDestroy: nothingLeft(client), Steps: []resource.TestStep{{
		Config: `
resource "svc_api" "a" {
  identifier = "https://least.example"
  name       = "Least"
  scopes     = [{ name = "least:read" }]
}
resource "svc_api_key" "a" {
  name  = "Least"
  scope = "roles:read"
}
resource "svc_application" "a" { name = "Least" }
resource "svc_application" "with_targets" {
  name                = "Targets"
  redirect_uris       = ["https://least.example/cb"]
  identity_assertions = [{ audience = "https://other.example" }]
}
resource "svc_audit_stream" "a" {
  name        = "Least"
  destination = { webhook = { url = "https://least.example/audit" } }
}
resource "svc_audit_stream" "syslog" {
  name        = "Least syslog"
  destination = { syslog = { host = "syslog.least.example" } }
}
resource "svc_branding" "a" {}
resource "svc_connector" "a" {
  name                     = "least"
  preset                   = "github"
  client_id                = "least"
  client_secret_wo         = "least"
  client_secret_wo_version = 1
}
resource "svc_group" "a" { name = "Least" }
resource "svc_hook" "a" {
  point      = "pre_registration"
  url        = "https://least.example/hooks"
  on_failure = "allow"
}
resource "svc_hook_module" "a" {
  name   = "Least"
  module = "AGFzbQEAAAABDAJgAX8Bf2ACf38BfgMDAgABBQMBAAIHHgMGbWVtb3J5AgAIYWxsb2NhdGUAAAZkZWNpZGUAAQoTAgYAQYCABAsKAEKTgICAgIABCwsaAQBBgAgLE3sidmVyZGljdCI6ImFsbG93In0="
}
resource "svc_organization" "a" {
  slug     = "least"
  name     = "Least"
  owner_id = svc_tenant_user.a.id
}
resource "svc_organization_api_key" "a" {
  organization_id = svc_organization.a.id
  name            = "Least"
  scope           = "organizations:read"
}
resource "svc_organization_domain" "a" {
  organization_id = svc_organization.a.id
  domain          = "least.example"
}
resource "svc_organization_member" "a" {
  organization_id = svc_organization.a.id
  tenant_user_id  = svc_tenant_user.b.id
}
resource "svc_organization_trusted_issuer" "a" {
  organization_id = svc_organization.a.id
  name            = "Least"
  issuer          = "https://organization.least.example"
  jwks_uri        = "https://organization.least.example/jwks.json"
}
resource "svc_organization_texts" "a" { organization_id = svc_organization.a.id }
resource "svc_policy" "a" {
  name = "Least"
  text = "forbid (principal, action, resource);"
}
resource "svc_registration_token" "a" {}
resource "svc_role" "a" { name = "least" }
resource "svc_scim_schema" "a" {
  urn        = "urn:example:params:scim:schemas:least:2.0:User"
  name       = "least"
  attributes = [{ name = "badge" }, { name = "desk", type = "complex", sub_attributes = [{ name = "floor" }] }]
}
resource "svc_scim_target" "a" {
  name              = "Least"
  base_url          = "https://least.example/scim/v2"
  people            = { everyone = true }
  secret_wo         = "token-of-the-least"
  secret_wo_version = 1
}
resource "svc_scim_token" "a" {
  organization_id = svc_organization.a.id
  name            = "Least"
}
resource "svc_sign_up_field" "a" {
  name     = "least"
  type     = "choice"
  language = "en"
  texts    = { en = { label = "Least" } }
  choices  = [{ value = "a" }, { value = "b" }]
}
resource "svc_sso_connection" "a" {
  organization_id          = svc_organization.a.id
  display_name             = "Least"
  issuer                   = "https://login.least.example"
  client_id                = "least"
  client_secret_wo         = "least"
  client_secret_wo_version = 1
}
resource "svc_terms" "a" {
  key          = "least"
  label        = "1"
  language     = "en"
  effective_at = "2999-01-01T01:00:00+01:00"
  documents    = { en = { title = "Least", url = "https://least.example/terms" } }
}
resource "svc_texts" "a" {}
resource "svc_tenant_settings" "a" {}
resource "svc_tenant_user" "a" { username = "least-a" }
resource "svc_tenant_user" "b" { username = "least-b" }
resource "svc_trusted_issuer" "a" {
  name     = "Least"
  issuer   = "https://least.example"
  jwks_uri = "https://least.example/jwks.json"
}
resource "svc_webhook" "a" {
  url         = "https://least.example/events"
  event_types = ["auth.*"]
}
`,
	}}})
}

const methods = `
resource "svc_application" "web" { name = "%[1]s web" }
resource "svc_application" "spa" {
  name          = "%[1]s spa"
  type          = "spa"
  redirect_uris = ["https://spa.example/callback"]
}
resource "svc_application" "native" {
  name          = "%[1]s native"
  type          = "native"
  redirect_uris = ["http://127.0.0.1/callback"]
}
resource "svc_application" "said" {
  name                       = "%[1]s said"
  type                       = "native"
  redirect_uris              = ["http://127.0.0.1/callback"]
  token_endpoint_auth_method = "client_secret_post"
}
`

func TestAnApplicationThatDoesNotSayHowItAuthenticatesIsWhatTheServiceMakesOfItsType(t *testing.T) {
	client := started(t)
	chosen := resource.ComposeTestCheckFunc(
		resource.TestCheckResourceAttr("svc_application.web", "token_endpoint_auth_method", "client_secret_basic"),
		resource.TestCheckResourceAttr("svc_application.spa", "token_endpoint_auth_method", "none"),
		resource.TestCheckNoResourceAttr("svc_application.spa", "client_secret"),
		resource.TestCheckResourceAttr("svc_application.native", "token_endpoint_auth_method", "none"),
		resource.TestCheckResourceAttr("svc_application.said", "token_endpoint_auth_method", "client_secret_post"),
	)
	empty := resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, CheckDestroy: nothingLeft(client), Steps: []resource.TestStep{
		{Config: fmt.Sprintf(methods, "Before"), Check: chosen, ConfigPlanChecks: empty},
		// A change of other attributes leaves it.
		{Config: fmt.Sprintf(methods, "After"), Check: chosen, ConfigPlanChecks: empty},
		{ResourceName: "svc_application.spa", ImportState: true, ImportStateVerify: true},
	}})
}

const kinds = `
resource "svc_application" "a" {
  handle        = "kinds"
  name          = "Kinds"
  type          = %[1]q
  redirect_uris = ["https://app.example/callback"]
  %[2]s
}
`

func TestAnotherTypeOfAnApplicationAuthenticatesAsANewOneOfItWould(t *testing.T) {
	client := started(t)
	var id, first string
	const at = "svc_application.a"
	step := func(kind, said, method string, secret resource.TestCheckFunc) resource.TestStep {
		same := resource.TestCheckResourceAttrWith(at, "id", func(now string) error {
			if now != id {
				return fmt.Errorf("%s became %s", id, now)
			}
			return nil
		})
		checks := resource.ComposeTestCheckFunc(same, resource.TestCheckResourceAttr(at, "token_endpoint_auth_method", method), secret)
		plans := inPlace(at)
		plans.PostApplyPostRefresh = []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}
		return resource.TestStep{Config: fmt.Sprintf(kinds, kind, said), Check: checks, ConfigPlanChecks: plans}
	}
	none := resource.TestCheckNoResourceAttr(at, "client_secret")
	another := resource.TestCheckResourceAttrWith(at, "client_secret", func(secret string) error {
		if secret == "" || secret == first {
			return errors.New("the secret that counts now was not shown")
		}
		return nil
	})
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, CheckDestroy: nothingLeft(client), Steps: []resource.TestStep{
		{Config: fmt.Sprintf(kinds, "web", ""), Check: resource.ComposeTestCheckFunc(kept(at, "id", &id), kept(at, "client_secret", &first))},
		step("spa", "", "none", none),
		step("web", "", "client_secret_basic", another),
		// What a configuration says, counts whatever the type.
		step("native", `token_endpoint_auth_method = "client_secret_post"`, "client_secret_post", another),
		step("native", `token_endpoint_auth_method = "none"`, "none", none),
		step("web", "", "client_secret_basic", another),
	}})
}

const changing = `
resource "svc_application" "a" {
  handle        = "changing"
  name          = %[1]q
  redirect_uris = ["https://app.example/callback"]
  scope         = "profile openid"
  enabled       = %[2]t
  require_pkce  = true
}
resource "svc_tenant_user" "first" { username = "first-owner" }
resource "svc_tenant_user" "second" { username = "second-owner" }
resource "svc_organization" "a" {
  slug     = "changing"
  name     = %[1]q
  status   = %[3]q
  owner_id = svc_tenant_user.%[4]s.id
  metadata = jsonencode({ b = 1, a = [true] })
}
resource "svc_organization_member" "second" {
  organization_id = svc_organization.a.id
  tenant_user_id  = svc_tenant_user.second.id
}
resource "svc_role" "a" {
  name        = %[5]q
  description = "Changes"
}
`

func TestAChangeIsMadeInPlaceAndDriftIsSeenAndUndone(t *testing.T) {
	client := started(t)
	var application, role string
	changed := fmt.Sprintf(changing, "After", true, "active", "second", "after")
	inPlace := resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
		plancheck.ExpectResourceAction("svc_application.a", plancheck.ResourceActionUpdate),
		plancheck.ExpectResourceAction("svc_organization.a", plancheck.ResourceActionUpdate),
		// The name of a role identifies it.
		plancheck.ExpectResourceAction("svc_role.a", plancheck.ResourceActionReplace),
	}}
	drift := func() {
		do(t, client, http.MethodPatch, "/api/v1/applications/"+application, map[string]any{"name": "Drifted", "redirect_uris": []string{}})
		do(t, client, http.MethodDelete, "/api/v1/roles/"+role, nil)
	}
	undone := resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
		plancheck.ExpectResourceAction("svc_application.a", plancheck.ResourceActionUpdate),
		plancheck.ExpectResourceAction("svc_role.a", plancheck.ResourceActionCreate),
		plancheck.ExpectResourceAction("svc_organization.a", plancheck.ResourceActionNoop),
	}}
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, CheckDestroy: nothingLeft(client), Steps: []resource.TestStep{
		{Config: fmt.Sprintf(changing, "Before", false, "suspended", "first", "before"), Check: kept("svc_application.a", "id", &application)},
		{Config: changed, ConfigPlanChecks: inPlace, Check: resource.ComposeTestCheckFunc(
			resource.TestCheckResourceAttr("svc_application.a", "name", "After"),
			resource.TestCheckResourceAttr("svc_application.a", "scope", "profile openid"),
			resource.TestCheckResourceAttrPair("svc_organization.a", "owner_id", "svc_tenant_user.second", "id"),
			resource.TestCheckResourceAttrSet("svc_application.a", "client_secret"),
			resource.TestCheckResourceAttrWith("svc_application.a", "id", func(id string) error {
				if id != application {
					return fmt.Errorf("%s became %s", application, id)
				}
				return nil
			}),
			kept("svc_role.a", "id", &role),
		)},
		{PreConfig: drift, Config: changed, ConfigPlanChecks: undone, Check: resource.ComposeTestCheckFunc(
			resource.TestCheckResourceAttr("svc_application.a", "name", "After"),
			resource.TestCheckResourceAttr("svc_application.a", "redirect_uris.#", "1"),
		)},
		// An owner cannot be taken out of the organization.
		{Config: fmt.Sprintf(changing, "After", true, "active", "first", "after")},
	}})
}

func do(t *testing.T, client *api.Client, method, path string, body any) {
	t.Helper()
	if _, err := client.Do(t.Context(), api.Call{Method: method, Path: path, Body: body}); err != nil {
		t.Fatal(err)
	}
}

// between changes a record when the plan is made and not yet applied.
type between func()

func (b between) CheckPlan(context.Context, plancheck.CheckPlanRequest, *plancheck.CheckPlanResponse) {
	b()
}

func TestAPlanForARecordThatHasChangedSinceIsRefused(t *testing.T) {
	client := started(t)
	var application string
	config := `resource "svc_application" "a" {
		handle = "contested"
		name   = %q
	}`
	other := between(func() {
		do(t, client, http.MethodPatch, "/api/v1/applications/"+application, map[string]any{"name": "Theirs"})
	})
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, CheckDestroy: nothingLeft(client), Steps: []resource.TestStep{
		{Config: fmt.Sprintf(config, "First"), Check: kept("svc_application.a", "id", &application)},
		{
			Config:           fmt.Sprintf(config, "Ours"),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{other}},
			ExpectError:      regexp.MustCompile(`the record has changed since it was read`),
		},
		{Config: fmt.Sprintf(config, "Ours"), Check: resource.TestCheckResourceAttr("svc_application.a", "name", "Ours")},
	}})
}

func TestEachDataSourceFindsByEachOfItsNames(t *testing.T) {
	started(t)
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: `data "svc_group" "a" { name = "no such group" }`, ExpectError: regexp.MustCompile(`no group has the name "no such group"`)},
		{Config: `data "svc_group" "a" {}`, ExpectError: regexp.MustCompile(`(?s)Exactly one of.*\[id,name\]`)},
		{Config: `
data "svc_application" "a" { handle = "admin-cli" }
data "svc_application" "by_id" { id = data.svc_application.a.id }
data "svc_api" "a" { identifier = "https://api.demo.example" }
data "svc_role" "a" { name = "admin" }
data "svc_tenant_user" "a" { username = "ada" }
resource "svc_group" "a" { name = "Found" }
data "svc_group" "a" {
  name       = "Found"
  depends_on = [svc_group.a]
}
resource "svc_organization" "a" {
  slug     = "found"
  name     = "Found"
  owner_id = data.svc_tenant_user.a.id
}
data "svc_organization" "a" {
  slug       = "found"
  depends_on = [svc_organization.a]
}
`, Check: resource.ComposeTestCheckFunc(
			resource.TestCheckResourceAttr("data.svc_application.by_id", "handle", "admin-cli"),
			resource.TestCheckResourceAttr("data.svc_role.a", "built_in", "true"),
			resource.TestCheckResourceAttrPair("data.svc_group.a", "id", "svc_group.a", "id"),
			resource.TestCheckResourceAttrPair("data.svc_organization.a", "owner_id", "data.svc_tenant_user.a", "id"),
		)},
	}})
}

func TestAFaultIsToldInTheWordsOfTheService(t *testing.T) {
	started(t)
	for name, refused := range map[string]struct{ config, told string }{
		"of a member": {
			`resource "svc_application" "a" {
				name          = "Refused"
				redirect_uris = ["https://app.example/callback#fragment"]
			}`,
			`(?s)redirect_uris.*fragment.*Request: req_`,
		},
		"of a text": {
			`resource "svc_policy" "a" {
				name = "Broken"
				text = "permit (principal, action resource);"
			}`,
			`(?s)text: line 1, column.*Request: req_`,
		},
		"of a record that is there": {
			`resource "svc_role" "a" { name = "admin" }`,
			`(?s)The role was not made.*Request: req_`,
		},
		"of a word that the document does not have": {
			`resource "svc_application" "a" {
				name = "Refused"
				type = "mobile"
			}`,
			`(?s)type value must be one of`,
		},
		"of JSON": {
			`resource "svc_trusted_issuer" "a" {
				name   = "Refused"
				issuer = "https://issuer.example"
				jwks   = "{"
			}`,
			`(?s)Invalid JSON String Value`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
				{Config: refused.config, ExpectError: regexp.MustCompile(refused.told)},
			}})
		})
	}
}

func TestCredentialsThatAreRefusedAreToldAsWhatTheyAre(t *testing.T) {
	started(t)
	t.Setenv("SVC_CLIENT_SECRET", "wrong")
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: `data "svc_role" "a" { name = "admin" }`, ExpectError: regexp.MustCompile(`invalid_client`)},
	}})
}

func TestTheFirstTenantOfTheGuideIsApplied(t *testing.T) {
	client := started(t)
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, CheckDestroy: nothingLeft(client), Steps: []resource.TestStep{
		{Config: example(t, "first/main.tf"), Check: resource.TestMatchOutput("client_id", regexp.MustCompile(`^app_`))},
	}})
}
