//! How the fields of a page go into a template: text made harmless, links only to the web.
#![expect(clippy::ref_option_ref, reason = "serde's serialize_with passes references")]

use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use svc_core::text::neutral;
use svc_domain::apis::{Part, Sentence};

use super::text::{clean, is_image_url, is_local, is_shown, is_web_url};

/// Longest name or sentence that a page shows, in characters.
const LONGEST_LINE: usize = 240;
/// Longest name of an application or a person that a page shows, in characters.
const LONGEST_NAME: usize = 80;
/// Longest part of a sentence about authorization details, in characters: more than one is ever stored with.
const LONGEST_PART: usize = 600;
/// Longest block of code that a page shows, in characters.
const LONGEST_BLOCK: usize = 65_536;

pub(super) fn line<S: Serializer>(text: &&str, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&clean(text, LONGEST_LINE))
}

pub(super) fn line_opt<S: Serializer>(text: &Option<&str>, to: S) -> Result<S::Ok, S::Error> {
    text.map(|text| clean(text, LONGEST_LINE)).filter(|text| !text.is_empty()).serialize(to)
}

/// A name, which stands inside sentences and headings.
pub(super) fn name<S: Serializer>(text: &&str, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&clean(text, LONGEST_NAME))
}

pub(super) fn name_opt<S: Serializer>(text: &Option<&str>, to: S) -> Result<S::Ok, S::Error> {
    text.map(|text| clean(text, LONGEST_NAME)).filter(|text| !text.is_empty()).serialize(to)
}

pub(super) fn lines<S: Serializer>(texts: &[&str], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(texts.iter().map(|text| clean(text, 4 * LONGEST_LINE)))
}

/// Sentences in parts; a part keeps the space around it.
pub(super) fn sentences<S: Serializer>(sentences: &[Sentence], to: S) -> Result<S::Ok, S::Error> {
    let part = |part: &Part| Part { text: neutral(&part.text, LONGEST_PART), is_value: part.is_value };
    to.collect_seq(sentences.iter().map(|Sentence(parts)| Sentence(parts.iter().map(part).collect())))
}

pub(super) fn pairs<S: Serializer>(pairs: &[(&str, &str)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(
        pairs.iter().map(|(name, value)| (clean(name, LONGEST_LINE), clean(value, 4 * LONGEST_LINE))),
    )
}

/// Text that keeps its lines.
pub(super) fn block_opt<S: Serializer>(text: &Option<&str>, to: S) -> Result<S::Ok, S::Error> {
    let kept = |text: &str| {
        text.chars().filter(|&c| c == '\n' || is_shown(c)).take(LONGEST_BLOCK).collect::<String>()
    };
    text.map(kept).serialize(to)
}

/// A link or form target that we made; one that leaves the web is a fault of ours.
pub(super) fn link<S: Serializer>(url: &&str, to: S) -> Result<S::Ok, S::Error> {
    if is_local(url) || is_web_url(url) {
        to.serialize_str(url)
    } else {
        Err(S::Error::custom("not a web address"))
    }
}

pub(super) fn link_opt<S: Serializer>(url: &Option<&str>, to: S) -> Result<S::Ok, S::Error> {
    match url {
        Some(url) => link(url, to),
        None => to.serialize_none(),
    }
}

/// A link that a tenant or an application gave; anything but a web address is left out.
pub(super) fn foreign_link<S: Serializer>(url: &Option<&str>, to: S) -> Result<S::Ok, S::Error> {
    url.filter(|url| is_web_url(url)).serialize(to)
}

pub(super) fn foreign_image<S: Serializer>(url: &Option<&str>, to: S) -> Result<S::Ok, S::Error> {
    url.filter(|url| is_image_url(url)).serialize(to)
}
