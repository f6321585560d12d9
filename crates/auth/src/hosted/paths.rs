//! Addresses of hosted pages to which other pages lead.

/// Tells where one is, and what can be done here.
pub const START: &str = "/";
/// Goes on with a flow.
pub const CONTINUE: &str = "/auth/continue";
/// The sign-in form of a flow.
pub const SIGN_IN: &str = "/auth/sign-in";
/// Begins a way to sign in that leads to another site.
pub const BEGIN: &str = "/auth/begin";
/// Begins a way to sign in for the script of the page.
pub const CHALLENGE: &str = "/auth/challenge";
/// Where the browser comes back to from there: each site to an address of its own.
pub const RETURN: &str = "/auth/return/{through}";
/// The link of a mail that signs in.
pub const SIGN_IN_LINK: &str = "/auth/sign-in-link";
/// The account chooser.
pub const SELECT_ACCOUNT: &str = "/auth/select-account";
/// The account chooser of our own pages.
pub const SWITCH_ACCOUNT: &str = "/auth/switch-account";
/// The choice of an organization.
pub const SELECT_ORGANIZATION: &str = "/auth/select-organization";
/// What a person owes before they go on.
pub const COMPLETE: &str = "/auth/complete";
/// The consent form.
pub const CONSENT: &str = "/auth/consent";
/// The form of self-registration.
pub const SIGN_UP: &str = "/auth/register";
/// Accepts an invitation to an organization.
pub const ORGANIZATION_INVITATION: &str = "/auth/organization-invitation";
/// Confirms another address for an account.
pub const NEW_ADDRESS: &str = "/auth/new-address";
/// Takes back that an account got another address.
pub const UNDO_ADDRESS: &str = "/auth/undo-address";
/// Says that a sign-in was not the owner's.
pub const WAS_THIS_YOU: &str = "/auth/was-this-you";
/// The form for a forgotten password.
pub const FORGOT: &str = "/auth/forgot";
/// Chooses a new password after a recovery by a proven factor.
pub const NEW_PASSWORD: &str = "/auth/forgot/password";
/// Asks the guardians of an account for recovery.
pub const ASK_GUARDIANS: &str = "/auth/guardians/ask";
/// How far that is, in the browser that asked.
pub const GUARDIANS: &str = "/auth/guardians";
/// Cancels it.
pub const CANCEL_RECOVERY: &str = "/auth/guardians/cancel";
/// What devices and applications elsewhere wait for.
pub const APPROVALS: &str = "/auth/approvals";
/// Begins to act for a person, by a link for support staff.
pub const IMPERSONATION: &str = "/auth/impersonation";
/// Stops acting for a person.
pub const END_IMPERSONATION: &str = "/auth/impersonation/end";
/// When support staff acted for the person.
pub const SUPPORT: &str = "/account/support";
/// The account centre.
pub const ACCOUNT: &str = "/account";
/// Where a person who is signed in chooses another password.
pub const OWN_PASSWORD: &str = "/account/password";
/// Shows administrators a look and texts that are not saved yet.
pub const PREVIEW: &str = "/account/preview";
/// The accounts that are signed in in this browser.
pub const OWN_ACCOUNTS: &str = "/account/accounts";
/// Whom the person has chosen as guardians.
pub const OWN_GUARDIANS: &str = "/account/guardians";
/// Whom the person guards.
pub const GUARDING: &str = "/account/guarding";
/// What the person has allowed applications.
pub const ACCESS: &str = "/auth/access";
/// Where the code of a device is entered (RFC 8628 §3.3).
pub const DEVICE: &str = "/oauth/device/verify";
