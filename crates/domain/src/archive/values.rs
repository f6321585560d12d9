//! A value of a column as an archive writes it: the same text from either engine.

use serde_json::Value as Json;
use svc_core::{Error, Result};
use svc_db::{Row, Value};
use svc_keys::{base64url, from_base64url};

use super::table::{Column, Fresh, Of, Type};

/// What stands in a row, as JSON; bytes are base64url without padding.
pub(super) fn read(row: &Row, column: &Column) -> Result<Json> {
    let name = column.name;
    Ok(match column.of.kind() {
        Type::Text => Json::from(row.maybe_text(name)?),
        Type::Int => Json::from(row.maybe_int(name)?),
        Type::Flag => Json::from(row.flag(name)?),
        Type::Bytes => Json::from(row.maybe_bytes(name)?.map(base64url)),
    })
}

/// What a row is read after: the key of the last one.
pub(super) fn bound(row: &Row, column: &Column) -> Result<Value> {
    let name = column.name;
    Ok(match column.of.kind() {
        Type::Text => row.text(name)?.into(),
        Type::Int => row.int(name)?.into(),
        Type::Flag => row.flag(name)?.into(),
        Type::Bytes => row.bytes(name)?.into(),
    })
}

/// What comes before every key.
pub(super) fn lowest(column: &Column) -> Value {
    match column.of.kind() {
        Type::Text => "".into(),
        Type::Int => i64::MIN.into(),
        Type::Flag => false.into(),
        Type::Bytes => Vec::new().into(),
    }
}

/// What a line of an archive has for a column. A value that is missing is absent, where the column can do without.
pub(super) fn decode(found: Option<&Json>, column: &Column) -> Result<Value> {
    let unfit = |what: &str| Err(Error::bad_request(format!("{}: expected {what}", column.name)));
    let found = found.filter(|found| !found.is_null());
    let Some(found) = found else {
        return if column.of.is_required() {
            unfit("a value, and found none")
        } else {
            Ok(absent(column.of.kind()))
        };
    };
    match (column.of.kind(), found) {
        (Type::Text, Json::String(text)) if !text.contains('\0') => Ok(text.into()),
        (Type::Text, _) => unfit("a text"),
        (Type::Int, found) => {
            found.as_i64().map_or_else(|| unfit("a whole number"), |number| Ok(number.into()))
        }
        (Type::Flag, found) => found.as_bool().map_or_else(|| unfit("true or false"), |flag| Ok(flag.into())),
        (Type::Bytes, found) => {
            let bytes = found.as_str().and_then(from_base64url);
            bytes.map_or_else(|| unfit("bytes in base64url without padding"), |bytes| Ok(bytes.into()))
        }
    }
}

/// What a column begins with whose values do not travel.
pub(super) fn fresh(fresh: Fresh) -> Value {
    match fresh {
        Fresh::Zero => 0_i64.into(),
        Fresh::Absent(kind) => absent(kind),
    }
}

fn absent(kind: Type) -> Value {
    match kind {
        Type::Text => Value::Text(None),
        Type::Int => Value::Int(None),
        Type::Flag => Value::Bool(None),
        Type::Bytes => Value::Bytes(None),
    }
}

/// The context that a sealed value is bound to, in the database.
pub(super) fn cell<'a>(table: &'a str, of: Of, tenant: &'a str, record: &'a str) -> Option<[&'a str; 4]> {
    match of {
        Of::Sealed(column) | Of::MaybeSealed(column) => Some([table, column, tenant, record]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::table::{BYTES, FLAG, INT, MAYBE_TEXT, TEXT};
    use super::*;

    fn decoded(of: Of, found: &Json) -> Option<Value> {
        decode(Some(found), &Column { name: "column", of }).ok()
    }

    #[test]
    fn a_value_of_another_kind_is_refused() {
        for (of, found) in [
            (TEXT, json!(1)),
            (TEXT, json!(null)),
            (TEXT, json!("a\0b")),
            (INT, json!("1")),
            (INT, json!(1.5)),
            (INT, json!(9_223_372_036_854_775_808_u64)),
            (FLAG, json!(1)),
            (BYTES, json!("a b")),
            (BYTES, json!("YQ==")),
        ] {
            assert_eq!(decoded(of, &found), None, "{found}");
        }
    }

    #[test]
    fn values_are_those_that_were_written() {
        assert_eq!(decoded(INT, &json!(i64::MIN)), Some(i64::MIN.into()));
        assert_eq!(decoded(FLAG, &json!(true)), Some(true.into()));
        assert_eq!(decoded(BYTES, &json!(base64url([0, 255]))), Some(vec![0, 255].into()));
        assert_eq!(decoded(MAYBE_TEXT, &json!(null)), Some(Value::Text(None)));
        assert_eq!(decoded(TEXT, &json!("é\n")), Some("é\n".into()));
    }
}
