//! Client authentication (RFC 6749 §2.3, RFC 7523 §2.2): the registered method and no other.

mod assertion;
mod keys;
mod refused;
mod secret;

use std::sync::Arc;

use svc_core::Result;
use svc_domain::apps::{App, AuthMethod};
use svc_http::{HeaderMap, HostCx, Params, basic, header};

pub use self::keys::{ClientKeys, verified};
use self::refused::refused;
use self::secret::Credentials;

/// The parameters that prove an application, and say nothing of what it wants.
pub const CREDENTIALS: &[&str] = &["client_secret", "client_assertion", "client_assertion_type"];

/// What a request proves its application with.
#[derive(Debug, PartialEq, Eq)]
enum Presented<'a> {
    Shared(Credentials),
    /// A signed assertion, and the `client_id` beside it.
    Signed(&'a str, Option<&'a str>),
}

/// The application behind a request. Everything that is wrong with it gives the same answer.
pub async fn authenticate(host: &HostCx, headers: &HeaderMap, params: &Params) -> Result<Arc<App>> {
    match presented(headers, params)? {
        Presented::Shared(credentials) => secret::authenticate(host, &credentials).await,
        Presented::Signed(assertion, client_id) => assertion::authenticate(host, assertion, client_id).await,
    }
}

fn presented<'a>(headers: &HeaderMap, params: &'a Params) -> Result<Presented<'a>> {
    let mut authorizations = headers.get_all(header::AUTHORIZATION).iter();
    let (first, second) = (authorizations.next(), authorizations.next());
    let client_id = params.one("client_id");
    let in_form = params.one("client_secret");
    if second.is_some() {
        return Err(refused());
    }
    if params.has("client_assertion") || params.has("client_assertion_type") {
        let is_jwt = params.one("client_assertion_type") == Some(assertion::TYPE);
        let assertion =
            params.one("client_assertion").filter(|_| is_jwt && first.is_none() && in_form.is_none());
        return assertion.map(|assertion| Presented::Signed(assertion, client_id)).ok_or_else(refused);
    }
    let named = |client_id: &str, method, secret: &str| {
        Presented::Shared(Credentials { client_id: client_id.to_owned(), method, secret: secret.to_owned() })
    };
    match (first, in_form, client_id) {
        (Some(header), None, client_id) => {
            let (name, secret) = header.to_str().ok().and_then(basic).ok_or_else(refused)?;
            if client_id.is_some_and(|client_id| client_id != name) {
                return Err(refused());
            }
            Ok(named(&name, AuthMethod::ClientSecretBasic, &secret))
        }
        (None, Some(secret), Some(client_id)) => Ok(named(client_id, AuthMethod::ClientSecretPost, secret)),
        (None, None, Some(client_id)) => Ok(named(client_id, AuthMethod::None, "")),
        _ => Err(refused()),
    }
}
