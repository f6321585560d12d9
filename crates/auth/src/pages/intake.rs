//! The data of what people are asked for, as part of a form: documents to accept, and fields.

use super::declare::page;
use super::messages::MessageKey;
use super::values::{ForeignLink, Line, Paragraph, Verbatim};

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
        /// The name of the version.
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
        /// A hint for the answer.
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
}
