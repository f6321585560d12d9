//! Where clients are asked for certificates (RFC 8705 §5): the endpoints that they call themselves, at another port.

use serde_json::{Map, Value, json};
use svc_http::HostCx;

/// The endpoints at which a certificate says something.
const ENDPOINTS: [&str; 8] = [
    "token_endpoint",
    "revocation_endpoint",
    "introspection_endpoint",
    "userinfo_endpoint",
    "pushed_authorization_request_endpoint",
    "device_authorization_endpoint",
    "backchannel_authentication_endpoint",
    "registration_endpoint",
];

/// Adds the other addresses of those endpoints that the document has.
pub(super) fn publish(host: &HostCx, document: &mut Value) {
    let (Some(origin), Some(members)) = (host.tenant.mtls_origin(&host.app.config), document.as_object_mut())
    else {
        return;
    };
    let alias = |name: &str| {
        let path = members.get(name)?.as_str()?.strip_prefix(host.tenant.issuer.as_str())?;
        Some((name.to_owned(), json!(format!("{origin}{path}"))))
    };
    let aliases: Map<String, Value> = ENDPOINTS.into_iter().filter_map(alias).collect();
    members.insert("mtls_endpoint_aliases".to_owned(), Value::Object(aliases));
}
