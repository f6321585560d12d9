package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

const (
	retries       = 4
	longestWait   = time.Minute
	patience      = 2 * time.Minute
	tokenEndpoint = "/oauth/token"
	audience      = "/api"
)

// Settings say which tenant is meant and who calls.
type Settings struct {
	URL          string
	Token        string
	ClientID     string
	ClientSecret string
	UserAgent    string
}

// Connect makes a client; nothing is sent before the first call.
func Connect(settings Settings) (*Client, error) {
	base := strings.TrimRight(settings.URL, "/")
	if err := checkAddress(base); err != nil {
		return nil, err
	}
	plain := &http.Client{Transport: named{settings.UserAgent, retrying()}, Timeout: patience, CheckRedirect: stay}
	// Tokens are fetched while Terraform runs, whatever becomes of the context of a single operation.
	ctx := context.WithValue(context.Background(), oauth2.HTTPClient, plain)
	source := oauth2.StaticTokenSource(&oauth2.Token{AccessToken: settings.Token})
	if settings.Token == "" {
		source = (&clientcredentials.Config{
			ClientID:       settings.ClientID,
			ClientSecret:   settings.ClientSecret,
			TokenURL:       base + tokenEndpoint,
			EndpointParams: url.Values{"resource": {base + audience}},
			AuthStyle:      oauth2.AuthStyleInHeader,
		}).TokenSource(ctx)
	}
	client := oauth2.NewClient(ctx, source)
	client.Timeout = plain.Timeout
	client.CheckRedirect = stay
	return &Client{base: base, http: client}, nil
}

func checkAddress(base string) error {
	address, err := url.Parse(base)
	if err == nil && address.User != nil {
		// The address is not repeated, for it has a password in it.
		return errors.New("`url` is the issuer of the tenant, such as https://id.example.com, without a name or password in it")
	}
	if err != nil || address.Host == "" || (address.Scheme != "https" && address.Scheme != "http") {
		return fmt.Errorf("`url` is the issuer of the tenant, such as https://id.example.com, not %q", base)
	}
	if address.Scheme == "http" && !isHere(address.Hostname()) {
		return errors.New("`url` has to begin with https: secrets would travel in the clear")
	}
	return nil
}

func isHere(host string) bool {
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || host == "127.0.0.1" || host == "::1"
}

// The transport below would send the token to whatever address a redirect names.
func stay(*http.Request, []*http.Request) error {
	return http.ErrUseLastResponse
}

// retrying repeats what may be repeated: every write carries the key that makes it count once.
func retrying() http.RoundTripper {
	client := retryablehttp.NewClient()
	client.Logger = nil
	client.RetryMax = retries
	client.RetryWaitMin = 200 * time.Millisecond
	client.RetryWaitMax = 5 * time.Second
	client.ErrorHandler = retryablehttp.PassthroughErrorHandler
	client.HTTPClient.CheckRedirect = stay
	client.CheckRetry = mayRepeat
	client.Backoff = pause
	return &retryablehttp.RoundTripper{Client: client}
}

func mayRepeat(ctx context.Context, response *http.Response, err error) (bool, error) {
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		return retryablehttp.ErrorPropagatedRetryPolicy(ctx, response, err)
	}
	asked := wait(response, time.Now())
	switch response.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return asked <= longestWait, nil
	case http.StatusConflict: // The first call of this key is still running.
		return asked > 0 && asked <= longestWait, nil
	}
	return false, nil
}

// pause is how long the next attempt waits: never less than the service asks for.
func pause(least, most time.Duration, attempt int, response *http.Response) time.Duration {
	own := retryablehttp.DefaultBackoff(least, most, attempt, nil)
	if response == nil {
		return own
	}
	return max(own, wait(response, time.Now()))
}

// wait reads both forms of Retry-After (RFC 9110 §10.2.3). A number that is too large stays a long time.
func wait(response *http.Response, now time.Time) time.Duration {
	value := response.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(value); err == nil && date.After(now) {
		return date.Sub(now)
	}
	return 0
}

// named adds the name of the provider to requests.
type named struct {
	name string
	next http.RoundTripper
}

func (n named) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("User-Agent", n.name)
	return n.next.RoundTrip(request)
}
