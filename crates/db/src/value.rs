//! The four kinds of value that cross the port, each possibly absent.

use svc_core::{Digest, Id, Kind, Scope, TenantId, Timestamp};

/// A bound parameter. Absent values keep their kind, because PostgreSQL types its parameters.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `BIGINT`: numbers, times in microseconds, money in minor units.
    Int(Option<i64>),
    /// `BOOLEAN`.
    Bool(Option<bool>),
    /// `TEXT`: ids, enums, documents.
    Text(Option<String>),
    /// `BYTEA`: digests and sealed data.
    Bytes(Option<Vec<u8>>),
}

/// The arguments of a statement, without the tenant, which the transaction binds itself.
#[macro_export]
macro_rules! args {
    ($($value:expr),* $(,)?) => { &[$($crate::Value::from($value)),*] };
}

macro_rules! from {
    ($($type:ty, $variant:ident, |$value:ident| $make:expr;)*) => {$(
        impl From<$type> for Value {
            fn from($value: $type) -> Self {
                Self::$variant(Some($make))
            }
        }
        impl From<Option<$type>> for Value {
            fn from(value: Option<$type>) -> Self {
                Self::$variant(value.map(|$value| $make))
            }
        }
    )*};
}

from! {
    i64, Int, |value| value;
    u32, Int, |value| i64::from(value);
    Timestamp, Int, |value| value.as_micros();
    bool, Bool, |value| value;
    String, Text, |value| value;
    &str, Text, |value| value.to_owned();
    &String, Text, |value| value.clone();
    &Scope, Text, |value| value.to_string();
    TenantId, Text, |value| value.to_string();
    Vec<u8>, Bytes, |value| value;
    &[u8], Bytes, |value| value.to_vec();
    Digest, Bytes, |value| value.0.to_vec();
}

impl<K: Kind> From<Id<K>> for Value {
    fn from(id: Id<K>) -> Self {
        Self::Text(Some(id.to_string()))
    }
}

impl<K: Kind> From<Option<Id<K>>> for Value {
    fn from(id: Option<Id<K>>) -> Self {
        Self::Text(id.map(|id| id.to_string()))
    }
}

/// Where a page of an ascending list starts, as an argument of `id > $n`: after the cursor, or below every id. A bound value is an
/// index condition; `$n IS NULL OR id > $n` is none.
pub fn after<K: Kind>(cursor: Option<Id<K>>) -> Value {
    Value::from(cursor.map_or_else(String::new, |id| id.to_string()))
}

/// Where a page of a descending list starts, as an argument of `id < $n`: before the cursor, or above every id.
pub fn before<K: Kind>(cursor: Option<Id<K>>) -> Value {
    // Longer than an id and of its last letter: above every id under any collation.
    Value::from(cursor.map_or_else(|| format!("{}_{}", K::PREFIX, "z".repeat(27)), |id| id.to_string()))
}
