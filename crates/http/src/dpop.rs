//! DPoP at our endpoints (RFC 9449 §5, §7, §8): one header, verified against the published address, accepted once.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use svc_core::{Error, Result, Seconds, Timestamp};
use svc_db::coordination::{NODE_SKEW, Once};
use svc_keys::dpop::{self, Expected};

pub use svc_keys::dpop::{ALGORITHM_NAMES, Proof};

use crate::app::App;
use crate::context::HostCx;

/// The header that a proof comes in.
pub(crate) const HEADER: HeaderName = HeaderName::from_static("dpop");
/// The header that a nonce goes out in.
pub(crate) const NONCE: HeaderName = HeaderName::from_static("dpop-nonce");

/// A request as far as a proof covers it.
#[derive(Clone, Copy)]
pub struct Covered<'a> {
    /// Its headers.
    pub headers: &'a HeaderMap,
    /// Its method.
    pub method: &'a Method,
    /// Its path.
    pub path: &'a str,
}

/// The proof of a request to the published address `url`, if it brings one. It counts as soon as it is noted ([`once`]).
pub fn proof(host: &HostCx, headers: &HeaderMap, method: &Method, url: &str) -> Result<Option<Proof>> {
    let Some(text) = header(headers)? else { return Ok(None) };
    verified(host, text, &(method, url, None)).map(Some)
}

/// Holds a request with an access token against the key that the token is bound to (RFC 9449 §7.1).
pub(crate) async fn check_key(host: &HostCx, covered: &Covered<'_>, token: &str, jkt: &str) -> Result<()> {
    let absent = || Error::invalid_dpop_proof("the request needs a DPoP proof");
    let text = header(covered.headers)?.ok_or_else(absent)?;
    let url = format!("{}{}", host.origin(), covered.path);
    let proof = verified(host, text, &(covered.method, &url, Some(token)))?;
    if proof.jkt != jkt {
        return Err(Error::invalid_dpop_proof("the access token is bound to another key than the proof's"));
    }
    accept(host, &proof).await
}

/// A nonce to answer with, where the deployment asks for them.
pub(crate) fn fresh_nonce(app: &App) -> Option<HeaderValue> {
    if !app.config.dpop.nonce_required {
        return None;
    }
    let cx = app.cx(String::new(), None);
    let sealed = app.proof_nonces.seal(&[], &cx.now.as_micros().to_be_bytes(), &cx).ok()?;
    HeaderValue::try_from(svc_keys::base64url(sealed)).ok()
}

fn header(headers: &HeaderMap) -> Result<Option<&str>> {
    let mut fields = headers.get_all(HEADER).iter();
    let Some(field) = fields.next() else { return Ok(None) };
    if fields.next().is_some() {
        return Err(Error::invalid_dpop_proof("dpop: send this header once"));
    }
    let text =
        field.to_str().map_err(|_| Error::invalid_dpop_proof("dpop: send a proof, which is a signed JWT"))?;
    Ok(Some(text.trim()))
}

fn verified(host: &HostCx, text: &str, of: &(&Method, &str, Option<&str>)) -> Result<Proof> {
    let (method, url, access_token) = *of;
    let config = &host.app.config.dpop;
    let at = |url: &str| {
        let expected = Expected {
            method: method.as_str(),
            url,
            access_token,
            now: host.cx.now,
            max_age: config.proof_max_age_secs,
            ahead: config.clock_skew_secs,
        };
        dpop::verify(text, &expected)
    };
    // An endpoint has a second address where clients are asked for certificates (RFC 8705 §5).
    let proof = at(url).or_else(|error| match alias(host, url) {
        Some(alias) => at(&alias).map_err(|_| error),
        None => Err(error),
    })?;
    if config.nonce_required && !proof.nonce.as_deref().is_some_and(|nonce| is_current(host, nonce)) {
        return Err(Error::use_dpop_nonce("put the nonce of the DPoP-Nonce header into the proof"));
    }
    Ok(proof)
}

fn alias(host: &HostCx, url: &str) -> Option<String> {
    let path = url.strip_prefix(host.origin())?;
    host.tenant.mtls_origin(&host.app.config).map(|origin| format!("{origin}{path}"))
}

fn is_current(host: &HostCx, nonce: &str) -> bool {
    let opened = svc_keys::from_base64url(nonce).and_then(|sealed| host.app.proof_nonces.open(&[], &sealed));
    let made_at = opened.and_then(|bytes| bytes.try_into().ok()).map(i64::from_be_bytes);
    let lifetime = host.app.config.dpop.nonce_lifetime_secs;
    made_at
        .map(Timestamp::from_micros)
        .is_some_and(|made_at| made_at <= host.cx.now + NODE_SKEW && host.cx.now < made_at + lifetime)
}

/// Notes the proof. Without the store it is unknown whether a proof is new, and it is refused.
async fn accept(host: &HostCx, proof: &Proof) -> Result<()> {
    let is_new = host.app.coordination.note(&once(host, proof), host.cx.now).await?;
    if is_new { Ok(()) } else { Err(used()) }
}

/// The note of a proof, for as long as it could be used again. The key is part of the note, so that one sender cannot use up
/// another sender's ids.
pub fn once(host: &HostCx, proof: &Proof) -> Once {
    let config = &host.app.config.dpop;
    let note = svc_keys::sha256(format!("{} {} {}", host.tenant.id, proof.jkt, proof.jti).as_bytes());
    let key = format!("dpop {}", svc_keys::base64url(note));
    let ttl = Seconds(config.proof_max_age_secs.0 + config.clock_skew_secs.0);
    Once::between(key, proof.iat - config.clock_skew_secs, host.cx.now + ttl)
}

/// The refusal of a proof whose note is there already.
#[track_caller]
pub fn used() -> Error {
    Error::invalid_dpop_proof("the DPoP proof was used before (jti)")
}
