//! DPoP proofs (RFC 9449 §4): a signature over method and address shows that the sender of a request holds a key.

use svc_core::{Class, Error, Result, Seconds, Timestamp};
use url::Url;

use crate::encoding::array_from_base64url;
use crate::jose::{Algorithm, Claims, Jws};
use crate::{base64url, sha256};

/// The algorithms that a proof may be signed with.
const ALGORITHMS: &[Algorithm] = &[Algorithm::Es256, Algorithm::EdDsa, Algorithm::Ps256];

/// Their names as they are published; `Ed25519` and `EdDSA` are the same.
pub const ALGORITHM_NAMES: &[&str] = &["ES256", "EdDSA", "Ed25519", "PS256"];

const TYP: &str = "dpop+jwt";
const LONGEST_JTI: usize = 256;
const LONGEST_NONCE: usize = 256;
const LONGEST_URL: usize = 2048;

/// What a proof has to fit.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// The method of the request.
    pub method: &'a str,
    /// The address that the request was made to, as it is published.
    pub url: &'a str,
    /// The access token that the request carries, at resources.
    pub access_token: Option<&'a str>,
    /// Now.
    pub now: Timestamp,
    /// The oldest proof that counts.
    pub max_age: Seconds,
    /// How far the sender's clock may be ahead.
    pub ahead: Seconds,
}

/// A proof that fits its request. Whether it was seen before is for the caller to find out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The thumbprint of the key (RFC 7638).
    pub jkt: String,
    /// The proof's id, chosen by its sender.
    pub jti: String,
    /// When it was made.
    pub iat: Timestamp,
    /// The server's nonce that it carries, if any.
    pub nonce: Option<String>,
}

/// Verifies `proof` by every rule of RFC 9449 §4.3 that needs no memory.
pub fn verify(proof: &str, expected: &Expected<'_>) -> Result<Proof> {
    let (jws, key) = Jws::parse_with_key(proof, TYP, ALGORITHMS).map_err(|cause| {
        refused("is malformed, of another type, or without a fitting public key and algorithm")
            .caused_by(cause)
    })?;
    let claims =
        jws.verify(&key).map_err(|cause| refused("has a signature that does not verify").caused_by(cause))?;
    if claims.text("htm") != Some(expected.method) {
        return Err(refused("is for another method (htm)"));
    }
    if !claims.text("htu").is_some_and(|htu| is_same_url(htu, expected.url)) {
        return Err(refused("is for another address (htu)"));
    }
    if expected.access_token.is_some_and(|token| claims.text("ath") != Some(ath(token).as_str())) {
        return Err(refused("is for another access token (ath)"));
    }
    let iat = check_time(&claims, expected)?;
    let jti = claims.text("jti").filter(|jti| (1..=LONGEST_JTI).contains(&jti.len()));
    let jti = jti.ok_or_else(|| refused("has no jti of 1 to 256 bytes"))?.to_owned();
    Ok(Proof { jkt: key.thumbprint(), jti, iat, nonce: nonce(&claims)? })
}

/// The `ath` claim of a proof for this access token (RFC 9449 §4.2).
pub fn ath(access_token: &str) -> String {
    base64url(sha256(access_token.as_bytes()))
}

/// Whether this could be the thumbprint of a key, as the parameter `dpop_jkt` holds one (RFC 9449 §10).
pub fn is_thumbprint(text: &str) -> bool {
    array_from_base64url::<32>(text).is_some()
}

/// `iat` decides; `nbf` and `exp` are no part of a proof, but hold where a sender puts them in.
fn check_time(claims: &Claims, expected: &Expected<'_>) -> Result<Timestamp> {
    let Expected { now, max_age, ahead, .. } = *expected;
    let time = |name| claims.time(name).map_err(|error| error.reclass(Class::InvalidDpopProof));
    let iat = time("iat")?.ok_or_else(|| refused("has no iat"))?;
    let is_ahead = |time: Timestamp| time > now + ahead;
    if iat + max_age < now || is_ahead(iat) {
        return Err(refused("was not made just now (iat)"));
    }
    if time("nbf")?.is_some_and(is_ahead) || time("exp")?.is_some_and(|exp| exp + ahead <= now) {
        return Err(refused("is not valid at this time (nbf, exp)"));
    }
    Ok(iat)
}

fn nonce(claims: &Claims) -> Result<Option<String>> {
    if claims.member("nonce").is_none() {
        return Ok(None);
    }
    let nonce = claims.text("nonce").filter(|nonce| nonce.len() <= LONGEST_NONCE);
    nonce.map(|nonce| Some(nonce.to_owned())).ok_or_else(|| refused("has a malformed nonce"))
}

/// Equality after normalisation (RFC 3986 §6.2.2, §6.2.3), without query and fragment.
fn is_same_url(htu: &str, url: &str) -> bool {
    htu == url || normal(htu).zip(normal(url)).is_some_and(|(htu, url)| htu == url)
}

/// The parser would pass over white space and read a backslash as a slash; no honest client writes such an address.
fn normal(text: &str) -> Option<Url> {
    let is_plain =
        text.len() <= LONGEST_URL && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    let mut url = Url::parse(text).ok().filter(|_| is_plain)?;
    url.set_query(None);
    url.set_fragment(None);
    let path = with_plain_escapes(url.path());
    url.set_path(&path);
    (url.username().is_empty() && url.password().is_none()).then_some(url)
}

/// A path in which what needs no escape has none, and other escapes are in upper case.
fn with_plain_escapes(path: &str) -> String {
    let mut parts = path.split('%');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        if let Some(char) = unreserved(digits) {
            plain.push(char);
        } else {
            plain.push('%');
            plain.push_str(&digits.to_ascii_uppercase());
        }
        plain.push_str(rest);
    }
    plain
}

/// The character that two hexadecimal digits stand for, where it needs no escape (RFC 3986 §2.3).
fn unreserved(digits: &str) -> Option<char> {
    let is_hex = digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let byte = u8::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
    (byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)).then_some(char::from(byte))
}

#[track_caller]
fn refused(why: &str) -> Error {
    Error::invalid_dpop_proof(format!("the DPoP proof {why}"))
}

#[cfg(test)]
mod tests;
