//! What a form that belongs to no flow is for, sealed into it.

use serde::{Deserialize, Serialize};
use svc_core::{Error, Seconds, TenantUserId, Timestamp};

use crate::hosted::Carried;

/// How long such a form may stay open.
const FORM_LIFETIME: Seconds = Seconds(60 * 60);

/// What a form without a flow is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Asks for a link to choose a new password.
    Forgot,
    /// Confirms an address, by the secret of the mailed link.
    VerifyEmail(String),
    /// Accepts an invitation to an organization, by the secret of the mailed link.
    AcceptInvitation(String),
    /// Chooses a new password, by the secret of the mailed link.
    ResetPassword(String),
    /// Takes back what this person has allowed.
    TakeBack(TenantUserId),
    /// Confirms signing out; then on to a registered address, if there is one.
    SignOut(Option<String>),
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
