//! What people are asked for in addition to their proofs, as part of a page: drawn in their language, read from a form, and drawn again with
//! its faults and what was typed.

use svc_domain::people::fields::{Choice, Fault, Field, FieldType};
use svc_domain::people::intake::{Answers, Open};
use svc_domain::people::tenant_users::Metadata;
use svc_domain::people::terms::Terms;
use svc_http::Params;

use crate::pages::{ChoicePart, FieldPart, Intake, MessageKey, TermsPart};

/// What a form begins with, and what is wrong with it.
#[derive(Clone, Copy)]
pub enum Typed<'a> {
    /// Nothing yet.
    Nothing,
    /// What was sent.
    Sent(&'a Params),
    /// What is kept.
    Kept(&'a Metadata),
}

/// The part of a page that asks for what is open.
pub fn part(open: &Open<'_>, language: &str, typed: Typed<'_>) -> Intake {
    let terms = open.terms.iter().filter_map(|terms| terms_part(terms, language, typed));
    let fields = open.fields.iter().filter_map(|field| field_part(field, language, typed));
    Intake { terms: terms.collect(), fields: fields.collect() }
}

/// What a form says; nothing where something is missing or wrong.
pub fn answers<'a>(open: &Open<'a>, form: &Params) -> Option<Answers<'a>> {
    let mut answers = Answers::default();
    for terms in &open.terms {
        if accepts(terms, form) {
            answers.accepted.push(terms);
        } else if terms.content.required {
            return None;
        } else {
            answers.puts_off = true;
        }
    }
    for field in &open.fields {
        let value = field.typed(form.one(&input(field))).ok()?;
        answers.puts_off |= value.is_none();
        answers.values.push((field, value));
    }
    Some(answers)
}

/// Whether a form accepts a version: the one that its page has shown.
pub fn accepts(terms: &Terms, form: &Params) -> bool {
    form.one(&format!("terms_{}", terms.id)) == Some("yes")
}

fn terms_part(terms: &Terms, language: &str, typed: Typed<'_>) -> Option<TermsPart> {
    let (lang, document) = terms.document(language)?;
    let is_checked = matches!(typed, Typed::Sent(form) if accepts(terms, form));
    let is_missing = matches!(typed, Typed::Sent(_)) && terms.content.required && !is_checked;
    Some(TermsPart {
        value: terms.id.to_string().into(),
        title: (&document.title).into(),
        url: (&document.url).into(),
        label: (&terms.content.label).into(),
        lang: lang.into(),
        is_required: terms.content.required,
        is_checked,
        error: is_missing.then_some(MessageKey::TermsNotAccepted),
    })
}

fn field_part(field: &Field, language: &str, typed: Typed<'_>) -> Option<FieldPart> {
    let (text, content) = (field.text(language)?, &field.content);
    let (value, error) = match typed {
        Typed::Nothing => (String::new(), None),
        Typed::Sent(form) => {
            let sent = form.one(&input(field));
            (sent.unwrap_or_default().to_owned(), field.typed(sent).err().map(message))
        }
        Typed::Kept(metadata) => (kept(field, metadata), None),
    };
    let choice = |choice: &Choice| ChoicePart {
        value: (&choice.value).into(),
        label: field.label(choice, language).into(),
        is_chosen: choice.value == value,
    };
    Some(FieldPart {
        name: (&content.name).into(),
        kind: match content.kind {
            FieldType::Text => "text",
            FieldType::Choice => "choice",
            FieldType::Checkbox => "checkbox",
            FieldType::Date => "date",
        },
        label: (&text.label).into(),
        help: text.help.as_ref().map(Into::into),
        is_required: content.required,
        is_fixed: matches!(typed, Typed::Kept(_)) && !content.editable,
        is_checked: content.kind == FieldType::Checkbox && !value.is_empty(),
        choices: content.choices.iter().map(choice).collect(),
        max_length: field.longest(),
        value: value.into(),
        error,
    })
}

/// The input of a field.
pub fn input(field: &Field) -> String {
    format!("field_{}", field.content.name)
}

/// What is kept of an answer, as its input shows it.
fn kept(field: &Field, metadata: &Metadata) -> String {
    match field.answer(metadata) {
        Some(serde_json::Value::String(text)) => text.clone(),
        Some(serde_json::Value::Bool(true)) => "yes".to_owned(),
        _ => String::new(),
    }
}

fn message(fault: Fault) -> MessageKey {
    match fault {
        Fault::Missing => MessageKey::AnswerMissing,
        Fault::Invalid => MessageKey::AnswerInvalid,
        Fault::TooShort(least) => MessageKey::AnswerTooShort { least },
        Fault::TooLong(most) => MessageKey::AnswerTooLong { most },
    }
}
