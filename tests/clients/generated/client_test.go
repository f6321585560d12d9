// The client that oapi-codegen makes of the OpenAPI document: it compiles, and lists, makes and deletes applications.
package generated

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"testing"

	"golang.org/x/oauth2/clientcredentials"

	"svc-client-tests-generated/svc"
)

func connected(t *testing.T) *svc.ClientWithResponses {
	t.Helper()
	var dev struct {
		Issuer  string
		Clients []struct {
			Handle string
			ID     string `json:"client_id"`
			Secret string `json:"client_secret"`
		}
	}
	if err := json.Unmarshal([]byte(os.Getenv("SVC_DEV")), &dev); err != nil {
		t.Fatal(err)
	}
	for _, application := range dev.Clients {
		if application.Handle != "admin-cli" {
			continue
		}
		settings := clientcredentials.Config{ClientID: application.ID, ClientSecret: application.Secret, TokenURL: dev.Issuer + "/oauth/token"}
		client, err := svc.NewClientWithResponses(dev.Issuer, svc.WithHTTPClient(settings.Client(context.Background())))
		if err != nil {
			t.Fatal(err)
		}
		return client
	}
	t.Fatal("no application admin-cli")
	return nil
}

func TestItListsApplications(t *testing.T) {
	limit := int32(2)
	page, err := connected(t).GetApplicationsWithResponse(t.Context(), &svc.GetApplicationsParams{Limit: &limit})
	if err != nil || page.JSON200 == nil || len(page.JSON200.Data) != 2 {
		t.Fatalf("%v %s", err, page.Body)
	}
}

func TestItMakesAndDeletesAnApplication(t *testing.T) {
	client := connected(t)
	made, err := client.PostApplicationsWithResponse(t.Context(), nil, svc.NewApplication{Name: "Generated"})
	if err != nil || made.JSON201 == nil || made.JSON201.ClientSecret == nil {
		t.Fatalf("%v %s", err, made.Body)
	}
	gone, err := client.DeleteApplicationsIdWithResponse(t.Context(), made.JSON201.Id, nil)
	if err != nil || gone.StatusCode() != http.StatusNoContent {
		t.Fatalf("%v %s", err, gone.Body)
	}
}

func TestItReadsAProblem(t *testing.T) {
	refused, err := connected(t).PostApplicationsWithResponse(t.Context(), nil, svc.NewApplication{})
	if err != nil || refused.ApplicationproblemJSON400 == nil || refused.ApplicationproblemJSON400.RequestId == "" {
		t.Fatalf("%v %s", err, refused.Body)
	}
}
