//! Fixed keys of all kinds, and tokens of any shape under them (RFC 7515 §7.1).

use std::cell::RefCell;
use std::collections::HashMap;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{
    KeyPair as _, RSA_PKCS1_SHA256, RSA_PSS_2048_8192_SHA256, RSA_PSS_SHA256, RsaKeyPair, UnparsedPublicKey,
};
use serde_json::{Value, json};
use svc_keys::{Algorithm, SigningKey, base64, base64url, from_base64, from_base64url, hmac_sha256};

use crate::sorted;

/// An RSA key for these vectors alone.
const RSA: &str = "MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQDoudBr8QqbkCszOyJyeKenrj6gBCNmwyejCyiaTXbsjbmAXrIr\
    RQae3SEkT7AT1tvJKoYrLcDd4edczQuRFn5KgzlUlSVfIegJTyYOJtnTumB4sz02smztL67EzCOnGRfT3w5sck3N0vt0Zs07aoO7\
    1C/b+RkngfscJ0cBpbx61HfYyiNoc7Rr9+42COjEwoGWnuNhSucOkDHLSr5N98MM61FBVfWLSibIFLZ3JeMSUHRghU5VaTvs26Lu\
    r7d50VlSNKedfost8Pj3spsdx8kuJ9GXReOSzwNA31APxkvwnh9Z9GRabYLDxKhLqhS4dg/VqNF1vJaYr4xT7+k74KVbAgMBAAEC\
    ggEAFU8I3GP3pVgapy2KRpJG7OgxZ765QcGAsZcQoqrmcVu7WRun6KUAqYR0cmSxfz+JuZj2gUxGf9/IAAvuO9ykDPfdmfcGCE3h\
    zGho2Ebfua6JAsQ2nfl8Vm3/7JkHHVeuLNdxn1Bf+1vkFju2HZ3vwz+hxNxsBzK0PAGvU2FKKVzPjA4YsfLKO8G6OTUPQPr90IUm\
    ouVGoKTk2PhNWb6g0HSggYgRKMfpAOIguKHYQlJ/YspFtapwr+/b+QCQ2aWA5lW+FkOjnpCfg6j3LhpQmPfetla4UP2darx0uNAB\
    jh/lV8bnIgsuxAl8MP03syiMhpyJVoJvifzBiggU/S4qgQKBgQD1qKGGIEienu4N7cUN6sd+rziC5A5xAgZKvmVuRHWwreALQWeq\
    YexNprTZhNPbCPlHb7mNircO7aCov+guf5LjG9XU3rccpQEVBEjJ4ke7+vFk/51EsNWeo8BUFTLUE78a0L/VgAs9WYpFj9epflbj\
    ZV8NxkQU1trsrTL39l/BOwKBgQDyhc+BGDz+01NlzXx2OXnTV6xg4qlazj6GwQWxj3BiyRGL34pLAvtsDXlkS25n/YFPPiRwrOIV\
    kt/MYkrE+sTv8q5iScE8jgvQ/zItw2LBb0K5ddZ37jT1yqHsMljHNVjTddOIz8MFthlFMP8vOnPUDO0E/7aXlP6YQF2XmWJqYQKB\
    gGCFb2GZ0a6xV2uVnrVHKDc4dYXIQXxZhUtc39GhiHRw/PSvMCIb85LXC3vj2rHXJsrQtSFN/XsaFuP28y1B5t7hEvVexKe2lWRC\
    mK7p/7F2ed5rKMnSiTyZrnnbEmuNjqrklls2wjPKuK94Qw5Pm6ghLmXlHt7pRH911e7jmN/9AoGAbOzyrP2w75cEvxWS0Bqyf9zB\
    3GYRQGqfpLBvGTfed0/tpJALMfOt7vMCUaybcvNmL6wue7j6dkwYXljLUjt7VnX+IsETnFoELqNf6zP1WAHbyyaE5CrF+JtBLK/U\
    Nezc72TdVHZUFm2aXfxKsPCk81m23ubnIJ/X1ZQbNSq8DCECgYAWoQRwPT4jdEh1RLW9p6ZdOulCSfBh9pwgA/sQr6jDMzTmepjX\
    F4SVrVlvvAIjocdT8yELNprC1bAEj1sPXdiI2DsBaMxyMRAXb1aDDnqZTV/A620WF3rPmaAFJR1tsIGup4FuHzyy79m3Wr3bKpEM\
    qMGQkB4zprJzPX3CnVO2ZA==";

/// A P-256 key whose private half is this byte, 32 times.
pub fn p256(kid: &str, byte: u8) -> SigningKey {
    let mut der = from_base64url("MEECAQAwEwYHKoZIzj0CAQYIKoZIzj0DAQcEJzAlAgEBBCA").unwrap();
    der.extend([byte; 32]);
    SigningKey::given(kid, &base64(der)).unwrap()
}

/// The Ed25519 key of RFC 8037, appendix A.
pub fn ed25519() -> SigningKey {
    let mut der = from_base64("MC4CAQAwBQYDK2VwBCIEIA==").unwrap();
    der.extend(from_base64url("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A").unwrap());
    SigningKey::from_pkcs8("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k", Algorithm::EdDsa, &der).unwrap()
}

pub fn rsa() -> RsaKeyPair {
    RsaKeyPair::from_pkcs8(&from_base64(RSA).unwrap()).unwrap()
}

pub fn rsa_jwk(kid: &str) -> Value {
    let n = base64url(rsa().public_key().modulus().big_endian_without_leading_zero());
    json!({"kty": "RSA", "n": n, "e": "AQAB", "kid": kid, "use": "sig", "alg": "RS256"})
}

/// The members of a public key that a proof carries.
pub fn bare_jwk(key: &SigningKey) -> Value {
    bare(key.public_jwk())
}

/// A public key without what names it and its use.
pub fn bare(mut jwk: Value) -> Value {
    for name in ["kid", "use", "alg"] {
        jwk.as_object_mut().unwrap().remove(name);
    }
    jwk
}

/// Signs tokens. Those of ES256 and PS256 have another signature each time, so one that is committed already and verifies is kept,
/// and every token is signed once.
pub struct Signer(RefCell<HashMap<String, Vec<String>>>);

impl Signer {
    pub fn new(committed: &Value) -> Self {
        let cases = committed["cases"].as_array().into_iter().flatten();
        let headers =
            cases.filter_map(|case| case["headers"].as_object()).flat_map(|headers| headers.values());
        let mut known: HashMap<_, Vec<_>> = HashMap::new();
        for word in headers.filter_map(Value::as_str).flat_map(|value| value.split(' ')) {
            if let Some((input, signature)) = word.rsplit_once('.') {
                known.entry(input.to_owned()).or_default().push(signature.to_owned());
            }
        }
        Self(RefCell::new(known))
    }

    /// A token signed by a key of its own kind.
    pub fn sign(&self, key: &SigningKey, header: &Value, claims: &Value) -> String {
        self.sign_text(key, &sorted(header).to_string(), &sorted(claims).to_string())
    }

    /// The same of texts, which may be JSON that no writer would make.
    pub fn sign_text(&self, key: &SigningKey, header: &str, claims: &str) -> String {
        let input = format!("{}.{}", base64url(header), base64url(claims));
        let message = input.as_bytes();
        let verifies = |signature: &[u8]| key.public().verify(key.algorithm(), message, signature).is_ok();
        self.signed(&input, verifies, || key.signature(message).unwrap())
    }

    /// A token signed by the RSA key with PS256, by which the server signs nothing.
    pub fn ps256(&self, header: &Value, claims: &Value) -> String {
        let (input, pair) = (input(header, claims), rsa());
        let message = input.as_bytes();
        let public = UnparsedPublicKey::new(&RSA_PSS_2048_8192_SHA256, pair.public_key());
        let verifies = |signature: &[u8]| public.verify(message, signature).is_ok();
        self.signed(&input, verifies, || {
            let mut signature = vec![0; pair.public_modulus_len()];
            pair.sign(&RSA_PSS_SHA256, &SystemRandom::new(), message, &mut signature).unwrap();
            signature
        })
    }

    fn signed(
        &self,
        input: &str,
        verifies: impl Fn(&[u8]) -> bool,
        sign: impl FnOnce() -> Vec<u8>,
    ) -> String {
        let mut known = self.0.borrow_mut();
        let signatures = known.entry(input.to_owned()).or_default();
        let is_good = |signature: &&String| verifies(&from_base64url(signature).unwrap_or_default());
        let signature = signatures.iter().find(is_good).cloned().unwrap_or_else(|| {
            let fresh = base64url(sign());
            signatures.push(fresh.clone());
            fresh
        });
        format!("{input}.{signature}")
    }
}

pub fn rs256(header: &Value, claims: &Value) -> String {
    let (input, pair) = (input(header, claims), rsa());
    let mut signature = vec![0; pair.public_modulus_len()];
    pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), input.as_bytes(), &mut signature).unwrap();
    format!("{input}.{}", base64url(signature))
}

pub fn hs256(key: &[u8], header: &Value, claims: &Value) -> String {
    let input = input(header, claims);
    let signature = hmac_sha256(key, input.as_bytes());
    format!("{input}.{}", base64url(signature))
}

pub fn unsigned(header: &Value, claims: &Value) -> String {
    format!("{}.", input(header, claims))
}

fn input(header: &Value, claims: &Value) -> String {
    let part = |value: &Value| base64url(sorted(value).to_string());
    format!("{}.{}", part(header), part(claims))
}
