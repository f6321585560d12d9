//! What calls are authorized with: the tenant's own OAuth 2.0 server, and the credentials of the protocol endpoints.

use serde_json::{Map, Value, json};

use svc_domain::apis::control_plane::{READ, SCOPES, WRITE};

use crate::route::{Declared, Guard};

const OAUTH: &str = "oauth2";
const OPERATOR: &str = "operator";
const CLIENT: &str = "client_secret_basic";
const BEARER: &str = "bearer";
const SCIM: &str = "scim";

/// The schemes, but for addresses.
pub(super) fn schemes(scopes: &[(&'static str, &'static str)]) -> Value {
    let listed = |scopes: &[(&'static str, &'static str)]| {
        scopes.iter().map(|(name, sentence)| ((*name).to_owned(), json!(sentence))).collect::<Map<_, _>>()
    };
    let scopes = listed(scopes);
    json!({
        OPERATOR: {
            "type": "oauth2",
            "description": "An access token for the control plane, which the application `control-plane` gets for an operator of \
                the deployment.",
            "flows": { "authorizationCode": { "scopes": listed(&SCOPES) } },
        },
        OAUTH: {
            "type": "oauth2",
            "description": "An access token for the management API of the tenant. A person needs the role `admin`.",
            "flows": {
                "authorizationCode": { "scopes": scopes },
                "clientCredentials": { "scopes": scopes },
            },
        },
        CLIENT: {
            "type": "http",
            "scheme": "basic",
            "description": "The application's `client_id` and secret (RFC 6749 §2.3.1). Applications that registered \
                another method send `client_id` with `client_secret` or `client_assertion` in the form instead.",
        },
        SCIM: {
            "type": "http",
            "scheme": "bearer",
            "description": "A SCIM token of an organization, `svc_scim_…`.",
        },
        BEARER: {
            "type": "http",
            "scheme": "bearer",
            "description": "The token that the operation describes.",
        },
    })
}

/// Adds the addresses of a tenant's authorization server.
pub(super) fn complete(schemes: &mut Value, issuer: &str) {
    let flows = &mut schemes[OAUTH]["flows"];
    for flow in ["authorizationCode", "clientCredentials"] {
        flows[flow]["tokenUrl"] = json!(format!("{issuer}/oauth/token"));
    }
    flows["authorizationCode"]["refreshUrl"] = json!(format!("{issuer}/oauth/token"));
    schemes[OPERATOR]["flows"]["authorizationCode"]["tokenUrl"] = json!(format!("{issuer}/oauth/token"));
    for scheme in [OAUTH, OPERATOR] {
        let flow = &mut schemes[scheme]["flows"]["authorizationCode"];
        flow["authorizationUrl"] = json!(format!("{issuer}/oauth/authorize"));
    }
}

/// What one of these is needed for a route; nothing for a public one.
pub(super) fn of(route: &Declared) -> Value {
    match route.guard {
        Guard::Tenant { scope } => json!([{ OAUTH: [scope] }]),
        Guard::Operator(_) => json!([{ OPERATOR: [if route.method.is_safe() { READ } else { WRITE }] }]),
        Guard::Scim => json!([{ SCIM: [] }]),
        Guard::Client => json!([{ CLIENT: [] }, {}]),
        _ if route.has_bearer() => json!([{ BEARER: [] }]),
        _ => json!([]),
    }
}
