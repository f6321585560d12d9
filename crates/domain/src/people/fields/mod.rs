//! What a tenant asks people for in addition to their name and how they sign in, and where it keeps the answers.

mod answers;
mod asks;
mod store;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use svc_core::{AppId, Error, OrganizationId, Result, SignUpFieldId, Timestamp};
use utoipa::ToSchema;

pub use self::answers::Fault;
pub use self::asks::{Asks, asks, count_sign_in, put_off};
pub(crate) use self::store::forget_application;
pub use self::store::{all, create, delete, find, list, update};
pub(super) use self::store::{every, forget, records};
use crate::checks::{is_language, require};
use crate::people::intake::texts::{check_text, spoken};
use crate::people::intake::{Asking, for_whom};

/// Most fields that the people of one organization are asked for, with those that everyone is asked for: the answers stand in the
/// metadata of a person, which are bounded.
const MOST: usize = 20;
/// Most fields of a tenant.
const MOST_IN_ALL: usize = 200;
/// Longest answer, in characters.
const LONGEST: u32 = 200;

/// The type of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SignUpFieldType)]
pub enum FieldType {
    /// A line of text.
    Text,
    /// One of `choices`.
    Choice,
    /// Yes or no.
    Checkbox,
    /// A day, `YYYY-MM-DD`.
    Date,
}

/// When people are asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SignUpFieldAsked)]
pub enum WhenAsked {
    /// When they register. A person who has an account already is asked at the next sign-in, if the answer is required.
    #[default]
    AtSignUp,
    /// At a later sign-in.
    Later,
}

/// Which part of the metadata of a tenant user keeps the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SignUpFieldKeptIn)]
pub enum KeptIn {
    /// The part of which claims of tokens may be made.
    #[default]
    PublicMetadata,
    /// The part that the management API alone shows.
    PrivateMetadata,
}

/// How a field reads in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SignUpFieldText)]
pub struct FieldText {
    /// What is asked for.
    #[schema(min_length = 1, max_length = 120)]
    pub label: String,
    /// A hint for the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 240)]
    pub help: Option<String>,
}

/// One of the answers of a field of type `choice`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SignUpFieldChoice)]
pub struct Choice {
    /// What is kept.
    #[schema(min_length = 1, max_length = 80)]
    pub value: String,
    /// What people read, by language; the value where none is given.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
}

/// The configuration of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SignUpFieldUpdate, examples(json!({
    "name": "company", "type": "text", "language": "en", "required": true, "max_length": 80,
    "texts": { "en": { "label": "Company", "help": "Where you work" }, "de": { "label": "Firma" } }
})))]
pub struct FieldContent {
    /// The member of the metadata that keeps the answer: a letter, then letters, digits and underscores.
    #[schema(min_length = 1, max_length = 40)]
    pub name: String,
    /// The type of the answer.
    #[serde(rename = "type")]
    pub kind: FieldType,
    /// Its label and texts, by language.
    pub texts: BTreeMap<String, FieldText>,
    /// The language for people in whose language there is no text.
    pub language: String,
    /// Whether people have to answer to go on; a checkbox must then be checked.
    #[serde(default)]
    pub required: bool,
    /// The answers of a field of type `choice`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 50)]
    pub choices: Vec<Choice>,
    /// Fewest characters of a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(maximum = 200)]
    pub min_length: Option<u32>,
    /// Most characters of a text; 200 unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 200)]
    pub max_length: Option<u32>,
    /// When people are asked; `at_sign_up` unless given.
    #[serde(default)]
    pub asked: WhenAsked,
    /// Where `asked` is `later`, the number of sign-ins after which people are asked; 3 unless given.
    #[serde(default = "three")]
    #[schema(minimum = 1, maximum = 100)]
    pub after_sign_ins: u32,
    /// After how many days people who put an answer off are asked again; 30 unless given.
    #[serde(default = "thirty")]
    #[schema(minimum = 1, maximum = 3650)]
    pub again_after_days: u32,
    /// Its position among the fields; lower numbers come first.
    #[serde(default)]
    #[schema(maximum = 1000)]
    pub order: u32,
    /// Whether it is asked for; `true` unless given.
    #[serde(default = "on")]
    pub enabled: bool,
    /// Whether people can change the answer in the account centre; `true` unless given.
    #[serde(default = "on")]
    pub editable: bool,
    /// Where the answer is kept; `public_metadata` unless given.
    #[serde(default)]
    pub kept_in: KeptIn,
    /// The applications at whose sign-in people are asked; any application unless given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<String>, max_items = 100)]
    pub application_ids: Vec<AppId>,
    /// The organizations whose people are asked, in addition to the fields for everyone; everyone unless given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<String>, max_items = 100)]
    pub organization_ids: Vec<OrganizationId>,
}

/// A field that a tenant asks people to fill in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SignUpField)]
pub struct Field {
    /// Its id.
    #[schema(value_type = String)]
    pub id: SignUpFieldId,
    /// What it asks.
    #[serde(flatten)]
    pub content: FieldContent,
    /// When it was added.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = String, format = "date-time")]
    pub updated_at: Timestamp,
    /// Rises with every change.
    #[serde(skip)]
    pub version: i64,
}

fn on() -> bool {
    true
}

fn three() -> u32 {
    3
}

fn thirty() -> u32 {
    30
}

impl Field {
    /// Label and help for a person who reads this language.
    pub fn text(&self, language: &str) -> Option<&FieldText> {
        spoken(&self.content.texts, language, &self.content.language).map(|(_, text)| text)
    }

    /// What a person who reads this language reads of a choice.
    pub fn label<'a>(&'a self, choice: &'a Choice, language: &str) -> &'a str {
        let label = spoken(&choice.labels, language, &self.content.language);
        label.map_or(choice.value.as_str(), |(_, label)| label)
    }

    /// Whether people are asked for it on the way to this application.
    pub fn is_asked_by(&self, application: Option<AppId>) -> bool {
        let ids = &self.content.application_ids;
        self.content.enabled
            && (ids.is_empty() || application.is_some_and(|application| ids.contains(&application)))
    }

    /// Whether the people of these organizations are asked for it.
    pub fn is_for(&self, organizations: &[OrganizationId]) -> bool {
        for_whom::includes(&self.content.organization_ids, organizations)
    }

    /// Whether people are asked for it there.
    pub fn is_asked(&self, asking: Asking<'_>) -> bool {
        self.is_asked_by(asking.application) && self.is_for(asking.organizations)
    }

    /// Most characters of a text.
    pub fn longest(&self) -> u32 {
        self.content.max_length.unwrap_or(LONGEST)
    }
}

/// Refuses what no page could ask, or no user could answer.
fn check(content: &FieldContent) -> Result<()> {
    let FieldContent { name, kind, texts, language, choices, min_length, max_length, .. } = content;
    let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.len() <= 40
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    let values: BTreeSet<_> = choices.iter().map(|choice| &choice.value).collect();
    let ids: BTreeSet<_> = content.application_ids.iter().collect();
    let has_bounds = min_length.is_some() || max_length.is_some();
    let least = min_length.unwrap_or(0);
    let all = [
        require(
            is_name,
            "name: use a letter and then at most 39 letters, digits and underscores, in lower case",
        ),
        require(
            texts.contains_key(language),
            "language: name a language of `texts`, which counts where a person's own has none",
        ),
        require(
            texts.len() <= 50 && texts.keys().all(|tag| is_language(tag)),
            "texts: use at most 50 language tags, such as `de` or `pt-BR`",
        ),
        require(
            (*kind == FieldType::Choice) == (1..=50).contains(&choices.len()) && choices.len() <= 50,
            "choices: give 1 to 50 to a field of type `choice`, and none to another",
        ),
        require(values.len() == choices.len(), "choices: give each value once"),
        require(
            !has_bounds || *kind == FieldType::Text,
            "min_length, max_length: only a field of type `text` has them",
        ),
        require(
            (1..=LONGEST).contains(&max_length.unwrap_or(LONGEST)) && least <= max_length.unwrap_or(LONGEST),
            "max_length: use 1 to 200, and no less than `min_length`",
        ),
        require((1..=100).contains(&content.after_sign_ins), "after_sign_ins: use 1 to 100"),
        require((1..=3650).contains(&content.again_after_days), "again_after_days: use 1 to 3650"),
        require(content.order <= 1000, "order: use 0 to 1000"),
        require(
            content.application_ids.len() <= 100 && ids.len() == content.application_ids.len(),
            "application_ids: name at most 100 applications, each once",
        ),
        for_whom::check(&content.organization_ids),
    ];
    let texts = texts.iter().flat_map(|(tag, text)| {
        let help = text.help.as_ref().map(|help| check_text(&format!("texts.{tag}.help"), help, 240));
        [check_text(&format!("texts.{tag}.label"), &text.label, 120), help.unwrap_or(Ok(()))]
    });
    let choices = choices.iter().flat_map(check_choice);
    Error::every(all.into_iter().chain(texts).chain(choices))
}

fn check_choice(choice: &Choice) -> Vec<Result<()>> {
    let member = format!("choices.{}", choice.value);
    let tags = choice.labels.len() <= 50 && choice.labels.keys().all(|tag| is_language(tag));
    let labels = choice.labels.values().map(|label| check_text(&member, label, 120));
    [
        check_text(&member, &choice.value, 80),
        require(tags, "choices: use at most 50 language tags for `labels`"),
    ]
    .into_iter()
    .chain(labels)
    .collect()
}

#[cfg(test)]
mod tests;
