//! The two halves of a ceremony: what goes to the browser, what is remembered of it, and what comes back (WebAuthn §7).

use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_core::Timestamp;
use svc_db::coordination::Once;
use webauthn_rs_core::error::WebauthnError;
use webauthn_rs_core::proto::{AuthenticationState, PublicKeyCredential, RegistrationState};

use super::{Passkey, Use};

/// Longest answer in bytes: a certificate chain of an attestation that was not asked for may be in it.
const LONGEST_ANSWER: usize = 16 * 1024;

/// Where the flags of an authenticator stand in its data (WebAuthn §6.1), and the one of keys that may be copied.
const FLAGS: (usize, u8) = (32, 0x08);

/// What is remembered of a challenge until it is answered. It counts once, and until its time is over.
#[derive(Serialize, Deserialize)]
pub struct Pending<S> {
    pub(super) state: S,
    pub(super) challenge: String,
    pub(super) since: Timestamp,
    pub(super) until: Timestamp,
    pub(super) purpose: Use,
}

/// The challenge for a new passkey.
pub type Creation = Pending<RegistrationState>;

/// The challenge for a signature.
pub type Request = Pending<AuthenticationState>;

impl<S> Pending<S> {
    /// Whether it is too late for an answer.
    pub fn is_over(&self, now: Timestamp) -> bool {
        now >= self.until
    }

    /// What is noted of it, so that no second answer counts.
    pub fn once(&self) -> Once {
        Once::between(format!("passkey {}", self.challenge), self.since, self.until)
    }

    /// What the key is for, or is used for.
    pub fn purpose(&self) -> Use {
        self.purpose
    }
}

/// A signature that came back.
pub struct Answer(pub(super) PublicKeyCredential);

impl Answer {
    /// Reads what the browser sent; `None` for what no browser sends.
    pub fn read(text: &str) -> Option<Self> {
        read(text).map(Self)
    }

    /// The credential id.
    pub fn id(&self) -> &[u8] {
        &self.0.raw_id
    }

    /// Whether the authenticator says that the key may be copied.
    pub(super) fn says_eligible(&self) -> bool {
        let (at, eligible) = FLAGS;
        let data: &[u8] = self.0.response.authenticator_data.as_ref();
        data.get(at).is_some_and(|flags| flags & eligible != 0)
    }

    /// The account that the authenticator names, by its user handle.
    pub fn user_handle(&self) -> Option<&[u8]> {
        self.0.get_user_unique_id().filter(|handle| !handle.is_empty())
    }
}

/// The JSON of an answer, if it is not too long and has the shape of one.
pub(super) fn read<T: serde::de::DeserializeOwned>(text: &str) -> Option<T> {
    let text = Some(text).filter(|text| text.len() <= LONGEST_ANSWER)?;
    // A flat reader first: what is nested deeper than any answer is none.
    let value: Value = serde_json::from_str(text).ok()?;
    serde_json::from_value(value).ok()
}

/// What a signature proves.
pub struct Verified {
    /// Whether the holder unlocked the key, rather than only touched it.
    pub is_unlocked: bool,
    /// The counter of the authenticator.
    pub counter: u32,
    /// Whether it counted backwards: there may be a copy of the key.
    pub is_behind: bool,
    /// The passkey as it is from now on.
    pub passkey: Passkey,
}

/// Why an answer does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The holder had to unlock the key, and did not.
    Locked,
    /// It was made at another origin, or for another relying party.
    Foreign,
    /// It is for another challenge.
    Challenge,
    /// The signature or the form is wrong.
    Invalid,
}

impl Fault {
    /// The name in the log and in metrics.
    pub fn label(self) -> &'static str {
        match self {
            Self::Locked => "not_unlocked",
            Self::Foreign => "foreign",
            Self::Challenge => "challenge",
            Self::Invalid => "invalid",
        }
    }
}

impl From<WebauthnError> for Fault {
    fn from(error: WebauthnError) -> Self {
        match error {
            WebauthnError::UserNotVerified => Self::Locked,
            WebauthnError::InvalidRPOrigin
            | WebauthnError::InvalidRPIDHash
            | WebauthnError::CredentialCrossOrigin => Self::Foreign,
            WebauthnError::MismatchedChallenge => Self::Challenge,
            _ => Self::Invalid,
        }
    }
}
