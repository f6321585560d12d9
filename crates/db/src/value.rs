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
    Value::from(cursor.map_or_else(above_all::<K>, |id| id.to_string()))
}

/// Longer than an id and of its last letter: above every id under any collation.
fn above_all<K: Kind>() -> String {
    format!("{}_{}", K::PREFIX, "z".repeat(27))
}

/// The time in which the records of a list were made. Their ids hold it, to the millisecond: it is a range of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Not before this time.
    pub since: Option<Timestamp>,
    /// Before this time.
    pub until: Option<Timestamp>,
}

impl Times {
    /// What a page of an ascending list lies between, as arguments of `id > $n` and `id < $n`. No id is either of them but the cursor.
    /// The cursor and the time make one bound: of two conditions of one kind, SQLite looks up one, and reads what the other leaves out.
    pub fn after<K: Kind>(self, cursor: Option<Id<K>>) -> [Value; 2] {
        let start = cursor.map(|id| id.to_string()).max(self.since.map(Id::<K>::beginning));
        let end = self.until.map_or_else(above_all::<K>, Id::<K>::beginning);
        [Value::from(start.unwrap_or_default()), Value::from(end)]
    }

    /// The same of a descending list.
    pub fn before<K: Kind>(self, cursor: Option<Id<K>>) -> [Value; 2] {
        let start = self.since.map_or_else(String::new, Id::<K>::beginning);
        let ends = [cursor.map(|id| id.to_string()), self.until.map(Id::<K>::beginning)];
        let end = ends.into_iter().flatten().min();
        [Value::from(start), Value::from(end.unwrap_or_else(above_all::<K>))]
    }

    /// Whether the record of this id was made in the time.
    pub fn contain<K: Kind>(self, id: Id<K>) -> bool {
        let id = id.to_string();
        self.since.is_none_or(|since| id > Id::<K>::beginning(since))
            && self.until.is_none_or(|until| id < Id::<K>::beginning(until))
    }
}

#[cfg(test)]
mod tests {
    use svc_core::{AppId, AppKind, SeededEntropy};

    use super::*;

    fn id(secs: i64) -> AppId {
        AppId::new(Timestamp::from_secs(secs), &SeededEntropy::new(1))
    }

    /// The ids of these seconds that lie between two values.
    fn between([start, end]: [Value; 2]) -> Vec<i64> {
        let (Value::Text(Some(start)), Value::Text(Some(end))) = (start, end) else { panic!("no texts") };
        (1..=5).filter(|secs| id(*secs).to_string() > start && id(*secs).to_string() < end).collect()
    }

    #[test]
    fn a_page_begins_at_the_cursor_or_the_time_whichever_leaves_less() {
        let time = |since: i64, until: i64| Times {
            since: Some(Timestamp::from_secs(since)),
            until: Some(Timestamp::from_secs(until)),
        };
        assert_eq!(between(Times::default().after::<AppKind>(None)), [1, 2, 3, 4, 5]);
        assert_eq!(between(Times::default().before::<AppKind>(None)), [1, 2, 3, 4, 5]);
        for (cursor, upwards, downwards) in [
            (None, vec![2, 3], vec![2, 3]),
            (Some(1), vec![2, 3], vec![]),
            (Some(2), vec![3], vec![]),
            (Some(3), vec![], vec![2]),
            (Some(5), vec![], vec![2, 3]),
        ] {
            let cursor = cursor.map(id);
            assert_eq!(between(time(2, 4).after(cursor)), upwards, "{cursor:?}");
            assert_eq!(between(time(2, 4).before(cursor)), downwards, "{cursor:?}");
        }
        assert!(between(time(4, 2).after(None::<AppId>)).is_empty());
        assert!([1, 4].into_iter().all(|secs| !time(2, 4).contain(id(secs))) && time(2, 4).contain(id(2)));
    }
}
