//! Tokens of providers (OpenID Connect Core §3.1.3.7): whose, for whom, for which sign-in, and until when.

use svc_core::{Class, Error, Result};
use svc_http::HostCx;
use svc_keys::constant_time_eq;
use svc_keys::jose::{Algorithm, Claims, Jws, at_hash};

use super::freshness::SKEW;
use super::metadata::Metadata;
use super::registration::Registration;
use crate::clients::ClientKeys;

/// What stands for the directory in the name of a provider that has many.
const DIRECTORY: &str = "{tenantid}";

/// What an ID token says, once it is shown to be the provider's word for this sign-in, and for the access token that came with it.
pub async fn read(
    host: &HostCx,
    client: &Registration,
    (metadata, nonce): (&Metadata, &str),
    (token, access_token): (&str, Option<&str>),
) -> Result<Claims> {
    let claims = verified(host, client, metadata, (token, &["JWT"])).await?;
    if !constant_time_eq(claims.text("nonce").unwrap_or_default().as_bytes(), nonce.as_bytes()) {
        return Err(wrong("nonce"));
    }
    if let (Some(said), Some(access_token)) = (claims.text("at_hash"), access_token) {
        let algorithm = Jws::parse_of_provider(token, Algorithm::ALL)?.algorithm();
        if said != at_hash(algorithm, access_token) {
            return Err(wrong("at_hash"));
        }
    }
    Ok(claims)
}

/// What a token says that the provider has signed for this client and that counts now; `types` are those that its header may name.
pub async fn verified(
    host: &HostCx,
    client: &Registration,
    metadata: &Metadata,
    (token, types): (&str, &[&str]),
) -> Result<Claims> {
    let jws = Jws::parse_of_provider(token, Algorithm::ALL)?;
    if !jws.is_untyped_or(types) {
        return Err(wrong("typ"));
    }
    let at = (client.chosen_by, metadata.jwks_uri.clone());
    let published = host
        .app
        .part::<ClientKeys>()?
        .published(host, at, &jws)
        .await
        .map_err(|error| without_keys(error))?;
    let keys = published.of(&metadata.jwks_uri).ok_or_else(|| wrong("keys"))?;
    let claims = keys.verify(&jws)?;
    check(host, client, &claims)?;
    Ok(claims)
}

fn check(host: &HostCx, client: &Registration, claims: &Claims) -> Result<()> {
    let (now, client_id) = (host.cx.now, client.client_id.as_str());
    if claims.text("iss").is_none_or(|iss| !is_of(client.issuer(), claims.text("tid"), iss)) {
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
    Ok(())
}

/// Whether an issuer is the provider, by the directory that the token names where the provider has many.
fn is_of(name: &str, directory: Option<&str>, iss: &str) -> bool {
    if !name.contains(DIRECTORY) {
        return name == iss;
    }
    let is_id = |id: &&str| id.len() == 36 && id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    directory.filter(is_id).is_some_and(|directory| name.replace(DIRECTORY, directory) == iss)
}

/// No key can be looked at: neither the token nor the person is at fault.
#[track_caller]
fn without_keys(cause: Error) -> Error {
    let text = "the provider's keys: its jwks_uri gives none that are usable";
    Error::new(Class::TemporarilyUnavailable, text).caused_by(cause)
}

#[track_caller]
fn wrong(what: &str) -> Error {
    Error::conflict(format!("the provider's token: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_of_many_directories_is_named_by_the_one_in_the_token() {
        let name = "https://login.example/{tenantid}/v2.0";
        let (one, other) = ("9188040d-6c67-4c5b-b112-36a304b66dad", "72f988bf-86f1-41af-91ab-2d7cd011db47");
        let of = |directory: &str| name.replace(DIRECTORY, directory);
        assert!(is_of(name, Some(one), &of(one)));
        for (directory, iss) in [
            (Some(other), of(one)),
            (None, of(one)),
            (Some("x/../evil"), of("x/../evil")),
            (Some(DIRECTORY), of(DIRECTORY)),
        ] {
            assert!(!is_of(name, directory, &iss), "{directory:?} {iss}");
        }
        assert!(is_of("https://a.example", None, "https://a.example"));
        assert!(!is_of("https://a.example", None, "https://a.example/"));
    }
}
