//! Signs people in by an issuer of svc, protects HTTP APIs with its access tokens, verifies its webhooks and calls its management API.
//!
//! Nothing here prints tokens, secrets or codes.

mod callback;
mod client;
mod discovery;
mod dpop;
mod error;
mod id_token;
mod jwt;
mod keys;
mod management;
#[cfg(feature = "tower")]
mod mcp;
mod proof_key;
#[cfg(feature = "tower")]
mod protect;
mod public_key;
mod replay;
mod sending;
mod verifier;
mod webhook;

pub use callback::{Flow, Refused, callback, challenge, verify_challenge};
pub use client::{Authentication, Client, ClientConfig, Device, Logout, SignIn, Tokens};
pub use discovery::{Metadata, tenant_issuer};
pub use error::Error;
pub use id_token::{Expected, verify_id_token};
pub use jwt::Claims;
pub use keys::{Keys, RemoteKeys};
pub use management::{Call, Management, Pages, Resource, TokenSource};
#[cfg(feature = "tower")]
pub use mcp::Mcp;
pub use proof_key::ProofKey;
#[cfg(feature = "tower")]
pub use protect::{Protect, ProtectLayer, Protection};
pub use public_key::PublicKey;
pub use replay::{MemoryReplays, ReplayStore};
pub use sending::Http;
pub use verifier::{Request, Required, Verifier, VerifierConfig};
pub use webhook::{Delivery, WebhookRefusal, WebhookVerifier};

/// What [`Http::client`] is made with, in the version that this package sends by.
pub use reqwest;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

fn base64url(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn from_base64url(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}

/// The SHA-256 of a text in base64url: thumbprints (RFC 7638), `ath` (RFC 9449 §4.2), challenges (RFC 7636 §4.2).
fn digest_of(text: &str) -> String {
    base64url(aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, text.as_bytes()))
}

/// A text as it stands in a form.
fn form_encoded(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    let encode =
        |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(encode).collect()
}

/// A fresh secret of 256 bits.
fn random_text() -> String {
    let mut bytes = [0; 32];
    // Going on with bytes that are not random would hand out guessable secrets.
    if aws_lc_rs::rand::fill(&mut bytes).is_err() {
        std::process::abort();
    }
    base64url(bytes)
}

/// Now, in seconds since 1970.
fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}
