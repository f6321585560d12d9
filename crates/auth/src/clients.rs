//! Client authentication (RFC 6749 §2.3): the registered method and no other.

use std::sync::Arc;

use svc_core::{Digest, Error};
use svc_domain::apps::{App, AuthMethod};
use svc_http::{HeaderMap, HostCx, Params, header};

/// What a request proves its application with.
#[derive(Debug, PartialEq, Eq)]
struct Credentials {
    client_id: String,
    method: AuthMethod,
    secret: String,
}

/// The application behind a request. Everything that is wrong with it gives the same answer.
pub async fn authenticate(host: &HostCx, headers: &HeaderMap, params: &Params) -> Result<Arc<App>, Error> {
    let credentials = presented(headers, params)?;
    let app = host.app.services.apps.find(host.tenant.id, &credentials.client_id).await?;
    // An unknown application costs the same digest and comparison as a wrong secret.
    let digest = svc_keys::digest(&credentials.secret);
    let expected = app.as_ref().and_then(|app| app.secret_digest).unwrap_or(Digest([0; 32]));
    let secret_fits = svc_keys::constant_time_eq(&digest.0, &expected.0);
    let app = app.ok_or_else(refused)?;
    let registered = app.configuration.token_endpoint_auth_method;
    let proves = registered == credentials.method && (!registered.has_secret() || secret_fits);
    if proves && app.enabled { Ok(app) } else { Err(refused()) }
}

fn presented(headers: &HeaderMap, params: &Params) -> Result<Credentials, Error> {
    let mut authorizations = headers.get_all(header::AUTHORIZATION).iter();
    let (first, second) = (authorizations.next(), authorizations.next());
    let client_id = params.one("client_id");
    let in_form = params.one("client_secret");
    if second.is_some() || params.one("client_assertion").is_some() {
        return Err(refused());
    }
    match (first, in_form, client_id) {
        (Some(header), None, client_id) => {
            let (name, secret) = header.to_str().ok().and_then(basic).ok_or_else(refused)?;
            if client_id.is_some_and(|client_id| client_id != name) {
                return Err(refused());
            }
            Ok(Credentials { client_id: name, method: AuthMethod::ClientSecretBasic, secret })
        }
        (None, Some(secret), Some(client_id)) => Ok(Credentials {
            client_id: client_id.to_owned(),
            method: AuthMethod::ClientSecretPost,
            secret: secret.to_owned(),
        }),
        (None, None, Some(client_id)) => {
            Ok(Credentials { client_id: client_id.to_owned(), method: AuthMethod::None, secret: String::new() })
        }
        _ => Err(refused()),
    }
}

/// The two form-encoded halves of a Basic credential (RFC 6749 §2.3.1).
fn basic(header: &str) -> Option<(String, String)> {
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

fn refused() -> Error {
    Error::invalid_client("the client is unknown, or did not authenticate with its registered method")
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
        for bad in ["Basic", "Basic ", "Basic !!!", "Basic YWI", "Basic YSUyOmI=", "Bearer YTpi", "Basic /w=="] {
            assert_eq!(basic(bad), None, "{bad}");
        }
        assert_eq!(basic(&format!("Basic {}", "A".repeat(65536))), None);
    }
}
