//! What a value of the configuration can be: how it is read from TOML and from the environment, and how it is
//! shown.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use toml::Value;

use svc_core::{Seconds, Secret};

/// A type that a key can have.
pub trait Setting: Sized {
    /// Whether the text must never be shown, not even in a fault.
    const SECRET: bool = false;

    /// Reads the value; `Err` completes the sentence "`value` …".
    fn read(value: &Value) -> Result<Self, String>;

    /// The TOML value that an environment text stands for. Text stays text unless the key's type says
    /// otherwise.
    fn from_env(text: &str) -> Value {
        Value::String(text.to_owned())
    }

    /// The value as shown to people; nothing when it is not set.
    fn show(&self) -> Option<Value>;

    /// What may be written here, for messages and the example file.
    fn expects() -> String;

    /// A value for the example file when there is no default.
    fn sample() -> Value;
}

impl Setting for bool {
    fn read(value: &Value) -> Result<Self, String> {
        value.as_bool().ok_or_else(|| "is neither true nor false".to_owned())
    }

    fn from_env(text: &str) -> Value {
        text.parse().map_or_else(|_| Value::String(text.to_owned()), Value::Boolean)
    }

    fn show(&self) -> Option<Value> {
        Some(Value::Boolean(*self))
    }

    fn expects() -> String {
        "true or false".to_owned()
    }

    fn sample() -> Value {
        Value::Boolean(false)
    }
}

macro_rules! whole_numbers {
    ($($number:ty),*) => {$(
        impl Setting for $number {
            fn read(value: &Value) -> Result<Self, String> {
                let number = value.as_integer().ok_or_else(|| "is not a whole number".to_owned())?;
                Self::try_from(number).map_err(|_| "is out of range".to_owned())
            }

            fn from_env(text: &str) -> Value {
                text.parse().map_or_else(|_| Value::String(text.to_owned()), Value::Integer)
            }

            fn show(&self) -> Option<Value> {
                i64::try_from(*self).ok().map(Value::Integer)
            }

            fn expects() -> String {
                "a whole number".to_owned()
            }

            fn sample() -> Value {
                Value::Integer(1)
            }
        }
    )*};
}
whole_numbers!(u16, u32, u64);

impl Setting for Seconds {
    fn read(value: &Value) -> Result<Self, String> {
        value.as_integer().map(Seconds).ok_or_else(|| "is not a whole number of seconds".to_owned())
    }

    fn from_env(text: &str) -> Value {
        u64::from_env(text)
    }

    fn show(&self) -> Option<Value> {
        Some(Value::Integer(self.0))
    }

    fn expects() -> String {
        "a whole number of seconds".to_owned()
    }

    fn sample() -> Value {
        Value::Integer(60)
    }
}

/// Text; empty text is refused, because a key that is present but says nothing is nearly always a mistake.
pub(crate) fn text(value: &Value) -> Result<&str, String> {
    match value.as_str() {
        None => Err("is not text".to_owned()),
        Some(text) if text.trim().is_empty() => Err("is empty".to_owned()),
        // As files of secrets do, which become variables.
        Some(text) if text.ends_with(['\n', '\r']) => Err("ends with a line break".to_owned()),
        Some(text) if text.chars().any(char::is_control) => Err("has a control character".to_owned()),
        Some(text) => Ok(text),
    }
}

/// Text that is meant; what stands in the example file for something to fill in is not.
fn chosen(value: &Value) -> Result<&str, String> {
    let text = text(value)?;
    let is_placeholder = text.starts_with('<') && text.ends_with('>');
    if is_placeholder || EARLIER_PLACEHOLDERS.contains(&text) {
        return Err("is the example's placeholder".to_owned());
    }
    Ok(text)
}

/// What older example files had in place of a value.
const EARLIER_PLACEHOLDERS: &[&str] = &["text", "secret", "/path/to/it"];

impl Setting for String {
    fn read(value: &Value) -> Result<Self, String> {
        chosen(value).map(str::to_owned)
    }

    fn show(&self) -> Option<Value> {
        Some(Value::String(self.clone()))
    }

    fn expects() -> String {
        "text".to_owned()
    }

    fn sample() -> Value {
        Value::String("<text>".to_owned())
    }
}

impl Setting for Secret {
    const SECRET: bool = true;

    fn read(value: &Value) -> Result<Self, String> {
        chosen(value).map(Self::new)
    }

    fn show(&self) -> Option<Value> {
        Some(Value::String(self.to_string()))
    }

    fn expects() -> String {
        "secret text".to_owned()
    }

    fn sample() -> Value {
        Value::String("<secret>".to_owned())
    }
}

impl Setting for PathBuf {
    fn read(value: &Value) -> Result<Self, String> {
        chosen(value).map(Self::from)
    }

    fn show(&self) -> Option<Value> {
        Some(Value::String(self.display().to_string()))
    }

    fn expects() -> String {
        "a path".to_owned()
    }

    fn sample() -> Value {
        Value::String("</path/to/it>".to_owned())
    }
}

impl Setting for IpAddr {
    fn read(value: &Value) -> Result<Self, String> {
        match text(value)? {
            "localhost" => Ok(Self::V4(Ipv4Addr::LOCALHOST)),
            text => text.parse().map_err(|_| "is not an IP address".to_owned()),
        }
    }

    fn show(&self) -> Option<Value> {
        Some(Value::String(self.to_string()))
    }

    fn expects() -> String {
        "an IP address or \"localhost\"".to_owned()
    }

    fn sample() -> Value {
        Value::String("127.0.0.1".to_owned())
    }
}

impl Setting for SocketAddr {
    fn read(value: &Value) -> Result<Self, String> {
        text(value)?.parse().map_err(|_| "is not an IP address with a port".to_owned())
    }

    fn show(&self) -> Option<Value> {
        Some(Value::String(self.to_string()))
    }

    fn expects() -> String {
        "an IP address with a port".to_owned()
    }

    fn sample() -> Value {
        Value::String("127.0.0.1:53".to_owned())
    }
}

impl<T: Setting> Setting for Option<T> {
    const SECRET: bool = T::SECRET;

    fn read(value: &Value) -> Result<Self, String> {
        T::read(value).map(Some)
    }

    fn from_env(text: &str) -> Value {
        T::from_env(text)
    }

    fn show(&self) -> Option<Value> {
        self.as_ref().and_then(T::show)
    }

    fn expects() -> String {
        T::expects()
    }

    fn sample() -> Value {
        T::sample()
    }
}

impl<T: Setting> Setting for Vec<T> {
    const SECRET: bool = T::SECRET;

    fn read(value: &Value) -> Result<Self, String> {
        let items = value.as_array().ok_or_else(|| "is not a list".to_owned())?;
        items.iter().map(|item| T::read(item).map_err(|wrong| format!("has an entry that {wrong}"))).collect()
    }

    fn from_env(text: &str) -> Value {
        list(text)
    }

    fn show(&self) -> Option<Value> {
        Some(Value::Array(self.iter().filter_map(T::show).collect()))
    }

    fn expects() -> String {
        format!("a list (in the environment a JSON array), each entry {}", T::expects())
    }

    fn sample() -> Value {
        Value::Array(vec![T::sample()])
    }
}

/// A list as the environment carries it: a JSON array.
pub(super) fn list(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_of_the_key_decides_what_an_environment_text_is() {
        assert_eq!(Secret::read(&Option::<Secret>::from_env("12345")).unwrap().expose(), "12345");
        assert_eq!(String::read(&String::from_env("007")).unwrap(), "007");
        assert_eq!(u32::read(&u32::from_env("12345")).unwrap(), 12345);
        assert!(bool::read(&bool::from_env("true")).unwrap());
    }

    #[test]
    fn lists_in_the_environment_are_json_arrays() {
        assert_eq!(Vec::<String>::read(&Vec::<String>::from_env(r#"["a", "b"]"#)).unwrap(), ["a", "b"]);
        for bad in ["a,b", "[1]", "[\"\"]", "{}", "[null]"] {
            assert!(Vec::<String>::read(&Vec::<String>::from_env(bad)).is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers_are_whole_and_fit() {
        for bad in ["", " 1", "1.0", "1e3", "-1", "65536", "0x10", "99999999999999999999"] {
            assert!(u16::read(&u16::from_env(bad)).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn what_the_example_file_shows_in_place_of_a_value_is_refused() {
        for sample in
            [String::sample(), Secret::sample(), PathBuf::sample(), Value::String("text".to_owned())]
        {
            assert!(String::read(&sample).is_err() && Secret::read(&sample).is_err(), "{sample}");
            assert!(PathBuf::read(&sample).is_err(), "{sample}");
        }
        assert_eq!(String::read(&Value::String("a text".to_owned())).unwrap(), "a text");
    }

    #[test]
    fn an_empty_text_is_refused() {
        assert!(String::read(&Value::String(String::new())).is_err());
        assert!(Secret::read(&Value::String(" ".to_owned())).is_err());
    }

    #[test]
    fn a_line_break_at_the_end_is_named_as_such() {
        for text in ["secret\n", "secret\r\n"] {
            let refused = Secret::read(&Value::String(text.to_owned())).unwrap_err();
            assert_eq!(refused, "ends with a line break");
        }
        assert_eq!(text(&Value::String("a\nb".to_owned())).unwrap_err(), "has a control character");
    }
}
