package svc

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// WebhookError says why a delivery was refused: suite, header, signature, timestamp or replay, and body where it is longer than a
// megabyte.
type WebhookError string

func (e WebhookError) Error() string { return "svc: the delivery is refused: " + string(e) }

// WebhookVerifier verifies deliveries of the suite svc-webhook-v1.
type WebhookVerifier struct {
	// Secrets are the present one and, while it is being replaced, the former.
	Secrets []string
	// MaxAge is the receiver's own limit; five minutes unless given.
	MaxAge time.Duration
	// Deliveries, if given, refuses a delivery that was accepted before.
	Deliveries ReplayStore
	// Now is the clock; time.Now unless given.
	Now func() time.Time
}

// String keeps the secrets out of logs.
func (w *WebhookVerifier) String() string { return "[webhook verifier]" }

// GoString keeps the secrets out of logs.
func (w *WebhookVerifier) GoString() string { return w.String() }

// Delivery is a verified one. Body is byte for byte what was signed.
type Delivery struct {
	Event, ID string
	Body      []byte
}

// Verify judges a delivery: suite, headers, signature, time, replay.
func (w *WebhookVerifier) Verify(ctx context.Context, header http.Header, body []byte) (*Delivery, error) {
	const suite = "svc-webhook-v1"
	if header.Get("X-Svc-Signature-Suite") != suite || len(header.Values("X-Svc-Signature-Suite")) != 1 {
		return nil, WebhookError("suite")
	}
	signed := suite + "\n"
	values := map[string]string{}
	for _, name := range []string{"Timestamp", "Signature-Max-Age", "Event", "Delivery", "Signature-256"} {
		all := header.Values("X-Svc-" + name)
		if len(all) != 1 || all[0] == "" {
			return nil, WebhookError("header")
		}
		values[name] = all[0]
		if name != "Signature-256" {
			signed += all[0] + "\n"
		}
	}
	timestamp, isTime := digits(values["Timestamp"], 12)
	maxAge, isAge := digits(values["Signature-Max-Age"], 9)
	if !isTime || !isAge {
		return nil, WebhookError("header")
	}
	if !w.isSigned(values["Signature-256"], signed, body) {
		return nil, WebhookError("signature")
	}
	allowed := time.Duration(maxAge) * time.Second
	if err := w.isTimely(time.Unix(timestamp, 0), allowed); err != nil {
		return nil, err
	}
	delivery := &Delivery{Event: values["Event"], ID: values["Delivery"], Body: body}
	return delivery, w.once(ctx, delivery)
}

// digits is a number that has at most so many of them, and nothing else.
func digits(text string, most int) (int64, bool) {
	number, err := strconv.ParseUint(text, 10, 63)
	return int64(number), err == nil && len(text) <= most
}

// VerifyRequest reads the body of a request, at most a megabyte, and judges it. The body can be read once more afterwards.
func (w *WebhookVerifier) VerifyRequest(request *http.Request) (*Delivery, error) {
	if request.Body == nil {
		request.Body = http.NoBody
	}
	body, err := bounded(request.Body, 1<<20)
	_, _ = io.Copy(io.Discard, io.LimitReader(request.Body, 1<<16))
	if errors.Is(err, errTooLong) {
		return nil, WebhookError("body")
	}
	if err != nil {
		return nil, err
	}
	_ = request.Body.Close()
	request.Body = io.NopCloser(bytes.NewReader(body))
	return w.Verify(request.Context(), request.Header, body)
}

// isSigned compares with every secret and the first four signatures in constant time.
func (w *WebhookVerifier) isSigned(signatures, head string, body []byte) bool {
	isSigned := false
	all := strings.SplitN(signatures, ",", 5)
	for _, secret := range w.Secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(head))
		mac.Write(body)
		expected := []byte("sha256=" + hex.EncodeToString(mac.Sum(nil)))
		for _, given := range all[:min(len(all), 4)] {
			isSigned = hmac.Equal([]byte(strings.TrimSpace(given)), expected) && secret != "" || isSigned
		}
	}
	return isSigned
}

func (w *WebhookVerifier) isTimely(signed time.Time, allowed time.Duration) error {
	if age := w.now().Sub(signed).Abs(); age > min(allowed, w.ceiling()) {
		return WebhookError("timestamp")
	}
	return nil
}

func (w *WebhookVerifier) once(ctx context.Context, delivery *Delivery) error {
	if w.Deliveries == nil {
		return nil
	}
	isNew, err := w.Deliveries.Note(ctx, delivery.ID, w.now().Add(2*w.ceiling()))
	if err == nil && !isNew {
		err = WebhookError("replay")
	}
	return err
}

func (w *WebhookVerifier) now() time.Time {
	if w.Now == nil {
		return time.Now()
	}
	return w.Now()
}

func (w *WebhookVerifier) ceiling() time.Duration {
	if w.MaxAge == 0 {
		return 5 * time.Minute
	}
	return w.MaxAge
}
