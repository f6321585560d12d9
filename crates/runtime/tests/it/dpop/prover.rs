//! A client's key and the proofs that it signs, made with another JOSE library than ours.

use std::sync::atomic::{AtomicU32, Ordering};

use jsonwebtoken::EncodingKey;
use serde_json::{Value, json};
use svc_core::Timestamp;
use svc_keys::{Algorithm, SigningKey, base64url};

use crate::harness::{Harness, START};

/// A key pair, and the time that its owner's clock shows.
pub struct Prover {
    pub jkt: String,
    pub jwk: Value,
    pub now: Timestamp,
    key: EncodingKey,
    proofs: AtomicU32,
}

/// A change to a good proof: a claim, or with a leading `#` a member of the header; null removes.
pub type Change<'a> = (&'a str, Value);

impl Prover {
    /// A fresh key, with a clock that shows when every test begins.
    pub fn new() -> Self {
        // Another test may have been first.
        let _ = jsonwebtoken::crypto::aws_lc::DEFAULT_PROVIDER.install_default();
        let key = SigningKey::generate(Algorithm::Es256).unwrap();
        let mut jwk = key.public_jwk();
        for extra in ["kid", "use", "alg"] {
            jwk.as_object_mut().unwrap().remove(extra);
        }
        let pem = pem(&key.to_pkcs8().unwrap());
        Self {
            jkt: key.kid().to_owned(),
            jwk,
            now: START,
            key: EncodingKey::from_ec_pem(pem.as_bytes()).unwrap(),
            proofs: AtomicU32::new(0),
        }
    }

    /// The same key with the clock as it stands now.
    pub fn at(mut self, h: &Harness) -> Self {
        self.now = h.app().clock.now();
        self
    }

    /// A proof that was never made before, with changes.
    pub fn proof(&self, method: &str, url: &str, changes: &[Change<'_>]) -> String {
        let mut header = json!({"typ": "dpop+jwt", "alg": "ES256", "jwk": self.jwk});
        let jti = format!("proof-{}", self.proofs.fetch_add(1, Ordering::Relaxed));
        let mut claims = json!({"jti": jti, "htm": method, "htu": url, "iat": self.now.as_secs()});
        for (name, value) in changes {
            let (part, name) =
                name.strip_prefix('#').map_or((&mut claims, *name), |name| (&mut header, name));
            let part = part.as_object_mut().unwrap();
            if value.is_null() {
                part.remove(name)
            } else {
                part.insert(name.to_owned(), value.clone())
            };
        }
        let input = format!("{}.{}", base64url(header.to_string()), base64url(claims.to_string()));
        let signature =
            jsonwebtoken::crypto::sign(input.as_bytes(), &self.key, jsonwebtoken::Algorithm::ES256).unwrap();
        format!("{input}.{signature}")
    }

    /// A proof for the use of an access token, with changes.
    pub fn proof_for(&self, method: &str, url: &str, token: &str, changes: &[Change<'_>]) -> String {
        let ath = ("ath", json!(svc_keys::dpop::ath(token)));
        self.proof(method, url, &[&[ath], changes].concat())
    }
}

fn pem(pkcs8: &[u8]) -> String {
    let url_safe = base64url(pkcs8);
    let padding = "=".repeat((4 - url_safe.len() % 4) % 4);
    let body = url_safe.replace('-', "+").replace('_', "/") + &padding;
    let lines: Vec<_> = body.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
    format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", lines.join("\n"))
}
