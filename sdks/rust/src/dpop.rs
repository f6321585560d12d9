//! Proofs of possession as an API judges them (RFC 9449 §4.3).

use reqwest::Url;

use crate::jwt::Jws;
use crate::{Claims, Error, PublicKey, Request, VerifierConfig, digest_of};

/// The algorithms of proofs that are taken, those of the server; `Ed25519` and `EdDSA` are the same.
#[cfg(feature = "tower")]
pub(crate) const ALGORITHMS: [&str; 4] = ["ES256", "EdDSA", "Ed25519", "PS256"];

const LONGEST_JTI: usize = 256;

/// Verifies the proof of a request with a token that is bound to a key.
pub(crate) async fn check(
    config: &VerifierConfig,
    request: Request<'_>,
    token: &str,
    jkt: &str,
) -> Result<(), Error> {
    let claims = signed(request, jkt)?;
    let is_here = claims.text("htu").and_then(normal).is_some_and(|htu| normal(request.url) == Some(htu));
    if claims.text("htm") != Some(request.method) || !is_here {
        return Err(Error::invalid_proof("the proof is for another method or address"));
    }
    if claims.text("ath") != Some(&digest_of(token)) {
        return Err(Error::invalid_proof("the proof is for another access token"));
    }
    check_once(config, &claims, jkt).await
}

/// The claims of the one proof, signed by the key that the token is bound to.
fn signed(request: Request<'_>, jkt: &str) -> Result<Claims, Error> {
    let refused = |how: &'static str| move || Error::invalid_proof(how);
    let [text] = request.dpop else { return Err(Error::invalid_proof("the request needs one DPoP proof")) };
    let jws = Jws::parse(text.trim()).filter(|jws| jws.is_typ("dpop+jwt"));
    let jws = jws.ok_or_else(refused("the proof is malformed or of another type"))?;
    let alg = if jws.text("alg") == "Ed25519" { "EdDSA" } else { jws.text("alg") };
    let key = jws.header.get("jwk").and_then(PublicKey::of_proof).filter(|key| key.alg == alg);
    let key = key.ok_or_else(refused("the proof has no public key that fits"))?;
    let claims = jws.verify(&key).ok_or_else(refused("the proof's signature does not verify"))?;
    let is_bound = key.thumbprint == jkt;
    is_bound.then_some(claims).ok_or_else(refused("the token is bound to another key than the proof's"))
}

/// A proof counts just after it was made, and once.
async fn check_once(config: &VerifierConfig, claims: &Claims, jkt: &str) -> Result<(), Error> {
    let now = (config.now)();
    let is_recent = |iat: &i64| (now - config.proof_max_age_secs..=now + config.leeway_secs).contains(iat);
    let iat = claims.time("iat").ok().flatten().filter(is_recent);
    let iat =
        iat.ok_or_else(|| Error::invalid_proof("the proof was not made just now; compare the clocks"))?;
    let jti = claims.text("jti").filter(|jti| (1..=LONGEST_JTI).contains(&jti.len()));
    let jti = jti.ok_or_else(|| Error::invalid_proof("the proof has no jti of 1 to 256 bytes"))?;
    let until = iat + config.proof_max_age_secs + config.leeway_secs;
    let noted = config.replays.note(&digest_of(&format!("{jkt} {jti}")), until).await;
    let lost = |_| Error::new(503, "temporarily_unavailable", "the store of proofs is out of reach");
    if noted.map_err(lost)? { Ok(()) } else { Err(Error::invalid_proof("the proof was used before (jti)")) }
}

/// Addresses are compared after normalisation, without query and fragment (RFC 9449 §4.3).
pub(crate) fn normal(address: &str) -> Option<Url> {
    let is_plain = address.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    let mut url = Url::parse(address).ok().filter(|_| is_plain)?;
    url.set_query(None);
    url.set_fragment(None);
    (url.username().is_empty() && url.password().is_none()).then_some(url)
}
