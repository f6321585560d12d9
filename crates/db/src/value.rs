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
