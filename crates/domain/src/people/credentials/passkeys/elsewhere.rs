//! A passkey that was made at another system for the same relying party: its authenticator goes on to use it here.

use svc_core::{Error, Result};
use url::Host;
use webauthn_rs_core::error::WebauthnError;
use webauthn_rs_core::proto::{AuthenticatorTransport, COSEAlgorithm, COSEKey};

use super::{Passkey, Use};

/// Longest credential id in bytes (WebAuthn §4, "Credential ID"), and longest user handle (§5.4.3).
const LONGEST_ID: usize = 1023;
const LONGEST_HANDLE: usize = 64;
/// Largest public key in bytes: one of RSA with 4096 bits, in CBOR.
const LARGEST_KEY: usize = 1024;

/// What another system kept of a passkey.
pub struct Elsewhere<'a> {
    /// The relying party that it was made for.
    pub rp_id: &'a str,
    /// What it was made for.
    pub purpose: Use,
    /// The credential id.
    pub id: Vec<u8>,
    /// The public key, as COSE has it in CBOR (RFC 9052 §7).
    pub public_key: &'a [u8],
    /// What its authenticator knows the person by. A passkey needs it, since nothing is typed.
    pub user_handle: Option<Vec<u8>>,
    /// The model of its maker.
    pub aaguid: Option<String>,
    /// How browsers reach it.
    pub transports: &'a [String],
    /// Whether it may be copied to other devices, where that is known.
    pub is_backup_eligible: Option<bool>,
}

impl Elsewhere<'_> {
    /// The passkey as it is kept here. Errors begin with the member that is at fault.
    pub fn passkey(self) -> Result<Passkey> {
        let Some(Host::Domain(rp_id)) =
            Some(self.rp_id).filter(|id| id.len() <= 253).and_then(|id| Host::parse(id).ok())
        else {
            return Err(invalid(
                "rp_id: give the relying party that it was made for, such as login.example.com",
            ));
        };
        if !(1..=LONGEST_ID).contains(&self.id.len()) {
            return Err(invalid("credential_id: give 1 to 1023 bytes"));
        }
        match &self.user_handle {
            Some(handle) if !(1..=LONGEST_HANDLE).contains(&handle.len()) => {
                return Err(invalid("user_handle: give 1 to 64 bytes"));
            }
            None if self.purpose == Use::Passkey => {
                return Err(invalid("user_handle: give what the authenticator knows the person by"));
            }
            _ => {}
        }
        let known = |transport: &String| transport.parse().unwrap_or(AuthenticatorTransport::Unknown);
        let transports = self.transports.iter().map(known);
        Ok(Passkey {
            rp_id,
            purpose: self.purpose,
            is_backup_eligible: self.is_backup_eligible.unwrap_or_default(),
            is_backed_up: false,
            aaguid: self.aaguid.filter(|aaguid| is_model(aaguid)),
            transports: transports.filter(|known| *known != AuthenticatorTransport::Unknown).collect(),
            id: self.id,
            key: key(self.public_key)?,
            handle: self.user_handle,
            is_unseen: self.is_backup_eligible.is_none(),
        })
    }
}

/// A key that signatures can be verified with.
fn key(cbor: &[u8]) -> Result<COSEKey> {
    let unfit = || invalid("public_key: give a COSE key of ES256, ES384 or RS256 in CBOR");
    let cbor = Some(cbor).filter(|cbor| cbor.len() <= LARGEST_KEY).ok_or_else(unfit)?;
    let value: serde_cbor_2::Value = serde_cbor_2::from_slice(cbor).map_err(|_| unfit())?;
    let key = COSEKey::try_from(&value).map_err(|_| unfit())?;
    let is_known = matches!(key.type_, COSEAlgorithm::ES256 | COSEAlgorithm::ES384 | COSEAlgorithm::RS256);
    // A signature of nothing is refused for what it is by a key that is one.
    let is_key = matches!(key.verify_signature(&[], &[]), Ok(false) | Err(WebauthnError::SignatureInvalid));
    if is_known && is_key { Ok(key) } else { Err(unfit()) }
}

/// Whether it is an AAGUID that says something: one of zeros says nothing.
fn is_model(aaguid: &str) -> bool {
    let is_form = |(at, byte): (usize, u8)| {
        if [8, 13, 18, 23].contains(&at) { byte == b'-' } else { byte.is_ascii_hexdigit() }
    };
    aaguid.len() == 36
        && aaguid.bytes().enumerate().all(is_form)
        && aaguid.bytes().any(|byte| byte != b'0' && byte != b'-')
}

fn invalid(detail: &str) -> Error {
    Error::bad_request(detail)
}
