//! Shared secrets, in the form or in a Basic header (RFC 6749 §2.3.1), and public clients, which have none.

use std::sync::Arc;

use svc_core::{Digest, Result};
use svc_domain::apps::{App, AuthMethod};
use svc_http::{HostCx, Params};

use super::refused;
use crate::client_documents;

/// A name, and what comes with it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Credentials {
    pub client_id: String,
    pub method: AuthMethod,
    pub secret: String,
}

/// The application that the credentials are of.
pub(super) async fn authenticate(host: &HostCx, credentials: &Credentials) -> Result<Arc<App>> {
    let app = match client_documents::find(host, &credentials.client_id).await {
        // A document that cannot be read is an unknown application like any other.
        Err(error) if error.class().status() == 400 => None,
        found => found?,
    };
    // An unknown application costs the same digest and comparison as a wrong secret.
    let digest = svc_keys::digest(&credentials.secret);
    let expected = app.as_ref().and_then(|app| app.secret_digest).unwrap_or(Digest([0; 32]));
    let secret_fits = svc_keys::constant_time_eq(&digest.0, &expected.0);
    let app = app.ok_or_else(refused)?;
    let registered = app.configuration.token_endpoint_auth_method;
    let proves = registered == credentials.method && (!registered.has_secret() || secret_fits);
    if proves && app.enabled { Ok(app) } else { Err(refused()) }
}

/// The two form-encoded halves of a Basic credential.
pub(super) fn basic(header: &str) -> Option<(String, String)> {
    let (scheme, encoded) = header.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") || encoded.len() > 4096 {
        return None;
    }
    let decoded = String::from_utf8(svc_keys::from_base64(encoded.trim())?).ok()?;
    let (name, secret) = decoded.split_once(':')?;
    Some((form_decoded(name)?, form_decoded(secret)?))
}

/// One value in form encoding: the same rules as for a whole form.
fn form_decoded(text: &str) -> Option<String> {
    if text.contains(['&', '=']) {
        return None;
    }
    let params = Params::parse(&format!("v={text}")).ok()?;
    Some(params.one("v").unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn basic_credentials_are_form_decoded() {
        assert_eq!(basic("Basic YSUzQWI6cCtx").unwrap(), ("a:b".to_owned(), "p q".to_owned()));
        assert_eq!(basic("basic YTpi").unwrap(), ("a".to_owned(), "b".to_owned()));
    }

    #[test]
    fn malformed_basic_credentials_are_no_credentials() {
        for bad in
            ["Basic", "Basic ", "Basic !!!", "Basic YWI", "Basic YSUyOmI=", "Bearer YTpi", "Basic /w=="]
        {
            assert_eq!(basic(bad), None, "{bad}");
        }
        assert_eq!(basic(&format!("Basic {}", "A".repeat(65536))), None);
    }
}
