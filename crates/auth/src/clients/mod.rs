//! Client authentication (RFC 6749 §2.3, RFC 7523 §2.2, RFC 8705 §2): the registered method and no other.

mod assertion;
mod certificate;
mod keys;
mod notes;
pub mod refusals;
mod refused;
mod secret;

use std::pin::Pin;
use std::sync::Arc;

use svc_core::capability::Capability;
use svc_core::{Class, Error, Result};
use svc_domain::apps::{App, AuthMethod};
use svc_http::dpop::{self, Proof};
use svc_http::{HeaderMap, HostCx, Params, basic, count_client, header};
use svc_keys::{Algorithm, Jws};

pub use self::certificate::presented as certificate;
pub use self::keys::{ClientKeys, Published, verified};
pub use self::notes::Notes;
use self::refused::{refused, wrong};
use self::secret::Credentials;

/// The parameters that prove an application, and say nothing of what it wants.
pub const CREDENTIALS: &[&str] = &["client_secret", "client_assertion", "client_assertion_type"];

/// What a request proves its application with.
#[derive(Debug, PartialEq, Eq)]
enum Presented<'a> {
    Shared(Credentials),
    /// A signed assertion, and the `client_id` with it.
    Signed(&'a str, Option<&'a str>),
}

/// An application that has proven itself.
pub struct Authenticated {
    /// The application.
    pub app: Arc<App>,
    /// The DPoP proof that came with the request. What is wrong with it is reported when its turn comes.
    pub proof: Result<Option<Proof>>,
    /// What is still to be noted, so that assertion and proof count once.
    pub notes: Notes,
}

/// The application behind a request, whose assertion is noted. Every fault of it gives the same answer; log and audit have the
/// cause.
pub async fn authenticate(host: &HostCx, headers: &HeaderMap, params: &Params) -> Result<Arc<App>> {
    let Authenticated { app, notes, .. } = authenticate_with(host, headers, params, Ok(None)).await?;
    notes.keep(host).await?;
    Ok(app)
}

/// The same for a request that may bring a DPoP proof, and that writes the notes with what it decides: a stranger notes nothing.
/// Boxed: every endpoint would have its code.
pub fn authenticate_with<'a>(
    host: &'a HostCx,
    headers: &'a HeaderMap,
    params: &'a Params,
    proof: Result<Option<Proof>>,
) -> Pin<Box<dyn Future<Output = Result<Authenticated>> + Send + 'a>> {
    Box::pin(authenticated(host, headers, params, proof))
}

async fn authenticated(
    host: &HostCx,
    headers: &HeaderMap,
    params: &Params,
    proof: Result<Option<Proof>>,
) -> Result<Authenticated> {
    let proven = match presented(headers, params) {
        Ok(Presented::Shared(credentials)) => {
            secret::authenticate(host, &credentials).await.map(|app| (app, None))
        }
        Ok(Presented::Signed(assertion, client_id)) => {
            assertion::verify(host, assertion, client_id).await.map(|(app, once)| (app, Some(once)))
        }
        Err(error) => Err(error),
    };
    match proven {
        Ok((app, assertion)) => {
            let client_id = app.client_id();
            // Others could use up what a public application may: it proves nothing.
            if !app.is_public() {
                count_client(host, &client_id)?;
            }
            let of_proof = proof.as_ref().ok().and_then(Option::as_ref).map(|proof| dpop::once(host, proof));
            let notes = Notes::new(client_id, assertion, of_proof);
            Ok(Authenticated { app, proof, notes })
        }
        // Whose metadata document may not be read just now has proven nothing wrong, and may try again.
        Err(error) if error.class() == Class::RateLimited => Err(error),
        Err(error) if error.class().status() < 500 => {
            refusals::of_client(host, &named(headers, params), &error).await;
            Err(refused().caused_by(error))
        }
        Err(error) => Err(error),
    }
}

/// The same at an endpoint of a capability, which some applications go without.
pub async fn authenticate_for(
    host: &HostCx,
    headers: &HeaderMap,
    params: &Params,
    capability: &Capability,
) -> Result<Arc<App>> {
    let app = authenticate(host, headers, params).await?;
    must_keep(&app, capability)?;
    Ok(app)
}

/// Refuses an application that goes without a capability.
pub fn must_keep(app: &App, capability: &Capability) -> Result<()> {
    if app.keeps(capability) {
        return Ok(());
    }
    let name = capability.name;
    Err(Error::unauthorized_client(format!("the application goes without the capability {name}")))
}

/// The proof of a request where DPoP is offered to the application; elsewhere a request with one is refused, so that none
/// takes its tokens for bound (RFC 9449 §5).
pub fn offered_proof(host: &HostCx, app: &App, proof: Option<Proof>) -> Result<Option<Proof>> {
    if proof.is_some() && !host.offers_to(app, &Capability::DPOP) {
        return Err(Error::invalid_dpop_proof("DPoP is not offered here; send no proof"));
    }
    Ok(proof)
}

/// The `client_id` that a request names, wherever that is.
fn named(headers: &HeaderMap, params: &Params) -> String {
    let header = headers.get(header::AUTHORIZATION).and_then(|header| header.to_str().ok());
    let in_header = header.and_then(basic).map(|(name, _)| name);
    let in_assertion = || {
        let jws = Jws::parse(params.one("client_assertion")?, Algorithm::ALL).ok()?;
        jws.unverified_claims().ok()?.text("sub").map(str::to_owned)
    };
    in_header.or_else(|| params.one("client_id").map(str::to_owned)).or_else(in_assertion).unwrap_or_default()
}

fn presented<'a>(headers: &HeaderMap, params: &'a Params) -> Result<Presented<'a>> {
    let mut authorizations = headers.get_all(header::AUTHORIZATION).iter();
    let (first, second) = (authorizations.next(), authorizations.next());
    let client_id = params.one("client_id");
    let in_form = params.one("client_secret");
    if second.is_some() {
        return Err(wrong("the request has two Authorization headers"));
    }
    let (signed, kind) = (params.one("client_assertion"), params.one("client_assertion_type"));
    if signed.is_some() || kind.is_some() {
        let is_jwt = kind == Some(assertion::TYPE);
        let assertion = signed.filter(|_| is_jwt && first.is_none() && in_form.is_none());
        let assertion = assertion.map(|assertion| Presented::Signed(assertion, client_id));
        return assertion
            .ok_or_else(|| wrong("client_assertion is of another type, or not the only credential"));
    }
    let shared = |client_id: &str, method, secret: &str| {
        Presented::Shared(Credentials { client_id: client_id.to_owned(), method, secret: secret.to_owned() })
    };
    match (first, in_form, client_id) {
        (Some(header), None, client_id) => {
            let header = header.to_str().ok().and_then(basic);
            let (name, secret) = header.ok_or_else(|| wrong("the Authorization header is not Basic"))?;
            if client_id.is_some_and(|client_id| client_id != name) {
                return Err(wrong("header and form name different clients"));
            }
            Ok(shared(&name, AuthMethod::ClientSecretBasic, &secret))
        }
        (None, Some(secret), Some(client_id)) => Ok(shared(client_id, AuthMethod::ClientSecretPost, secret)),
        (None, None, Some(client_id)) => Ok(shared(client_id, AuthMethod::None, "")),
        (Some(_), Some(_), _) => Err(wrong("the secret is in the header and in the form")),
        (None, _, None) => Err(wrong("the request names no client_id")),
    }
}
