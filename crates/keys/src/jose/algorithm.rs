//! The signature algorithms that we know (RFC 7518 §3, RFC 8037 §3); `none` and HMAC are not among them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::base64url;
use crate::digest::{sha256, sha512};

/// An `alg` value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Algorithm {
    /// ECDSA on P-256 with SHA-256; the default for everything that we sign.
    #[serde(rename = "ES256")]
    Es256,
    /// Ed25519.
    #[serde(rename = "EdDSA", alias = "Ed25519")]
    EdDsa,
    /// RSA PKCS #1 v1.5 with SHA-256: ID tokens and `UserInfo` only, for libraries that still assume it.
    #[serde(rename = "RS256")]
    Rs256,
    /// RSA PSS with SHA-256: accepted from clients, never issued.
    #[serde(rename = "PS256")]
    Ps256,
}

impl Algorithm {
    /// Every algorithm.
    pub const ALL: &'static [Self] = &[Self::Es256, Self::EdDsa, Self::Rs256, Self::Ps256];
    /// The algorithms that we sign with.
    pub const SIGNING: &'static [Self] = &[Self::Es256, Self::EdDsa, Self::Rs256];
    /// The names under which we take what others sign; `Ed25519` and `EdDSA` are the same.
    pub const NAMES_TAKEN: &'static [&'static str] = &["ES256", "EdDSA", "Ed25519", "RS256", "PS256"];

    /// The registered name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Es256 => "ES256",
            Self::EdDsa => "EdDSA",
            Self::Rs256 => "RS256",
            Self::Ps256 => "PS256",
        }
    }

    /// The algorithm of exactly this name; letter case matters.
    ///
    /// `Ed25519` is the newer name of the only `EdDSA` that we know (RFC 9864 §2.2); libraries send either.
    pub fn from_name(name: &str) -> Option<Self> {
        if name == "Ed25519" {
            return Some(Self::EdDsa);
        }
        Self::ALL.iter().copied().find(|algorithm| algorithm.name() == name)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The `at_hash` claim of an ID token that `algorithm` signs (OpenID Connect Core §3.1.3.6).
///
/// Ed25519 hashes with SHA-512 inside, so its half hash is the left half of that.
pub fn at_hash(algorithm: Algorithm, access_token: &str) -> String {
    let value = access_token.as_bytes();
    match algorithm {
        Algorithm::EdDsa => left_half(&sha512(value)),
        Algorithm::Es256 | Algorithm::Rs256 | Algorithm::Ps256 => left_half(&sha256(value)),
    }
}

fn left_half(hash: &[u8]) -> String {
    base64url(hash.split_at(hash.len() / 2).0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_the_same_in_json_and_in_text() {
        for &algorithm in Algorithm::ALL {
            let quoted = format!("\"{algorithm}\"");
            assert_eq!(serde_json::to_string(&algorithm).unwrap(), quoted);
            assert_eq!(serde_json::from_str::<Algorithm>(&quoted).unwrap(), algorithm);
            assert_eq!(Algorithm::from_name(algorithm.name()), Some(algorithm));
        }
    }

    #[test]
    fn every_algorithm_is_taken_by_its_name() {
        let mut taken: Vec<_> =
            Algorithm::NAMES_TAKEN.iter().map(|name| Algorithm::from_name(name).unwrap()).collect();
        taken.dedup();
        assert_eq!(taken, Algorithm::ALL);
    }

    #[test]
    fn ed25519_has_two_names() {
        assert_eq!(Algorithm::from_name("Ed25519"), Some(Algorithm::EdDsa));
        assert_eq!(serde_json::from_str::<Algorithm>("\"Ed25519\"").unwrap(), Algorithm::EdDsa);
        assert_eq!(Algorithm::EdDsa.name(), "EdDSA");
    }

    #[test]
    fn nothing_else_is_an_algorithm() {
        for name in
            ["none", "None", "nOnE", "", "HS256", "es256", "ES256 ", "RS512", "ES384", "Ed448", "ed25519"]
        {
            assert_eq!(Algorithm::from_name(name), None, "{name}");
        }
    }

    #[test]
    fn the_half_hash_is_that_of_the_openid_example() {
        let token = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y";
        assert_eq!(at_hash(Algorithm::Rs256, token), "77QmUPtjPfzWtF2AnpK9RQ");
        assert_eq!(at_hash(Algorithm::Es256, token), at_hash(Algorithm::Ps256, token));
        assert_eq!(at_hash(Algorithm::EdDsa, token).len(), 43);
    }
}
