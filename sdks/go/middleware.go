package svc

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
)

// Protection guards handlers of net/http with access tokens.
type Protection struct {
	verifier *Verifier
	origin   string
	metadata string
}

// NewProtection makes a guard. The origin is where the API is published, such as https://api.example, with a prefix that http.StripPrefix
// takes away: proofs are held against it, since the address as a proxy passes it on cannot be trusted.
func NewProtection(verifier *Verifier, origin string) *Protection {
	return &Protection{verifier: verifier, origin: strings.TrimSuffix(origin, "/")}
}

type claimsKey struct{}

// ClaimsOf are the verified claims of a guarded request, or nil.
func ClaimsOf(ctx context.Context) Claims {
	claims, _ := ctx.Value(claimsKey{}).(Claims)
	return claims
}

// Require lets requests pass whose token has what is required.
func (p *Protection) Require(required Required, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request := Request{
			Authorization: r.Header.Values("Authorization"), DPoP: r.Header.Values("Dpop"), Method: r.Method,
			URL: p.origin + r.URL.EscapedPath(),
		}
		claims, err := p.verifier.Verify(r.Context(), request, required)
		var failure *Error
		if errors.As(err, &failure) {
			isDPoP, _, _ := credential(request.Authorization)
			p.refuse(w, failure, required, isDPoP)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), claimsKey{}, claims)))
	})
}

// InsufficientScope is the answer of a handler that needs more than its route does: 403, and a challenge that names the scope, of the
// scheme that the request used.
func (p *Protection) InsufficientScope(w http.ResponseWriter, r *http.Request, scope string) {
	isDPoP, _, _ := credential(r.Header.Values("Authorization"))
	p.refuse(w, refused(http.StatusForbidden, "insufficient_scope", "the token lacks the scope "+scope), Required{Scope: scope}, isDPoP)
}

// refuse answers with the challenge of RFC 6750 §3, RFC 9449 §7.1 and RFC 9728 §5.1: of the scheme that was used, or has to be.
func (p *Protection) refuse(w http.ResponseWriter, failure *Error, required Required, isDPoP bool) {
	if failure.Status == http.StatusUnauthorized || failure.Code == "insufficient_scope" {
		w.Header().Set("WWW-Authenticate", p.challenge(failure, required, isDPoP))
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(failure.Status)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"type": "about:blank", "status": failure.Status, "title": http.StatusText(failure.Status), "detail": failure.Description,
		"error": failure.Code, "error_description": failure.Description,
	})
}

func (p *Protection) challenge(failure *Error, required Required, isDPoP bool) string {
	scheme := "Bearer"
	if isDPoP || required.RequireDPoP {
		scheme = "DPoP"
	}
	var parameters []string
	if failure.Code != "missing_token" {
		parameters = append(parameters, `error=`+quoted(failure.Code), `error_description=`+quoted(failure.Description))
	}
	if required.Scope != "" {
		parameters = append(parameters, `scope=`+quoted(required.Scope))
	}
	if scheme == "DPoP" {
		parameters = append(parameters, `algs=`+quoted(strings.Join(proofAlgorithms, " ")))
	}
	if p.metadata != "" {
		parameters = append(parameters, `resource_metadata=`+quoted(p.metadata))
	}
	return strings.TrimSpace(scheme + " " + strings.Join(parameters, ", "))
}

func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `'`, "\r", " ", "\n", " ").Replace(text) + `"`
}

// MCP guards a resource server of the Model Context Protocol: its refusals lead to its metadata document (RFC 9728).
type MCP struct {
	*Protection
	document []byte
	path     string
}

// NewMCP makes a guard for the resource, the address of the server, which is the audience of its tokens too.
func NewMCP(verifier *Verifier, origin string, scopes []string) (*MCP, error) {
	resource := verifier.config.Audience
	protection := NewProtection(verifier, origin)
	rest, isBelow := strings.CutPrefix(resource, protection.origin)
	if !isBelow || (rest != "" && rest[0] != '/') {
		return nil, local(clientError, verifier.config.Issuer, "the audience has to be an address below the origin")
	}
	// Only a slash that ends the host is left out (RFC 9728 §3.1): a client computes the address of the document from the resource.
	if rest == "/" {
		rest = ""
	}
	path := "/.well-known/oauth-protected-resource" + rest
	protection.metadata = protection.origin + path
	members := map[string]any{
		"resource": resource, "authorization_servers": []string{verifier.config.Issuer},
		"bearer_methods_supported": []string{"header"}, "dpop_signing_alg_values_supported": proofAlgorithms,
	}
	// A list without elements is left out (RFC 9728 §3.2).
	if len(scopes) > 0 {
		members["scopes_supported"] = scopes
	}
	document, err := json.Marshal(members)
	return &MCP{Protection: protection, document: document, path: path}, err
}

// Register adds the metadata document to a mux, open to every origin.
func (m *MCP) Register(mux *http.ServeMux) {
	pattern := "GET " + m.path
	if strings.HasSuffix(m.path, "/") {
		// Otherwise it would be the pattern of all that is below.
		pattern += "{$}"
	}
	mux.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Cache-Control", "public, max-age=300")
		_, _ = w.Write(m.document)
	})
}
