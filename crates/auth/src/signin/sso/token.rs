//! ID tokens of providers (OpenID Connect Core §3.1.3.7): whose, for whom, for which sign-in, and until when.

use serde_json::Value;
use svc_core::{Error, Result, Seconds};
use svc_domain::federation::sso::Connection;
use svc_http::HostCx;
use svc_keys::constant_time_eq;
use svc_keys::jose::{Algorithm, Claims, Jws};

use super::provider::Metadata;
use super::said::{Said, Vouched};
use crate::clients::ClientKeys;

/// How far the clock of a provider may be off.
const SKEW: Seconds = Seconds(60);
/// Longest address that is read.
const LONGEST: usize = 320;
/// Most groups that are read.
const MOST_GROUPS: usize = 1000;

/// What an ID token says, once it is shown to be the provider's word for this sign-in.
pub async fn read(
    host: &HostCx,
    connection: &Connection,
    (metadata, nonce): (&Metadata, &str),
    token: &str,
) -> Result<Said> {
    let jws = Jws::parse(token, Algorithm::ALL)?;
    if !jws.is_untyped() && !jws.is_typ("JWT") {
        return Err(wrong("typ"));
    }
    let published = host.app.part::<ClientKeys>()?.published(host, metadata.jwks_uri.clone(), &jws).await?;
    let keys = published.of(&metadata.jwks_uri).ok_or_else(|| wrong("keys"))?;
    let claims = keys.verify(&jws)?;
    check(host, connection, &claims, nonce)?;
    said(connection, &claims)
}

fn check(host: &HostCx, connection: &Connection, claims: &Claims, nonce: &str) -> Result<()> {
    let configuration = &connection.configuration;
    let (now, client_id) = (host.cx.now, configuration.client_id.as_str());
    if claims.text("iss") != Some(&configuration.issuer) {
        return Err(wrong("iss"));
    }
    let is_for_us = claims.audiences().any(|audience| audience == client_id);
    let is_for_others = claims.audiences().any(|audience| audience != client_id);
    let azp = claims.text("azp");
    if !is_for_us || (is_for_others && azp.is_none()) || azp.is_some_and(|azp| azp != client_id) {
        return Err(wrong("aud"));
    }
    if claims.required_time("exp")? + SKEW <= now || claims.required_time("iat")? > now + SKEW {
        return Err(wrong("exp"));
    }
    if !constant_time_eq(claims.text("nonce").unwrap_or_default().as_bytes(), nonce.as_bytes()) {
        return Err(wrong("nonce"));
    }
    Ok(())
}

fn said(connection: &Connection, claims: &Claims) -> Result<Said> {
    let configuration = &connection.configuration;
    let subject =
        claims.text("sub").filter(|sub| (1..=255).contains(&sub.len())).ok_or_else(|| wrong("sub"))?;
    let line = |name: &str| {
        let text = claims.text(name)?.trim();
        ((1..=LONGEST).contains(&text.len()) && !text.chars().any(char::is_control)).then(|| text.to_owned())
    };
    let vouched = Vouched {
        connection: connection.id,
        issuer: configuration.issuer.clone(),
        subject: subject.to_owned(),
        sid: claims.text("sid").filter(|sid| sid.len() <= 255).map(str::to_owned),
        is_strong: configuration.trusted_assurance && has_second_factor(claims),
    };
    let mapping = &configuration.claims;
    Ok(Said {
        vouched,
        email: line(&mapping.email),
        name: line(&mapping.name),
        groups: claims.member(&mapping.groups).map(groups),
    })
}

/// Whether the provider says that it saw several factors (RFC 8176 §2).
fn has_second_factor(claims: &Claims) -> bool {
    let amr = claims.member("amr").and_then(Value::as_array);
    amr.is_some_and(|amr| amr.iter().any(|value| value == "mfa"))
}

fn groups(value: &Value) -> Vec<String> {
    let many = value.as_array().into_iter().flatten();
    many.chain([value]).filter_map(Value::as_str).take(MOST_GROUPS).map(str::to_owned).collect()
}

#[track_caller]
fn wrong(what: &str) -> Error {
    Error::conflict(format!("the provider's ID token: {what}"))
}
