//! The key by which an application proves itself.

use std::fmt;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use rustls_pki_types::PrivatePkcs8KeyDer;
use rustls_pki_types::pem::PemObject as _;
use serde_json::{Map, Value, json};

use crate::dpop::normal;
use crate::{Error, base64url, digest_of, random_text};

/// A P-256 key of the application: it makes DPoP proofs (RFC 9449 §4.2) and signs assertions (RFC 7523).
pub struct ProofKey {
    pair: EcdsaKeyPair,
}

impl ProofKey {
    /// A fresh P-256 key.
    pub fn generate() -> Result<Self, Error> {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING);
        pair.map(|pair| Self { pair }).map_err(|_| Error::local("no key could be made"))
    }

    /// Reads a P-256 key, PKCS #8 in DER.
    pub fn from_pkcs8(der: &[u8]) -> Result<Self, Error> {
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, der);
        pair.map(|pair| Self { pair }).map_err(|_| Error::local("expected a P-256 key, PKCS #8"))
    }

    /// Reads a P-256 key, PKCS #8 in PEM (`openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256`).
    pub fn from_pem(pem: &str) -> Result<Self, Error> {
        let der = PrivatePkcs8KeyDer::from_pem_slice(pem.as_bytes());
        Self::from_pkcs8(
            der.map_err(|_| Error::local("expected a P-256 key, PKCS #8 in PEM"))?.secret_pkcs8_der(),
        )
    }

    /// The public half (RFC 7517).
    pub fn jwk(&self) -> Value {
        let point = self.pair.public_key().as_ref();
        let (x, y) = point.get(1..).and_then(|point| point.split_at_checked(32)).unwrap_or_default();
        json!({"kty": "EC", "crv": "P-256", "x": base64url(x), "y": base64url(y)})
    }

    /// The value of the `DPoP` header for a request.
    pub fn proof(
        &self,
        method: &str,
        address: &str,
        access_token: Option<&str>,
        nonce: Option<&str>,
    ) -> Result<String, Error> {
        let htu = normal(address).ok_or_else(|| Error::local("the address is malformed"))?;
        let mut claims = Map::from_iter([
            ("htm".to_owned(), json!(method)),
            ("htu".to_owned(), json!(htu.as_str())),
            ("iat".to_owned(), json!(crate::now())),
            ("jti".to_owned(), json!(random_text())),
        ]);
        claims.extend(access_token.map(|token| ("ath".to_owned(), json!(digest_of(token)))));
        claims.extend(nonce.map(|nonce| ("nonce".to_owned(), json!(nonce))));
        self.sign(&json!({"typ": "dpop+jwt", "alg": "ES256", "jwk": self.jwk()}), &Value::Object(claims))
    }

    pub(crate) fn sign(&self, header: &Value, claims: &Value) -> Result<String, Error> {
        let input = format!("{}.{}", base64url(header.to_string()), base64url(claims.to_string()));
        let signature = self.pair.sign(&SystemRandom::new(), input.as_bytes());
        let signature = signature.map_err(|_| Error::local("the key did not sign"))?;
        Ok(format!("{input}.{}", base64url(signature)))
    }
}

impl fmt::Debug for ProofKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[proof key]")
    }
}
