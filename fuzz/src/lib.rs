//! What several targets need: an instant, and a signer of everything that an input says.

use std::sync::LazyLock;

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};
use svc_core::Timestamp;
use svc_keys::{PublicKey, base64url};

/// The instant at which every input is read.
pub const NOW: Timestamp = Timestamp::from_secs(1_800_000_000);

/// A key, the same in every run, so that an input that fails once fails again.
pub static SIGNER: LazyLock<Signer> = LazyLock::new(Signer::new);

/// An Ed25519 key with both halves.
pub struct Signer {
    pair: Ed25519KeyPair,
    /// The public half.
    pub public: PublicKey,
    /// The public half as it stands in headers.
    pub jwk: Value,
    /// Its thumbprint.
    pub thumbprint: String,
}

impl Signer {
    fn new() -> Self {
        let pair = Ed25519KeyPair::from_seed_unchecked(&[7; 32]).unwrap();
        let jwk = json!({"kty": "OKP", "crv": "Ed25519", "x": base64url(pair.public_key())});
        let public = PublicKey::from_jwk(&jwk).unwrap();
        let thumbprint = public.thumbprint();
        Self { pair, public, jwk, thumbprint }
    }

    /// A token with a true signature over whatever header and payload.
    pub fn token(&self, header: &str, payload: &str) -> String {
        let input = format!("{}.{}", base64url(header), base64url(payload));
        let signature = self.pair.sign(input.as_bytes());
        format!("{input}.{}", base64url(signature))
    }
}
