//! A label of a DNS name (RFC 1035 §2.3.1), as names of records have it: with an underscore in front where it names a service.

use std::borrow::Cow;
use std::fmt;

use toml::Value;

use super::setting::{Setting, text};

/// One label, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DnsLabel(Cow<'static, str>);

impl DnsLabel {
    /// A default, written in this source.
    pub(crate) const fn built_in(text: &'static str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl fmt::Display for DnsLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Setting for DnsLabel {
    fn read(value: &Value) -> Result<Self, String> {
        let label = text(value)?;
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
        let is_label = (1..=63).contains(&label.len())
            && label.bytes().all(allowed)
            && !label.starts_with('-')
            && !label.ends_with('-');
        if is_label {
            Ok(Self(Cow::Owned(label.to_owned())))
        } else {
            Err(format!("is not {}", Self::expects()))
        }
    }

    fn show(&self) -> Option<Value> {
        Some(Value::String(self.0.to_string()))
    }

    fn expects() -> String {
        "a label of a DNS name: 1 to 63 lower-case letters, digits, underscores, and hyphens inside"
            .to_owned()
    }

    fn sample() -> Value {
        Value::String("_svc-challenge".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_one_part_of_a_name() {
        let read = |text: &str| DnsLabel::read(&Value::String(text.to_owned()));
        for good in ["_svc-challenge", "a", "_acme"] {
            assert_eq!(read(good).unwrap().to_string(), good);
        }
        for bad in ["", "a.b", "-a", "a-", "A", "a b", "\u{e4}", "a/", &"a".repeat(64)] {
            assert!(read(bad).is_err(), "{bad:?}");
        }
    }
}
