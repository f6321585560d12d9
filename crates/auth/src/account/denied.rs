//! Why a change of an account was refused.

use svc_core::{Error, Seconds};
use svc_domain::people::credentials::MOST_OF_A_KIND;
use svc_domain::people::guardians::{FEWEST, MOST};
use svc_domain::people::operators;
use svc_domain::tenancy::tenants::LONGEST_WAIT_HOURS;

use crate::pages::MessageKey;
use crate::signin::methods::new_passkey::Unmade;

/// Why something about an account stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    /// It is the last way to sign in.
    LastCredential,
    /// It is the last second factor, and one is demanded.
    SecondFactorNeeded,
    /// Codes on paper stand in for a second factor, and there is none.
    SecondFactorMissing,
    /// There are as many apps for codes as one account may have.
    AppsFull,
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
    /// A name has something to read and one line; this member has not.
    NameInvalid(&'static str),
    /// The same of the name of a credential.
    CredentialNameInvalid,
    /// The owner of an organization stays.
    OrganizationOwned,
    /// The person owns an organization, or is leaving already.
    Leaving,
    /// The person is the last operator who may do everything.
    LastOperator,
    /// The address of a guardian is the person's own.
    GuardianSelf,
    /// The address is invited already, or a guardian's.
    GuardianKnown,
    /// There are as many guardians as one person may have.
    GuardiansFull,
    /// Fewer guardians than these are there, or it is fewer than can recover an account.
    ThresholdOut,
    /// The time of waiting is shorter than this many hours, or too long.
    WaitOut(u32),
    /// No browser that asks shows this code.
    RecoveryCodeWrong,
    /// The recovery is over, or began before the guardian accepted.
    RecoveryOver,
    /// Too many attempts; another may be made after this time.
    TooMany(Seconds),
}

impl From<Unmade> for Denied {
    fn from(unmade: Unmade) -> Self {
        match unmade {
            Unmade::Late => Self::PasskeyLate,
            Unmade::Locked => Self::PasskeyLocked,
            Unmade::Failed => Self::PasskeyFailed,
        }
    }
}

impl Denied {
    /// What a page says.
    pub fn message(self) -> MessageKey {
        match self {
            Self::LastCredential => MessageKey::LastCredential,
            Self::SecondFactorNeeded => MessageKey::SecondFactorNeeded,
            Self::SecondFactorMissing => MessageKey::SecondFactorMissing,
            Self::AppsFull => {
                MessageKey::AppsFull { most: u32::try_from(MOST_OF_A_KIND).unwrap_or(u32::MAX) }
            }
            Self::CodeWrong => MessageKey::CodeWrong,
            Self::TextCodeWrong => MessageKey::TextCodeWrong,
            Self::PhoneTaken => MessageKey::PhoneTaken,
            Self::PasskeyLate => MessageKey::PasskeyLate,
            Self::PasskeyLocked => MessageKey::PasskeyLocked,
            Self::PasskeyFailed => MessageKey::PasskeyFailed,
            Self::PasskeyTaken => MessageKey::PasskeyTaken,
            Self::NameInvalid(_) => MessageKey::NameInvalid,
            Self::CredentialNameInvalid => MessageKey::CredentialNameInvalid,
            Self::OrganizationOwned => MessageKey::OrganizationOwned,
            Self::Leaving => MessageKey::DeletionRefused,
            Self::LastOperator => MessageKey::LastOperator,
            Self::GuardianSelf => MessageKey::GuardianSelf,
            Self::GuardianKnown => MessageKey::GuardianKnown,
            Self::GuardiansFull => MessageKey::GuardiansFull { most: MOST },
            Self::ThresholdOut => MessageKey::ThresholdOut { least: FEWEST },
            Self::WaitOut(least) => MessageKey::WaitOut { least },
            Self::RecoveryCodeWrong => MessageKey::RecoveryCodeWrong,
            Self::RecoveryOver => MessageKey::RecoveryOver,
            Self::TooMany(wait) => MessageKey::too_many_attempts(wait),
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
            Self::AppsFull => Error::conflict(format!(
                "an account has at most {MOST_OF_A_KIND} apps; remove one before another is added"
            )),
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
            Self::NameInvalid(member) => {
                Error::bad_request(format!("{member}: give one line of at most 200 characters"))
            }
            Self::CredentialNameInvalid => Error::bad_request("name: give one line of 1 to 60 characters"),
            Self::OrganizationOwned => {
                Error::conflict("the owner cannot leave; make another member the owner first")
            }
            Self::GuardianSelf => Error::conflict("email: give the address of another person"),
            Self::GuardianKnown => Error::conflict("email: this address is invited already, or a guardian's"),
            Self::GuardiansFull => {
                Error::conflict(format!("at most {MOST} guardians; remove one before another is invited"))
            }
            Self::ThresholdOut => Error::bad_request(format!(
                "threshold: give at least {FEWEST}, and no more than the guardians who have accepted"
            )),
            Self::WaitOut(least) => {
                Error::bad_request(format!("wait_hours: use {least} to {LONGEST_WAIT_HOURS}"))
            }
            Self::RecoveryCodeWrong => {
                Error::bad_request("code: give the code that the person reads out to you")
            }
            Self::RecoveryOver => Error::conflict("the person has no recovery open in which you have a say"),
            Self::TooMany(wait) => {
                Error::rate_limited("too many attempts; wait before the next").retry_in(wait)
            }
            Self::LastOperator => Error::conflict(operators::STAYS),
            Self::Leaving => Error::conflict(
                "the account is being deleted already, or its person owns an organization; make another member its owner first",
            ),
        }
    }
}
