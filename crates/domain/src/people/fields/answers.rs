//! What people answer, held against what was asked.

use serde_json::{Map, Value};
use svc_core::text::is_shown;

use super::{Field, FieldType, KeptIn};
use crate::people::tenant_users::Metadata;

/// What is wrong with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is missing, and required.
    Missing,
    /// It is none of the choices, no day, or has characters that no line has.
    Invalid,
    /// It has fewer characters than this.
    TooShort(u32),
    /// It has more characters than this.
    TooLong(u32),
}

impl Field {
    /// The answer that a text of a form is; nothing where an answer is missing that is not required.
    pub fn typed(&self, text: Option<&str>) -> Result<Option<Value>, Fault> {
        let text = text.map(str::trim).unwrap_or_default();
        if self.content.kind == FieldType::Checkbox {
            return self.answered(&Value::Bool(!text.is_empty()));
        }
        if text.is_empty() {
            return self.answered(&Value::Null);
        }
        self.answered(&Value::String(text.to_owned()))
    }

    /// The answer as it is kept; nothing where it is missing and not required.
    pub fn answered(&self, value: &Value) -> Result<Option<Value>, Fault> {
        let is_required = self.content.required;
        match (self.content.kind, value) {
            (_, Value::Null) | (FieldType::Checkbox, Value::Bool(false)) if is_required => {
                Err(Fault::Missing)
            }
            (_, Value::Null) => Ok(None),
            (FieldType::Checkbox, Value::Bool(_)) => Ok(Some(value.clone())),
            (FieldType::Choice, Value::String(chosen)) => {
                let is_known = self.content.choices.iter().any(|choice| choice.value == *chosen);
                if is_known { Ok(Some(value.clone())) } else { Err(Fault::Invalid) }
            }
            (FieldType::Date, Value::String(day)) => {
                if is_day(day) {
                    Ok(Some(value.clone()))
                } else {
                    Err(Fault::Invalid)
                }
            }
            (FieldType::Text, Value::String(text)) => self.line(text.trim()),
            _ => Err(Fault::Invalid),
        }
    }

    fn line(&self, text: &str) -> Result<Option<Value>, Fault> {
        let (count, most) = (text.chars().count(), self.longest());
        let least = self.content.min_length.unwrap_or(0);
        if count == 0 {
            return self.answered(&Value::Null);
        }
        if count > most as usize {
            return Err(Fault::TooLong(most));
        }
        if count < least as usize {
            return Err(Fault::TooShort(least));
        }
        if !text.chars().all(is_shown) {
            return Err(Fault::Invalid);
        }
        Ok(Some(Value::String(text.to_owned())))
    }

    /// What a person has answered.
    pub fn answer<'a>(&self, metadata: &'a Metadata) -> Option<&'a Value> {
        let part = match self.content.kept_in {
            KeptIn::PublicMetadata => &metadata.public,
            KeptIn::PrivateMetadata => &metadata.private,
        };
        part.get(&self.content.name).filter(|value| !value.is_null())
    }

    /// Whether a person has answered as it is asked now.
    pub fn is_answered(&self, metadata: &Metadata) -> bool {
        self.answer(metadata).is_some_and(|answer| matches!(self.answered(answer), Ok(Some(_))))
    }

    /// Puts an answer where it is kept, or takes it away.
    pub fn put(&self, metadata: &mut Metadata, answer: Option<Value>) {
        let part: &mut Map<String, Value> = match self.content.kept_in {
            KeptIn::PublicMetadata => &mut metadata.public,
            KeptIn::PrivateMetadata => &mut metadata.private,
        };
        match answer {
            Some(answer) => part.insert(self.content.name.clone(), answer),
            None => part.remove(&self.content.name),
        };
    }
}

/// Whether a text is a day of the calendar, `YYYY-MM-DD`.
fn is_day(text: &str) -> bool {
    text.len() == 10
        && text.parse::<jiff::civil::Date>().is_ok_and(|day| day.to_string() == text && day.year() > 0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::field;
    use super::*;

    #[test]
    fn answers_are_held_against_type_and_bounds() {
        let bounds = &[("min_length", json!(2)), ("max_length", json!(4))];
        for (text, answer) in [
            (None, Ok(None)),
            (Some("  "), Ok(None)),
            (Some(" Acme "), Ok(Some(json!("Acme")))),
            (Some("<b>"), Ok(Some(json!("<b>")))),
            (Some("A"), Err(Fault::TooShort(2))),
            (Some("Acme!"), Err(Fault::TooLong(4))),
            (Some("a\u{202E}b"), Err(Fault::Invalid)),
            (Some("a\nb"), Err(Fault::Invalid)),
        ] {
            assert_eq!(field(bounds).typed(text), answer, "{text:?}");
        }
        let day = field(&[("type", json!("date"))]);
        assert_eq!(day.typed(Some("2024-02-29")), Ok(Some(json!("2024-02-29"))));
        for bad in ["2023-02-29", "24-02-29", "2024-2-29", "today", "2024-02-29T00:00"] {
            assert_eq!(day.typed(Some(bad)), Err(Fault::Invalid), "{bad}");
        }
        let choice = field(&[("type", json!("choice")), ("choices", json!([{ "value": "a" }]))]);
        assert_eq!(choice.typed(Some("a")), Ok(Some(json!("a"))));
        assert_eq!(choice.typed(Some("b")), Err(Fault::Invalid));
    }

    #[test]
    fn a_required_checkbox_must_be_checked_and_another_is_no() {
        let required = field(&[("type", json!("checkbox")), ("required", json!(true))]);
        assert_eq!(required.typed(None), Err(Fault::Missing));
        assert_eq!(required.typed(Some("on")), Ok(Some(json!(true))));
        assert_eq!(field(&[("type", json!("checkbox"))]).typed(None), Ok(Some(json!(false))));
        assert_eq!(field(&[("required", json!(true))]).typed(Some(" ")), Err(Fault::Missing));
    }

    #[test]
    fn an_answer_of_another_type_is_none() {
        for value in [json!(1), json!(["Acme"]), json!({ "a": 1 }), json!(true)] {
            assert_eq!(field(&[]).answered(&value), Err(Fault::Invalid), "{value}");
        }
        let private = field(&[("kept_in", json!("private_metadata"))]);
        let mut metadata = Metadata::default();
        private.put(&mut metadata, Some(json!("Acme")));
        assert_eq!((metadata.public.len(), private.answer(&metadata)), (0, Some(&json!("Acme"))));
        private.put(&mut metadata, None);
        assert!(!private.is_answered(&metadata) && metadata == Metadata::default());
    }
}
