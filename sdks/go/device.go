package svc

import (
	"context"
	"errors"
	"maps"
	"net/http"
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
	return c.StartDeviceWith(ctx, scopes, nil)
}

// StartDeviceWith is the same with further parameters such as resource, the API that the token is for, or organization.
func (c *Client) StartDeviceWith(ctx context.Context, scopes []string, extra url.Values) (*Device, error) {
	found, err := c.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	if found.DeviceEndpoint == "" {
		return nil, local(unsupported, c.config.Issuer, "the issuer does not offer the device grant")
	}
	form := url.Values{}
	maps.Copy(form, extra)
	form.Set("scope", strings.Join(scopes, " "))
	device := &Device{Interval: 5}
	if err := c.post(ctx, found.DeviceEndpoint, form, device); err != nil {
		return nil, err
	}
	if device.DeviceCode == "" || device.UserCode == "" || device.VerificationURI == "" || device.ExpiresIn <= 0 {
		return nil, local(invalidAnswer, c.config.Issuer, "the answer has no codes, no address for the person, or no end")
	}
	return device, nil
}

// AwaitDevice polls until the person has decided (RFC 8628 §3.5). The code expired_token says that the time for that is over.
func (c *Client) AwaitDevice(ctx context.Context, device *Device) (*Tokens, error) {
	waiting, cancel := context.WithTimeout(ctx, time.Duration(device.ExpiresIn)*time.Second)
	defer cancel()
	interval := time.Duration(max(device.Interval, 1)) * time.Second
	wait := interval
	for {
		select {
		case <-waiting.Done():
			return nil, c.undecided(ctx)
		case <-time.After(wait):
		}
		form := url.Values{"device_code": {device.DeviceCode}}
		tokens, err := c.Grant(waiting, "urn:ietf:params:oauth:grant-type:device_code", form)
		var failure *Error
		if !errors.As(err, &failure) {
			return tokens, err
		}
		switch {
		case failure.Code == "authorization_pending":
		case failure.Code == "slow_down":
			interval = max(interval+5*time.Second, failure.RetryAfter)
		case failure.Code == unanswered:
			interval *= 2
		case !isPassing(failure.Status):
			return nil, err
		}
		wait = max(interval, failure.RetryAfter)
	}
}

// undecided is the end of waiting: the caller's, or that of the code.
func (c *Client) undecided(ctx context.Context) error {
	if ctx.Err() != nil {
		return lost(ctx.Err(), c.config.Issuer)
	}
	return local("expired_token", c.config.Issuer, "the person did not decide in time")
}

// isPassing says whether an answer, perhaps of a proxy, decides nothing.
func isPassing(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}
