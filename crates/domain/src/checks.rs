//! What checks of records share: a rule with the sentence that callers read where it does not hold, and lines of text.

use svc_core::{Error, Result};

/// Refuses what breaks a rule; `why` begins with the member that the rule is about.
#[track_caller]
pub(crate) fn require(holds: bool, why: &str) -> Result<()> {
    if holds { Ok(()) } else { Err(Error::bad_request(why)) }
}

/// Whether a text is one line of 1 to `most` characters.
pub(crate) fn is_line(text: &str, most: usize) -> bool {
    (1..=most).contains(&text.chars().count()) && !text.chars().any(char::is_control)
}

/// Refuses a description that is neither empty nor one line of at most `most` characters.
#[track_caller]
pub(crate) fn check_description(text: &str, most: usize) -> Result<()> {
    let why = format!("description: use at most {most} characters without control characters");
    require(text.is_empty() || is_line(text, most), &why)
}

/// Whether a text has the form of a language tag (RFC 5646 §2.1).
pub(crate) fn is_language(tag: &str) -> bool {
    let is_part =
        |part: &str| (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric());
    tag.len() <= 35 && tag.starts_with(|c: char| c.is_ascii_alphabetic()) && tag.split('-').all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_told_from_other_text() {
        for good in ["de", "pt-BR", "zh-Hant-TW"] {
            assert!(is_language(good), "{good}");
        }
        for bad in ["", "-", "de_DE", "de-", "1de", "languages1", "<b>"] {
            assert!(!is_language(bad), "{bad}");
        }
    }
}
