//! What the last page of a flow reports: each outcome with its title and text.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::declare::Shown;

/// Declares outcomes, one row each: the start of the ids of title and text, and whether it is a good one.
macro_rules! outcomes {
    ($($(#[$doc:meta])* $variant:ident => $id:literal, $is_good:literal;)*) => {
        /// What a [`super::Done`] page reports.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum Outcome {$(
            $(#[$doc])*
            $variant,
        )*}

        impl Outcome {
            /// One of each, for tests that enumerate.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The ids of title and text.
            pub(super) fn ids(self) -> [&'static str; 2] {
                match self { $(Self::$variant => [concat!($id, "-title"), concat!($id, "-text")]),* }
            }

            fn is_good(self) -> bool {
                match self { $(Self::$variant => $is_good),* }
            }
        }
    };
}

outcomes! {
    /// The e-mail address has been confirmed.
    EmailVerified => "done-email-verified", true;
    /// The account is to be deleted.
    DeletionBegun => "done-deletion-begun", true;
    /// The account of a guest is deleted.
    GuestDeleted => "done-guest-deleted", true;
    /// The account has another e-mail address.
    AddressChanged => "done-address-changed", true;
    /// The account has its former address again, and everything under way has ended.
    AddressRestored => "done-address-restored", true;
    /// Another account has got the former address since.
    AddressOccupied => "done-address-occupied", false;
    /// The password has been changed.
    PasswordChanged => "done-password-changed", true;
    /// A sign-in was not the owner's, and everything under way has ended.
    SignInDisowned => "done-sign-in-disowned", true;
    /// The same, and no mail replaces the password, which is worth nothing any more.
    PasswordTaken => "done-password-taken", true;
    /// The credentials have changed since a sign-in that a link is about, which ends nothing any more.
    ChangedSince => "done-changed-since", false;
    /// A recovery by guardians was cancelled.
    RecoveryCancelled => "done-recovery-cancelled", true;
    /// Guardians have recovered the account, and it has a new password.
    Recovered => "done-recovered", true;
    /// The person has become a member of the organization.
    InvitationAccepted => "done-invitation-accepted", true;
    /// The link of a staff member has been used, is too old, or is open in another browser than the one it was made for.
    ImpersonationLinkDead => "done-impersonation-link", false;
    /// The mailed link has been used or is too old.
    #[default]
    LinkExpired => "done-link-expired", false;
    /// A link that signs in was opened in another browser than the one that asked for it.
    OpenedElsewhere => "done-opened-elsewhere", false;
    /// A link by which a guest keeps the account was opened in another browser than the guest's.
    GuestElsewhere => "done-guest-elsewhere", false;
    /// The person refused, and there is no application to go back to.
    Refused => "done-refused", false;
    /// The person allowed what was asked for elsewhere.
    Approved => "done-approved", true;
    /// The person allowed support staff to act in the account.
    SupportAllowed => "done-support-allowed", true;
    /// What was asked for elsewhere was decided before, or its time is over.
    AlreadyDecided => "done-decided", false;
}

impl Shown for Outcome {}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let [title, text] = self.ids();
        let mut outcome = to.serialize_struct("Outcome", 3)?;
        outcome.serialize_field("title", title)?;
        outcome.serialize_field("text", text)?;
        outcome.serialize_field("is_good", &self.is_good())?;
        outcome.end()
    }
}
