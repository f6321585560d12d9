use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use reqwest::Url;
use serde_json::{Value, json};

use crate::jwt::Jws;
use crate::{Error, PublicKey, Request, VerifierConfig, base64url, digest_of, random_text};

const LONGEST_JTI: usize = 256;

/// Verifies a DPoP proof by RFC 9449 §4.3.
pub(crate) async fn check(
    config: &VerifierConfig,
    request: Request<'_>,
    token: &str,
    jkt: &str,
) -> Result<(), Error> {
    let refused = |how: &'static str| move || Error::invalid_proof(how);
    let [text] = request.dpop else { return Err(refused("the request needs one DPoP proof")()) };
    let jws = Jws::parse(text.trim()).filter(|jws| jws.is_typ("dpop+jwt"));
    let jws = jws.ok_or_else(refused("the proof is malformed or of another type"))?;
    let key = jws.header.get("jwk").and_then(PublicKey::from_jwk);
    let is_fit = |key: &PublicKey| key.alg == jws.text("alg") || (key.alg, jws.text("alg")) == ("EdDSA", "Ed25519");
    let key = key.filter(is_fit).ok_or_else(refused("the proof has no public key that fits"))?;
    let claims = jws.verify(&key).ok_or_else(refused("the proof's signature does not verify"))?;
    if key.thumbprint != jkt {
        return Err(refused("the token is bound to another key than the proof's")());
    }
    let is_here = claims.text("htu").and_then(normal).is_some_and(|htu| normal(request.url) == Some(htu));
    if claims.text("htm") != Some(request.method) || !is_here {
        return Err(refused("the proof is for another method or address")());
    }
    if claims.text("ath") != Some(&digest_of(token)) {
        return Err(refused("the proof is for another access token")());
    }
    let now = (config.now)();
    let iat = claims.time("iat").ok().flatten();
    let iat = iat.filter(|iat| (now - config.proof_max_age_secs..=now + config.leeway_secs).contains(iat));
    let iat = iat.ok_or_else(refused("the proof was not made just now; compare the clocks"))?;
    let jti = claims.text("jti").filter(|jti| (1..=LONGEST_JTI).contains(&jti.len()));
    let jti = jti.ok_or_else(refused("the proof has no jti of 1 to 256 bytes"))?;
    let until = iat + config.proof_max_age_secs + config.leeway_secs;
    let noted = config.replays.note(&digest_of(&format!("{jkt} {jti}")), until).await;
    let lost = |_| Error::new(503, "temporarily_unavailable", "the store of proofs is out of reach");
    if noted.map_err(lost)? { Ok(()) } else { Err(refused("the proof was used before (jti)")()) }
}

/// Addresses are compared after normalisation, without query and fragment (RFC 9449 §4.3).
fn normal(address: &str) -> Option<Url> {
    let is_plain = address.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    let mut url = Url::parse(address).ok().filter(|_| is_plain)?;
    url.set_query(None);
    url.set_fragment(None);
    (url.username().is_empty() && url.password().is_none()).then_some(url)
}

/// Makes DPoP proofs for a client (RFC 9449 §4.2), and signs assertions.
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
        let mut claims =
            json!({"htm": method, "htu": htu.as_str(), "iat": crate::now(), "jti": random_text()});
        if let Some(token) = access_token {
            claims["ath"] = json!(digest_of(token));
        }
        if let Some(nonce) = nonce {
            claims["nonce"] = json!(nonce);
        }
        self.sign(&json!({"typ": "dpop+jwt", "alg": "ES256", "jwk": self.jwk()}), &claims)
    }

    pub(crate) fn sign(&self, header: &Value, claims: &Value) -> Result<String, Error> {
        let input = format!("{}.{}", base64url(header.to_string()), base64url(claims.to_string()));
        let signature = self.pair.sign(&SystemRandom::new(), input.as_bytes());
        let signature = signature.map_err(|_| Error::local("the key did not sign"))?;
        Ok(format!("{input}.{}", base64url(signature)))
    }
}
