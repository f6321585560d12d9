//! The data of the pages that ask nothing: where a flow ends, fails or begins.

use super::declare::page;
use super::messages::{self, MessageKey};
use super::mismatch::Mismatch;
use super::outcomes::Outcome;
use super::values::{Line, Link, Name, ReturnAddress, Verbatim};

page! {
    /// The page at a tenant's bare address.
    pub struct Start for "start" {
        /// Who is signed in.
        pub account: Option<Line>,
        /// Where requests from elsewhere are answered; leads to sign-in.
        pub approvals_url: Link,
        /// Where the person sees what they have allowed.
        pub access_url: Option<Link>,
        /// Where to sign out.
        pub sign_out_url: Link,
    }

    /// The page after signing out.
    pub struct SignedOut for "signed_out" {
        /// The application to go on with.
        pub app_name: Option<Name>,
        /// Where to go on; only a registered address.
        pub continue_url: Option<Link>,
        /// The accounts that are signed in in this browser still.
        pub accounts_url: Option<Link>,
        /// The address that the application wanted to go on with, and that is not registered.
        pub mismatch: Option<Mismatch>,
        /// Whether there was such an address; what it was is for developers.
        pub is_unregistered: bool,
    }

    /// The reply to an application as a form that sends itself, or by the button `form-post-submit`.
    pub struct FormPost for "form_post" {
        /// The redirect URI, proven to be registered.
        pub action: Link,
        /// The response parameters.
        pub fields: Vec<Field>,
    }

    /// One response parameter.
    pub struct Field {
        /// Its name.
        pub name: &'static str,
        /// Its value.
        pub value: Verbatim,
    }

    /// Before an application that no one has checked gets an error: the link `leave-link` leads there, or the button `leave-submit`
    /// where it wants its answers posted, and no redirect does.
    pub struct Leaving for "leaving" {
        /// What the application calls itself.
        pub app_name: Name,
        /// Where the link leads: a host, or the scheme of a native application.
        pub destination: Line,
        /// The address with the error.
        pub url: ReturnAddress,
        /// The address to which a form brings the error instead.
        pub action: Option<Link>,
        /// What that form carries.
        pub fields: Vec<Field>,
        /// The error, for developers.
        pub error: Line,
        /// What it means, for developers.
        pub detail: Line,
    }

    /// An error page: the code stands in the element `error-code`.
    pub struct ErrorPage for "error" {
        /// The error code of the protocol, which also chooses title and explanation.
        pub code: Code,
        /// The public detail of the error, for developers.
        pub detail: Option<Line>,
        /// The request id, to be quoted to support.
        pub request_id: Line,
        /// How long to wait, where that is known and helps.
        pub wait: Option<MessageKey>,
        /// Whether the address of the page itself may be tried again.
        pub may_repeat: bool,
        /// Where a new attempt may start.
        pub retry_url: Option<Link>,
        /// The application where it may start, or else the tenant.
        pub app_name: Option<Name>,
        /// Whether it starts with another sign-in, because this one does not count.
        pub signs_in: bool,
        /// Whether the page that was left open cannot be gone on with, so that the way is to start again.
        pub is_stale: bool,
        /// What was sent, and what is registered instead: for developers, outside production.
        pub mismatch: Option<Mismatch>,
    }

    /// An error code with the ids of its title and explanation.
    pub struct Code {
        /// The code.
        pub name: Line,
        /// The id of the title.
        pub title: &'static str,
        /// The id of the explanation.
        pub text: &'static str,
    }

    /// The end of an errand.
    pub struct Done for "done" {
        /// What happened.
        pub outcome: Outcome,
        /// Where to go on: no errand ends without a next step.
        pub continue_url: Link,
    }
}

impl From<&str> for Code {
    fn from(code: &str) -> Self {
        let [title, text] = messages::error(code);
        Self { name: code.into(), title, text }
    }
}
