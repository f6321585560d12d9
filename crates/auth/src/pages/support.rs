//! The data of pages about support staff who act for people.

use super::account::AccountFrame;
use super::declare::page;
use super::forms::Form;
use super::values::{Line, Link, Name, Paragraph, Verbatim};

page! {
    /// What every page says while a staff member acts for a person: button `acting-end`, or the link `acting-account` to it.
    pub struct ActingFor {
        /// What the person is called.
        pub account: Line,
        /// Where the form is sent that ends it.
        pub action: Link,
        /// The sealed state, the hidden input `flow`; the page of a refusal has no form.
        pub flow: Option<Verbatim>,
    }

    /// The page with which a staff member begins: button `impersonate-submit`.
    pub struct Impersonate for "impersonate" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// What the person is called.
        pub account: Line,
        /// What the staff member is called.
        pub staff: Line,
        /// Why.
        pub reason: Paragraph,
        /// For how long.
        pub minutes: i64,
    }

    /// A request of a staff member among the approvals of a person: buttons `support-allow-0` and `support-deny-0`, both named
    /// `decision`, and so on.
    pub struct SupportRequest {
        /// The sealed state, the hidden input `flow`.
        pub flow: Verbatim,
        /// What the staff member is called.
        pub staff: Name,
        /// Why.
        pub reason: Paragraph,
        /// For how long.
        pub minutes: i64,
    }

    /// When support staff acted for the person: buttons `support-end-0` and so on, named `impersonation`.
    pub struct AccountSupport for "account_support" {
        /// The frame.
        #[serde(flatten)]
        pub frame: AccountFrame,
        /// Where the person approves, if something waits.
        pub approvals_url: Option<Link>,
        /// Each time, the latest first.
        pub visits: Vec<SupportVisit>,
    }

    /// One time of [`AccountSupport`].
    pub struct SupportVisit {
        /// The value of the button.
        pub value: Verbatim,
        /// What the staff member is called.
        pub staff: Name,
        /// Why.
        pub reason: Paragraph,
        /// Where it stands, as the id of a message.
        pub state: &'static str,
        /// When it began, or was asked for, RFC 3339.
        pub at: Line,
        /// Whether it can be ended.
        pub can_end: bool,
    }
}
