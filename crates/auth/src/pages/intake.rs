//! The data of what people are asked for: documents to accept, and fields.

use super::account::AccountFrame;
use super::declare::page;
use super::forms::Form;
use super::messages::MessageKey;
use super::values::{ForeignLink, Line, Link, Name, Paragraph, Verbatim};

page! {
    /// What people are asked for, as part of a form.
    pub struct Intake {
        /// Documents to accept: inputs `terms_` and the value.
        pub terms: Vec<TermsPart>,
        /// Fields: inputs `field_` and the name.
        pub fields: Vec<FieldPart>,
    }

    /// A document to accept.
    pub struct TermsPart {
        /// The version, by its id.
        pub value: Verbatim,
        /// What it is called.
        pub title: Line,
        /// Where it can be read.
        pub url: ForeignLink,
        /// What the version is called.
        pub label: Line,
        /// The language in which it is.
        pub lang: Verbatim,
        /// Whether it must be accepted.
        pub is_required: bool,
        /// Whether it was accepted in the form before.
        pub is_checked: bool,
        /// What is wrong with it.
        pub error: Option<MessageKey>,
    }

    /// A field.
    pub struct FieldPart {
        /// Its name.
        pub name: Verbatim,
        /// What kind of answer it asks for: `text`, `choice`, `checkbox` or `date`.
        pub kind: &'static str,
        /// What is asked for.
        pub label: Line,
        /// What helps to answer.
        pub help: Option<Line>,
        /// Whether it must be answered.
        pub is_required: bool,
        /// Whether it cannot be changed any more.
        pub is_fixed: bool,
        /// What was typed, or is kept.
        pub value: Paragraph,
        /// Whether a checkbox is checked.
        pub is_checked: bool,
        /// The choices.
        pub choices: Vec<ChoicePart>,
        /// Most characters.
        pub max_length: u32,
        /// What is wrong with it.
        pub error: Option<MessageKey>,
    }

    /// One answer of a field of type `choice`.
    pub struct ChoicePart {
        /// What the form sends.
        pub value: Verbatim,
        /// What people read.
        pub label: Line,
        /// Whether it is chosen.
        pub is_chosen: bool,
    }

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
