package provider

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// allows is a module that allows whatever it is asked about.
const allows = "AGFzbQEAAAABDAJgAX8Bf2ACf38BfgMDAgABBQMBAAIHHgMGbWVtb3J5AgAIYWxsb2NhdGUAAAZkZWNpZGUAAQoTAgYAQYCABAsKAEKTgICAgIABCwsaAQBBgAgLE3sidmVyZGljdCI6ImFsbG93In0="

const answered = `
resource "svc_hook_module" "a" {
  name   = %q
  module = %q
  lifecycle { create_before_destroy = true }
}
resource "svc_hook" "a" {
  point      = "pre_registration"
  kind       = "wasm"
  module_id  = svc_hook_module.a.id
  on_failure = "allow"
}
`

func TestAHookIsLedToTheNextModuleBeforeTheFormerOneGoes(t *testing.T) {
	client := started(t)
	read, err := base64.StdEncoding.DecodeString(allows)
	if err != nil {
		t.Fatal(err)
	}
	denies := base64.StdEncoding.EncodeToString(bytes.Replace(read, []byte(`"allow"`), []byte(`"deny" `), 1))
	const at = "svc_hook_module.a"
	var hook, first string
	next := resource.ConfigPlanChecks{
		PreApply: []plancheck.PlanCheck{
			plancheck.ExpectResourceAction(at, plancheck.ResourceActionCreateBeforeDestroy),
			plancheck.ExpectResourceAction("svc_hook.a", plancheck.ResourceActionUpdate),
		},
		PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
	}
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, CheckDestroy: nothingLeft(client), Steps: []resource.TestStep{
		{Config: fmt.Sprintf(answered, "Asked 1", allows), Check: resource.ComposeTestCheckFunc(
			resource.TestCheckResourceAttr(at, "size", "113"),
			resource.TestCheckResourceAttr(at, "module", allows),
			resource.TestCheckNoResourceAttr("svc_hook.a", "secret"),
			kept("svc_hook.a", "id", &hook),
			kept(at, "sha256", &first),
		)},
		{ResourceName: at, ImportState: true, ImportStateVerify: true, ImportStateVerifyIgnore: []string{"module"}},
		{Config: fmt.Sprintf(answered, "Asked 2", denies), ConfigPlanChecks: next, Check: resource.ComposeTestCheckFunc(
			same("svc_hook.a", "id", &hook),
			resource.TestCheckResourceAttrPair("svc_hook.a", "module_id", at, "id"),
			resource.TestCheckResourceAttrWith(at, "sha256", func(now string) error {
				if now == first {
					return fmt.Errorf("it is still the module %s", now)
				}
				return nil
			}),
		)},
		{Config: fmt.Sprintf(answered, "Asked 2", allows), ExpectError: regexp.MustCompile("a module of this name exists")},
	}})
}

func TestAModuleThatIsNoneIsRefusedAtItsAttribute(t *testing.T) {
	started(t)
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: fmt.Sprintf(answered, "No module", "AA=="), ExpectError: regexp.MustCompile(`(?s)module = "AA==".*Request: req_`)},
	}})
}
