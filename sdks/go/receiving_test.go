package svc

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// signing is the time at which deliveries of the tests are signed.
func signing() time.Time { return time.Unix(1_800_000_000, 0) }

// delivered is a delivery of now, signed by this secret.
func delivered(t *testing.T, secret, body string) *http.Request {
	t.Helper()
	request, err := http.NewRequest(http.MethodPost, "https://shop.example/events", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte("svc-webhook-v1\n1800000000\n300\nwebhook.test\ndlv_1\n" + body))
	for name, value := range map[string]string{
		"Signature-Suite": "svc-webhook-v1", "Timestamp": "1800000000", "Signature-Max-Age": "300", "Event": "webhook.test",
		"Delivery": "dlv_1", "Signature-256": "sha256=" + hex.EncodeToString(mac.Sum(nil)),
	} {
		request.Header.Set("X-Svc-"+name, value)
	}
	return request
}

func TestTheBodyOfADeliveryCanBeReadOnceMore(t *testing.T) {
	verifier := &WebhookVerifier{Secrets: []string{"s"}, Now: signing}
	request := delivered(t, "s", `{"id": 1}`)
	if _, err := verifier.VerifyRequest(request); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(request.Body); err != nil || string(rest) != `{"id": 1}` {
		t.Errorf("%q %v", rest, err)
	}
	empty := delivered(t, "s", "")
	empty.Body = nil
	if _, err := verifier.VerifyRequest(empty); err != nil {
		t.Error("a request without a body", err)
	}
}

func TestADeliveryThatIsTooLongIsRefusedAsOne(t *testing.T) {
	verifier := &WebhookVerifier{Secrets: []string{"s"}, Now: signing}
	if _, err := verifier.VerifyRequest(delivered(t, "s", strings.Repeat(" ", 1<<20))); err != nil {
		t.Error(err)
	}
	var refusal WebhookError
	if _, err := verifier.VerifyRequest(delivered(t, "s", strings.Repeat(" ", 1<<20+1))); !errors.As(err, &refusal) || refusal != "body" {
		t.Error(err)
	}
}
