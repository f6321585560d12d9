//! The access-token contract: the specification's ten rules, in their order.

use std::sync::Arc;

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use svc_core::{Actor, Error};
use svc_domain::access_token::{self, Claims, SubjectType};
use svc_domain::tenants::Tenant;
use svc_keys::from_base64url;

use super::Declared;
use crate::app::App;
use crate::arrival::Arrival;
use crate::context::{HostCx, PlainCx, TenantCx};
use crate::render::{Problem, printable};

/// What a tenant route asks of a token.
struct Asked<'a> {
    scope: &'static str,
    subject_types: &'static [SubjectType],
    accepts_delegation: bool,
    tenant: &'a Tenant,
}

/// Resolves the tenant of the host that was called.
pub(super) async fn host(app: &App, arrival: &Arc<Arrival>) -> Result<HostCx, Problem> {
    let tenant = app.services.tenants.at_host(&arrival.host).await?;
    Ok(HostCx { cx: app.cx_of(arrival), tenant, app: app.clone(), arrival: Arc::clone(arrival) })
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
    let asked = Asked {
        scope,
        subject_types: declared.subject_types,
        accepts_delegation: declared.accepts_delegation,
        tenant: &host.tenant,
    };
    let claims = admit(&host, &asked, &parts.headers).await?;
    let actor = match claims.subject_type {
        SubjectType::System => Actor::App(claims.client_id.clone()),
        _ => Actor::User(claims.sub.clone()),
    };
    let cx = host.cx.acting_as(actor);
    Ok(TenantCx { cx, tenant: host.tenant, claims: Arc::new(claims), app: host.app, route: declared.path })
}

/// Whether the request carries a service token with `scope`, for routes that have another credential too.
pub(crate) async fn is_service_token(
    app: &App,
    arrival: &Arc<Arrival>,
    headers: &HeaderMap,
    scope: &'static str,
) -> bool {
    let Ok(host) = host(app, arrival).await else { return false };
    let asked = Asked {
        scope,
        subject_types: &[SubjectType::System],
        accepts_delegation: false,
        tenant: &host.tenant,
    };
    admit(&host, &asked, headers).await.is_ok()
}

/// The challenge of a tenant's APIs (RFC 6750 §3, RFC 9728 §5.1).
pub fn challenge(tenant: &Tenant, error: Option<(&str, &str)>, scope: Option<&str>) -> String {
    let issuer = &tenant.issuer;
    let error =
        error.map(|(code, why)| format!(" error=\"{code}\", error_description=\"{}\",", printable(why)));
    let scope = scope.map(|scope| format!(" scope=\"{scope}\","));
    format!(
        "Bearer realm=\"{issuer}\",{}{} resource_metadata=\"{issuer}/.well-known/oauth-protected-resource\"",
        error.unwrap_or_default(),
        scope.unwrap_or_default()
    )
}

async fn admit(host: &HostCx, asked: &Asked<'_>, headers: &HeaderMap) -> Result<Claims, Problem> {
    let tenant = asked.tenant;
    // 1: the token is read from the header.
    let token = bearer(headers).map_err(|error| missing(tenant, error))?;
    // 2, 3, 5: signature, issuer, time.
    let services = &host.app.services;
    let ring = services.keys.ring();
    let claims = match access_token::verify(&ring, token, &tenant.issuer, host.cx.now) {
        Ok(claims) => claims,
        Err(error) => return Err(refused_or_foreign(host, token, error).await),
    };
    // 4: the audience; and what was taken back before its time.
    if claims.aud != tenant.api_audience() {
        return Err(invalid(tenant, Error::unauthorized("the access token is for another audience")));
    }
    if services.revocations.is_revoked(&claims) {
        return Err(invalid(tenant, Error::unauthorized("the access token was revoked")));
    }
    // 6: the tenant, before anything that would tell what the caller may do.
    if claims.tenant_id != tenant.id.reference() {
        return Err(unknown().into());
    }
    within_its_powers(asked, &claims)?;
    // 10: a bound token is no bearer token.
    if claims.cnf.is_some() {
        return Err(invalid(
            tenant,
            Error::unauthorized("the access token is bound to a key and needs its proof"),
        ));
    }
    Ok(claims)
}

/// Rules 7, 8 and 9: scope, subject type, delegation.
fn within_its_powers(asked: &Asked<'_>, claims: &Claims) -> Result<(), Problem> {
    if !claims.scope.has(asked.scope) {
        let detail = format!("the access token lacks the scope {}", asked.scope);
        let challenge = challenge(asked.tenant, Some(("insufficient_scope", &detail)), Some(asked.scope));
        return Err(Problem::from(Error::insufficient_scope(detail)).challenge(&challenge));
    }
    if !asked.subject_types.contains(&claims.subject_type) {
        return Err(Error::forbidden("this kind of caller is not accepted here").into());
    }
    if claims.act.is_some() && !asked.accepts_delegation {
        return Err(Error::forbidden("a delegated access token is not accepted here").into());
    }
    Ok(())
}

/// A token that is valid at another tenant is told what an unknown id would be told; any other is invalid.
async fn refused_or_foreign(host: &HostCx, token: &str, error: Error) -> Problem {
    if let Some(issuer) = claimed_issuer(token)
        && issuer != host.tenant.issuer
        && let Some(name) = url::Url::parse(&issuer).ok().as_ref().and_then(url::Url::host_str)
        && let Ok(other) = host.app.services.tenants.at_host(name).await
        && other.issuer == issuer
        && access_token::verify(&host.app.services.keys.ring(), token, &issuer, host.cx.now).is_ok()
    {
        return unknown().into();
    }
    let refused = Error::unauthorized("the access token is not valid or has expired").caused_by(error);
    invalid(&host.tenant, refused)
}

/// What the token says of its issuer, unproven: only chooses between two refusals.
fn claimed_issuer(token: &str) -> Option<String> {
    let payload = from_base64url(token.split('.').nth(1)?)?;
    let claims: serde_json::Value = serde_json::from_slice(&payload).ok()?;
    claims.get("iss")?.as_str().map(str::to_owned)
}

/// The one bearer token of the `Authorization` header (RFC 6750 §2.1).
pub fn bearer(headers: &HeaderMap) -> Result<&str, Error> {
    let absent = || Error::unauthorized("an access token is required");
    let mut fields = headers.get_all(AUTHORIZATION).iter();
    let field = fields.next().ok_or_else(absent)?;
    if fields.next().is_some() {
        return Err(Error::unauthorized("there is more than one Authorization header"));
    }
    let (scheme, token) = field.to_str().ok().and_then(|field| field.split_once(' ')).ok_or_else(absent)?;
    let token = token.trim_matches(' ');
    if scheme.eq_ignore_ascii_case("bearer") && !token.is_empty() { Ok(token) } else { Err(absent()) }
}

fn missing(tenant: &Tenant, error: Error) -> Problem {
    Problem::from(error).challenge(&challenge(tenant, None, None))
}

fn invalid(tenant: &Tenant, error: Error) -> Problem {
    let challenge = challenge(tenant, Some(("invalid_token", error.detail())), None);
    Problem::from(error).challenge(&challenge)
}

fn unknown() -> Error {
    Error::not_found("no record has this id")
}
