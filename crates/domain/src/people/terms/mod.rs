//! Versions of documents that people accept, such as terms of service, and what they accepted.

mod acceptances;
mod store;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use svc_core::{Error, OrganizationId, Result, TermsId, Timestamp};
use utoipa::ToSchema;

pub use self::acceptances::{Acceptance, Given, Shown, Way, accept, accepted, list_accepted};
pub use self::store::{all, create, delete, find, list, update};
pub(super) use self::store::{every, forget, records};
use crate::checks::{is_language, require};
use crate::people::intake::for_whom;
use crate::people::intake::texts::{check_text, spoken};
use crate::web_uri::is_web_uri;

/// Most versions of all documents of a tenant and of its organizations.
const MOST: usize = 500;
/// Most languages of one document.
const MOST_LANGUAGES: usize = 50;

/// A document in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TermsDocument {
    /// What it is called.
    #[schema(min_length = 1, max_length = 120)]
    pub title: String,
    /// Where it can be read, an https URL.
    #[schema(max_length = 2000)]
    pub url: String,
}

/// The configuration of a version of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = TermsUpdate, examples(json!({
    "key": "privacy", "label": "2026-12", "language": "en", "effective_at": "2026-12-01T00:00:00Z", "required": true,
    "documents": {
        "en": { "title": "Privacy policy", "url": "https://example.com/privacy" },
        "de": { "title": "Datenschutzerklärung", "url": "https://example.com/de/datenschutz" }
    }
})))]
pub struct TermsContent {
    /// Which document it is a version of, such as `terms` or `privacy`: a letter, then letters, digits and hyphens.
    #[schema(min_length = 1, max_length = 40)]
    pub key: String,
    /// The name of the version, unique for each document.
    #[schema(min_length = 1, max_length = 40)]
    pub label: String,
    /// Title and address by language.
    pub documents: BTreeMap<String, TermsDocument>,
    /// The language for people in whose language there is none.
    pub language: String,
    /// When it takes effect. The newest version of a document that is in effect counts.
    #[schema(value_type = String, format = "date-time")]
    pub effective_at: Timestamp,
    /// Whether people have to accept it to go on; `true` unless given.
    #[serde(default = "on")]
    pub required: bool,
    /// When people who accepted an earlier version have to start accepting this one; never unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "date-time")]
    pub accept_again_from: Option<Timestamp>,
    /// The organizations whose people accept it, in addition to the documents for everyone; everyone unless given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<String>, max_items = 100)]
    pub organization_ids: Vec<OrganizationId>,
}

/// A version of a document that people accept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Terms {
    /// Its id.
    #[schema(value_type = String)]
    pub id: TermsId,
    /// What it says.
    #[serde(flatten)]
    pub content: TermsContent,
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

impl Terms {
    /// The document for a person who reads this language, with the language in which it is.
    pub fn document(&self, language: &str) -> Option<(&str, &TermsDocument)> {
        spoken(&self.content.documents, language, &self.content.language)
    }

    /// Whether it counts for the people of these organizations.
    pub fn is_for(&self, organizations: &[OrganizationId]) -> bool {
        for_whom::includes(&self.content.organization_ids, organizations)
    }
}

/// Refuses what no page could show, or no user could accept.
fn check(content: &TermsContent) -> Result<()> {
    let TermsContent { key, label, documents, language, effective_at, accept_again_from, .. } = content;
    let is_key = key.starts_with(|c: char| c.is_ascii_lowercase())
        && key.len() <= 40
        && key.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    let all = [
        require(is_key, "key: use a letter and then at most 39 letters, digits and hyphens, in lower case"),
        check_text("label", label, 40),
        require(
            documents.contains_key(language),
            "language: name a language of `documents`, which counts where a person's own has none",
        ),
        require(
            documents.len() <= MOST_LANGUAGES && documents.keys().all(|tag| is_language(tag)),
            "documents: use at most 50 language tags, such as `de` or `pt-BR`",
        ),
        require(
            accept_again_from.is_none_or(|from| from >= *effective_at),
            "accept_again_from: use a time that is not before `effective_at`",
        ),
        for_whom::check(&content.organization_ids),
    ];
    let documents = documents.iter().flat_map(|(tag, document)| {
        let url = format!("documents.{tag}.url: use an https URL of at most 2000 characters");
        [
            check_text(&format!("documents.{tag}.title"), &document.title, 120),
            require(is_web_uri(&document.url), &url),
        ]
    });
    Error::every(all.into_iter().chain(documents))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn content(change: &[(&str, serde_json::Value)]) -> TermsContent {
        let mut content = json!({
            "key": "privacy", "label": "1", "language": "en", "effective_at": "2026-01-01T00:00:00Z",
            "documents": { "en": { "title": "Privacy", "url": "https://example.com" } },
        });
        for (member, value) in change {
            content[*member] = value.clone();
        }
        serde_json::from_value(content).unwrap()
    }

    #[test]
    fn what_no_page_can_link_is_refused_with_its_member() {
        check(&content(&[])).unwrap();
        let document = |title: &str, url: &str| json!({ "en": { "title": title, "url": url } });
        for (member, value) in [
            ("key", json!("Privacy")),
            ("key", json!("")),
            ("label", json!("a\u{202E}b")),
            ("label", json!("")),
            ("language", json!("de")),
            ("documents", document("Privacy", "http://example.com")),
            ("documents", document("Privacy", "javascript:alert(1)")),
            ("documents", document("a\nb", "https://example.com")),
            ("documents", document(&"x".repeat(121), "https://example.com")),
            ("accept_again_from", json!("2025-12-31T00:00:00Z")),
        ] {
            let error = check(&content(&[(member, value.clone())])).unwrap_err();
            assert!(error.detail().contains(member), "{member}: {value}: {}", error.detail());
        }
    }
}
