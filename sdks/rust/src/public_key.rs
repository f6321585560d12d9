//! Public keys as JSON Web Keys (RFC 7517): P-256 and Ed25519 for every token, RSA for ID tokens alone.

use std::fmt;

use aws_lc_rs::rsa::PublicKeyComponents;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256, RSA_PSS_2048_8192_SHA256,
};
use serde_json::Value;

use crate::{digest_of, from_base64url};

/// Verifies signatures of one algorithm: the key decides which, never the token.
pub struct PublicKey {
    pub(crate) alg: &'static str,
    pub(crate) thumbprint: String,
    parsed: ParsedPublicKey,
}

impl PublicKey {
    /// Reads a public JWK of a kind that signs access tokens or proofs (RFC 7518 §6.2, RFC 8037).
    pub fn from_jwk(jwk: &Value) -> Option<Self> {
        let text = |name: &str| jwk[name].as_str();
        let coordinate = |name| text(name).and_then(from_base64url).filter(|bytes| bytes.len() == 32);
        if !is_for_verification(jwk) {
            return None;
        }
        let x = coordinate("x")?;
        let (alg, members, parsed) = match (text("kty")?, text("crv")?) {
            ("EC", "P-256") => {
                let point = [vec![4], x, coordinate("y")?].concat();
                let members =
                    format!(r#"{{"crv":"P-256","kty":"EC","x":"{}","y":"{}"}}"#, text("x")?, text("y")?);
                ("ES256", members, ParsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).ok()?)
            }
            ("OKP", "Ed25519") => {
                let members = format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{}"}}"#, text("x")?);
                ("EdDSA", members, ParsedPublicKey::new(&ED25519, x).ok()?)
            }
            _ => return None,
        };
        let fits = jwk.get("alg").is_none_or(|value| value == alg);
        fits.then(|| Self { alg, thumbprint: digest_of(&members), parsed })
    }

    /// Reads a public RSA JWK of 2048 to 8192 bits (RFC 7518 §6.3), RS256 unless it says PS256.
    pub(crate) fn rsa_from_jwk(jwk: &Value) -> Option<Self> {
        let number = |name: &str| jwk[name].as_str().and_then(from_base64url);
        if !is_for_verification(jwk) || jwk["kty"] != "RSA" {
            return None;
        }
        let (n, e) = (number("n")?, number("e")?);
        let is_long = (256..=1024).contains(&n.len())
            && n.first().is_some_and(|high| *high >= 0x80 || (n.len() > 256 && *high > 0));
        // A huge exponent is only a way to make us work; 1 would make every message its own signature.
        let is_odd = e.len() <= 4 && e.last().is_some_and(|low| low % 2 == 1);
        if !is_long || !is_odd || e.first() == Some(&0) || e == [1] {
            return None;
        }
        let (alg, how) = match jwk.get("alg").map(|alg| alg.as_str().unwrap_or_default()) {
            None | Some("RS256") => ("RS256", &RSA_PKCS1_2048_8192_SHA256),
            Some("PS256") => ("PS256", &RSA_PSS_2048_8192_SHA256),
            Some(_) => return None,
        };
        let parsed = PublicKeyComponents { n: &n, e: &e }.to_parsed_public_key(how).ok()?;
        Some(Self { alg, thumbprint: String::new(), parsed })
    }

    /// The bare check of a signature in the form that JWS carries (RFC 7518 §3.4).
    pub fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        self.parsed.verify_sig(message, signature).is_ok()
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{} key {}]", self.alg, self.thumbprint)
    }
}

/// Neither a private key nor one for encryption.
fn is_for_verification(jwk: &Value) -> bool {
    jwk.get("d").is_none() && jwk.get("use").is_none_or(|purpose| purpose == "sig")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const X: &str = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";

    #[test]
    fn keys_that_are_private_or_for_another_use_or_algorithm_are_none() {
        let ed25519 = json!({"kty": "OKP", "crv": "Ed25519", "x": X});
        assert!(PublicKey::from_jwk(&ed25519).is_some());
        let wrong =
            [("d", "AA"), ("use", "enc"), ("alg", "ES256"), ("crv", "X25519"), ("kty", "RSA"), ("x", "AA")];
        for (name, value) in wrong {
            let mut jwk = ed25519.clone();
            jwk[name] = json!(value);
            assert!(PublicKey::from_jwk(&jwk).is_none(), "{name}");
        }
    }

    #[test]
    fn a_point_off_the_curve_and_a_weak_rsa_key_are_refused() {
        let off = json!({"kty": "EC", "crv": "P-256", "x": X, "y": X});
        assert!(PublicKey::from_jwk(&off).is_none());
        for (bytes, e) in [(128, "AQAB"), (2048, "AQAB"), (256, "AQ"), (256, "AQAAAAE")] {
            let jwk = json!({"kty": "RSA", "n": crate::base64url(vec![0xff; bytes]), "e": e});
            assert!(PublicKey::rsa_from_jwk(&jwk).is_none(), "{bytes} {e}");
        }
        let strong = json!({"kty": "RSA", "n": crate::base64url(vec![0xff; 256]), "e": "AQAB"});
        assert!(PublicKey::rsa_from_jwk(&strong).is_some());
        assert!(PublicKey::from_jwk(&strong).is_none(), "access tokens and proofs know no RSA");
    }
}
