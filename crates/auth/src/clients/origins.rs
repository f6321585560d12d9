//! Cross-origin calls: from the origins that the tenant's applications registered, and no others.

use svc_http::Cors;

/// Admits registered origins; whoever cannot be looked up is not admitted.
pub fn registered() -> Cors {
    Cors::registered(|host, origin| async move {
        host.app.services.apps.has_origin(host.tenant.id, &origin).await.unwrap_or(false)
    })
}
