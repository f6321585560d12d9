//! ID tokens (OpenID Connect Core 1.0 §3.1.3.7): who signed in, for this application, in this sign-in.

use aws_lc_rs::digest::{Algorithm, SHA256, SHA512, digest};
use subtle::ConstantTimeEq as _;

use crate::jwt::{Claims, Jws};
use crate::{Error, Keys, base64url};

const SIGNED_BY: [&str; 4] = ["ES256", "EdDSA", "RS256", "PS256"];

/// What an ID token has to say.
#[derive(Clone, Copy)]
pub struct Expected<'a> {
    /// The issuer, byte for byte.
    pub issuer: &'a str,
    /// The application that the token is for.
    pub client_id: &'a str,
    /// The nonce of the sign-in.
    pub nonce: Option<&'a str>,
    /// The access token that came with it: `at_hash` has to fit where it is there.
    pub access_token: Option<&'a str>,
    /// The code that came with it: `c_hash` has to fit where it is there.
    pub code: Option<&'a str>,
    /// How long ago the person may have authenticated.
    pub max_age: Option<u64>,
    /// The strengths of authentication that are enough, as is a stronger one; any where there are none.
    pub acr_values: &'a [String],
    /// How far clocks may differ, in seconds.
    pub leeway_secs: i64,
    /// Now, in seconds since 1970.
    pub now: i64,
}

/// Verifies an ID token by the keys of its issuer and gives its claims.
pub async fn verify_id_token(token: &str, keys: &Keys, expected: &Expected<'_>) -> Result<Claims, Error> {
    judged(token, keys, expected).await.map_err(|error| Error { tenant: expected.issuer.to_owned(), ..error })
}

async fn judged(token: &str, keys: &Keys, expected: &Expected<'_>) -> Result<Claims, Error> {
    let jws = Jws::parse(token).ok_or_else(|| refused("it is malformed"))?;
    let (alg, kid) = (jws.text("alg"), jws.text("kid"));
    // An access token or a logout token has a type of its own.
    let is_typed = jws.header.contains_key("typ") && !jws.is_typ("jwt");
    if is_typed || !SIGNED_BY.contains(&alg) || kid.is_empty() || kid.len() > 128 {
        return Err(refused("it is of another type, or signed in a way that is not accepted"));
    }
    let key = keys.key(kid).await.map_err(Error::without_keys)?.filter(|key| key.alg == alg);
    let key = key.ok_or_else(|| refused("the issuer does not have its key"))?;
    let claims = jws.verify(&key).ok_or_else(|| refused("its signature or its claims are not valid"))?;
    check_parties(&claims, expected)?;
    check_times(&claims, expected)?;
    check_sign_in(&claims, expected)?;
    check_hashes(&claims, expected, if alg == "EdDSA" { &SHA512 } else { &SHA256 })?;
    Ok(claims)
}

fn check_parties(claims: &Claims, expected: &Expected<'_>) -> Result<(), Error> {
    let others = claims.member("aud").and_then(|aud| aud.as_array()).is_some_and(|many| many.len() > 1);
    let azp = claims.member("azp");
    if claims.text("iss") != Some(expected.issuer) {
        return Err(refused("it is of another issuer"));
    }
    if !claims.has_audience(expected.client_id) {
        return Err(refused("it is for another application"));
    }
    if azp.is_some_and(|azp| azp != expected.client_id) || (others && azp.is_none()) {
        return Err(refused("it was issued to another application (azp)"));
    }
    if claims.subject().is_empty() { Err(refused("it names no subject")) } else { Ok(()) }
}

fn check_times(claims: &Claims, expected: &Expected<'_>) -> Result<(), Error> {
    let time = |name: &str| claims.time(name).ok().flatten();
    let (exp, iat) = (time("exp"), time("iat"));
    let (exp, iat) = exp.zip(iat).ok_or_else(|| refused("exp or iat is missing or malformed"))?;
    if exp + expected.leeway_secs <= expected.now {
        let ago = expected.now - exp;
        return Err(refused(&format!(
            "it expired {ago} s ago by this machine's clock; compare it with the issuer's"
        )));
    }
    if iat > expected.now + expected.leeway_secs {
        let ahead = iat - expected.now;
        return Err(refused(&format!(
            "its iat is {ahead} s ahead of this machine's clock; compare it with the issuer's"
        )));
    }
    let Some(max_age) = expected.max_age else { return Ok(()) };
    let at =
        time("auth_time").ok_or_else(|| refused("auth_time is missing, although max_age was asked for"))?;
    let oldest = expected.now - expected.leeway_secs - i64::try_from(max_age).unwrap_or(i64::MAX / 2);
    let old = || Error::new(0, "max_age_exceeded", "the sign-in is older than was asked for (max_age)");
    if at < oldest { Err(old()) } else { Ok(()) }
}

fn check_sign_in(claims: &Claims, expected: &Expected<'_>) -> Result<(), Error> {
    if let Some(nonce) = expected.nonce {
        let given = claims.text("nonce").unwrap_or_default();
        if nonce.is_empty() || !bool::from(given.as_bytes().ct_eq(nonce.as_bytes())) {
            return Err(refused("it belongs to another sign-in (nonce)"));
        }
    }
    let acr = claims.text("acr").unwrap_or_default();
    let is_strong =
        expected.acr_values.is_empty() || expected.acr_values.iter().any(|asked| reaches(acr, asked));
    let weak = || Error::new(0, "acr_not_reached", "the sign-in is weaker than was asked for (acr)");
    if is_strong { Ok(()) } else { Err(weak()) }
}

/// Whether a sign-in is as strong as was asked for, or stronger: `urn:svc:aal3` is more than `urn:svc:aal2`.
fn reaches(acr: &str, asked: &str) -> bool {
    acr == asked || level(asked).is_some_and(|asked| level(acr) > Some(asked))
}

/// The level that the name of a strength has.
fn level(acr: &str) -> Option<u8> {
    acr.strip_prefix("urn:svc:aal")?.parse().ok()
}

/// The left half of the digest of what came with the token (OpenID Connect Core 1.0 §3.1.3.8, §3.3.2.11).
fn check_hashes(claims: &Claims, expected: &Expected<'_>, how: &'static Algorithm) -> Result<(), Error> {
    for (name, value) in [("at_hash", expected.access_token), ("c_hash", expected.code)] {
        let (Some(given), Some(value)) = (claims.member(name), value) else { continue };
        let whole = digest(how, value.as_bytes());
        let half = whole.as_ref().get(..whole.as_ref().len() / 2).map(base64url);
        if given.as_str() != half.as_deref() {
            return Err(refused("it came with another access token or code"));
        }
    }
    Ok(())
}

fn refused(why: &str) -> Error {
    Error::new(0, "invalid_id_token", format!("the ID token is refused: {why}"))
}
