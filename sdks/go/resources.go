package svc

import (
	"context"
	"iter"
	"net/http"
	"net/url"
)

// Resource is a list of records of the management API, each of which has an id.
type Resource[T any] struct {
	api  *Management
	path string
}

// Application is a record of /api/v1/applications; the rest of its members is in docs/openapi.json.
type Application struct {
	ID           string   `json:"id,omitempty"`
	Name         string   `json:"name,omitempty"`
	Type         string   `json:"type,omitempty"`
	RedirectURIs []string `json:"redirect_uris,omitempty"`
}

// TenantUser is a record of /api/v1/tenant-users.
type TenantUser struct {
	ID       string   `json:"id,omitempty"`
	Email    string   `json:"email,omitempty"`
	Username string   `json:"username,omitempty"`
	Subject  string   `json:"sub,omitempty"`
	Roles    []string `json:"roles,omitempty"`
	Name     string   `json:"name,omitempty"`
	Status   string   `json:"status,omitempty"`
}

// Organization is a record of /api/v1/organizations.
type Organization struct {
	ID   string `json:"id,omitempty"`
	Name string `json:"name,omitempty"`
	Slug string `json:"slug,omitempty"`
	// OwnerID is the tenant user who owns a new one.
	OwnerID string `json:"owner_id,omitempty"`
}

// Webhook is a record of /api/v1/webhooks.
type Webhook struct {
	ID          string   `json:"id,omitempty"`
	URL         string   `json:"url,omitempty"`
	EventTypes  []string `json:"event_types,omitempty"`
	Description string   `json:"description,omitempty"`
	// Secret is shown once.
	Secret string `json:"secret,omitempty"`
}

// String keeps the secret out of logs.
func (w Webhook) String() string { return "[webhook " + w.ID + "]" }

// GoString keeps the secret out of logs.
func (w Webhook) GoString() string { return w.String() }

// Record is a record of the management API by the names of its members, which docs/openapi.json has.
type Record = map[string]any

// ResourceAt is any list, read and written by a type of the caller's own.
func ResourceAt[T any](m *Management, path string) Resource[T] { return Resource[T]{m, path} }

// All are the records that fit the filters, page by page.
func (r Resource[T]) All(ctx context.Context, filters url.Values) iter.Seq2[T, error] {
	return List[T](ctx, r.api, r.path, filters)
}

// Find is the record with this id.
func (r Resource[T]) Find(ctx context.Context, id string) (T, error) {
	return r.call(ctx, Call{Method: http.MethodGet, Path: r.at(id)})
}

// Create makes a record; members are those of the type or of a map. The idempotency key may be empty.
func (r Resource[T]) Create(ctx context.Context, members any, idempotencyKey string) (T, error) {
	return r.call(ctx, Call{Method: http.MethodPost, Path: r.path, In: members, IdempotencyKey: idempotencyKey})
}

// Replace writes a record whole (PUT), or puts it there, such as a member into a group.
func (r Resource[T]) Replace(ctx context.Context, id string, members any) (T, error) {
	return r.call(ctx, Call{Method: http.MethodPut, Path: r.at(id), In: members})
}

// Update changes the members that are given (JSON Merge Patch, RFC 7396).
func (r Resource[T]) Update(ctx context.Context, id string, members any) (T, error) {
	return r.call(ctx, Call{Method: http.MethodPatch, Path: r.at(id), In: members})
}

// Delete takes the record away.
func (r Resource[T]) Delete(ctx context.Context, id string) error {
	return r.api.Do(ctx, &Call{Method: http.MethodDelete, Path: r.at(id)})
}

// at is the address of a record. An id that leads elsewhere makes an address that no call takes.
func (r Resource[T]) at(id string) string {
	if r.path == "" || leadsElsewhere(id) {
		return ""
	}
	return r.path + "/" + url.PathEscape(id)
}

// below is the path of these parts below /api/v1, or one that no call takes.
func below(parts ...string) string {
	path := "/api/v1"
	for _, part := range parts {
		if leadsElsewhere(part) {
			return ""
		}
		path += "/" + url.PathEscape(part)
	}
	return path
}

func leadsElsewhere(part string) bool { return part == "" || isDots(part) }

func isDots(part string) bool { return part == "." || part == ".." }

func (r Resource[T]) call(ctx context.Context, call Call) (T, error) {
	var record T
	call.Out = &record
	err := r.api.Do(ctx, &call)
	return record, err
}
