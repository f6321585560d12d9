//! The application of a host behind a proxy.

use std::sync::Arc;

use svc_core::capability::Capability;
use svc_core::{Error, Result};
use svc_domain::apps::App;
use svc_http::{HostCx, Params};

use super::paths::CALLBACK;

/// The application that a proxy names by `client_id`, if the host is one of its own.
pub async fn named(host: &HostCx, params: &Params, origin: &str) -> Result<Arc<App>> {
    let client_id = params.one("client_id");
    let client_id =
        client_id.ok_or_else(|| Error::bad_request("client_id: name the application in the query"))?;
    of(host, client_id, origin).await
}

/// The application, if it may be signed in to at this host. One that registered itself may not: no administrator has
/// checked where it is. One whose tokens are bound to a key may not, because a cookie is bound to none.
pub async fn of(host: &HostCx, client_id: &str, origin: &str) -> Result<Arc<App>> {
    let callback = format!("{origin}{CALLBACK}");
    let found = host.app.services.apps.find(host.tenant.id, client_id).await?;
    let is_fit = |app: &Arc<App>| {
        app.enabled
            && app.keeps(&Capability::PROXY)
            && app.owns_redirect_uri(&callback)
            && !app.is_self_registered()
            && !app.needs_dpop()
            && !app.binds_to_certificate()
    };
    found.filter(is_fit).ok_or_else(|| {
        Error::forbidden(format!("client_id: no application of this tenant is signed in to at {callback}"))
    })
}
