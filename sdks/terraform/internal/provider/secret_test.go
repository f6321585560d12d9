package provider

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

func TestASecretThatIsBroughtStandsInNoState(t *testing.T) {
	client := started(t)
	config := func(version int) string {
		return fmt.Sprintf(`
resource "svc_webhook" "a" {
  url               = "https://receiver.example/events"
  event_types       = ["auth.*"]
  secret_wo         = "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LTEyMzQ"
  secret_wo_version = %d
}
`, version)
	}
	remade := resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
		plancheck.ExpectResourceAction("svc_webhook.a", plancheck.ResourceActionReplace),
	}}
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, CheckDestroy: nothingLeft(client), Steps: []resource.TestStep{
		{
			Config:      strings.Replace(config(1), "secret_wo_version", "# secret_wo_version", 1),
			ExpectError: regexp.MustCompile(`secret_wo_version`),
		},
		{
			Config: `
resource "svc_webhook" "a" {
  url         = "https://receiver.example/events"
  event_types = ["auth.*"]
}
`,
			Check: resource.TestCheckResourceAttrSet("svc_webhook.a", "secret"),
		},
		{Config: config(1), ConfigPlanChecks: remade, Check: resource.ComposeTestCheckFunc(
			resource.TestCheckNoResourceAttr("svc_webhook.a", "secret"),
			resource.TestCheckNoResourceAttr("svc_webhook.a", "secret_wo"),
		)},
		{Config: config(2), ConfigPlanChecks: remade},
	}})
}

func TestASecretThatTheServiceLetsReplaceIsReplacedInPlace(t *testing.T) {
	client := started(t)
	connector := `
resource "svc_connector" "a" {
  name                     = "replaced"
  preset                   = "github"
  client_id                = "replaced"
  client_secret_wo         = "secret of version %[1]d"
  client_secret_wo_version = %[1]d
}
`
	stream := `
resource "svc_audit_stream" "a" {
  name        = "Replaced"
  destination = { webhook = { url = "https://receiver.example/audit" } }
}
`
	own := strings.Replace(stream, "\n}", `
  secret_wo         = "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LTEyMzQ"
  secret_wo_version = 1
}`, 1)
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, CheckDestroy: nothingLeft(client), Steps: []resource.TestStep{
		{Config: fmt.Sprintf(connector, 1) + stream, Check: resource.ComposeTestCheckFunc(
			resource.TestCheckResourceAttr("svc_connector.a", "has_client_secret", "true"),
			resource.TestCheckNoResourceAttr("svc_connector.a", "client_secret_wo"),
			resource.TestCheckResourceAttrSet("svc_audit_stream.a", "secret"),
		)},
		{Config: fmt.Sprintf(connector, 2) + stream, ConfigPlanChecks: inPlace("svc_connector.a")},
		{
			Config:           fmt.Sprintf(connector, 2) + own,
			ConfigPlanChecks: inPlace("svc_audit_stream.a"),
			// What was shown once signs nothing any more.
			Check: resource.TestCheckNoResourceAttr("svc_audit_stream.a", "secret"),
		},
		{Config: fmt.Sprintf(connector, 2) + stream},
	}})
}
