//! Signed request objects (RFC 9101, FAPI 2.0 Message Signing §5.3): what is signed counts, and nothing else.

use serde_json::Value;
use svc_core::capability::Capability;
use svc_core::{Class, Error, Result, Seconds, Timestamp};
use svc_domain::apps::App;
use svc_http::{HostCx, Params};
use svc_keys::{Algorithm, Claims, Jws};

use crate::clients;

/// The `typ` values of a request object (RFC 9101 §10.8).
const TYPES: [&str; 2] = ["oauth-authz-req+jwt", "JWT"];
/// What the token says about itself, and not about the request.
const ABOUT_ITSELF: [&str; 7] = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"];
/// How far an application's clock may be ahead of ours.
const AHEAD: Seconds = Seconds(10);
/// Longest that the object of a strict application may live, and oldest that it may be.
const LONGEST_LIFE: Seconds = Seconds(3600);

/// The parameters that count: those of the request object, if there is one.
pub async fn unfolded(host: &HostCx, app: &App, params: &Params) -> Result<Params> {
    let Some(object) = params.one("request") else {
        if app.configuration.require_signed_request_object {
            return Err(Error::invalid_request(
                "request: this application signs its requests; send a request object",
            ));
        }
        return Ok(params.clone());
    };
    if !host.offers_to(app, &Capability::JAR) {
        return Err(Error::request_not_supported("request: this parameter is not offered here"));
    }
    if params.one("request_uri").is_some() {
        return Err(Error::invalid_request("request, request_uri: send one of them"));
    }
    if !app.has_keys() {
        return Err(Error::request_not_supported(
            "the application has registered no keys to verify a request with",
        ));
    }
    let only = app.configuration.request_object_signing_alg;
    let claims = verified(host, app, (object, only)).await?;
    parameters(app, claims)
}

/// The claims of a request object that the application signed for us; where it has registered an algorithm for that, by this one alone.
pub async fn verified(host: &HostCx, app: &App, (object, only): (&str, Option<Algorithm>)) -> Result<Claims> {
    let checked = async {
        let jws = Jws::parse(object, Algorithm::ALL)?;
        if !allows(app, &jws, only) {
            return Err(wrong("is of another type or algorithm than the application's"));
        }
        let claims = clients::verified(host, app, &jws).await?;
        check(app, &host.tenant.issuer, &claims, host.cx.now)?;
        Ok(claims)
    };
    checked.await.map_err(|error: Error| {
        let is_ours = error.class().status() >= 500;
        if is_ours { error } else { error.reclass(Class::InvalidRequestObject) }
    })
}

fn allows(app: &App, jws: &Jws<'_>, only: Option<Algorithm>) -> bool {
    let is_allowed = app.signature_algorithms().contains(&jws.algorithm());
    jws.is_untyped_or(&TYPES) && is_allowed && only.is_none_or(|only| only == jws.algorithm())
}

fn check(app: &App, issuer: &str, claims: &Claims, now: Timestamp) -> Result<()> {
    let client_id = app.client_id();
    let is_own = |name: &str| claims.member(name).is_none_or(|value| *value == *client_id);
    if !is_own("iss") || !is_own("client_id") {
        return Err(wrong("is of another client"));
    }
    // With a subject it could be presented as a client assertion (RFC 9101 §10.8).
    if claims.member("sub").is_some() {
        return Err(wrong("has a subject"));
    }
    if claims.member("request").is_some() || claims.member("request_uri").is_some() {
        return Err(wrong("holds another one"));
    }
    // It may name others too (RFC 7519 §4.1.3, FAPI 2.0 Message Signing §5.3.1): unlike an assertion it proves nothing about its sender.
    if (claims.member("aud").is_some() || app.is_fapi2()) && !claims.has_audience(issuer) {
        return Err(wrong("is meant for another audience"));
    }
    check_time(app, claims, now)
}

fn check_time(app: &App, claims: &Claims, now: Timestamp) -> Result<()> {
    if claims.time("exp")?.is_some_and(|exp| exp <= now) {
        return Err(wrong("has expired"));
    }
    for name in ["nbf", "iat"] {
        if claims.time(name)?.is_some_and(|time| time > now + AHEAD) {
            return Err(wrong("is of the future"));
        }
    }
    if app.is_fapi2() {
        let (from, until) = (claims.required_time("nbf")?, claims.required_time("exp")?);
        if from < now - LONGEST_LIFE || until > from + LONGEST_LIFE {
            return Err(wrong("lives longer than an hour"));
        }
    }
    Ok(())
}

/// What the claims of a verified request object ask for.
pub fn parameters(app: &App, claims: Claims) -> Result<Params> {
    let mut params = vec![("client_id".to_owned(), app.client_id())];
    for (name, value) in claims.into_map() {
        if name == "client_id" || ABOUT_ITSELF.contains(&name.as_str()) {
            continue;
        }
        let value = match value {
            Value::Null => continue,
            Value::String(text) => text,
            // One resource is written as a list of one by those who follow RFC 8707 §2 to the letter.
            Value::Array(list) if name == "resource" => match list.as_slice() {
                [Value::String(only)] => only.clone(),
                _ => return Err(Error::invalid_target("resource: one can be asked for at a time")),
            },
            other => other.to_string(),
        };
        params.push((name, value));
    }
    Ok(params.into_iter().collect())
}

#[track_caller]
fn wrong(how: &str) -> Error {
    Error::new(Class::InvalidRequestObject, format!("the request object {how}"))
}
