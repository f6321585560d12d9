//! The hosted pages, and the data of those that ask nothing: plain values, made harmless on their way out.
#![expect(clippy::ref_option_ref, reason = "serde's serialize_with passes references")]

use serde::{Serialize, Serializer};

use super::approvals::{Approvals, DeviceCode};
use super::forms::{
    Consent, Forgot, Join, Register, ResetPassword, SelectAccount, SignIn, SignOut, VerifyEmail,
};
use super::messages::Outcome;
use super::mismatch::Mismatch;
use super::{gates, messages};

macro_rules! pages {
    ($($(#[$doc:meta])* $variant:ident($data:ident) => $template:literal;)*) => {
        /// One hosted page with its data.
        #[derive(Clone, Debug, Serialize)]
        #[serde(untagged)]
        pub enum Page<'a> {$(
            $(#[$doc])*
            $variant($data<'a>),
        )*}

        impl Page<'_> {
            /// The template's file name, by which operators replace it.
            pub(super) fn template(&self) -> &'static str {
                match self { $(Self::$variant(_) => concat!($template, ".html")),* }
            }
        }

        #[cfg(test)]
        pub(super) const TEMPLATES: &[&str] = &[$(concat!($template, ".html")),*];
    };
}

pages! {
    /// User name and password.
    SignIn(SignIn) => "sign_in";
    /// Self-registration.
    Register(Register) => "register";
    /// Registration: look into your inbox.
    RegisterSent(RegisterSent) => "register_sent";
    /// A mailed link was opened: confirm the address by a POST, which mail scanners do not send.
    VerifyEmail(VerifyEmail) => "verify_email";
    /// Become a member of the tenant with an account that exists already.
    Join(Join) => "join";
    /// Ask for a link to choose a new password.
    Forgot(Forgot) => "forgot";
    /// Forgotten password: look into your inbox, whether or not the account exists.
    ForgotSent(ForgotSent) => "forgot_sent";
    /// Choose a new password.
    ResetPassword(ResetPassword) => "reset_password";
    /// Allow an application what it asks for.
    Consent(Consent) => "consent";
    /// Choose among the accounts signed in.
    SelectAccount(SelectAccount) => "select_account";
    /// Enter the code of a device.
    DeviceCode(DeviceCode) => "device_code";
    /// Answer requests from elsewhere.
    Approvals(Approvals) => "approvals";
    /// Confirm signing out.
    SignOut(SignOut) => "sign_out";
    /// A tenant's address without a page in it.
    Start(Start) => "start";
    /// Signed out.
    SignedOut(SignedOut) => "signed_out";
    /// The reply to an application by `response_mode=form_post`.
    FormPost(FormPost) => "form_post";
    /// A request that cannot be served.
    Error(ErrorPage) => "error";
    /// The end of an errand.
    Done(Done) => "done";
    /// Any other text, for example of the development pages.
    Message(Message) => "message";
}

/// The page after registration; the same for a new and for a known address.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RegisterSent<'a> {
    /// The address as the person typed it.
    #[serde(serialize_with = "gates::line")]
    pub email: &'a str,
    /// Back to sign-in.
    #[serde(serialize_with = "gates::link_opt")]
    pub signin_url: Option<&'a str>,
}

/// The page after [`Forgot`]; it does not know whether the account exists.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ForgotSent<'a> {
    /// Back to sign-in.
    #[serde(serialize_with = "gates::link_opt")]
    pub signin_url: Option<&'a str>,
}

/// The page after signing out.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SignedOut<'a> {
    /// The application to go on with.
    #[serde(serialize_with = "gates::name_opt")]
    pub app_name: Option<&'a str>,
    /// Where to go on; only a registered address.
    #[serde(serialize_with = "gates::link_opt")]
    pub continue_url: Option<&'a str>,
    /// The address that the application wanted to go on with, and that is not registered.
    pub mismatch: Option<Mismatch<'a>>,
    /// Whether there was such an address; what it was is for developers.
    pub is_unregistered: bool,
}

/// The page at a tenant's bare address.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Start<'a> {
    /// Who is signed in, if anybody.
    #[serde(serialize_with = "gates::line_opt")]
    pub account: Option<&'a str>,
    /// Where requests from elsewhere are answered; leads to sign-in.
    #[serde(serialize_with = "gates::link")]
    pub approvals_url: &'a str,
    /// Where to sign out.
    #[serde(serialize_with = "gates::link")]
    pub sign_out_url: &'a str,
}

/// The reply to an application as a form that sends itself, or by the button `form-post-submit`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct FormPost<'a> {
    /// The redirect URI, proven to be registered.
    #[serde(serialize_with = "gates::link")]
    pub action: &'a str,
    /// The response parameters.
    pub fields: &'a [(&'a str, &'a str)],
}

/// An error page: the code stands in the element `error-code`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ErrorPage<'a> {
    /// The error code of the protocol, which also chooses title and explanation.
    #[serde(serialize_with = "with_explanation")]
    pub code: &'a str,
    /// The public detail of the error, for developers.
    #[serde(serialize_with = "gates::line_opt")]
    pub detail: Option<&'a str>,
    /// The request id, to be quoted to support.
    #[serde(serialize_with = "gates::line")]
    pub request_id: &'a str,
    /// Where a new attempt may start.
    #[serde(serialize_with = "gates::link_opt")]
    pub retry_url: Option<&'a str>,
    /// The application where it may start.
    #[serde(serialize_with = "gates::name_opt")]
    pub app_name: Option<&'a str>,
    /// Whether the page that was left open cannot be gone on with, so that the way is to start again.
    pub is_stale: bool,
    /// What was sent, and what is registered instead: for developers, outside production.
    pub mismatch: Option<Mismatch<'a>>,
}

fn with_explanation<S: Serializer>(code: &&str, to: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Code<'a> {
        #[serde(serialize_with = "gates::line")]
        name: &'a str,
        title: &'static str,
        text: &'static str,
    }
    let [title, text] = messages::error(code);
    Code { name: code, title, text }.serialize(to)
}

/// The end of an errand.
#[derive(Clone, Debug, Serialize)]
pub struct Done<'a> {
    /// What happened.
    pub outcome: Outcome,
    /// Where to go on.
    #[serde(serialize_with = "gates::link_opt")]
    pub continue_url: Option<&'a str>,
}

/// A page of plain text, facts and links that needs no template of its own; not translated.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Message<'a> {
    /// The heading.
    #[serde(serialize_with = "gates::line")]
    pub title: &'a str,
    /// Whether the card may be wide, for tables and code.
    pub is_wide: bool,
    /// Text below the heading.
    #[serde(serialize_with = "gates::lines")]
    pub paragraphs: &'a [&'a str],
    /// A table of names and values.
    #[serde(serialize_with = "gates::pairs")]
    pub facts: &'a [(&'a str, &'a str)],
    /// Text shown as it is, in a fixed-width font.
    #[serde(serialize_with = "gates::block_opt")]
    pub code: Option<&'a str>,
    /// Links; the first is shown as a button.
    pub links: &'a [Link<'a>],
}

/// A link of [`Message`].
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Link<'a> {
    /// The text.
    #[serde(serialize_with = "gates::line")]
    pub label: &'a str,
    /// The address.
    #[serde(serialize_with = "gates::link")]
    pub url: &'a str,
}
