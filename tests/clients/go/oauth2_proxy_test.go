package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const proxied = "http://localhost:4180"

// The command of docs/frameworks/oauth2-proxy.md, in front of an application that says who came.
func TestOAuth2ProxyLetsPeopleInWithTheSettingsOfItsGuide(t *testing.T) {
	program := os.Getenv("OAUTH2_PROXY")
	if program == "" {
		t.Skip("OAUTH2_PROXY names no program")
	}
	server := started(t)
	client := server.application(t, "oauth2-proxy")
	guide, err := os.ReadFile("../../../docs/frameworks/oauth2-proxy.md")
	if err != nil {
		t.Fatal(err)
	}
	listen(t, "localhost:3000", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "<p>%s %s</p>", r.URL.Path, r.Header.Get("x-forwarded-email"))
	}))
	proxy := exec.Command("sh", "-c", "exec "+between(t, string(guide), "```sh\n", "```"))
	proxy.Env = append(os.Environ(),
		"PATH="+filepath.Dir(program)+":"+os.Getenv("PATH"),
		"SVC_ISSUER="+server.Issuer,
		"SVC_CLIENT_ID="+client.ClientID,
		"SVC_CLIENT_SECRET="+client.ClientSecret)
	log := new(strings.Builder)
	proxy.Stdout, proxy.Stderr = log, log
	if err := proxy.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		proxy.Process.Kill()
		proxy.Wait()
		if t.Failed() {
			t.Log(log)
		}
	})
	waitFor(t, proxied+"/ping")

	stranger, err := http.Get(proxied + "/private")
	if err != nil {
		t.Fatal(err)
	}
	stranger.Body.Close()
	if stranger.StatusCode != http.StatusForbidden {
		t.Fatalf("a stranger gets %d", stranger.StatusCode)
	}
	page := newBrowser(t, server.User).arrive(proxied + "/oauth2/start?rd=%2Fprivate")
	if page != "<p>/private ada@demo.example</p>" {
		t.Fatalf("behind the proxy: %.500s", page)
	}
}

// waitFor returns once an address answers.
func waitFor(t *testing.T, address string) {
	t.Helper()
	for until := time.Now().Add(30 * time.Second); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		if answer, err := http.Get(address); err == nil {
			answer.Body.Close()
			return
		}
	}
	t.Fatalf("%s does not answer", address)
}
