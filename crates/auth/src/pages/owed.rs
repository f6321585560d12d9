//! The data of the pages that ask for what a tenant wants of its people, and show what they have said.

use super::account::AccountFrame;
use super::declare::page;
use super::forms::Form;
use super::intake::Intake;
use super::values::{ForeignLink, Line, Link, Name, Verbatim};

page! {
    /// What a person owes before they go on: buttons `complete-submit`, `complete-later` and `complete-deny`, named `decision`.
    pub struct Complete for "complete" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// The application that the person is on the way to.
        pub app_name: Option<Name>,
        /// Who is asked.
        pub account: Line,
        /// To sign in as another person.
        pub switch_url: Option<Link>,
        /// What they are asked for.
        pub intake: Intake,
        /// Whether they may go on without.
        pub is_optional: bool,
    }

    /// What the person accepted, and can accept: button `terms-submit`.
    pub struct AccountTerms for "account_terms" {
        /// The frame.
        #[serde(flatten)]
        pub frame: AccountFrame,
        /// What can be accepted.
        pub intake: Intake,
        /// What was accepted, the latest first.
        pub accepted: Vec<AcceptedTerms>,
    }

    /// One document of [`AccountTerms`].
    pub struct AcceptedTerms {
        /// What it was called.
        pub title: Line,
        /// Where it could be read.
        pub url: ForeignLink,
        /// What the version was called.
        pub label: Line,
        /// The language in which it was.
        pub lang: Verbatim,
        /// When it was accepted, RFC 3339.
        pub at: Line,
    }

    /// What the person has answered: button `details-submit`.
    pub struct AccountDetails for "account_details" {
        /// The frame.
        #[serde(flatten)]
        pub frame: AccountFrame,
        /// The fields.
        pub intake: Intake,
        /// Whether any can be changed.
        pub may_change: bool,
    }
}
