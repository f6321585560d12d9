//! The checks that an application owes its tokens (OpenID Connect Core §3.1.3.7, RFC 9068 §4), from the published key set.

use serde_json::{Map, Value};
use svc_core::{Seconds, Timestamp};
use svc_keys::{Claims, Jws, PublicKey, Typ};

use super::Trouble;

/// What the tokens must say.
pub struct Expected<'a> {
    /// Who was asked.
    pub issuer: &'a str,
    /// Who asked.
    pub client_id: &'a str,
    /// What was asked with.
    pub nonce: &'a str,
    /// The present.
    pub now: Timestamp,
}

/// Clocks of two machines may differ this much.
const SKEW: Seconds = Seconds(5);

/// The verified claims of an ID token.
pub fn id_token(jwks: &Value, token: &str, expected: &Expected<'_>) -> Result<Map<String, Value>, Trouble> {
    let claims = signed(jwks, token, Typ::Jwt, expected)?;
    if !claims.has_audience(expected.client_id) {
        return Err(wrong("the ID token is for another application"));
    }
    if claims.text("nonce") != Some(expected.nonce) {
        return Err(wrong("the ID token carries another nonce"));
    }
    Ok(claims.into_map())
}

/// The verified claims of an access token; applications need not look into it, a developer wants to.
pub fn access_token(
    jwks: &Value,
    token: &str,
    expected: &Expected<'_>,
) -> Result<Map<String, Value>, Trouble> {
    let claims = signed(jwks, token, Typ::AccessToken, expected)?;
    if claims.text("client_id") != Some(expected.client_id) {
        return Err(wrong("the access token belongs to another application"));
    }
    Ok(claims.into_map())
}

fn signed(jwks: &Value, token: &str, typ: Typ, expected: &Expected<'_>) -> Result<Claims, Trouble> {
    let failed = |error: svc_core::Error| wrong(error.detail());
    let parsed = Jws::parse(token, typ.algorithms()).map_err(failed)?;
    if !parsed.is_typ(typ.name()) {
        return Err(wrong("the token is of another type"));
    }
    let keys = jwks.get("keys").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let key = keys.iter().find(|key| key.get("kid").and_then(Value::as_str) == parsed.kid());
    let key = key.ok_or_else(|| wrong("the key set lacks the key that signed the token"))?;
    let claims = parsed.verify(&PublicKey::from_jwk(key).map_err(failed)?).map_err(failed)?;
    claims.check_time(expected.now, SKEW).map_err(failed)?;
    if claims.text("iss") != Some(expected.issuer) {
        return Err(wrong("the token is from another issuer"));
    }
    Ok(claims)
}

/// A check that failed.
pub fn wrong(why: &str) -> Trouble {
    ("not accepted".to_owned(), why.to_owned())
}
