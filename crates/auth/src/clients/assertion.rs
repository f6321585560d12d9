//! `private_key_jwt` (RFC 7523 §2.2, §3; OpenID Connect Core §9; FAPI 2.0 Security Profile §5.3.2.1).

use std::sync::Arc;

use svc_core::{Error, Result, Seconds, Timestamp};
use svc_db::coordination::Once;
use svc_domain::apps::{App, AuthMethod};
use svc_http::HostCx;
use svc_keys::{Algorithm, Claims, Jws, base64url, sha256};

use super::keys::verified;
use crate::register::document;

/// The `client_assertion_type` of a JWT.
pub(super) const TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// Longest that an assertion may live, so that what is remembered of used ones stays bounded: many libraries make them
/// for an hour, the strict profile for five minutes.
const LONGEST_LIFE: Seconds = Seconds(3600);
const LONGEST_LIFE_FAPI2: Seconds = Seconds(300);
/// How far a client's clock may be ahead of ours.
const AHEAD: Seconds = Seconds(10);
/// Longest `jti` in bytes.
const LONGEST_JTI: usize = 256;
/// The `typ` values of an assertion; any other token of the client's own making is of another kind.
const TYPES: [&str; 2] = ["JWT", "client-authentication+jwt"];

/// Holds `assertion` against its application and this endpoint; returns who signed it, and the note that makes it count once,
/// on all nodes together.
pub(super) async fn verify(
    host: &HostCx,
    assertion: &str,
    client_id: Option<&str>,
) -> Result<(Arc<App>, Once)> {
    let jws = Jws::parse(assertion, Algorithm::ALL)?;
    let unverified = jws.unverified_claims()?;
    let subject = unverified.text("sub").ok_or_else(|| wrong("has no subject"))?;
    if client_id.is_some_and(|client_id| client_id != subject) {
        return Err(wrong("is of another client than the request"));
    }
    let app = document::find(host, subject).await?;
    let app = app.ok_or_else(|| wrong("is of a client that is unknown"))?;
    if !app.enabled || !registered(&app) {
        return Err(wrong("is of a client that is disabled, or registered with another method"));
    }
    if !allows(&app, &jws) {
        return Err(wrong("is of another type or algorithm than the client's"));
    }
    let claims = verified(host, &app, &jws).await?;
    check_parties(host, &app, &claims)?;
    let (since, until) = check_time(&app, &claims, host.cx.now)?;
    let is_usable = |jti: &&str| (1..=LONGEST_JTI).contains(&jti.len());
    let jti = claims.text("jti").filter(is_usable).ok_or_else(|| wrong("has no jti"))?;
    let key = format!("assertion {} {} {}", host.tenant.id, app.id, base64url(sha256(jti.as_bytes())));
    Ok((app, Once::between(key, since, until)))
}

fn registered(app: &App) -> bool {
    app.configuration.token_endpoint_auth_method == AuthMethod::PrivateKeyJwt
}

fn allows(app: &App, jws: &Jws<'_>) -> bool {
    let only = app.configuration.token_endpoint_auth_signing_alg;
    let is_allowed = app.signature_algorithms().contains(&jws.algorithm());
    jws.is_untyped_or(&TYPES) && is_allowed && only.is_none_or(|only| only == jws.algorithm())
}

fn check_parties(host: &HostCx, app: &App, claims: &Claims) -> Result<()> {
    let client_id = app.client_id();
    if claims.text("iss") != Some(&client_id) || claims.text("sub") != Some(&client_id) {
        return Err(wrong("has another issuer than its subject"));
    }
    let issuer = &host.tenant.issuer;
    // FAPI 2.0 §5.3.2.1: only the issuer, as a string, leaves no room for an assertion that was meant for another server.
    if claims.member("aud").is_some_and(|aud| aud.as_str() == Some(issuer)) {
        return Ok(());
    }
    let called = host.arrival.route().unwrap_or_default();
    let alias = host.tenant.mtls_origin(&host.app.config);
    let endpoints = [Some(issuer.clone()), alias].into_iter().flatten();
    let endpoints = endpoints.flat_map(|at| [format!("{at}/oauth/token"), format!("{at}{called}")]);
    let ours: Vec<_> = std::iter::once(issuer.clone()).chain(endpoints).collect();
    // A list that names another server as well is an assertion that this other server could use here.
    let mut audiences = claims.audiences().peekable();
    let is_ours = audiences.peek().is_some() && audiences.all(|named| ours.iter().any(|own| own == named));
    if is_ours && !app.is_fapi2() { Ok(()) } else { Err(wrong("is meant for another server")) }
}

/// The earliest time at which the assertion could be accepted, and its end.
fn check_time(app: &App, claims: &Claims, now: Timestamp) -> Result<(Timestamp, Timestamp)> {
    claims.check_time(now, AHEAD)?;
    let expires_at = claims.required_time("exp")?;
    let longest = if app.is_fapi2() { LONGEST_LIFE_FAPI2 } else { LONGEST_LIFE };
    if expires_at > now + longest + AHEAD {
        return Err(wrong("lives longer than 60 minutes, or for the profile fapi2 5 minutes"));
    }
    let mut since = expires_at - longest - AHEAD;
    for name in ["iat", "nbf"] {
        since = claims.time(name)?.map_or(since, |time| since.max(time - AHEAD));
    }
    Ok((since, expires_at))
}

/// The refusal of an assertion whose note is there already.
#[track_caller]
pub(super) fn used() -> Error {
    wrong("was used before")
}

#[track_caller]
fn wrong(how: &str) -> Error {
    Error::invalid_client(format!("the client assertion {how}"))
}
