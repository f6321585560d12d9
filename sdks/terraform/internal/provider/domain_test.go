package provider

import (
	"fmt"
	"net/http"
	"regexp"
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
