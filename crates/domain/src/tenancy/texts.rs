//! Texts of hosted pages and mails that a tenant or an organization replaces, by language and by key.
//!
//! A text is plain: what looks like markup is shown as it is written. `{name}` stands for a value of the message.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use svc_core::events::{Event, TenantUpdated};
use svc_core::text::is_shown;
use svc_core::{Cx, Error, OrInternal as _, Result};
use svc_db::{Row, System, Tx, args, change_system_sql, system_sql};
use utoipa::ToSchema;

use super::tenants::records::TenantRecord;
use crate::document;
use crate::log::{Action, Log, Meaning, change_across, check_version};

/// Own texts: by language, then by the key of the message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(as = OwnTexts, value_type = Object)]
pub struct Texts(pub BTreeMap<String, BTreeMap<String, String>>);

/// Longest text, in characters.
const LONGEST: usize = 1000;
/// Most bytes of all texts of a tenant or of an organization.
const LARGEST: usize = 64 << 10;

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// As it stands.
    Plain(&'a str),
    /// A value of the message, by its name.
    Named(&'a str),
}

/// The parts of a text; nothing where a brace is not part of a `{name}`.
pub fn pieces(text: &str) -> Option<Vec<Piece<'_>>> {
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some(at) = rest.find(['{', '}']) {
        let (plain, braced) = rest.split_at(at);
        let (name, after) = braced.strip_prefix('{')?.split_once('}')?;
        let is_name = |c: char| c.is_ascii_lowercase() || c == '_';
        if name.is_empty() || !name.chars().all(is_name) {
            return None;
        }
        found.extend([Piece::Plain(plain), Piece::Named(name)]);
        rest = after;
    }
    found.push(Piece::Plain(rest));
    Some(found)
}

/// The names of the values that a text has.
pub fn values(text: &str) -> Option<BTreeSet<&str>> {
    let value = |piece| if let Piece::Named(name) = piece { Some(name) } else { None };
    Some(pieces(text)?.into_iter().filter_map(value).collect())
}

impl Texts {
    /// The text that replaces a message in a language.
    pub fn text(&self, language: &str, key: &str) -> Option<&str> {
        self.0.get(language)?.get(key).map(String::as_str)
    }

    /// The texts of a row. What a newer version has put among them is left out: a page is shown all the same.
    pub(crate) fn of_row(row: &Row) -> Result<Self> {
        let all: BTreeMap<String, Value> = document::load_if_any(row, "texts")?.unwrap_or_default();
        let known = all.into_iter().filter_map(|(language, texts)| {
            let Value::Object(texts) = texts else { return None };
            let texts = texts.into_iter().filter_map(|(key, text)| Some((key, text.as_str()?.to_owned())));
            Some((language, texts.collect()))
        });
        Ok(Self(known.collect()))
    }

    /// The texts without languages that have none.
    #[must_use]
    pub fn without_empty_languages(mut self) -> Self {
        self.0.retain(|_, texts| !texts.is_empty());
        self
    }

    /// Every text, with its language and key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.0.iter().flat_map(|(language, texts)| {
            texts.iter().map(move |(key, text)| (language.as_str(), key.as_str(), text.as_str()))
        })
    }

    /// Refuses texts that no page can show. Which messages there are, the catalogues of the pages know.
    pub fn check(&self) -> Result<()> {
        let size = document::store(self)?.len();
        if size > LARGEST {
            return Err(Error::bad_request(format!(
                "texts: use at most {LARGEST} bytes of JSON, not {size}"
            )));
        }
        Error::every(self.iter().map(|(language, key, text)| {
            let fault = |why: &str| Error::bad_request(format!("texts.{language}.{key}: {why}"));
            fault_of(text).map_or(Ok(()), |why| Err(fault(why)))
        }))
    }
}

fn fault_of(text: &str) -> Option<&'static str> {
    let lower = text.to_ascii_lowercase();
    if !(1..=LONGEST).contains(&text.chars().count()) || text.trim() != text {
        Some("use 1 to 1000 characters, without space around them")
    } else if !text.chars().all(is_shown) {
        Some("leave out line breaks, control characters and marks that reorder text")
    } else if lower.contains("://") || lower.contains("www.") {
        Some("leave out web addresses; `policy_uri` and `tos_uri` of the branding are linked from every page")
    } else if pieces(text).is_none() {
        Some("use braces only around the name of a value, as in `{tenant}`")
    } else {
        None
    }
}

/// The texts of a tenant.
pub async fn find(tx: &mut Tx<System>, tenant: &TenantRecord) -> Result<Texts> {
    let select = system_sql!("SELECT texts FROM tenants WHERE id = $1");
    let row = tx.one(select, args![tenant.id]).await?;
    Texts::of_row(&row)
}

/// Makes the texts of a tenant so, which the caller has held against the catalogues.
pub async fn set(tx: &mut Tx<System>, cx: &Cx, tenant: &TenantRecord, texts: &Texts) -> Result<()> {
    texts.check()?;
    let update = change_system_sql!(
        "UPDATE tenants SET texts = $2, updated_at = $3, version = version + 1 \
         WHERE id = $1 AND version = $4 AND deleted_at IS NULL RETURNING id"
    );
    let stored = document::store(texts)?;
    let changed = change_across(tx, cx, update, args![tenant.id, stored, cx.now, tenant.version], |_| {
        let settings = serde_json::to_value(&tenant.settings).or_internal()?;
        let (name, custom_domain) = (tenant.name.clone(), tenant.custom_domain.clone());
        let event = Event::from(TenantUpdated { name, custom_domain, settings });
        let meaning = Meaning::done(Action::TenantTextsChanged, tenant.id).with(facts(texts));
        Ok((Log::Of(tenant.id.reference()), meaning.telling(event)))
    })
    .await?;
    check_version(u64::try_from(changed.len()).or_internal()?, "the tenant")
}

/// What the audit log says of a change of texts.
pub(crate) fn facts(texts: &Texts) -> Value {
    let counts: BTreeMap<_, _> = texts.0.iter().map(|(language, texts)| (language, texts.len())).collect();
    json!({ "texts": counts })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<()> {
        let of_key = BTreeMap::from([("signin-title".to_owned(), text.to_owned())]);
        Texts(BTreeMap::from([("en".to_owned(), of_key)])).check()
    }

    #[test]
    fn a_brace_belongs_to_the_name_of_a_value() {
        use Piece::{Named, Plain};
        assert_eq!(pieces("to {app}!"), Some(vec![Plain("to "), Named("app"), Plain("!")]));
        assert_eq!(pieces(""), Some(vec![Plain("")]));
        for bad in
            ["{", "}", "{}", "{ app }", "{{app}}", "{{7*7}}", "{app", "app}", "{$app}", "{App}", "{a}}"]
        {
            assert_eq!(pieces(bad), None, "{bad}");
        }
    }

    #[test]
    fn what_no_page_can_show_is_refused_with_its_place() {
        let long = "x".repeat(LONGEST + 1);
        for bad in
            ["", " a", "a\nb", "a\u{202E}b", "see https://x.example", "WWW.x.example", "{{7*7}}", &long]
        {
            let error = check(bad).unwrap_err();
            assert!(error.detail().starts_with("texts.en.signin-title: "), "{bad}: {}", error.detail());
        }
        check("<b>Welcome</b> to {tenant} & more").unwrap();
        let many = (0..100).map(|n| (format!("key-{n}"), "x".repeat(LONGEST))).collect();
        let error = Texts(BTreeMap::from([("en".to_owned(), many)])).check().unwrap_err();
        assert!(error.detail().starts_with("texts: "), "{}", error.detail());
    }
}
