//! Why something about an account stays as it is.

use svc_core::Error;

use crate::pages::MessageKey;

/// Why something about an account stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    /// It is the last way to sign in.
    LastCredential,
    /// It is the last second factor, and one is demanded.
    SecondFactorNeeded,
    /// Codes on paper stand in for a second factor, and there is none.
    SecondFactorMissing,
    /// The code does not belong to the app's key.
    CodeWrong,
    /// The code is not the one that was sent.
    TextCodeWrong,
    /// Another account has the phone number.
    PhoneTaken,
    /// The challenge was answered too late, or before.
    PasskeyLate,
    /// The passkey was not unlocked.
    PasskeyLocked,
    /// The answer of the authenticator does not count.
    PasskeyFailed,
    /// An account has the passkey already, or this one has too many.
    PasskeyTaken,
    /// A name has something to read and one line.
    NameInvalid,
    /// The owner of an organization stays.
    OrganizationOwned,
    /// The person owns an organization, or is leaving already.
    Leaving,
}

impl Denied {
    /// What a page says.
    pub fn message(self) -> MessageKey {
        match self {
            Self::LastCredential => MessageKey::LastCredential,
            Self::SecondFactorNeeded => MessageKey::SecondFactorNeeded,
            Self::SecondFactorMissing => MessageKey::SecondFactorMissing,
            Self::CodeWrong => MessageKey::CodeWrong,
            Self::TextCodeWrong => MessageKey::TextCodeWrong,
            Self::PhoneTaken => MessageKey::PhoneTaken,
            Self::PasskeyLate => MessageKey::PasskeyLate,
            Self::PasskeyLocked => MessageKey::PasskeyLocked,
            Self::PasskeyFailed => MessageKey::PasskeyFailed,
            Self::PasskeyTaken => MessageKey::PasskeyTaken,
            Self::NameInvalid => MessageKey::NameInvalid,
            Self::OrganizationOwned => MessageKey::OrganizationOwned,
            Self::Leaving => MessageKey::DeletionRefused,
        }
    }

    /// What the API answers.
    #[track_caller]
    pub fn refusal(self) -> Error {
        match self {
            Self::LastCredential => Error::conflict(
                "this is the last way to sign in; add another passkey or set a password first",
            ),
            Self::SecondFactorNeeded => {
                Error::conflict("a second factor is required here; add another before this one is removed")
            }
            Self::SecondFactorMissing => {
                Error::conflict("backup codes stand in for a second factor; add an app or a passkey first")
            }
            Self::CodeWrong => Error::bad_request("code: give the code that the app shows now"),
            Self::TextCodeWrong => Error::bad_request("code: give the code of the newest text message"),
            Self::PhoneTaken => Error::conflict("phone_number: another account has this number"),
            Self::PasskeyLate => {
                Error::bad_request("flow: the challenge is too old or was answered; ask for another")
            }
            Self::PasskeyLocked => {
                Error::bad_request("answer: the passkey was not unlocked; ask for user verification")
            }
            Self::PasskeyFailed => {
                Error::bad_request("answer: give what the authenticator answered to this challenge, as JSON")
            }
            Self::PasskeyTaken => {
                Error::conflict("an account has this passkey already, or this one has too many")
            }
            Self::NameInvalid => Error::bad_request("name: give one line of at most 200 characters"),
            Self::OrganizationOwned => {
                Error::conflict("the owner cannot leave; make another member the owner first")
            }
            Self::Leaving => Error::conflict(
                "the account is being deleted already, or its person owns an organization; make another member its owner first",
            ),
        }
    }
}
