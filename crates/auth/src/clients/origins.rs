//! Cross-origin calls: documents are public, endpoints serve the origins that the tenant's applications registered.

use svc_config::Registration;
use svc_http::{Admission, Cors, HostCx};

/// Admits any origin: the document is the same for everyone.
pub fn public() -> Cors {
    Cors::anyone()
}

/// Admits registered origins; an origin that cannot be looked up is not admitted.
pub fn registered() -> Cors {
    Cors::asking(|host, origin| async move { is_registered(&host, &origin).await })
}

/// Admits any origin where registration is open, because an application has registered none before.
pub fn registering() -> Cors {
    Cors::asking(|host, origin| async move {
        match host.app.config.oidc.dynamic_registration {
            Registration::Open => Admission::Anyone,
            Registration::Token => is_registered(&host, &origin).await,
            Registration::Off => Admission::Refused,
        }
    })
}

async fn is_registered(host: &HostCx, origin: &str) -> Admission {
    match host.app.services.apps.has_origin(host.tenant.id, origin).await {
        Ok(true) => Admission::Listed,
        Ok(false) | Err(_) => Admission::Refused,
    }
}
