package provider

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

// planned tells what becomes of a record.
func planned(address string, action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, action)}}
}

// same tells that an attribute is what was kept.
func same(address, attribute string, value *string) resource.TestCheckFunc {
	return resource.TestCheckResourceAttrWith(address, attribute, func(now string) error {
		if now != *value {
			return fmt.Errorf("%s was %q and is %q", attribute, *value, now)
		}
		return nil
	})
}

func TestADomainOfAnOrganizationHasItsRecordAndStaysTheSameInAnotherSpelling(t *testing.T) {
	client := started(t)
	var organization, domain, record string
	const at = "svc_organization_domain.a"
	config := func(domain string) string {
		return fmt.Sprintf(`
resource "svc_tenant_user" "a" { username = "domain-owner" }
resource "svc_organization" "a" {
  slug     = "domain"
  name     = "Domain"
  owner_id = svc_tenant_user.a.id
}
resource "svc_organization_domain" "a" {
  organization_id = svc_organization.a.id
  domain          = %q
}
`, domain)
	}
	gone := func() {
		do(t, client, http.MethodDelete, "/api/v1/organizations/"+organization+"/domains/"+domain, nil)
	}
	both := func(*terraform.State) (string, error) { return organization + "/" + domain, nil }
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, CheckDestroy: nothingLeft(client), Steps: []resource.TestStep{
		{Config: config("Bücher.Example"), Check: resource.ComposeTestCheckFunc(
			resource.TestCheckResourceAttr(at, "domain", "Bücher.Example"),
			resource.TestCheckResourceAttr(at, "record_name", "_svc-challenge.xn--bcher-kva.example"),
			resource.TestMatchResourceAttr(at, "record_value", regexp.MustCompile(`^svc-domain-verification=.`)),
			resource.TestCheckResourceAttr(at, "status", "pending"),
			kept("svc_organization.a", "id", &organization), kept(at, "id", &domain), kept(at, "record_value", &record),
		)},
		{
			Config:           config("xn--bcher-kva.example"),
			ConfigPlanChecks: planned(at, plancheck.ResourceActionUpdate),
			Check:            resource.ComposeTestCheckFunc(same(at, "id", &domain), same(at, "record_value", &record)),
		},
		{ResourceName: at, ImportState: true, ImportStateVerify: true, ImportStateIdFunc: both},
		{PreConfig: gone, Config: config("xn--bcher-kva.example"), ConfigPlanChecks: planned(at, plancheck.ResourceActionCreate)},
		{Config: config("other.example"), ConfigPlanChecks: planned(at, plancheck.ResourceActionReplace)},
		{Config: config("https://other.example"), ExpectError: regexp.MustCompile(`(?s)registered.*Request: req_`)},
	}})
}

func TestACustomDomainHasItsRecordsFollowsItsStatusAndEndsOnceItIsInactive(t *testing.T) {
	const (
		at     = "svc_custom_domain.login"
		active = "the tenant answers at this domain; deactivate it first"
	)
	service := &stub{
		made: func(body map[string]any) map[string]any {
			name := strings.ToLower(body["domain"].(string))
			return map[string]any{
				"domain": name, "status": "pending", "created_at": "2027-01-15T08:00:00Z", "addresses": []any{"192.0.2.1"},
				"record_name": "_svc-challenge." + name, "record_value": "svc-custom-domain-verification=a", "cname_target": "notes.id.example",
			}
		},
		keeps: func(record map[string]any) string {
			if record["status"] == "active" {
				return active
			}
			return ""
		},
	}
	client := stubbed(t, service)
	first := example(t, "custom-domain/main.tf")
	another := strings.Replace(first, "login.notes", "signin.notes", 1)
	shouted := strings.Replace(first, "login.notes.example.com", "Login.Notes.Example.com", 1)
	empty := resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}
	moved := service.changed(map[string]any{"status": "active", "verified_at": "2027-01-15T09:00:00Z", "activated_at": "2027-01-15T10:00:00Z", "failing_since": "2027-01-16T09:00:00Z"})
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, CheckDestroy: nothingLeft(client), Steps: []resource.TestStep{
		{Config: first, ConfigPlanChecks: empty, Check: resource.ComposeTestCheckFunc(
			resource.TestCheckResourceAttr(at, "record_name", "_svc-challenge.login.notes.example.com"),
			resource.TestCheckResourceAttr(at, "cname_target", "notes.id.example"),
			resource.TestCheckResourceAttr(at, "addresses.#", "1"),
			resource.TestCheckNoResourceAttr(at, "verified_at"),
			resource.TestCheckNoResourceAttr(at, "failing_since"),
		)},
		{Config: shouted, ConfigPlanChecks: planned(at, plancheck.ResourceActionUpdate)},
		{PreConfig: moved, Config: shouted, ConfigPlanChecks: planned(at, plancheck.ResourceActionNoop)},
		{RefreshState: true, Check: resource.TestCheckResourceAttr(at, "status", "active")},
		{ResourceName: at, ImportState: true, ImportStateVerify: true, ImportStateVerifyIgnore: []string{"domain"}},
		{Config: another, ExpectError: regexp.MustCompile("deactivate it first")},
		{PreConfig: service.changed(map[string]any{"status": "verified"}), Config: another, ConfigPlanChecks: planned(at, plancheck.ResourceActionReplace)},
		{PreConfig: service.gone("/api/v1/custom-domains"), Config: another, ConfigPlanChecks: planned(at, plancheck.ResourceActionCreate)},
	}})
}

func TestACustomDomainThatIsTheDeploymentsOwnIsRefusedInTheWordsOfTheService(t *testing.T) {
	started(t)
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: `resource "svc_custom_domain" "a" { domain = "login.localhost" }`, ExpectError: regexp.MustCompile(`(?s)The custom_domain was not made.*deployment.*Request: req_`)},
	}})
}
