//! JSON (RFC 8259) without its ambiguities: no repeated member, bounded depth, no NUL in a string.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Deeper nesting than any document that we take.
const DEEPEST: usize = 32;

/// Parses one whole JSON text; the error says what is wrong with it.
pub fn parse(bytes: &[u8]) -> serde_json::Result<Value> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let value = Strict { depth: DEEPEST }.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

struct Strict {
    depth: usize,
}

impl Strict {
    fn deeper<E: Error>(&self) -> Result<Self, E> {
        let depth = self.depth.checked_sub(1).ok_or_else(|| E::custom("it is nested too deeply"))?;
        Ok(Self { depth })
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
        // PostgreSQL cannot store it, and C libraries end a text there.
        if value.contains('\0') { Err(E::custom("a string has a NUL character")) } else { Ok(value.into()) }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self.deeper()?)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let value = members.next_value_seed(self.deeper()?)?;
            if map.contains_key(&name) {
                return Err(A::Error::custom(format_args!("the member {name:?} occurs twice")));
            }
            map.insert(name, value);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_parsers_disagree_about_is_refused() {
        let deep = "[".repeat(100_000);
        for bad in [
            r#"{"a":1,"a":2}"#,
            r#"{"x":[{"a":1,"\u0061":2}]}"#,
            r#"{"a":"\u0000"}"#,
            r#"{"a":"\ud800"}"#,
            r#"{"a":1e999999}"#,
            r#"{"a":NaN}"#,
            "\u{feff}{}",
            "{} {}",
            "",
            deep.as_str(),
        ] {
            assert!(parse(bad.as_bytes()).is_err(), "{}", bad.get(..20).unwrap_or(bad));
        }
        assert!(parse(b"\"\xff\"").is_err());
    }

    #[test]
    fn an_ordinary_document_reads_as_usual() {
        let text = r#"{"a":null,"b":[true,-1,18446744073709551615,1.5,"x"],"c":{"d":{}}}"#;
        assert_eq!(parse(text.as_bytes()).unwrap(), serde_json::from_str::<Value>(text).unwrap());
    }
}
