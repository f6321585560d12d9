package provider

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"terraform-provider-svc/internal/document"
	"terraform-provider-svc/internal/kit"
	"terraform-provider-svc/internal/resources"
)

const guide = "../../../../docs/how-to/terraform.md"

func TestTheGuideHasTheExamplesThatRun(t *testing.T) {
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	wanted := []string{example(t, "provider.tf"), example(t, "first/main.tf")}
	var shown []string
	for _, match := range regexp.MustCompile("(?s)```hcl\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		shown = append(shown, match[1])
	}
	if !slices.Equal(shown, wanted) {
		t.Errorf("the examples of %s are not provider.tf and first/main.tf", guide)
	}
}

func TestTheGuideHasEveryResource(t *testing.T) {
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows() {
		if !strings.Contains(string(text), row+"\n") {
			t.Errorf("%s has no row %s", guide, row)
		}
	}
}

// rows are those of the table of resources.
func rows() (all []string) {
	for _, record := range resources.Records {
		all = append(all, row(record.Name, record.Lookup, record.Fields(document.Published())))
	}
	for _, link := range resources.Links {
		all = append(all, row(link.Name, nil, link.Fields(document.Published())))
	}
	for _, sole := range resources.Soles {
		all = append(all, row(sole.Name, nil, sole.Fields(document.Published())))
	}
	for _, settings := range resources.Settings {
		all = append(all, row(settings.Name, nil, settings.Fields(document.Published())))
	}
	slices.Sort(all)
	return all
}

func row(name string, lookup []string, fields []kit.Field) string {
	var fixed []string
	for _, field := range fields {
		if field.Fixed() {
			fixed = append(fixed, field.Name)
		}
	}
	return fmt.Sprintf("| `svc_%s` | %s | %s |", name, code(lookup), code(fixed))
}

func code(names []string) string {
	if len(names) == 0 {
		return "–"
	}
	return "`" + strings.Join(names, "`, `") + "`"
}
