//! What a form that belongs to no flow is for, sealed into it.

use serde::{Deserialize, Serialize};
use svc_core::{AccountId, Error, Seconds, SessionId, TenantUserId, Timestamp};

use crate::hosted::Carried;

/// How long such a form may stay open.
pub const FORM_LIFETIME: Seconds = Seconds(60 * 60);

/// What a form without a flow is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Asks for a link to choose a new password.
    Forgot,
    /// Confirms an address, by the secret of the mailed link.
    VerifyEmail(String),
    /// The same with a passkey that the browser was asked for.
    VerifyWithPasskey(FirstPasskey),
    /// Accepts an invitation to an organization, by the secret of the mailed link.
    AcceptInvitation(String),
    /// The same with a passkey that the browser was asked for.
    AcceptWithPasskey(FirstPasskey),
    /// Chooses a new password, by the secret of the mailed link.
    ResetPassword(String),
    /// Gives an account another address, by the secret of the mailed link.
    ChangeAddress(String),
    /// Takes back that an account got another address, by the secret of the mailed link.
    UndoAddress(String),
    /// Says that a sign-in was not the owner's, by the secret of the mailed link.
    DisownSignIn(String),
    /// Asks the guardians of an account for recovery.
    AskGuardians,
    /// Sets a new password after guardians have confirmed.
    FinishRecovery,
    /// Cancels a recovery by guardians, by the secret of the mailed link.
    CancelRecovery(String),
    /// Begins to act for a person, by the secret of the link of a staff member.
    Impersonate(String),
    /// Takes back what this person has allowed.
    TakeBack(TenantUserId),
    /// Shows this administrator a draft of branding and texts.
    Preview(TenantUserId),
    /// Changes something in a section of the account centre.
    Account {
        /// Whose page it is.
        person: TenantUserId,
        /// The section.
        section: String,
        /// What the page left for its form.
        memory: Option<String>,
    },
    /// Confirms signing out.
    SignOut {
        /// Where to go afterwards: a registered address.
        return_to: Option<String>,
        /// The sessions of the accounts that the page showed.
        sessions: Vec<SessionId>,
    },
}

/// A passkey that the browser is asked for instead of a password.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstPasskey {
    /// The secret of the mailed link.
    pub secret: String,
    /// What the account will be called: authenticators know it by then.
    pub account: AccountId,
    /// The challenge.
    pub creation: String,
}

impl Carried for Purpose {
    const LABEL: &'static str = "hosted form";

    fn expires_at(&self, now: Timestamp, _: Seconds) -> Timestamp {
        now + FORM_LIFETIME
    }
}

/// The refusal of a form that is for something else.
#[track_caller]
pub fn wrong_form() -> Error {
    Error::forbidden("this form is for something else; start again")
}
