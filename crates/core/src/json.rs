//! JSON (RFC 8259) without its ambiguities: no repeated member, no NUL, bounded depth (RFC 7519 §4, RFC 8725 §2.4).
//!
//! Parsers differ in which of two members with the same name they take, and some end a string at a NUL. What one parser has
//! checked would then not be what the next one reads.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};

/// The deepest nesting of a request or configuration document.
pub const DEEPEST: usize = 32;

/// Parses one whole JSON text with at most `deepest` lists and objects inside each other; the error says what is
/// wrong with it.
pub fn parse(bytes: &[u8], deepest: usize) -> serde_json::Result<Value> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let value = Strict { left: deepest }.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Parses one whole JSON object in the same way.
pub fn object(bytes: &[u8], deepest: usize) -> serde_json::Result<Map<String, Value>> {
    match parse(bytes, deepest)? {
        Value::Object(members) => Ok(members),
        _ => Err(Error::custom("it is not an object")),
    }
}

/// Whether a value has at most `deepest` lists and objects inside each other.
pub fn is_within(value: &Value, deepest: usize) -> bool {
    let Some(left) = deepest.checked_sub(1) else { return !value.is_array() && !value.is_object() };
    match value {
        Value::Array(items) => items.iter().all(|item| is_within(item, left)),
        Value::Object(members) => members.values().all(|value| is_within(value, left)),
        _ => true,
    }
}

/// The type that serde expected, in words for the sender of the document, who does not know the names of Rust types.
pub fn in_words(expected: &str) -> String {
    match expected {
        "a map" => "an object".to_owned(),
        "a sequence" => "an array".to_owned(),
        "unit" => "null".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "bool" => "a boolean".to_owned(),
        _ if expected.starts_with("struct ") => "an object".to_owned(),
        _ => range(expected).unwrap_or_else(|| expected.to_owned()),
    }
}

/// The range of an integer type in words; `None` for any other type.
pub fn range(expected: &str) -> Option<String> {
    let (least, most): (i128, i128) = match expected {
        "u8" => (0, u8::MAX.into()),
        "u16" => (0, u16::MAX.into()),
        "u32" => (0, u32::MAX.into()),
        "u64" | "usize" => (0, u64::MAX.into()),
        "i8" => (i8::MIN.into(), i8::MAX.into()),
        "i16" => (i16::MIN.into(), i16::MAX.into()),
        "i32" => (i32::MIN.into(), i32::MAX.into()),
        "i64" | "isize" => (i64::MIN.into(), i64::MAX.into()),
        _ => return None,
    };
    Some(format!("a whole number from {least} to {most}"))
}

struct Strict {
    left: usize,
}

impl Strict {
    fn deeper<E: Error>(&self) -> Result<usize, E> {
        self.left.checked_sub(1).ok_or_else(|| E::custom("it is nested too deeply"))
    }
}

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number is out of range"))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        without_nul(value).map(Value::from)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let left = self.deeper()?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Self { left })? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let left = self.deeper()?;
        let mut map = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            without_nul(&name)?;
            let value = members.next_value_seed(Self { left })?;
            match map.entry(name) {
                Entry::Vacant(place) => place.insert(value),
                Entry::Occupied(known) => {
                    let name = known.key();
                    return Err(A::Error::custom(format_args!("the member {name:?} occurs twice")));
                }
            };
        }
        Ok(Value::Object(map))
    }
}

/// Refuses a NUL character: PostgreSQL cannot store it, and C libraries end a string at it.
fn without_nul<E: Error>(text: &str) -> Result<&str, E> {
    if text.contains('\0') { Err(E::custom("a string has a NUL character")) } else { Ok(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        parse(text.as_bytes(), DEEPEST).unwrap_err().to_string()
    }

    #[test]
    fn an_ordinary_document_reads_as_usual() {
        let text = r#"{"a":null,"b":[true,-1,18446744073709551615,1.5,"x\u00e9"],"c":{"d":{}}}"#;
        let usual: Value = serde_json::from_str(text).unwrap();
        assert_eq!(parse(text.as_bytes(), DEEPEST).unwrap(), usual);
        assert_eq!(Value::Object(object(text.as_bytes(), DEEPEST).unwrap()), usual);
    }

    #[test]
    fn a_value_is_within_the_depth_to_which_it_is_read() {
        for (text, depth) in [("1", 0), ("[]", 1), (r#"{"a":{"b":1},"c":[[{}]]}"#, 4)] {
            let value = parse(text.as_bytes(), DEEPEST).unwrap();
            for deepest in 0..6 {
                assert_eq!(is_within(&value, deepest), deepest >= depth, "{text} {deepest}");
                assert_eq!(parse(text.as_bytes(), deepest).is_ok(), deepest >= depth, "{text} {deepest}");
            }
        }
    }

    #[test]
    fn a_number_is_written_as_it_was_read() {
        // Read quickly, each of these would be its neighbour.
        for text in ["31.245270191439438", "121.48791951161945", "100.78399658203125"] {
            assert_eq!(parse(text.as_bytes(), DEEPEST).unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_a_type_takes_is_said_in_words() {
        fn told<T: serde::de::DeserializeOwned>(value: Value) -> String {
            let error = serde_json::from_value::<T>(value).err().unwrap().to_string();
            in_words(error.rsplit_once(", expected ").unwrap().1)
        }
        let large = || Value::from(1_000_000_000_000_000_000_u64);
        assert_eq!(told::<u8>(large()), "a whole number from 0 to 255");
        assert_eq!(told::<u16>(large()), "a whole number from 0 to 65535");
        assert_eq!(told::<u32>(large()), "a whole number from 0 to 4294967295");
        assert_eq!(told::<u64>(Value::from(-1)), "a whole number from 0 to 18446744073709551615");
        assert_eq!(told::<i32>(large()), "a whole number from -2147483648 to 2147483647");
        let most = "a whole number from -9223372036854775808 to 9223372036854775807";
        assert_eq!(told::<i64>(Value::from(u64::MAX)), most);
        assert_eq!(told::<f64>(Value::from("x")), "a number");
        assert_eq!(told::<bool>(large()), "a boolean");
        assert_eq!(told::<Map<String, Value>>(large()), "an object");
        assert_eq!(told::<Vec<u8>>(large()), "an array");
        assert_eq!(told::<String>(large()), "a string", "other words stay as they are");
    }

    #[test]
    fn a_repeated_member_is_refused_at_every_depth() {
        for bad in [
            r#"{"a":1,"a":1}"#,
            r#"{"x":{"a":1,"b":2,"a":3}}"#,
            r#"{"x":[{"a":1,"a":2}]}"#,
            r#"{"a":1,"\u0061":2}"#,
        ] {
            assert!(refusal(bad).starts_with("the member \"a\" occurs twice"), "{bad}");
        }
    }

    #[test]
    fn a_nul_is_refused_in_texts_and_in_names() {
        for bad in [r#""\u0000""#, r#"{"a":["x\u0000y"]}"#, r#"{"a\u0000":1}"#] {
            assert!(refusal(bad).starts_with("a string has a NUL character"), "{bad}");
        }
    }

    #[test]
    fn what_parsers_disagree_about_is_refused() {
        for bad in
            [r#"{"a":"\ud800"}"#, r#"{"a":1e999999}"#, r#"{"a":NaN}"#, "\u{feff}{}", "{} {}", "{}x", "{", ""]
        {
            assert!(parse(bad.as_bytes(), DEEPEST).is_err(), "{bad}");
        }
        assert!(parse(b"\"\xff\"", DEEPEST).is_err());
        assert!(object(b"{\"a\":\"\xff\"}", DEEPEST).is_err());
    }

    #[test]
    fn an_object_is_nothing_else() {
        for bad in ["[]", "null", "1", "\"{}\""] {
            assert_eq!(
                object(bad.as_bytes(), DEEPEST).unwrap_err().to_string(),
                "it is not an object",
                "{bad}"
            );
        }
    }

    #[test]
    fn depth_is_bounded_exactly() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(nested(DEEPEST).as_bytes(), DEEPEST).is_ok());
        for deep in [nested(DEEPEST + 1), nested(100_000), "{\"a\":".repeat(100_000)] {
            assert!(refusal(&deep).starts_with("it is nested too deeply"));
        }
        assert!(parse(b"1", 0).is_ok() && parse(b"[]", 0).is_err());
    }
}
