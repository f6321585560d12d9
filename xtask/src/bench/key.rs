//! A key of the load generator, with which it signs client assertions (RFC 7523 §2.2) and DPoP proofs (RFC 9449 §4.2).

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::Result;

/// The `client_assertion_type` of what [`Key::assertion`] gives.
pub const ASSERTION_TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// An ES256 key that never says the same thing twice.
pub struct Key {
    pair: EcdsaKeyPair,
    jwk: Value,
    said: AtomicU64,
}

impl Key {
    /// A new key.
    pub fn generate() -> Result<Self> {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING)?;
        let (x, y) = pair.public_key().as_ref().get(1..).ok_or("no public key")?.split_at(32);
        let (x, y) = (URL_SAFE_NO_PAD.encode(x), URL_SAFE_NO_PAD.encode(y));
        let jwk = json!({ "crv": "P-256", "kty": "EC", "x": x, "y": y });
        Ok(Self { pair, jwk, said: AtomicU64::new(0) })
    }

    /// Its public half.
    pub fn jwk(&self) -> &Value {
        &self.jwk
    }

    /// Its thumbprint (RFC 7638 §3), for which the members stand in the order of their names.
    pub fn thumbprint(&self) -> String {
        hashed(&self.jwk.to_string())
    }

    /// The word of a client that it is itself, for one request.
    pub fn assertion(&self, client_id: &str, issuer: &str) -> Result<String> {
        let (now, jti) = (now()?, self.jti());
        let claims = json!({ "iss": client_id, "sub": client_id, "aud": issuer, "jti": jti, "iat": now, "exp": now + 60 });
        self.sign(&json!({ "alg": "ES256", "typ": "JWT" }), &claims)
    }

    /// The proof that the sender of one request holds this key.
    pub fn proof(&self, method: &str, url: &str, access_token: Option<&str>) -> Result<String> {
        let mut claims = json!({ "htm": method, "htu": url, "jti": self.jti(), "iat": now()? });
        if let (Some(token), Value::Object(members)) = (access_token, &mut claims) {
            members.insert("ath".to_owned(), hashed(token).into());
        }
        self.sign(&json!({ "alg": "ES256", "typ": "dpop+jwt", "jwk": self.jwk }), &claims)
    }

    /// Unique among all keys: a server may remember ids by the client alone.
    fn jti(&self) -> String {
        let name = self.jwk.get("x").and_then(Value::as_str).unwrap_or_default();
        format!("{name}-{}", self.said.fetch_add(1, Ordering::Relaxed))
    }

    fn sign(&self, header: &Value, claims: &Value) -> Result<String> {
        let [header, claims] = [header, claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string()));
        let signed = format!("{header}.{claims}");
        let signature = self.pair.sign(&SystemRandom::new(), signed.as_bytes())?;
        Ok(format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature)))
    }
}

fn hashed(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(digest(&SHA256, text.as_bytes()))
}

#[expect(
    clippy::disallowed_methods,
    reason = "what the servers hold against their own clocks has to tell the real time"
)]
fn now() -> Result<u64> {
    Ok(SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs())
}

#[cfg(test)]
mod tests {
    use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};

    use super::*;

    #[test]
    fn a_proof_is_signed_names_its_request_and_is_never_the_same() {
        let key = Key::generate().unwrap();
        let url = "http://localhost/oauth/token";
        let [one, other] = [(); 2].map(|()| key.proof("POST", url, Some("token")).unwrap());
        assert_ne!(one, other);
        let (signed, signature) = one.rsplit_once('.').unwrap();
        let public = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, key.pair.public_key().as_ref());
        public.verify(signed.as_bytes(), &URL_SAFE_NO_PAD.decode(signature).unwrap()).unwrap();
        let claims = URL_SAFE_NO_PAD.decode(signed.split_once('.').unwrap().1).unwrap();
        let claims: Value = serde_json::from_slice(&claims).unwrap();
        assert_eq!((claims["htm"].as_str(), claims["htu"].as_str()), (Some("POST"), Some(url)));
        assert_eq!(claims["ath"], "PEaenWxYddN6Q_NT1PiOYfz4EsZu7jRXRlpAsNpBU-A");
    }

    #[test]
    fn a_thumbprint_is_of_the_required_members_in_their_order() {
        let key = Key::generate().unwrap();
        let [x, y] = ["x", "y"].map(|name| key.jwk[name].as_str().unwrap().to_owned());
        let text = format!(r#"{{"crv":"P-256","kty":"EC","x":"{x}","y":"{y}"}}"#);
        assert_eq!(key.thumbprint(), hashed(&text));
    }
}
