package svc

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"
)

// Device is a device that waits for its person (RFC 8628 §3.2).
type Device struct {
	DeviceCode      string `json:"device_code"`
	UserCode        string `json:"user_code"`
	VerificationURI string `json:"verification_uri"`
	Complete        string `json:"verification_uri_complete"`
	ExpiresIn       int64  `json:"expires_in"`
	Interval        int64  `json:"interval"`
}

// String keeps the codes out of logs.
func (d Device) String() string { return "[device]" }

// GoString keeps the codes out of logs.
func (d Device) GoString() string { return d.String() }

// StartDevice asks for the code that the person types in.
func (c *Client) StartDevice(ctx context.Context, scopes []string) (*Device, error) {
	found, err := c.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	if found.DeviceEndpoint == "" {
		return nil, local(unsupported, c.config.Issuer, "the issuer does not offer the device grant")
	}
	device := &Device{Interval: 5}
	return device, c.post(ctx, found.DeviceEndpoint, url.Values{"scope": {strings.Join(scopes, " ")}}, device)
}

// AwaitDevice polls until the person has decided (RFC 8628 §3.5).
func (c *Client) AwaitDevice(ctx context.Context, device *Device) (*Tokens, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(device.ExpiresIn)*time.Second)
	defer cancel()
	interval := time.Duration(max(device.Interval, 1)) * time.Second
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(interval):
		}
		form := url.Values{"device_code": {device.DeviceCode}}
		tokens, err := c.Grant(ctx, "urn:ietf:params:oauth:grant-type:device_code", form)
		var failure *Error
		if errors.As(err, &failure) && failure.Code == unanswered && ctx.Err() == nil {
			interval *= 2
			continue
		}
		if !errors.As(err, &failure) || (failure.Code != "authorization_pending" && failure.Code != "slow_down") {
			return tokens, err
		}
		if failure.Code == "slow_down" {
			interval += 5 * time.Second
		}
		interval = max(interval, failure.RetryAfter)
	}
}
