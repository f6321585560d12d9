//! Cross-origin calls: documents are public, endpoints serve the origins that the tenant's applications registered.

use svc_http::{Admission, Cors};

/// Admits any origin: the document is the same for everyone.
pub fn public() -> Cors {
    Cors::anyone()
}

/// Admits registered origins; an origin that cannot be looked up is not admitted.
pub fn registered() -> Cors {
    Cors::asking(|host, origin| async move {
        match host.app.services.apps.has_origin(host.tenant.id, &origin).await {
            Ok(true) => Admission::Listed,
            Ok(false) | Err(_) => Admission::Refused,
        }
    })
}
