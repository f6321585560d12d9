package main

import (
	"encoding/json"
	"os"
	"testing"
)

// dev is the line that `svc-runtime dev --json` printed.
type dev struct {
	Issuer  string        `json:"issuer"`
	Admin   person        `json:"admin"`
	User    person        `json:"user"`
	Clients []application `json:"clients"`
}

type person struct {
	Username string `json:"username"`
	Password string `json:"password"`
}

type application struct {
	Handle       string `json:"handle"`
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
}

func started(t *testing.T) dev {
	t.Helper()
	var server dev
	if err := json.Unmarshal([]byte(os.Getenv("SVC_DEV")), &server); err != nil {
		t.Fatal(err)
	}
	return server
}

func (d dev) application(t *testing.T, handle string) application {
	t.Helper()
	for _, application := range d.Clients {
		if application.Handle == handle {
			return application
		}
	}
	t.Fatalf("no application %s", handle)
	return application{}
}
