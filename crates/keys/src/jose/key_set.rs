//! Key sets of others (RFC 7517 §5): bounded, public keys only, and the one key of them that a token names.

use std::fmt;

use serde_json::{Map, Value};
use svc_core::{Error, Result, json};

use super::{Claims, DEEPEST, Jws, PublicKey};
use crate::certificate::thumbprint_of_x5c;

/// The keys that another party signs with, and the certificates by which it may be known.
#[derive(Clone)]
pub struct KeySet {
    keys: Vec<PublicKey>,
    /// The thumbprints of the certificates that come first in the `x5c` of a key.
    certificates: Vec<String>,
}

impl KeySet {
    /// Most keys of a set.
    pub const MOST: usize = 50;

    /// Reads a set. Keys that we cannot verify with are left out; one that holds a secret spoils the set, because a reader who
    /// publishes it has to learn of that.
    pub fn from_json(set: &Value) -> Result<Self> {
        set.as_object().ok_or_else(malformed).and_then(Self::of)
    }

    /// Reads the bytes of a set, in which no member may occur twice.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let set = json::object(bytes, DEEPEST).map_err(|error| malformed().caused_by(error))?;
        Self::of(&set)
    }

    fn of(set: &Map<String, Value>) -> Result<Self> {
        let keys = set.get("keys").and_then(Value::as_array).ok_or_else(malformed)?;
        if keys.len() > Self::MOST {
            return Err(Error::bad_request("the key set has more than 50 keys"));
        }
        if keys.iter().any(PublicKey::is_secret) {
            return Err(Error::bad_request("the key set holds a secret; publish the public members only"));
        }
        let first_of_chain = |key: &Value| thumbprint_of_x5c(key.get("x5c")?.get(0)?.as_str()?);
        Ok(Self {
            keys: keys.iter().filter_map(|key| PublicKey::from_jwk(key).ok()).collect(),
            certificates: keys.iter().filter_map(first_of_chain).collect(),
        })
    }

    /// Whether the set names a certificate at all.
    pub fn has_certificates(&self) -> bool {
        !self.certificates.is_empty()
    }

    /// Whether a key of the set has the certificate with this thumbprint (RFC 8705 §2.2.2).
    pub fn has_certificate(&self, thumbprint: &str) -> bool {
        self.certificates.iter().any(|known| known == thumbprint)
    }

    /// Whether no key of the set verifies anything.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Verifies a token with the key that it names, or without a name with the only key that suits its algorithm.
    pub fn verify(&self, jws: &Jws<'_>) -> Result<Claims> {
        let key = self.key_of(jws);
        jws.verify(key.ok_or_else(|| Error::invalid_token("no key, or more than one, fits the token"))?)
    }

    /// Whether the set has the one key for this token; if not, its owner may have published a new set. Of a token that names no key,
    /// the signature alone tells that a new key has taken the place of this one.
    pub fn knows(&self, jws: &Jws<'_>) -> bool {
        let is_its_key = |key: &PublicKey| jws.kid().is_some() || jws.verify(key).is_ok();
        self.key_of(jws).is_some_and(is_its_key)
    }

    fn key_of(&self, jws: &Jws<'_>) -> Option<&PublicKey> {
        let is_named = |key: &&PublicKey| jws.kid().is_none_or(|kid| key.kid() == Some(kid));
        let mut fitting = self.keys.iter().filter(is_named).filter(|key| key.supports(jws.algorithm()));
        let first = fitting.next();
        if fitting.next().is_some() { None } else { first }
    }
}

impl fmt::Debug for KeySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.keys).finish()
    }
}

#[track_caller]
fn malformed() -> Error {
    Error::bad_request("the key set is not an object with a list of keys")
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde_json::json;

    use super::*;
    use crate::jose::{Algorithm, SigningKey, Typ};

    fn key() -> SigningKey {
        SigningKey::generate(Algorithm::Es256).unwrap()
    }

    fn set(keys: &[Value]) -> Result<KeySet> {
        KeySet::from_json(&json!({ "keys": keys }))
    }

    fn without_kid(key: &SigningKey) -> Value {
        let mut jwk = key.public_jwk();
        jwk.as_object_mut().unwrap().remove("kid");
        jwk
    }

    #[test]
    fn a_token_is_verified_with_the_key_that_it_names() {
        let (one, two) = (key(), key());
        let token = one.sign(Typ::Jwt, b"{}").unwrap();
        let jws = Jws::parse(&token, Algorithm::ALL).unwrap();
        assert!(set(&[two.public_jwk(), one.public_jwk()]).unwrap().verify(&jws).is_ok());
        let other = set(&[two.public_jwk()]).unwrap();
        assert!(!other.knows(&jws) && other.verify(&jws).is_err());
        assert!(!set(&[without_kid(&one)]).unwrap().knows(&jws), "a name fits no nameless key");
    }

    #[test]
    fn the_key_of_a_token_without_a_name_is_known_by_its_signature() {
        let (one, two) = (key(), key());
        let unsigned = format!("{}.{}", crate::base64url(r#"{"alg":"ES256"}"#), crate::base64url("{}"));
        let signature = crate::base64url(one.signature(unsigned.as_bytes()).unwrap());
        let token = format!("{unsigned}.{signature}");
        let jws = Jws::parse(&token, Algorithm::ALL).unwrap();
        assert!(set(&[one.public_jwk()]).unwrap().knows(&jws));
        assert!(!set(&[two.public_jwk()]).unwrap().knows(&jws), "the key that came before it");
    }

    #[test]
    fn two_keys_of_one_name_verify_nothing() {
        let one = key();
        let token = one.sign(Typ::Jwt, b"{}").unwrap();
        let jws = Jws::parse(&token, Algorithm::ALL).unwrap();
        let mut twin = key().public_jwk();
        twin["kid"] = one.kid().into();
        assert!(set(&[one.public_jwk(), twin]).unwrap().verify(&jws).is_err());
    }

    #[test]
    fn a_secret_spoils_the_set_and_a_strange_key_is_left_out() {
        let good = key().public_jwk();
        let mut leaked = good.clone();
        leaked["d"] = "AAAA".into();
        assert!(set(&[good.clone(), leaked]).is_err());
        assert!(set(&[json!({"kty": "oct", "k": "AAAA"})]).is_err());
        let strange = [json!({"kty": "XYZ"}), json!(1), json!({"kty": "EC", "crv": "P-384"})];
        assert!(set(&strange).unwrap().is_empty());
        assert!(!set(&[strange[0].clone(), good]).unwrap().is_empty());
    }

    #[test]
    fn the_first_certificate_of_a_key_names_its_holder_whatever_the_key() {
        let (own, authority) = ([48, 1], [48, 2]);
        let chain = |der: &[&[u8]]| {
            let encoded: Vec<_> = der.iter().map(|der| STANDARD.encode(der)).collect();
            set(&[json!({ "kty": "EC", "crv": "P-384", "x5c": encoded })]).unwrap()
        };
        let thumbprint = |der: &[u8]| crate::base64url(crate::sha256(der));
        let known = chain(&[&own, &authority]);
        assert!(known.has_certificates() && known.has_certificate(&thumbprint(&own)));
        assert!(!known.has_certificate(&thumbprint(&authority)));
        for bad in [json!([]), json!("AAAA"), json!([1]), json!(["!"])] {
            assert!(!set(&[json!({ "kty": "EC", "x5c": bad })]).unwrap().has_certificates(), "{bad}");
        }
    }

    #[test]
    fn a_set_is_bounded_and_is_a_set() {
        let keys = vec![json!({"kty": "XYZ"}); KeySet::MOST + 1];
        assert!(set(&keys).is_err() && set(&keys[1..]).is_ok());
        for bad in
            ["", "[]", "{}", r#"{"keys":{}}"#, r#"{"keys":[],"keys":[]}"#, "<html>", r#"{"keys":null}"#]
        {
            assert!(KeySet::parse(bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
