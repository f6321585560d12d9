//! The numbers of a public key (RFC 7518 §6, RFC 8037 §2) and the library's parsed forms of them.

use aws_lc_rs::rsa::PublicKeyComponents;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256, RSA_PSS_2048_8192_SHA256,
};
use serde_json::{Value, json};

use super::Algorithm;
use crate::base64url;

/// INVARIANT: each variant verifies the algorithms of its own key type and no other.
#[derive(Clone)]
pub(super) enum Material {
    P256 { x: [u8; 32], y: [u8; 32], key: ParsedPublicKey },
    Ed25519 { x: [u8; 32], key: ParsedPublicKey },
    Rsa { n: Vec<u8>, e: Vec<u8>, pkcs1: ParsedPublicKey, pss: ParsedPublicKey },
}

impl Material {
    /// A point, which the library checks to be on the curve.
    pub fn p256(x: [u8; 32], y: [u8; 32]) -> Option<Self> {
        let key = ParsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, [&[4][..], &x, &y].concat()).ok()?;
        Some(Self::P256 { x, y, key })
    }

    pub fn ed25519(x: [u8; 32]) -> Option<Self> {
        let key = ParsedPublicKey::new(&ED25519, x).ok()?;
        Some(Self::Ed25519 { x, key })
    }

    /// A modulus of 2048 to 8192 bits and an exponent of at most 32, both odd and without leading zeros.
    pub fn rsa(n: Vec<u8>, e: Vec<u8>) -> Option<Self> {
        let bits = n.len() * 8 - usize::try_from(n.first()?.leading_zeros()).ok()?;
        let is_proper = |number: &[u8]| {
            number.first().is_some_and(|&high| high != 0) && number.last().is_some_and(|low| low % 2 == 1)
        };
        // A huge exponent is only a way to make us work; 1 would make every message its own signature.
        if !(2048..=8192).contains(&bits) || !is_proper(&n) || !is_proper(&e) || e.len() > 4 || e == [1] {
            return None;
        }
        let components = PublicKeyComponents { n: &n, e: &e };
        let pkcs1 = components.to_parsed_public_key(&RSA_PKCS1_2048_8192_SHA256).ok()?;
        let pss = components.to_parsed_public_key(&RSA_PSS_2048_8192_SHA256).ok()?;
        Some(Self::Rsa { n, e, pkcs1, pss })
    }

    /// The form that verifies `algorithm`, if this is a key for it.
    pub fn parsed(&self, algorithm: Algorithm) -> Option<&ParsedPublicKey> {
        match (self, algorithm) {
            (Self::P256 { key, .. }, Algorithm::Es256)
            | (Self::Ed25519 { key, .. }, Algorithm::EdDsa)
            | (Self::Rsa { pkcs1: key, .. }, Algorithm::Rs256)
            | (Self::Rsa { pss: key, .. }, Algorithm::Ps256) => Some(key),
            _ => None,
        }
    }

    /// The bytes of a signature.
    pub fn signature_len(&self) -> usize {
        match self {
            Self::P256 { .. } | Self::Ed25519 { .. } => 64,
            Self::Rsa { n, .. } => n.len(),
        }
    }

    /// The members that a thumbprint covers, in its order (RFC 7638 §3.2, §3.3).
    pub fn required_members(&self) -> Value {
        match self {
            Self::P256 { x, y, .. } => {
                json!({"crv": "P-256", "kty": "EC", "x": base64url(x), "y": base64url(y)})
            }
            Self::Ed25519 { x, .. } => json!({"crv": "Ed25519", "kty": "OKP", "x": base64url(x)}),
            Self::Rsa { n, e, .. } => json!({"e": base64url(e), "kty": "RSA", "n": base64url(n)}),
        }
    }
}
