//! A key pair of an application, with an independent JOSE implementation to sign whatever a test wants signed.

use jsonwebtoken::EncodingKey;
use serde_json::{Value, json};
use svc_keys::{Algorithm, SigningKey, base64url};

/// A key pair and the algorithm that it signs with.
#[derive(Clone)]
pub struct Signer {
    pub algorithm: Algorithm,
    pub jwk: Value,
    /// The private key in PEM.
    pub pem: String,
    key: EncodingKey,
}

impl Signer {
    pub fn new(algorithm: Algorithm) -> Self {
        // Another test may have been first.
        let _ = jsonwebtoken::crypto::aws_lc::DEFAULT_PROVIDER.install_default();
        let own = if algorithm == Algorithm::Ps256 { Algorithm::Rs256 } else { algorithm };
        let pair = SigningKey::generate(own).unwrap();
        let pem = pem(&pair.to_pkcs8().unwrap());
        let key = match own {
            Algorithm::Es256 => EncodingKey::from_ec_pem(pem.as_bytes()),
            Algorithm::EdDsa => EncodingKey::from_ed_pem(pem.as_bytes()),
            Algorithm::Rs256 | Algorithm::Ps256 => EncodingKey::from_rsa_pem(pem.as_bytes()),
        };
        let mut jwk = pair.public_jwk();
        jwk["alg"] = algorithm.name().into();
        Self { algorithm, jwk, key: key.unwrap(), pem }
    }

    /// The key's name.
    pub fn kid(&self) -> &str {
        self.jwk["kid"].as_str().unwrap()
    }

    /// A set of this key alone.
    pub fn jwks(&self) -> Value {
        json!({ "keys": [self.jwk] })
    }

    /// The claims of a token of this key, which the header names so.
    pub fn verified(&self, token: &str, kid: &str) -> Value {
        let (input, signature) = token.rsplit_once('.').unwrap();
        let public = svc_keys::PublicKey::from_jwk(&self.jwk).unwrap();
        let signature = svc_keys::from_base64url(signature).unwrap();
        public.verify(self.algorithm, input.as_bytes(), &signature).unwrap();
        let part = |nth: usize| -> Value {
            let part = svc_keys::from_base64url(input.split('.').nth(nth).unwrap()).unwrap();
            serde_json::from_slice(&part).unwrap()
        };
        assert_eq!(part(0)["kid"], kid);
        part(1)
    }

    /// The header that an honest client writes.
    pub fn header(&self) -> Value {
        json!({ "alg": self.algorithm.name(), "kid": self.kid(), "typ": "JWT" })
    }

    /// A token of exactly this header and these claims.
    pub fn sign(&self, header: &Value, claims: &Value) -> String {
        let input = format!("{}.{}", base64url(header.to_string()), base64url(claims.to_string()));
        let algorithm = self.algorithm.name().parse().unwrap();
        let signature = jsonwebtoken::crypto::sign(input.as_bytes(), &self.key, algorithm).unwrap();
        format!("{input}.{signature}")
    }
}

fn pem(pkcs8: &[u8]) -> String {
    let body = base64url(pkcs8).replace('-', "+").replace('_', "/");
    let padding = "=".repeat((4 - body.len() % 4) % 4);
    format!("-----BEGIN PRIVATE KEY-----\n{body}{padding}\n-----END PRIVATE KEY-----\n")
}
