package svc

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

// Metadata is a discovery document (OpenID Connect Discovery 1.0 §3, RFC 8414 §2).
type Metadata struct {
	Issuer                string `json:"issuer"`
	AuthorizationEndpoint string `json:"authorization_endpoint"`
	TokenEndpoint         string `json:"token_endpoint"`
	JWKSURI               string `json:"jwks_uri"`
	UserinfoEndpoint      string `json:"userinfo_endpoint"`
	RevocationEndpoint    string `json:"revocation_endpoint"`
	DeviceEndpoint        string `json:"device_authorization_endpoint"`
	PAREndpoint           string `json:"pushed_authorization_request_endpoint"`
	EndSessionEndpoint    string `json:"end_session_endpoint"`
	IntrospectionEndpoint string `json:"introspection_endpoint"`
}

const largestDocument = 256 << 10

// Discover fetches the issuer's document and holds it against the issuer. The client may be nil.
func Discover(ctx context.Context, issuer string, client *http.Client) (*Metadata, error) {
	address := strings.TrimSuffix(issuer, "/") + "/.well-known/openid-configuration"
	if !isSafeURL(address) {
		return nil, local(clientError, issuer, "the issuer is no https address")
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	body, err := fetchDocument(ctx, quiet(client), address, issuer, largestDocument)
	if err != nil {
		return nil, err
	}
	return ParseMetadata(issuer, body)
}

// ParseMetadata reads a discovery document, which has to be the issuer's own, byte for byte (OpenID Connect Discovery 1.0 §4.3).
func ParseMetadata(issuer string, document []byte) (*Metadata, error) {
	var found *Metadata
	if err := json.Unmarshal(document, &found); err != nil || found == nil {
		return nil, local(invalidDiscovery, issuer, "the discovery document is malformed")
	}
	if found.Issuer != issuer || issuer == "" {
		return nil, local(invalidDiscovery, issuer, "the discovery document is of another issuer")
	}
	for _, needed := range []string{found.AuthorizationEndpoint, found.TokenEndpoint, found.JWKSURI} {
		if !isSafeURL(needed) {
			return nil, local(invalidDiscovery, issuer, "an endpoint is missing from the discovery document, or not on https")
		}
	}
	others := []string{
		found.UserinfoEndpoint, found.RevocationEndpoint, found.DeviceEndpoint, found.PAREndpoint, found.EndSessionEndpoint,
		found.IntrospectionEndpoint,
	}
	for _, other := range others {
		if other != "" && !isSafeURL(other) {
			return nil, local(invalidDiscovery, issuer, "an endpoint of the discovery document is not on https")
		}
	}
	return found, nil
}

// TenantIssuer is the issuer of a tenant: that of the deployment with the tenant's slug as its left-most label.
func TenantIssuer(issuer, slug string) (string, error) {
	isPlain := func(letter rune) bool {
		return letter >= 'a' && letter <= 'z' || letter >= '0' && letter <= '9' || letter == '-'
	}
	isLabel := len(slug) >= 1 && len(slug) <= 63 && slug == strings.Trim(slug, "-")
	for _, letter := range slug {
		isLabel = isLabel && isPlain(letter)
	}
	if !isLabel || !isSafeURL(issuer) {
		return "", local(clientError, issuer, "the issuer is no https address, or the slug is not one label of a host name")
	}
	scheme, rest, _ := strings.Cut(issuer, "://")
	return scheme + "://" + slug + "." + rest, nil
}

// isSafeURL says whether an address is on https, or on plain http of this machine.
func isSafeURL(text string) bool {
	address, err := url.Parse(text)
	if err != nil || address.Host == "" || address.User != nil {
		return false
	}
	switch host := address.Hostname(); {
	case address.Scheme == "https":
		return true
	case address.Scheme == "http":
		return host == "localhost" || host == "127.0.0.1" || host == "::1" || strings.HasSuffix(host, ".localhost")
	}
	return false
}

func fetchDocument(ctx context.Context, client *http.Client, address, tenant string, most int64) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return nil, lost(err, tenant)
	}
	defer response.Body.Close()
	body, err := bounded(response.Body, most)
	if err != nil {
		return nil, cut(err, response, tenant)
	}
	if response.StatusCode != http.StatusOK {
		return nil, answered(response, body, tenant)
	}
	return body, nil
}
