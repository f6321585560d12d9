//! JSON documents in `TEXT` columns. No statement reads their members.
//!
//! Unknown members are ignored when a document is read: during an upgrade, this version reads what a newer one has written. The types
//! may still refuse unknown members, because requests and files are read into them too. [`Extensible`] says what happens where a newer
//! version has written an enum value that this one does not know.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde::de::value::{MapAccessDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeOwned, Deserializer, IntoDeserializer, Visitor};
use serde::{Deserialize, Serialize, forward_to_deserialize_any};
use serde_json::Value;
use svc_core::{OrInternal as _, Result};
use svc_db::Row;

/// The document as stored.
pub(crate) fn store<T: Serialize>(document: &T) -> Result<String> {
    serde_json::to_string(document).or_internal()
}

/// The document of a column.
pub(crate) fn load<T: DeserializeOwned>(row: &Row, column: &str) -> Result<T> {
    read(&row.text(column)?)
}

/// The document of a column that may be empty.
pub(crate) fn load_if_any<T: DeserializeOwned>(row: &Row, column: &str) -> Result<Option<T>> {
    row.maybe_text(column)?.map(|text| read(&text)).transpose()
}

/// A document with enum values, to which a newer version may add others.
pub(crate) trait Extensible: DeserializeOwned {
    /// The members that fall back to their default when their value is unknown, because the default gives no more rights. A record with
    /// an unknown value in any other member is treated as absent.
    const MAY_FALL_BACK: &'static [&'static str];
}

/// The document of a column, or `None` where it has a value that this version does not know: the caller treats the record as absent.
pub(crate) fn known<T: Extensible>(row: &Row, column: &str) -> Result<Option<T>> {
    understood(row, column, T::MAY_FALL_BACK)
}

/// The same for a type without members that fall back to a default.
pub(crate) fn known_whole<T: DeserializeOwned>(row: &Row, column: &str) -> Result<Option<T>> {
    understood(row, column, &[])
}

fn understood<T: DeserializeOwned>(row: &Row, column: &str, may_fall_back: &[&str]) -> Result<Option<T>> {
    let value: Value = serde_json::from_str(&row.text(column)?).or_internal()?;
    let why = match T::deserialize(Lenient(value.clone())) {
        Ok(document) => return Ok(Some(document)),
        Err(why) => why.to_string(),
    };
    let alone = may_fall_back.iter().map(std::slice::from_ref);
    let fallen_back = alone.chain([may_fall_back]).find_map(|members| without(&value, members));
    tell_once(
        column,
        &why,
        if fallen_back.is_some() { "its default is used" } else { "the record is left out" },
    );
    Ok(fallen_back)
}

fn without<T: DeserializeOwned>(value: &Value, members: &[&str]) -> Option<T> {
    let mut value = value.clone();
    value.as_object_mut()?.retain(|name, _| !members.contains(&name.as_str()));
    T::deserialize(Lenient(value)).ok()
}

/// Most faults that are remembered as logged.
const MOST_TOLD: usize = 100;

/// Logs a fault the first time that this process meets it: every request may read the same document.
fn tell_once(column: &str, why: &str, what: &str) {
    static TOLD: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    if told.len() < MOST_TOLD && told.insert(format!("{column} {why}")) {
        tracing::warn!(column, why, "a stored document is of a newer version: {what}");
    }
}

/// The document in a stored text, without the members that this version does not know.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T> {
    let value: Value = serde_json::from_str(text).or_internal()?;
    T::deserialize(Lenient(value)).or_internal()
}

/// A list that is a set, as it is read: each entry once, in the order in which they were given.
pub(crate) fn each_once<'de, D, T>(deserializer: D) -> std::result::Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Clone + Ord,
{
    Vec::deserialize(deserializer).map(|entries: Vec<T>| once(&entries))
}

/// Each entry once, in the order in which they were given.
pub(crate) fn once<T: Clone + Ord>(entries: &[T]) -> Vec<T> {
    let mut seen = BTreeSet::new();
    entries.iter().filter(|entry| seen.insert(*entry)).cloned().collect()
}

/// A value whose objects show a type only the members that the type has.
struct Lenient(Value);

type Members = serde_json::Map<String, Value>;

fn members(
    members: Members,
) -> MapDeserializer<'static, impl Iterator<Item = (String, Lenient)>, serde_json::Error> {
    MapDeserializer::new(members.into_iter().map(|(name, value)| (name, Lenient(value))))
}

impl IntoDeserializer<'_, serde_json::Error> for Lenient {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Lenient {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> serde_json::Result<V::Value> {
        match self.0 {
            Value::Object(object) => visitor.visit_map(members(object)),
            Value::Array(values) => visitor.visit_seq(SeqDeserializer::new(values.into_iter().map(Lenient))),
            plain => plain.deserialize_any(visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> serde_json::Result<V::Value> {
        match self.0 {
            Value::Object(mut object) => {
                object.retain(|name, _| fields.contains(&name.as_str()));
                visitor.visit_map(members(object))
            }
            other => Self(other).deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> serde_json::Result<V::Value> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> serde_json::Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> serde_json::Result<V::Value> {
        match self.0 {
            Value::Object(object) => {
                MapAccessDeserializer::new(members(object)).deserialize_enum(name, variants, visitor)
            }
            plain => plain.deserialize_enum(name, variants, visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}
