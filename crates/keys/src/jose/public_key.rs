//! Public JSON Web Keys (RFC 7517, RFC 7518 §6, RFC 8037 §2) and their thumbprints (RFC 7638).

use std::fmt;

use serde_json::{Map, Value};
use svc_core::{Error, Result};

use super::material::Material;
use super::{Algorithm, LONGEST_KID};
use crate::encoding::array_from_base64url;
use crate::{base64url, from_base64url, sha256};

/// Members of private and symmetric keys: a client that sends one has leaked it, so it is refused rather than used.
const PRIVATE_MEMBERS: [&str; 8] = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/// A key that verifies signatures, parsed once.
#[derive(Clone)]
pub struct PublicKey {
    kid: Option<String>,
    /// The only algorithm that the key's owner wants it used with, if they said so.
    only: Option<Algorithm>,
    material: Material,
}

impl PublicKey {
    /// Reads a JWK: P-256, Ed25519, or RSA of 2048 to 8192 bits, meant for signatures.
    pub fn from_jwk(jwk: &Value) -> Result<Self> {
        let jwk = jwk.as_object().ok_or_else(|| refused("is not an object"))?;
        if PRIVATE_MEMBERS.iter().any(|name| jwk.contains_key(*name)) {
            return Err(refused("holds a secret; publish the public members only"));
        }
        let material = match (text(jwk, "kty"), text(jwk, "crv")) {
            (Some("EC"), Some("P-256")) => {
                coordinate(jwk, "x").zip(coordinate(jwk, "y")).and_then(|(x, y)| Material::p256(x, y))
            }
            (Some("OKP"), Some("Ed25519")) => coordinate(jwk, "x").and_then(Material::ed25519),
            (Some("RSA"), _) => {
                integer(jwk, "n").zip(integer(jwk, "e")).and_then(|(n, e)| Material::rsa(n, e))
            }
            _ => return Err(refused("is neither EC P-256, OKP Ed25519 nor RSA")),
        };
        let mut key = Self::new(material.ok_or_else(|| refused("is malformed"))?);
        key.only = key.declared_algorithm(jwk)?;
        key.kid = declared_kid(jwk)?;
        Ok(key)
    }

    /// Whether a JWK has members that only its owner may know.
    pub(super) fn is_secret(jwk: &Value) -> bool {
        PRIVATE_MEMBERS.iter().any(|name| jwk.get(name).is_some())
    }

    /// The bytes of a signature by its private half.
    pub(super) fn signature_len(&self) -> usize {
        self.material.signature_len()
    }

    pub(super) fn from_p256_point(point: &[u8]) -> Option<Self> {
        let (x, y) = point.strip_prefix(&[4])?.split_first_chunk::<32>()?;
        Material::p256(*x, y.try_into().ok()?).map(Self::new)
    }

    pub(super) fn from_ed25519(x: &[u8]) -> Option<Self> {
        Material::ed25519(x.try_into().ok()?).map(Self::new)
    }

    pub(super) fn from_rsa(n: &[u8], e: &[u8]) -> Option<Self> {
        Material::rsa(n.to_vec(), e.to_vec()).map(Self::new)
    }

    /// The key's id, if it has one.
    pub fn kid(&self) -> Option<&str> {
        self.kid.as_deref()
    }

    /// Whether a signature by `algorithm` could be verified with this key.
    pub fn supports(&self, algorithm: Algorithm) -> bool {
        self.only.is_none_or(|only| only == algorithm) && self.material.parsed(algorithm).is_some()
    }

    /// Verifies `signature`; fails also where `algorithm` is not one of this key's.
    pub fn verify(&self, algorithm: Algorithm, message: &[u8], signature: &[u8]) -> Result<()> {
        self.material
            .parsed(algorithm)
            .filter(|_| self.supports(algorithm))
            .is_some_and(|key| key.verify_sig(message, signature).is_ok())
            .then_some(())
            .ok_or_else(|| Error::invalid_token("the token's signature does not verify"))
    }

    /// The SHA-256 thumbprint: equal for equal keys, whatever else their JWK says.
    pub fn thumbprint(&self) -> String {
        base64url(sha256(self.material.required_members().to_string().as_bytes()))
    }

    /// The public JWK to publish for `algorithm`.
    pub fn jwk(&self, kid: &str, algorithm: Algorithm) -> Value {
        let mut jwk = self.material.required_members();
        if let Some(members) = jwk.as_object_mut() {
            members.insert("kid".into(), kid.into());
            members.insert("use".into(), "sig".into());
            members.insert("alg".into(), algorithm.name().into());
        }
        jwk
    }

    fn new(material: Material) -> Self {
        Self { kid: None, only: None, material }
    }

    fn declared_algorithm(&self, jwk: &Map<String, Value>) -> Result<Option<Algorithm>> {
        if jwk.get("use").is_some_and(|value| value != "sig") {
            return Err(refused("is not meant for signatures"));
        }
        let may_verify = |ops: &Value| ops.as_array().is_some_and(|ops| ops.iter().any(|op| op == "verify"));
        if jwk.get("key_ops").is_some_and(|ops| !may_verify(ops)) {
            return Err(refused("is not meant for verification"));
        }
        let Some(name) = jwk.get("alg") else { return Ok(None) };
        let algorithm = name.as_str().and_then(Algorithm::from_name).filter(|&alg| self.supports(alg));
        algorithm.map(Some).ok_or_else(|| refused("names an algorithm that does not fit it"))
    }
}

fn declared_kid(jwk: &Map<String, Value>) -> Result<Option<String>> {
    match jwk.get("kid") {
        None => Ok(None),
        Some(Value::String(kid)) if (1..=LONGEST_KID).contains(&kid.len()) => Ok(Some(kid.clone())),
        Some(_) => Err(refused("has a kid that is not a string of 1 to 128 bytes")),
    }
}

fn text<'a>(jwk: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    jwk.get(name)?.as_str()
}

fn coordinate(jwk: &Map<String, Value>, name: &str) -> Option<[u8; 32]> {
    array_from_base64url(text(jwk, name)?)
}

fn integer(jwk: &Map<String, Value>, name: &str) -> Option<Vec<u8>> {
    from_base64url(text(jwk, name)?)
}

#[track_caller]
fn refused(why: &str) -> Error {
    Error::bad_request(format!("the JSON Web Key {why}"))
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[public key {}]", self.thumbprint())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// RFC 7515 appendix A.3.
    const P256: &str = r#"{
        "kty": "EC", "crv": "P-256",
        "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
    }"#;
    /// RFC 8037 appendix A.2.
    const ED25519_KEY: &str =
        r#"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;
    /// RFC 7638 §3.1.
    const RSA: &str = concat!(
        r#"{"kty":"RSA","e":"AQAB","alg":"RS256","kid":"2011-04-29","n":""#,
        "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc",
        "_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQ",
        "R0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bF",
        "TWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw",
        r#""}"#,
    );

    fn with(jwk: &str, name: &str, value: impl Into<Value>) -> Result<PublicKey> {
        let mut jwk: Value = serde_json::from_str(jwk).unwrap();
        jwk[name] = value.into();
        PublicKey::from_jwk(&jwk)
    }

    fn key(jwk: &str) -> PublicKey {
        PublicKey::from_jwk(&serde_json::from_str(jwk).unwrap()).unwrap()
    }

    #[test]
    fn thumbprints_are_those_of_the_rfcs() {
        assert_eq!(key(RSA).thumbprint(), "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs");
        assert_eq!(key(ED25519_KEY).thumbprint(), "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
    }

    #[test]
    fn the_signature_of_rfc_7515_appendix_a3_verifies() {
        let token = concat!(
            "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAs",
            "DQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.",
            "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
        );
        let jws = super::super::Jws::parse(token, &[Algorithm::Es256]).unwrap();
        assert_eq!(jws.verify(&key(P256)).unwrap().text("iss"), Some("joe"));
    }

    #[test]
    fn the_signature_of_rfc_8037_appendix_a4_verifies() {
        let message = b"eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc";
        let signature = from_base64url(
            "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
        )
        .unwrap();
        assert!(key(ED25519_KEY).verify(Algorithm::EdDsa, message, &signature).is_ok());
        assert!(key(ED25519_KEY).verify(Algorithm::EdDsa, b"other", &signature).is_err());
    }

    #[test]
    fn private_and_symmetric_keys_are_refused() {
        for jwk in [P256, ED25519_KEY, RSA] {
            for member in PRIVATE_MEMBERS {
                assert!(with(jwk, member, "AQAB").is_err(), "{member}");
            }
        }
        assert!(with(r#"{"kty":"oct"}"#, "alg", "HS256").is_err());
        assert!(PublicKey::from_jwk(&json!({"kty": "oct", "k": "AQAB"})).is_err());
    }

    #[test]
    fn a_key_of_another_kind_or_purpose_is_refused() {
        assert!(with(P256, "crv", "P-384").is_err());
        assert!(with(P256, "kty", "OKP").is_err());
        assert!(with(ED25519_KEY, "crv", "X25519").is_err());
        for jwk in [P256, ED25519_KEY, RSA] {
            assert!(with(jwk, "use", "enc").is_err());
            assert!(with(jwk, "key_ops", json!(["sign"])).is_err());
            assert!(with(jwk, "key_ops", json!(["verify"])).is_ok());
            assert!(with(jwk, "alg", "HS256").is_err());
            assert!(with(jwk, "alg", "none").is_err());
        }
        assert!(with(P256, "alg", "EdDSA").is_err());
        assert!(with(RSA, "kid", "k".repeat(129)).is_err());
    }

    #[test]
    fn malformed_material_is_refused() {
        assert!(with(P256, "x", base64url([1; 32])).is_err(), "not on the curve");
        assert!(with(P256, "x", base64url([0; 31])).is_err());
        assert!(with(P256, "y", 5).is_err());
        assert!(with(ED25519_KEY, "x", base64url([1; 33])).is_err());
        for e in ["", "AA", "AQ", "AAEAAQ", "Ag", "AQAAAAAB"] {
            assert!(with(RSA, "e", e).is_err(), "{e}");
        }
        for bits in [1024, 2047, 8200] {
            let mut n = vec![0xff; bits / 8 + usize::from(bits % 8 > 0)];
            n[0] = if bits % 8 > 0 { 0x7f } else { 0xff };
            assert!(with(RSA, "n", base64url(n)).is_err(), "{bits}");
        }
    }

    #[test]
    fn a_declared_algorithm_binds_the_key() {
        assert!(key(RSA).supports(Algorithm::Rs256) && !key(RSA).supports(Algorithm::Ps256));
        assert!(with(RSA, "alg", "PS256").unwrap().supports(Algorithm::Ps256));
        assert_eq!(key(RSA).kid(), Some("2011-04-29"));
    }
}
