//! The access-token contract: the specification's ten rules, in their order.

use std::sync::{Arc, OnceLock};

use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use svc_core::{Class, Error};
use svc_domain::tenancy::tenants::Tenant;
use svc_domain::tokens::access_token::{self, Claims, SubjectType};
use svc_keys::from_base64url;

use super::{Declared, api_key, confined, refusal, step_up};
use crate::app::App;
use crate::arrival::Arrival;
use crate::context::{HostCx, PlainCx, TenantCx};
use crate::credential::{Credential, Scheme};
use crate::dpop::Covered;
use crate::render::Problem;
use crate::reply::Narrowed;
use crate::{sender, throttle};

/// What a route asks of a token.
pub(super) struct TokenRequirements<'a> {
    pub(super) audience: String,
    pub(super) scope: &'static str,
    pub(super) former_scope: Option<&'static str>,
    pub(super) subject_types: &'static [SubjectType],
    pub(super) accepts_delegation: bool,
    pub(super) tenant: &'a Tenant,
}

/// Resolves the tenant of the host that was called.
pub(super) async fn host(app: &App, arrival: &Arc<Arrival>) -> Result<HostCx, Problem> {
    let tenant = app.services.tenants.at_host(&arrival.host).await?;
    let (cx, arrival, connectors) = (app.cx_of(arrival), Arc::clone(arrival), OnceLock::new());
    Ok(HostCx { cx, tenant, app: app.clone(), arrival, connectors })
}

/// The context of a call that concerns no tenant.
pub(super) fn plain(app: &App, arrival: &Arc<Arrival>) -> PlainCx {
    PlainCx { cx: app.cx_of(arrival), app: app.clone(), arrival: Arc::clone(arrival) }
}

/// Admits the bearer of an access token.
pub(super) async fn tenant(
    host: HostCx,
    declared: &Declared,
    scope: &'static str,
    parts: &Parts,
) -> Result<TenantCx, Problem> {
    let asked = TokenRequirements {
        audience: host.tenant.api_audience(),
        scope,
        former_scope: declared.former_scope,
        subject_types: declared.subject_types,
        accepts_delegation: declared.accepts_delegation,
        tenant: &host.tenant,
    };
    let covered = Covered { headers: &parts.headers, method: &parts.method, path: parts.uri.path() };
    let claims = match key_in(&parts.headers) {
        Some(key) => admit_key(&host, &asked, &covered, key).await?,
        None => admit(&host, &asked, &covered).await?,
    };
    if let Some(organization) = claims.confined_to()
        && let Err(refusal) = confined::check(declared, parts.uri.path(), organization)
    {
        refusal::record(&host, scope, &covered, &claims).await?;
        return Err(refusal);
    }
    if let Some(oldest) = declared.oldest_sign_in {
        // First, so that no one signs in again for a refusal that the next sign-in would not lift.
        step_up::check_own(&host, &covered, &claims).await?;
        step_up::check_age(&host, &covered, (&claims, oldest))?;
        step_up::check_factors(&host, &covered, &claims).await?;
    }
    throttle::count_bearer(&host, &claims)?;
    let cx = host.cx.acting_as(refusal::actor_of(&claims));
    if !parts.method.is_safe() {
        host.app.services.sealers.prepare(host.tenant.id, &cx).await;
    }
    let HostCx { tenant, app, arrival, .. } = host;
    let narrowed = Narrowed::of(&parts.uri);
    Ok(TenantCx { cx, tenant, claims: Arc::new(claims), app, route: declared.path, narrowed, arrival })
}

/// Whether a `GET` of `path` carries a service token with `scope`, for routes that have another credential too. A valid token that may
/// not is refused as everywhere.
pub(crate) async fn is_service_token(
    app: &App,
    arrival: &Arc<Arrival>,
    headers: &HeaderMap,
    (path, scope): (&str, &'static str),
) -> Result<bool, Problem> {
    let Ok(host) = host(app, arrival).await else { return Ok(false) };
    // What is counted for the whole deployment is for those who operate it; they are at home in the default tenant.
    if app.config.tenant.default_tenant_slug.as_deref() != Some(host.tenant.slug.as_str()) {
        return Ok(false);
    }
    let asked = TokenRequirements {
        audience: host.tenant.api_audience(),
        scope,
        former_scope: None,
        subject_types: &[SubjectType::System],
        accepts_delegation: false,
        tenant: &host.tenant,
    };
    match admit(&host, &asked, &Covered { headers, method: &Method::GET, path }).await {
        // What was got for an API key opens what the key opens.
        Ok(claims) => Ok(!claims.is_of_api_key()),
        Err(refusal) if refusal.error().class().status() == 403 => Err(refusal),
        Err(_) => Ok(false),
    }
}

pub(super) async fn admit(
    host: &HostCx,
    asked: &TokenRequirements<'_>,
    covered: &Covered<'_>,
) -> Result<Claims, Problem> {
    let tenant = asked.tenant;
    // 1: the token is read from the header.
    let sent = Credential::of(covered.headers).map_err(|error| missing(host, error))?;
    // 2, 3, 5: signature, issuer, time.
    let services = &host.app.services;
    let ring = services.keys.ring(tenant.id);
    let claims = match access_token::verify(&ring, sent.token, &tenant.issuer, host.cx.now) {
        Ok(claims) => claims,
        Err(error) => return Err(refused_or_foreign(host, &sent, error).await),
    };
    // 4: the audience; and what was taken back before its time.
    if claims.aud != asked.audience {
        let error = Error::unauthorized("the access token is for another audience");
        return Err(invalid(host, sent.scheme, error));
    }
    if services.revocations.is_revoked(&claims) {
        return Err(invalid(host, sent.scheme, Error::unauthorized("the access token was revoked")));
    }
    // 6: the tenant, before anything that would tell what the caller may do.
    if claims.tenant_id != tenant.id.reference() {
        return Err(Error::unknown_id().into());
    }
    if let Err(refusal) = within_its_powers(host, asked, sent.scheme, &claims) {
        refusal::record(host, asked.scope, covered, &claims).await?;
        return Err(refusal);
    }
    // 10: the sender of a bound token holds its key.
    let proven = sender::check_token(host, covered, &sent, &claims).await;
    proven.map_err(|error| unproven(host, sender::challenged_scheme(&claims), error))?;
    Ok(claims)
}

/// The API key that was sent, if it is one.
fn key_in(headers: &HeaderMap) -> Option<&str> {
    let sent = Credential::of(headers).ok()?;
    (sent.scheme == Scheme::Bearer && api_key::is_key(sent.token)).then_some(sent.token)
}

/// Refuses a caller whose access token has ended since it was admitted.
pub(super) fn still_holds(caller: &TenantCx) -> Result<(), Problem> {
    if !caller.app.services.revocations.is_revoked(&caller.claims) {
        return Ok(());
    }
    let error = Error::unauthorized("the access token has ended meanwhile");
    Err(invalid(&caller.host(), Scheme::of(&caller.claims), error))
}

/// Admits the bearer of an API key, which is held to the same rules as a token.
async fn admit_key(
    host: &HostCx,
    asked: &TokenRequirements<'_>,
    covered: &Covered<'_>,
    key: &str,
) -> Result<Claims, Problem> {
    let Some(claims) = api_key::claims_of(host, key).await? else {
        let error = Error::unauthorized("the API key is not valid or has expired");
        return Err(invalid(host, Scheme::Bearer, error));
    };
    if let Err(refusal) = within_its_powers(host, asked, Scheme::Bearer, &claims) {
        refusal::record(host, asked.scope, covered, &claims).await?;
        return Err(refusal);
    }
    Ok(claims)
}

/// Rules 7, 8 and 9: scope, subject type, delegation.
fn within_its_powers(
    host: &HostCx,
    asked: &TokenRequirements<'_>,
    scheme: Scheme,
    claims: &Claims,
) -> Result<(), Problem> {
    let is_granted = |scope: &str| claims.scope.has(scope);
    if !is_granted(asked.scope) && !asked.former_scope.is_some_and(is_granted) {
        let detail = format!("the access token lacks the scope {}", asked.scope);
        let answered = Some(("insufficient_scope", detail.as_str()));
        let challenge = scheme.challenge(host, answered, Some(asked.scope));
        return Err(Problem::from(Error::insufficient_scope(detail)).challenge(&challenge));
    }
    if !asked.subject_types.contains(&claims.subject_type) {
        return Err(Error::forbidden("this kind of caller is not accepted here").into());
    }
    // The key that was exchanged is the application's to use; it acts for no person.
    if claims.act.is_some() && !asked.accepts_delegation && !claims.is_of_api_key() {
        return Err(Error::forbidden("a delegated access token is not accepted here").into());
    }
    Ok(())
}

/// A token that is valid at another tenant is answered like an unknown id; any other is invalid.
async fn refused_or_foreign(host: &HostCx, sent: &Credential<'_>, error: Error) -> Problem {
    if let Some(issuer) = claimed_issuer(sent.token)
        && issuer != host.tenant.issuer
        && let Some(name) = url::Url::parse(&issuer).ok().as_ref().and_then(url::Url::host_str)
        && let Ok(other) = host.app.services.tenants.at_host(name).await
        && other.issuer == issuer
        && access_token::verify(&host.app.services.keys.ring(other.id), sent.token, &issuer, host.cx.now)
            .is_ok()
    {
        return Error::unknown_id().into();
    }
    let refused = Error::unauthorized("the access token is not valid or has expired").caused_by(error);
    invalid(host, sent.scheme, refused)
}

/// What the token says of its issuer, unproven: only chooses between two refusals.
fn claimed_issuer(token: &str) -> Option<String> {
    let payload = from_base64url(token.split('.').nth(1)?)?;
    let claims: serde_json::Value = serde_json::from_slice(&payload).ok()?;
    claims.get("iss")?.as_str().map(str::to_owned)
}

fn missing(host: &HostCx, error: Error) -> Problem {
    Problem::from(error).challenge(&Scheme::Bearer.challenge(host, None, None))
}

fn invalid(host: &HostCx, scheme: Scheme, error: Error) -> Problem {
    let challenge = scheme.challenge(host, Some(("invalid_token", error.detail())), None);
    Problem::from(error).challenge(&challenge)
}

/// The refusals of rule 10; that the store of used proofs is out of reach is none of them.
fn unproven(host: &HostCx, scheme: Scheme, error: Error) -> Problem {
    match error.class() {
        Class::InvalidToken => invalid(host, scheme, error.reclass(Class::Unauthorized)),
        class if class.status() == 401 => {
            let challenge = Scheme::Dpop.challenge(host, Some((class.code(), error.detail())), None);
            Problem::from(error).challenge(&challenge)
        }
        _ => error.into(),
    }
}
