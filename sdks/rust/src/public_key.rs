//! Public keys as JSON Web Keys (RFC 7517): P-256 and Ed25519 for every token, RSA for ID tokens and proofs alone.

use std::fmt;

use aws_lc_rs::rsa::PublicKeyComponents;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256, RSA_PSS_2048_8192_SHA256,
};
use serde_json::Value;

use crate::{base64url, digest_of, from_base64url};

const PRIVATE_MEMBERS: [&str; 8] = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

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
        // Ed25519 is the newer name of EdDSA (RFC 9864 §2.2).
        let is_own = |value: &Value| value == alg || (alg == "EdDSA" && value == "Ed25519");
        let fits = jwk.get("alg").is_none_or(is_own);
        fits.then(|| Self { alg, thumbprint: digest_of(&members), parsed })
    }

    /// Reads the public JWK of a proof, whose RSA keys sign by PS256 alone.
    pub(crate) fn of_proof(jwk: &Value) -> Option<Self> {
        Self::from_jwk(jwk).or_else(|| Self::rsa_from_jwk(jwk, "PS256")).filter(|key| key.alg != "RS256")
    }

    /// Reads a public RSA JWK of 2048 to 8192 bits (RFC 7518 §6.3), of this algorithm unless it names one.
    pub(crate) fn rsa_from_jwk(jwk: &Value, usual: &str) -> Option<Self> {
        let number = |name: &str| jwk[name].as_str().and_then(from_base64url);
        if !is_for_verification(jwk) || jwk["kty"] != "RSA" {
            return None;
        }
        let (n, e) = (number("n")?, number("e")?);
        let is_long = (256..=1024).contains(&n.len())
            && n.first().is_some_and(|high| *high >= 0x80 || (n.len() > 256 && *high > 0));
        // A huge exponent is only a way to make us work; 1 would make every message its own signature.
        let is_odd =
            e.len() <= 4 && [&n, &e].iter().all(|number| number.last().is_some_and(|low| low % 2 == 1));
        if !is_long || !is_odd || e.first() == Some(&0) || e == [1] {
            return None;
        }
        let (alg, how) = match jwk.get("alg").map_or(Some(usual), Value::as_str)? {
            "RS256" => ("RS256", &RSA_PKCS1_2048_8192_SHA256),
            "PS256" => ("PS256", &RSA_PSS_2048_8192_SHA256),
            _ => return None,
        };
        let parsed = PublicKeyComponents { n: &n, e: &e }.to_parsed_public_key(how).ok()?;
        let members = format!(r#"{{"e":"{}","kty":"RSA","n":"{}"}}"#, base64url(e), base64url(n));
        Some(Self { alg, thumbprint: digest_of(&members), parsed })
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

/// Neither a private key, which its owner has leaked, nor one for encryption.
fn is_for_verification(jwk: &Value) -> bool {
    PRIVATE_MEMBERS.iter().all(|name| jwk.get(*name).is_none())
        && jwk.get("use").is_none_or(|purpose| purpose == "sig")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const X: &str = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
    /// RFC 7638 §3.1.
    const MODULUS: &str = concat!(
        "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc",
        "_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQ",
        "R0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bF",
        "TWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw",
    );
    const THUMBPRINT: &str = "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs";

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
            assert!(PublicKey::rsa_from_jwk(&jwk, "RS256").is_none(), "{bytes} {e}");
            assert!(PublicKey::of_proof(&jwk).is_none(), "{bytes} {e}");
        }
        let strong = json!({"kty": "RSA", "n": crate::base64url(vec![0xff; 256]), "e": "AQAB"});
        assert!(PublicKey::rsa_from_jwk(&strong, "RS256").is_some());
        assert!(PublicKey::from_jwk(&strong).is_none(), "access tokens know no RSA");
    }

    #[test]
    fn an_rsa_key_signs_proofs_by_ps256_alone_and_has_the_thumbprint_of_rfc_7638() {
        let jwk = json!({"kty": "RSA", "n": MODULUS, "e": "AQAB"});
        for alg in [None, Some("PS256")] {
            let mut jwk = jwk.clone();
            if let Some(alg) = alg {
                jwk["alg"] = json!(alg);
            }
            let key = PublicKey::of_proof(&jwk).unwrap();
            assert_eq!((key.alg, key.thumbprint.as_str()), ("PS256", THUMBPRINT));
        }
        let wrong =
            [("alg", "RS256"), ("alg", "ES256"), ("use", "enc"), ("d", "AQAB"), ("p", "AQAB"), ("e", "Ag")];
        for (name, value) in wrong {
            let mut jwk = jwk.clone();
            jwk[name] = json!(value);
            assert!(PublicKey::of_proof(&jwk).is_none(), "{name} {value}");
        }
    }

    #[test]
    fn ed25519_is_another_name_of_eddsa() {
        let named =
            |alg: &str| PublicKey::of_proof(&json!({"kty": "OKP", "crv": "Ed25519", "x": X, "alg": alg}));
        assert!(named("Ed25519").is_some() && named("EdDSA").is_some() && named("Ed448").is_none());
    }
}
