package provider

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// inPlace tells that the records are changed and not replaced.
func inPlace(addresses ...string) resource.ConfigPlanChecks {
	var checks []plancheck.PlanCheck
	for _, address := range addresses {
		checks = append(checks, plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate))
	}
	return resource.ConfigPlanChecks{PreApply: checks}
}

func TestAnObjectChangesInPlaceAndHasItsDefaultsAgainWhenItIsRemoved(t *testing.T) {
	client := started(t)
	config := `
resource "svc_tenant_user" "a" { username = "nested-owner" }
resource "svc_organization" "a" {
  slug     = "nested"
  name     = "Nested"
  owner_id = svc_tenant_user.a.id
  %s
}
`
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, CheckDestroy: nothingLeft(client), Steps: []resource.TestStep{
		{
			Config: fmt.Sprintf(config, "sign_in = { session_max_age_secs = 28800 }"),
			Check: resource.ComposeTestCheckFunc(
				resource.TestCheckResourceAttr("svc_organization.a", "sign_in.session_max_age_secs", "28800"),
				resource.TestCheckResourceAttr("svc_organization.a", "sign_in.second_factor", "optional"),
			),
		},
		{
			Config:           fmt.Sprintf(config, ""),
			ConfigPlanChecks: inPlace("svc_organization.a"),
			Check:            resource.TestCheckNoResourceAttr("svc_organization.a", "sign_in.session_max_age_secs"),
		},
	}})
}

const before = `
resource "svc_sign_up_field" "a" {
  name     = "nested"
  type     = "choice"
  language = "en"
  texts    = { en = { label = "Nested", help = "Which one" }, de = { label = "Geschachtelt" } }
  choices  = [{ value = "a", labels = { en = "One", de = "Eins" } }, { value = "b" }]
}
resource "svc_terms" "a" {
  key          = "nested"
  label        = "1"
  language     = "en"
  effective_at = "2999-01-01T00:00:00Z"
  documents    = { en = { title = "Nested", url = "https://nested.example/terms" } }
}
resource "svc_scim_schema" "a" {
  urn        = "urn:example:params:scim:schemas:nested:2.0:User"
  name       = "nested"
  attributes = [{ name = "desk", type = "complex", sub_attributes = [{ name = "floor", type = "integer" }] }]
}
resource "svc_scim_target" "a" {
  name               = "Nested"
  base_url           = "https://nested.example/scim/v2"
  people             = { roles = ["admin"] }
  client_credentials = { token_url = "https://nested.example/token", client_id = "nested", scope = "people write" }
  secret_wo          = "secret-of-the-client"
  secret_wo_version  = 1
}
`

const after = `
resource "svc_sign_up_field" "a" {
  name     = "nested"
  type     = "choice"
  language = "de"
  texts    = { de = { label = "Geschachtelt" } }
  choices  = [{ value = "b" }, { value = "c", labels = { de = "Drei" } }]
}
resource "svc_terms" "a" {
  key          = "nested"
  label        = "1"
  language     = "en"
  effective_at = "2999-01-01T01:00:00+01:00"
  required     = false
  documents    = { en = { title = "Nested", url = "https://nested.example/terms" }, fr = { title = "Niché", url = "https://nested.example/fr" } }
}
resource "svc_scim_schema" "a" {
  urn        = "urn:example:params:scim:schemas:nested:2.0:User"
  name       = "nested"
  attributes = [{ name = "badge", canonical_values = ["red", "blue"] }, { name = "desk", type = "complex", sub_attributes = [{ name = "floor", type = "integer" }, { name = "wing" }] }]
}
resource "svc_scim_target" "a" {
  name              = "Nested"
  base_url          = "https://moved.example/scim/v2"
  people            = { everyone = true }
  attributes        = ["emails"]
  secret_wo         = "token-of-the-target"
  secret_wo_version = 2
}
`

func TestWhatLiesInObjectsListsAndMapsChangesInPlace(t *testing.T) {
	client := started(t)
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, CheckDestroy: nothingLeft(client), Steps: []resource.TestStep{
		{Config: before, Check: resource.ComposeTestCheckFunc(
			resource.TestCheckResourceAttr("svc_sign_up_field.a", "choices.0.labels.de", "Eins"),
			resource.TestCheckResourceAttr("svc_scim_schema.a", "attributes.0.sub_attributes.0.mutability", "readWrite"),
			resource.TestCheckResourceAttr("svc_scim_target.a", "people.everyone", "false"),
		)},
		{
			Config:           after,
			ConfigPlanChecks: inPlace("svc_sign_up_field.a", "svc_terms.a", "svc_scim_schema.a", "svc_scim_target.a"),
			Check: resource.ComposeTestCheckFunc(
				resource.TestCheckNoResourceAttr("svc_sign_up_field.a", "texts.en.label"),
				resource.TestCheckResourceAttr("svc_terms.a", "effective_at", "2999-01-01T01:00:00+01:00"),
				resource.TestCheckResourceAttr("svc_scim_schema.a", "attributes.1.sub_attributes.#", "2"),
				resource.TestCheckNoResourceAttr("svc_scim_target.a", "client_credentials.client_id"),
			),
		},
		{Config: before},
	}})
}

func TestARecordUnderAnotherIsChangedInPlaceAndMadeAgainWhereItIsGone(t *testing.T) {
	client := started(t)
	var organization, connection string
	config := `
resource "svc_tenant_user" "a" { username = "parent-owner" }
resource "svc_organization" "a" {
  slug     = "parent"
  name     = "Parent"
  owner_id = svc_tenant_user.a.id
}
resource "svc_sso_connection" "a" {
  organization_id          = svc_organization.a.id
  display_name             = "Parent"
  issuer                   = "https://login.parent.example"
  client_id                = "parent"
  client_secret_wo         = "secret"
  client_secret_wo_version = 1
  %s
}
`
	changed := fmt.Sprintf(config, `claims = { groups = "teams" }`)
	gone := func() {
		do(t, client, http.MethodDelete, "/api/v1/organizations/"+organization+"/sso-connections/"+connection, nil)
	}
	again := resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
		plancheck.ExpectResourceAction("svc_sso_connection.a", plancheck.ResourceActionCreate),
	}}
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, CheckDestroy: nothingLeft(client), Steps: []resource.TestStep{
		{Config: fmt.Sprintf(config, `jit = { enabled = true }`)},
		{Config: changed, ConfigPlanChecks: inPlace("svc_sso_connection.a"), Check: resource.ComposeTestCheckFunc(
			resource.TestCheckResourceAttr("svc_sso_connection.a", "jit.enabled", "false"),
			resource.TestCheckResourceAttr("svc_sso_connection.a", "claims.groups", "teams"),
			resource.TestCheckResourceAttr("svc_sso_connection.a", "claims.email", "email"),
			kept("svc_organization.a", "id", &organization), kept("svc_sso_connection.a", "id", &connection),
		)},
		{PreConfig: gone, Config: changed, ConfigPlanChecks: again},
		{
			ResourceName: "svc_sso_connection.a", ImportState: true, ImportStateId: "sso_alone",
			ExpectError: regexp.MustCompile("The id of a sso_connection is `organization_id/id`"),
		},
	}})
}

func TestWhatIsThereOnceChangesInPlaceDriftIsUndoneAndItEndsByBeingEmpty(t *testing.T) {
	client := started(t)
	config := `
resource "svc_tenant_user" "a" { username = "texts-owner" }
resource "svc_organization" "a" {
  slug     = "texts"
  name     = %[1]q
  owner_id = svc_tenant_user.a.id
}
resource "svc_branding" "a" { sender_name = %[1]q }
resource "svc_texts" "a" { texts = { en = { "signin-title" = %[1]q }, de = { "signin-title" = "Hallo" } } }
resource "svc_organization_texts" "a" {
  organization_id = svc_organization.a.id
  texts           = { en = { "signin-title" = %[1]q } }
}
`
	changed := resource.TestStep{
		Config:           fmt.Sprintf(config, "After"),
		ConfigPlanChecks: inPlace("svc_branding.a", "svc_texts.a", "svc_organization_texts.a"),
		Check: resource.ComposeTestCheckFunc(
			resource.TestCheckResourceAttr("svc_branding.a", "sender_name", "After"),
			resource.TestCheckNoResourceAttr("svc_branding.a", "accent"),
			resource.TestCheckResourceAttr("svc_texts.a", "texts.en.signin-title", "After"),
			resource.TestCheckResourceAttr("svc_organization_texts.a", "texts.en.signin-title", "After"),
		),
	}
	undone := changed
	undone.ConfigPlanChecks = inPlace("svc_branding.a", "svc_texts.a")
	undone.PreConfig = func() {
		texts := map[string]any{"fr": map[string]any{"signin-title": "Bonjour"}}
		do(t, client, http.MethodPut, "/api/v1/texts", map[string]any{"texts": texts})
		do(t, client, http.MethodPut, "/api/v1/branding", map[string]any{"accent": "#8a2be2"})
	}
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, CheckDestroy: nothingLeft(client), Steps: []resource.TestStep{
		{Config: fmt.Sprintf(config, "Before")},
		changed,
		undone,
		{
			Config:      strings.Replace(fmt.Sprintf(config, "After"), "signin-title", "no-such-message", 1),
			ExpectError: regexp.MustCompile("no-such-message"),
		},
	}})
}
