//! The language of a page, from `ui_locales` and `Accept-Language` (RFC 4647 §3.4, RFC 9110 §12.5.4).

use std::fmt;
use std::sync::Arc;

use unic_langid::{CharacterDirection, LanguageIdentifier};

/// One of the languages that this deployment offers, in canonical BCP 47.
///
/// INVARIANT: values come from [`super::Pages`] alone, so whatever is kept by locale stays bounded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Locale(Arc<str>);

/// Longest `Accept-Language` or `ui_locales` that is looked at, in bytes.
const LONGEST: usize = 1024;
/// Most language tags of one request that are looked at.
const MOST: usize = 20;
/// Longest tag of an account's language (RFC 5646 §4.4.1).
const LONGEST_TAG: usize = 35;

impl Locale {
    pub(super) fn new(id: &LanguageIdentifier) -> Self {
        Self(id.to_string().into())
    }

    /// The BCP 47 tag.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// `ltr` or `rtl`, for the `dir` attribute.
    pub fn dir(&self) -> &'static str {
        if parse(&self.0).is_some_and(|id| is_right_to_left(&id)) { "rtl" } else { "ltr" }
    }
}

impl fmt::Display for Locale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether a language is written from right to left.
pub(super) fn is_right_to_left(id: &LanguageIdentifier) -> bool {
    id.character_direction() == CharacterDirection::RTL
}

/// A tag and those of which it is a kind, for example `de-AT`, `de`.
pub(super) fn with_parents(tag: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(tag), |tag| tag.rfind('-').and_then(|at| tag.get(..at)))
}

/// Whether two tags are of one language, whatever their regions and scripts.
pub(super) fn is_same_language(one: &str, other: &str) -> bool {
    let language = |tag: &str| parse(tag).map(|id| id.language);
    language(one) == language(other)
}

/// A language tag without its extensions, or nothing when it is junk.
pub(super) fn parse(tag: &str) -> Option<LanguageIdentifier> {
    let extension =
        tag.match_indices('-').map(|(at, _)| at).find(|at| tag.as_bytes().get(at + 2) == Some(&b'-'));
    let tag = tag.get(..extension.unwrap_or(tag.len()))?;
    tag.parse().ok().filter(|id: &LanguageIdentifier| !id.language.is_empty())
}

/// A tag in its usual form, without its extensions; nothing where it is none.
pub fn language_tag(text: &str) -> Option<String> {
    Some(text).filter(|text| text.len() <= LONGEST_TAG).and_then(parse).map(|id| id.to_string())
}

/// The best of `supported` for a request, if any fits.
pub(super) fn negotiate(
    supported: &[LanguageIdentifier],
    ui_locales: Option<&str>,
    accept_language: Option<&str>,
) -> Option<LanguageIdentifier> {
    let bounded =
        |text: Option<&'_ str>| text.filter(|text| text.len() <= LONGEST).unwrap_or_default().to_owned();
    let (asked, accepted) = (bounded(ui_locales), bounded(accept_language));
    let tags = asked.split_ascii_whitespace().take(MOST).chain(by_weight(&accepted));
    tags.filter_map(parse).find_map(|id| lookup(supported, &id)).cloned()
}

fn lookup<'a>(
    supported: &'a [LanguageIdentifier],
    asked: &LanguageIdentifier,
) -> Option<&'a LanguageIdentifier> {
    let same_language = || supported.iter().filter(|have| have.language == asked.language);
    same_language()
        .find(|have| *have == asked)
        .or_else(|| same_language().find(|have| have.script.is_some() && have.script == asked.script))
        .or_else(|| same_language().find(|have| have.region.is_none() && have.script.is_none()))
        .or_else(|| same_language().next())
}

/// The tags of an `Accept-Language` value, most wanted first; a weight of zero means "not this one".
fn by_weight(header: &str) -> impl Iterator<Item = &str> {
    let mut tags: Vec<(u16, &str)> = header.split(',').take(MOST).filter_map(weighed).collect();
    tags.sort_by_key(|(weight, _)| u16::MAX - weight);
    tags.into_iter().map(|(_, tag)| tag)
}

fn weighed(item: &str) -> Option<(u16, &str)> {
    let (tag, weight) = item.split_once(';').unwrap_or((item, "q=1"));
    let digits: Vec<u16> = weight
        .trim()
        .strip_prefix("q=")?
        .chars()
        .filter_map(|c| c.to_digit(10))
        .filter_map(|digit| u16::try_from(digit).ok())
        .chain([0; 3])
        .take(4)
        .collect();
    let weight = digits.iter().fold(0, |sum, digit| sum * 10 + digit);
    (weight > 0).then_some((weight, tag.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(ui_locales: Option<&str>, accept: Option<&str>) -> String {
        let supported: Vec<_> =
            ["en", "de", "fr", "pt-BR", "zh-Hant"].iter().filter_map(|tag| parse(tag)).collect();
        negotiate(&supported, ui_locales, accept).map_or_else(|| "default".to_owned(), |id| id.to_string())
    }

    #[test]
    fn the_application_s_wish_comes_first_then_the_browser_s() {
        assert_eq!(chosen(Some("fr-CA de"), Some("de")), "fr");
        assert_eq!(chosen(None, Some("it, de;q=0.8, fr;q=0.9")), "fr");
        assert_eq!(chosen(None, Some("de;q=0, fr;q=0.001")), "fr");
        assert_eq!(chosen(Some("tlh"), Some("de-AT-u-co-phonebk,en;q=0.5")), "de");
        assert_eq!(chosen(None, Some("PT")), "pt-BR");
        assert_eq!(chosen(None, Some("zh-hant-tw")), "zh-Hant");
    }

    #[test]
    fn junk_gets_the_default() {
        let long = "de ".repeat(1000);
        for junk in
            ["../../etc/passwd", "{{7*7}}", "*", "", "<script>", "de_\u{0}", "q=1;;;,,,", "und", &long]
        {
            assert_eq!(chosen(Some(junk), Some(junk)), "default", "{junk}");
        }
        for n in 0..10_000 {
            assert_eq!(chosen(Some(&format!("x{n}-{n}")), None), "default");
        }
    }

    #[test]
    fn right_to_left_languages_say_so() {
        let dir = |tag| parse(tag).map(|id| Locale::new(&id).dir());
        assert_eq!((dir("he"), dir("ar-EG"), dir("de")), (Some("rtl"), Some("rtl"), Some("ltr")));
    }
}
