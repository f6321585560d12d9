//! Shared secrets, in the form or in a Basic header (RFC 6749 §2.3.1), and clients that send none: public ones, and those that
//! their connection proves.

use std::sync::Arc;

use svc_core::Result;
use svc_domain::apps::{App, AuthMethod};
use svc_http::HostCx;

use super::certificate;
use super::refused::wrong;
use crate::register::document;

/// A name, and what comes with it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Credentials {
    pub client_id: String,
    pub method: AuthMethod,
    pub secret: String,
}

/// The application that the credentials are of.
pub(super) async fn authenticate(host: &HostCx, credentials: &Credentials) -> Result<Arc<App>> {
    let app = match document::find(host, &credentials.client_id).await {
        // A document that cannot be read is an unknown application like any other.
        Err(error) if error.class().status() == 400 => None,
        found => found?,
    };
    // An unknown application costs the same digest and comparison as a wrong secret.
    let digest = svc_keys::digest(&credentials.secret);
    let secret_fits = match &app {
        Some(app) => app.has_secret(digest, host.cx.now),
        None => svc_keys::constant_time_eq(&digest.0, &[0; 32]),
    };
    let app = app.ok_or_else(|| wrong("the client_id is unknown"))?;
    if !app.enabled {
        return Err(wrong("the client is disabled"));
    }
    let registered = app.configuration.token_endpoint_auth_method;
    if credentials.method == AuthMethod::None && registered.is_certificate() {
        certificate::check(host, &app).await?;
        return Ok(app);
    }
    if !app.configuration.auth_methods().any(|method| method == credentials.method) {
        let registered = registered.name();
        let sent = credentials.method.name();
        return Err(wrong(format!(
            "the request was sent with {sent}, the client is registered with {registered}"
        )));
    }
    if credentials.method.has_secret() && !secret_fits {
        return Err(wrong("the client_secret is wrong"));
    }
    if credentials.method.has_secret() {
        host.app.services.secret_uses.note(host.tenant.id, app.id, digest, host.cx.now);
    }
    Ok(app)
}
