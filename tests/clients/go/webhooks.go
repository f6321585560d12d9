package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// verified returns the body of a delivery whose signature counts at the time now.
func verified(header http.Header, body []byte, secret string, now time.Time) ([]byte, error) {
	suite := header.Get("X-SVC-Signature-Suite")
	if suite != "svc-webhook-v1" {
		return nil, errors.New("unknown signature suite")
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(suite + "\n"))
	for _, name := range []string{"X-SVC-Timestamp", "X-SVC-Signature-Max-Age", "X-SVC-Event", "X-SVC-Delivery"} {
		mac.Write([]byte(header.Get(name) + "\n"))
	}
	mac.Write(body)
	expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	isExpected := false
	for _, given := range strings.Split(header.Get("X-SVC-Signature-256"), ",") {
		isExpected = hmac.Equal([]byte(strings.TrimSpace(given)), []byte(expected)) || isExpected
	}
	if !isExpected {
		return nil, errors.New("wrong signature")
	}
	signed, err := strconv.ParseInt(header.Get("X-SVC-Timestamp"), 10, 64)
	if err != nil {
		return nil, err
	}
	maxAge, err := strconv.ParseInt(header.Get("X-SVC-Signature-Max-Age"), 10, 64)
	if err != nil {
		return nil, err
	}
	if age := now.Sub(time.Unix(signed, 0)).Abs(); age > time.Duration(min(maxAge, 300))*time.Second {
		return nil, errors.New("stale signature")
	}
	return body, nil
}
