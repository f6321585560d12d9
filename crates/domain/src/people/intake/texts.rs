//! Texts by language that a tenant gives people to read.

use std::collections::BTreeMap;

use svc_core::text::is_shown;
use svc_core::{Error, Result};

/// What there is in a language, or else in the language that it is a kind of, or else in `fallback`; with the language in which
/// it is.
pub fn spoken<'a, T>(all: &'a BTreeMap<String, T>, wanted: &str, fallback: &str) -> Option<(&'a str, &'a T)> {
    let mut tag = wanted;
    loop {
        if let Some((known, found)) = all.iter().find(|(known, _)| known.eq_ignore_ascii_case(tag)) {
            return Some((known, found));
        }
        let Some((parent, _)) = tag.rsplit_once('-') else { break };
        tag = parent;
    }
    all.get_key_value(fallback).map(|(known, found)| (known.as_str(), found))
}

/// Refuses a text that is not one line of at most so many characters for people to read.
pub fn check_text(member: &str, text: &str, most: usize) -> Result<()> {
    let fits = (1..=most).contains(&text.chars().count()) && text.trim() == text;
    if fits && text.chars().all(is_shown) {
        return Ok(());
    }
    Err(Error::bad_request(format!(
        "{member}: use 1 to {most} characters in one line, without space around them and without marks that reorder text"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_reads_their_own_language_or_the_one_that_it_is_a_kind_of_or_the_fallback() {
        let all = BTreeMap::from(["de", "en", "pt-BR"].map(|tag| (tag.to_owned(), tag.len())));
        for (wanted, found) in
            [("de", "de"), ("de-AT", "de"), ("DE-at", "de"), ("pt-br", "pt-BR"), ("pt", "en"), ("ja", "en")]
        {
            assert_eq!(spoken(&all, wanted, "en").unwrap().0, found, "{wanted}");
        }
        assert_eq!(spoken(&all, "ja", "fr"), None);
    }
}
