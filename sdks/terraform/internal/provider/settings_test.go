package provider

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"terraform-provider-svc/internal/api"
)

const tenantSettings = "/api/v1/tenant-settings"

// patched changes the settings of the tenant as others do.
func patched(t *testing.T, client *api.Client, settings map[string]any) func() {
	return func() {
		do(t, client, http.MethodPatch, tenantSettings, map[string]any{"settings": settings})
	}
}

// settingsHave asks for settings of the tenant that Terraform may know nothing of.
func settingsHave(t *testing.T, client *api.Client, named map[string]any) resource.TestCheckFunc {
	return func(*terraform.State) error {
		answer, err := client.Do(t.Context(), api.Call{Method: http.MethodGet, Path: tenantSettings})
		settings, _ := answer.Body["settings"].(map[string]any)
		for name, value := range named {
			if fmt.Sprint(settings[name]) != fmt.Sprint(value) {
				err = errors.Join(err, fmt.Errorf("%s is %v and not %v", name, settings[name], value))
			}
		}
		return err
	}
}

func TestSettingsThatAreNamedChangeAndAreGivenBackAndOthersStay(t *testing.T) {
	client := started(t)
	const at = "svc_tenant_settings.a"
	config := func(settings string) string {
		return `resource "svc_tenant_settings" "a" { ` + settings + ` }`
	}
	whole := config(`settings = {
		second_factor_roles = ["admin"]
		record_every_token  = true
		without_recovery    = false
		impersonation       = { max_minutes = 30 }
		limits              = { jwt = { id_token_lifetime_secs = 120 }, invitations = {} }
	}`)
	less := config(`settings = { record_every_token = true, limits = { jwt = {} } }`)
	others := map[string]any{"verified_email_required": true, "limits": map[string]any{"jwt": map[string]any{"access_token_lifetime_human_secs": 600}}}
	empty := resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}
	defer patched(t, client, map[string]any{"verified_email_required": nil, "limits": nil})()
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, CheckDestroy: nothingLeft(client), Steps: []resource.TestStep{
		{Config: whole, Check: resource.ComposeTestCheckFunc(
			resource.TestCheckResourceAttr(at, "id", "tenant"),
			resource.TestCheckResourceAttr(at, "settings.limits.jwt.id_token_lifetime_secs", "120"),
			resource.TestCheckResourceAttr(at, "settings.without_recovery", "false"),
			resource.TestCheckNoResourceAttr(at, "settings.registration"),
			resource.TestCheckNoResourceAttr(at, "settings.impersonation.enabled"),
		)},
		// What is not named is another's.
		{PreConfig: patched(t, client, others), Config: whole, ConfigPlanChecks: empty},
		{
			PreConfig:        patched(t, client, map[string]any{"record_every_token": false, "impersonation": nil}),
			Config:           whole,
			ConfigPlanChecks: inPlace(at),
			Check:            settingsHave(t, client, map[string]any{"record_every_token": true, "impersonation": map[string]any{"max_minutes": 30}}),
		},
		{Config: less, ConfigPlanChecks: inPlace(at), Check: resource.ComposeTestCheckFunc(
			settingsHave(t, client, others),
			settingsHave(t, client, map[string]any{"record_every_token": true, "second_factor_roles": nil, "impersonation": nil}),
		)},
		{ResourceName: at, ImportState: true, ImportStateId: "other", ExpectError: regexp.MustCompile("The id of a tenant_settings is `tenant`")},
		{Config: config(`settings = { default_locale = "?" }`), ExpectError: regexp.MustCompile(`(?s)default_locale.*Request: req_`)},
		{Config: config(`settings = { limits = { jwt = { id_token_lifetime_secs = 1 } } }`), ExpectError: regexp.MustCompile(`id_token_lifetime_secs value must be`)},
		{Config: config(""), ConfigPlanChecks: inPlace(at), Check: resource.ComposeTestCheckFunc(
			settingsHave(t, client, others), settingsHave(t, client, map[string]any{"record_every_token": false}),
		)},
	}})
}
