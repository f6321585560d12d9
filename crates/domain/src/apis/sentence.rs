//! Authorization details as people read them: the sentence of a type, with the values of an object.

use std::fmt;

use serde::Serialize;
use serde_json::Value;
use svc_core::text::{clean, is_shown};

/// Longest template, and longest value in a sentence, in characters.
const LONGEST_TEMPLATE: usize = 500;
const LONGEST_VALUE: usize = 200;
const MOST_VALUES: usize = 20;
/// What stands for a member that an object does not have.
const ABSENT: &str = "–";

/// A sentence, in the order of its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Sentence(pub Vec<Part>);

/// A part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// The text.
    pub text: String,
    /// Whether the application chose it, and not the author of the type.
    pub is_value: bool,
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|part| f.write_str(&part.text))
    }
}

/// Refuses a template that could not be filled; the error says why.
pub(super) fn check(template: &str) -> Result<(), String> {
    if template.trim().is_empty() || template.chars().count() > LONGEST_TEMPLATE {
        return Err(format!("use 1 to {LONGEST_TEMPLATE} characters"));
    }
    if !template.chars().all(is_shown) {
        return Err("use one line without control characters".to_owned());
    }
    let values = pieces(template)?.iter().filter(|piece| matches!(piece, Piece::Member(_))).count();
    if values > MOST_VALUES { Err(format!("use at most {MOST_VALUES} placeholders")) } else { Ok(()) }
}

/// The sentence about one object; a template was checked when it was written.
pub(super) fn fill(template: &str, detail: &Value) -> Sentence {
    let part = |piece| match piece {
        Piece::Text(text) => Part { text: text.to_owned(), is_value: false },
        Piece::Member(path) => Part { text: shown(detail, path), is_value: true },
    };
    Sentence(pieces(template).unwrap_or_default().into_iter().map(part).collect())
}

/// A stretch of a template.
enum Piece<'a> {
    Text(&'a str),
    Member(&'a str),
}

fn pieces(template: &str) -> Result<Vec<Piece<'_>>, String> {
    let mut pieces = Vec::new();
    let mut rest = template;
    while let Some((text, behind)) = rest.split_once('{') {
        let (path, behind) = behind.split_once('}').ok_or("a { is not closed")?;
        if text.contains('}') {
            return Err("a } is not opened".to_owned());
        }
        if !path.split('.').all(is_member) {
            return Err(format!("{{{path}}} is not a path of members, as {{amount.currency}}"));
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        pieces.push(Piece::Member(path));
        rest = behind;
    }
    if rest.contains('}') {
        return Err("a } is not opened".to_owned());
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    Ok(pieces)
}

fn is_member(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '$' | '@'))
}

fn shown(detail: &Value, path: &str) -> String {
    let text = path.split('.').try_fold(detail, member).map(text).unwrap_or_default();
    let text = clean(&text, LONGEST_VALUE);
    if text.is_empty() { ABSENT.to_owned() } else { text }
}

fn member<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    match value {
        Value::Array(items) => items.get(name.parse::<usize>().ok()?),
        value => value.get(name),
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_sentence_has_the_values_of_its_object() {
        let detail = json!({
            "amount": { "value": 12.5, "currency": "EUR" }, "to": ["Ada", "Bob"], "urgent": true, "note": null,
        });
        let told = |template| fill(template, &detail).to_string();
        assert_eq!(told("Pay {amount.value} {amount.currency} to {to}"), "Pay 12.5 EUR to Ada, Bob");
        assert_eq!(told("{to.1}, urgent: {urgent}"), "Bob, urgent: true");
        assert_eq!(
            told("{note} {missing} {amount.value.deeper} {to.7} {amount}"),
            concat!("– – – – ", r#"{"value":12.5,"currency":"EUR"}"#)
        );
        assert_eq!(told("See your accounts"), "See your accounts");
    }

    #[test]
    fn values_stay_within_their_place() {
        let hostile =
            json!({ "name": "a\u{202E}b\n\u{2066}", "long": "x".repeat(500), "blank": " \u{200B} " });
        assert_eq!(fill("To {name}.", &hostile).to_string(), "To ab.");
        assert_eq!(fill("{long}", &hostile).to_string(), format!("{}…", "x".repeat(200)));
        assert_eq!(fill("{blank}", &hostile).to_string(), "–");
        let braces = json!({ "name": "{amount}", "amount": "1" });
        assert_eq!(fill("To {name}", &braces).to_string(), "To {amount}", "a value is no template");
    }

    #[test]
    fn a_template_is_one_line_with_paths_in_braces() {
        for good in ["x", "{a}", "Überweise {a.b_c} an {d-e.0}"] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        let (long, many) = ("x".repeat(501), "{a}".repeat(21));
        for bad in [
            "",
            " ",
            "{",
            "}",
            "{}",
            "{a",
            "a}",
            "{a b}",
            "{a..b}",
            "{.a}",
            "{{a}}",
            "{a|b}",
            "{%a%}",
            "a\nb",
            "a\u{202E}b",
            &long,
            &many,
        ] {
            assert!(check(bad).is_err(), "{bad:?}");
        }
    }
}
