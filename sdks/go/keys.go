package svc

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

const (
	largestKeySet = 256 << 10
	mostKeys      = 50
	fetchTimeout  = 5 * time.Second
	// longestRequest is how long a request may take where the client that is given has no bound.
	longestRequest = 30 * time.Second
	// As long as the issuer's answers may be kept: a key that leaked is gone then.
	keysAreFresh = 5 * time.Minute
	refetchPause = 30 * time.Second
	// startPause is that while there are no keys at all, since nothing can be verified without.
	startPause = time.Second
)

// KeySource finds the key of a token's kid. Its answer is nil where there is none.
type KeySource interface {
	key(ctx context.Context, kid string) (*publicKey, error)
}

// StaticKeys are the keys of a JSON Web Key Set (RFC 7517 §5) that never changes.
func StaticKeys(set []byte) (KeySource, error) {
	keys, err := keySet(set)
	return staticKeys(keys), err
}

type staticKeys map[string]*publicKey

func (k staticKeys) key(_ context.Context, kid string) (*publicKey, error) { return k[kid], nil }

// RemoteKeys are the keys that the issuer's discovery document leads to. They are kept in memory, fetched again after five minutes or
// for a kid that is not known, and never twice within thirty seconds; what was fetched stays in use while the issuer is out of reach.
// Until the first have come, they are asked for once in a second.
type RemoteKeys struct {
	issuer string
	http   *http.Client
	now    func() time.Time
	// patience is how long one fetch may take.
	patience time.Duration

	known atomic.Pointer[fetchedKeys]
	mutex sync.Mutex
	// underway ends with the fetch that is on its way; nil where there is none.
	underway chan struct{}
	tried    time.Time
	last     error
}

type fetchedKeys struct {
	keys map[string]*publicKey
	at   time.Time
}

// NewRemoteKeys makes a source for the issuer; nothing is fetched yet. The client may be nil.
func NewRemoteKeys(issuer string, client *http.Client) *RemoteKeys {
	return &RemoteKeys{issuer: issuer, http: quiet(client), now: time.Now, patience: fetchTimeout}
}

func (r *RemoteKeys) key(ctx context.Context, kid string) (*publicKey, error) {
	known := r.known.Load()
	if known != nil && r.now().Sub(known.at) < keysAreFresh {
		if key := known.keys[kid]; key != nil {
			return key, nil
		}
	}
	if known != nil && known.keys[kid] != nil {
		// The key is known: no request waits for the set to be fetched again.
		r.fetching(ctx)
		return known.keys[kid], nil
	}
	return r.waited(ctx, kid)
}

// waited fetches once for all who wait, each of whom may stop waiting.
func (r *RemoteKeys) waited(ctx context.Context, kid string) (*publicKey, error) {
	if underway := r.fetching(ctx); underway != nil {
		select {
		case <-ctx.Done():
			return nil, lost(ctx.Err(), r.issuer)
		case <-underway:
		}
	}
	if known := r.known.Load(); known != nil {
		return known.keys[kid], nil
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return nil, r.last
}

// fetching is the fetch that is on its way, or a new one where there may be one; otherwise nil.
func (r *RemoteKeys) fetching(ctx context.Context) <-chan struct{} {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.underway == nil && r.mayTry() {
		r.underway = make(chan struct{})
		// A caller that goes away leaves no mark on the others.
		go r.fetch(context.WithoutCancel(ctx))
	}
	return r.underway
}

func (r *RemoteKeys) mayTry() bool {
	pause := refetchPause
	if r.known.Load() == nil {
		pause = startPause
	}
	return r.tried.IsZero() || r.now().Sub(r.tried) >= pause
}

func (r *RemoteKeys) fetch(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, r.patience)
	defer cancel()
	keys, err := r.fetched(ctx)
	r.mutex.Lock()
	defer r.mutex.Unlock()
	// Those who have waited for an issuer that hangs do not wait for it once more each.
	r.tried, r.last = r.now(), err
	if err == nil {
		r.known.Store(&fetchedKeys{keys: keys, at: r.now()})
	}
	close(r.underway)
	r.underway = nil
}

func (r *RemoteKeys) fetched(ctx context.Context) (map[string]*publicKey, error) {
	found, err := Discover(ctx, r.issuer, r.http)
	if err != nil {
		return nil, err
	}
	body, err := fetchDocument(ctx, r.http, found.JWKSURI, r.issuer, largestKeySet)
	if err != nil {
		return nil, err
	}
	keys, err := keySet(body)
	if err != nil {
		return nil, local(invalidAnswer, r.issuer, "the key set is malformed")
	}
	return keys, nil
}

func keySet(body []byte) (map[string]*publicKey, error) {
	var set struct {
		Keys []map[string]any `json:"keys"`
	}
	if err := json.Unmarshal(body, &set); err != nil || set.Keys == nil || len(set.Keys) > mostKeys {
		return nil, local(invalidAnswer, "", "the key set is malformed")
	}
	keys := make(map[string]*publicKey, len(set.Keys))
	for _, jwk := range set.Keys {
		key, err := keyOf(jwk)
		if err != nil {
			key, err = rsaKeyOf(jwk, "RS256")
		}
		// Keys of kinds that sign nothing here are left out.
		if err == nil {
			if kid, _ := jwk["kid"].(string); kid != "" {
				keys[kid] = key
			}
		}
	}
	return keys, nil
}

// quiet follows no redirects and waits a bounded time.
func quiet(client *http.Client) *http.Client {
	own := http.Client{}
	if client != nil {
		own = *client
	}
	if own.Timeout == 0 {
		own.Timeout = longestRequest
	}
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &own
}
