//! Signed backchannel requests (OpenID CIBA §7.1.1): everything is inside, and the object says everything about itself.

use svc_core::capability::Capability;
use svc_core::{Class, Error, Result, Seconds};
use svc_db::coordination::Once;
use svc_domain::apps::App;
use svc_http::{HostCx, Params};
use svc_keys::Claims;

use crate::authorize::{object_parameters, verified_object};
use crate::clients::CREDENTIALS;

/// What an object must say about itself; whom it is for is checked with its signature.
const REQUIRED: [&str; 6] = ["iss", "aud", "exp", "iat", "nbf", "jti"];
/// Longest time between the start and the end of an object's life.
const LONGEST_LIFE: Seconds = Seconds(3600);

/// How far a client's clock may be ahead of ours.
const AHEAD: Seconds = Seconds(10);

/// The parameters that count: those of the request object, if there is one. Every fault of it is an `invalid_request`.
pub(super) async fn unfolded(host: &HostCx, app: &App, params: &Params) -> Result<Params> {
    let Some(object) = params.one("request") else {
        if app.configuration.require_signed_request_object {
            return Err(Error::invalid_request(
                "request: this application signs its requests; send a request object",
            ));
        }
        return Ok(params.clone());
    };
    if !host.offers_to(app, &Capability::JAR) {
        return Err(Error::invalid_request("request: this parameter is not offered here"));
    }
    let is_known = |name: &str| name == "request" || name == "client_id" || CREDENTIALS.contains(&name);
    if let Some((name, _)) = params.iter().find(|(name, value)| !is_known(name) && !value.is_empty()) {
        return Err(Error::invalid_request(format!("{name}: put it into the request object")));
    }
    if !app.has_keys() {
        return Err(Error::invalid_request(
            "the application has registered no keys to verify a request with",
        ));
    }
    opened(host, app, object).await.map_err(|error| match error.class() {
        Class::ServerError | Class::TemporarilyUnavailable => error,
        _ => error.reclass(Class::InvalidRequest),
    })
}

async fn opened(host: &HostCx, app: &App, object: &str) -> Result<Params> {
    let registered = &app.configuration;
    let only =
        registered.backchannel_authentication_request_signing_alg.or(registered.request_object_signing_alg);
    let claims = verified_object(host, app, (object, only)).await?;
    check(host, &claims)?;
    spend(host, app, &claims).await?;
    object_parameters(app, claims)
}

fn check(host: &HostCx, claims: &Claims) -> Result<()> {
    if let Some(missing) = REQUIRED.iter().find(|name| claims.member(name).is_none()) {
        return Err(Error::invalid_request(format!("the request object lacks {missing}")));
    }
    let (from, until, now) = (claims.required_time("nbf")?, claims.required_time("exp")?, host.cx.now);
    claims.required_time("iat")?;
    if until > from + LONGEST_LIFE || from < now - LONGEST_LIFE {
        return Err(Error::invalid_request("the request object lives longer than an hour"));
    }
    Ok(())
}

/// An object asks once: one that was found in a log cannot ask again.
async fn spend(host: &HostCx, app: &App, claims: &Claims) -> Result<()> {
    let jti = claims.text("jti").filter(|jti| !jti.is_empty());
    let jti = jti.ok_or_else(|| Error::invalid_request("jti: give a text"))?;
    // It is accepted from `nbf` on, or a little earlier.
    let (since, until) = (claims.required_time("nbf")? - AHEAD, claims.required_time("exp")?);
    let key =
        format!("ciba jti {} {} {}", host.tenant.id, app.id, svc_keys::base64url(svc_keys::digest(jti).0));
    if host.app.coordination.note(&Once::between(key, since, until), host.cx.now).await? {
        Ok(())
    } else {
        Err(Error::invalid_request("the request object was used before"))
    }
}
