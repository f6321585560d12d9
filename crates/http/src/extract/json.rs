//! JSON documents, strictly: in requests unknown members are refused by name, in responses the type is set.

use axum::extract::{FromRequest, OptionalFromRequest, Request};
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};
use svc_core::{Error, Result, json};
use utoipa::ToSchema;

use super::expect_type;
use super::judge::judge;
use crate::body;
use crate::render::Problem;

/// From 2 to the power of 53 on, whole numbers that were written with a point or an exponent are rounded when they are read.
const ROUNDED: f64 = 9_007_199_254_740_992.0;

/// A JSON document.
#[derive(Clone, Debug)]
pub struct Json<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + ToSchema + 'static> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        expect_type(request.headers(), "application/json")?;
        let bytes = body::read(request.into_body()).await?;
        Ok(Self(fitting(&document(&bytes)?)?))
    }
}

impl<S: Send + Sync, T: DeserializeOwned + ToSchema + 'static> OptionalFromRequest<S> for Json<T> {
    type Rejection = Problem;

    /// None where the request says nothing: its body is empty, or `null`, as clients send that have nothing to say.
    async fn from_request(request: Request, _: &S) -> Result<Option<Self>, Problem> {
        let (parts, body) = request.into_parts();
        let bytes = body::read(body).await?;
        if matches!(bytes.trim_ascii(), b"" | b"null") {
            return Ok(None);
        }
        expect_type(&parts.headers, "application/json")?;
        Ok(Some(Self(fitting(&document(&bytes)?)?)))
    }
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self.0) {
            Ok(bytes) => {
                ([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], bytes).into_response()
            }
            Err(error) => Problem::from(Error::internal(error)).into_response(),
        }
    }
}

/// The document of a body.
pub(super) fn document(bytes: &[u8]) -> Result<Value> {
    if bytes.is_empty() {
        return Err(Error::bad_request("the request body is empty; send a JSON document"));
    }
    json::parse(bytes, json::DEEPEST)
        .map_err(|error| Error::bad_request(format!("the request body is not acceptable JSON: {error}")))
}

/// Reads a document that fits the published schema of `T`.
pub(super) fn fitting<T: DeserializeOwned + ToSchema + 'static>(value: &Value) -> Result<T> {
    judge::<T>(value)?;
    read(value).or_else(|refused| {
        // To the schema 60.0 is a whole number as 60 is (JSON Schema 2020-12, validation §6.1.1); to the reader it is none.
        let plain = with_plain_numbers(value.clone());
        if plain == *value { Err(refused) } else { read(&plain) }
    })
}

/// Reads every member of a document.
fn read<T: DeserializeOwned>(value: &Value) -> Result<T> {
    let mut unknown = Vec::new();
    let mut note = |path: serde_ignored::Path<'_>| unknown.push(path.to_string());
    let Ok(read) = T::deserialize(serde_ignored::Deserializer::new(value, &mut note)) else {
        return Err(Error::bad_request(fault_of::<T>(value)));
    };
    match unknown.first() {
        Some(field) => Err(Error::bad_request(format!("unknown field `{}`", field.replace(".?", "")))),
        None => Ok(read),
    }
}

/// Why a document is refused. It is read once more, because most fit, and to note where the reader is takes as long as the reading.
fn fault_of<T: DeserializeOwned>(value: &Value) -> String {
    let mut pass = |_: serde_ignored::Path<'_>| {};
    let read: Result<T, _> =
        serde_path_to_error::deserialize(serde_ignored::Deserializer::new(value, &mut pass));
    read.err().map_or_else(String::new, |error| misfit::<T>(value, &error))
}

/// The same document, with whole numbers written as such.
fn with_plain_numbers(value: Value) -> Value {
    match value {
        Value::Number(number) => plain_number(&number).map_or(Value::Number(number), Value::from),
        Value::Array(items) => items.into_iter().map(with_plain_numbers).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(name, value)| (name, with_plain_numbers(value))).collect()
        }
        other => other,
    }
}

/// The whole number that was written with a point or an exponent. A float that has no fraction is shown without either. Beyond the bound
/// it may be the neighbour of the one that was written (RFC 8259 §6).
fn plain_number(number: &Number) -> Option<i64> {
    let read = number.as_f64().filter(|read| number.is_f64() && read.abs() < ROUNDED)?;
    read.to_string().parse().ok()
}

type Misfit = serde_path_to_error::Error<serde_json::Error>;

/// Where a document does not fit and what was expected there; never the value, which may be a secret.
fn misfit<T: DeserializeOwned>(document: &Value, error: &Misfit) -> String {
    let whole = error.inner().to_string();
    let reason = match whole.rsplit_once(", expected ") {
        Some((fault, expected)) => {
            format!("expected {}{}", json::in_words(expected), how_written(fault, expected))
        }
        None => whole.clone(),
    };
    let place = match place(error) {
        Some(place) => place,
        None => at_fault::<T>(document, &whole).unwrap_or("the request body").to_owned(),
    };
    format!("{place}: {reason}")
}

/// How a whole number has to be written that was refused because it may have been rounded.
fn how_written(fault: &str, expected: &str) -> &'static str {
    let is_rounded = fault.starts_with("invalid type: floating point") && json::range(expected).is_some();
    if is_rounded { "; write it without a point or an exponent" } else { "" }
}

/// The path to what does not fit; none where the reader does not know it.
fn place(error: &Misfit) -> Option<String> {
    let path = error.path().to_string().replace(".?", "");
    Some(path).filter(|path| !path.starts_with(['.', '?']))
}

/// The member for which a document is refused. The reader of a flattened type forgets where it was, so that the member is found by
/// what becomes of the document without it.
fn at_fault<'a, T: DeserializeOwned>(document: &'a Value, reason: &str) -> Option<&'a str> {
    let members = document.as_object()?;
    let read = |members: Map<String, Value>| serde_path_to_error::deserialize::<_, T>(Value::Object(members));
    let mut needed = Vec::new();
    for name in members.keys() {
        let mut others = members.clone();
        others.shift_remove(name);
        match read(others).err().map(|error| error.inner().to_string()) {
            Some(other) if other == reason => {}
            // Either this member is at fault, or its want is noticed before the fault of another.
            Some(other) if other.starts_with("missing field") => needed.push(name.as_str()),
            _ => return Some(name),
        }
    }
    needed.retain(|name| {
        let mut changed = members.clone();
        changed.insert((*name).to_owned(), Value::Bool(true));
        read(changed).is_err_and(|error| place(&error).is_none() && error.inner().to_string() != reason)
    });
    match needed.as_slice() {
        [name] => Some(*name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;
    use svc_core::{AppId, Timestamp};

    use super::*;

    #[derive(Debug, Deserialize, ToSchema)]
    struct Inner {
        #[expect(dead_code, reason = "only its reading is tested")]
        name: String,
    }

    #[derive(Debug, Deserialize, ToSchema)]
    struct Outer {
        inner: Option<Inner>,
    }

    #[derive(Debug, Deserialize, ToSchema)]
    struct Bounds {
        #[expect(dead_code, reason = "only its reading is tested")]
        most: Option<u32>,
    }

    /// A part whose members stand among those of the whole.
    #[derive(Debug, Deserialize, ToSchema)]
    #[expect(dead_code, reason = "only its reading is tested")]
    struct Part {
        #[schema(value_type = Option<String>)]
        since: Option<Timestamp>,
        #[schema(value_type = String)]
        owner: AppId,
    }

    #[derive(Debug, Deserialize, ToSchema)]
    #[expect(dead_code, reason = "only its reading is tested")]
    struct Whole {
        name: String,
        label: Option<String>,
        #[serde(flatten)]
        part: Part,
    }

    fn parse(bytes: &[u8]) -> Result<Outer> {
        fitting(&document(bytes)?)
    }

    fn detail(text: &str) -> String {
        parse(text.as_bytes()).unwrap_err().detail().to_owned()
    }

    #[test]
    fn an_empty_body_is_called_so() {
        assert_eq!(detail(""), "the request body is empty; send a JSON document");
    }

    #[test]
    fn an_unknown_field_is_named_wherever_it_stands() {
        assert!(parse(br#"{"inner":{"name":"x"}}"#).unwrap().inner.is_some());
        assert_eq!(detail(r#"{"tenant_id":"x"}"#), "unknown field `tenant_id`");
        assert_eq!(detail(r#"{"inner":{"name":"x","role":1}}"#), "unknown field `inner.role`");
    }

    #[test]
    fn a_missing_or_mistyped_field_is_named_without_its_value() {
        assert_eq!(detail(r#"{"inner":{}}"#), "inner: missing field `name`");
        assert_eq!(detail(r#"{"inner":{"name":{"password":"hunter2"}}}"#), "inner.name: expected a string");
        assert_eq!(detail(r#"{"inner":"hunter2"}"#), "inner: expected an object");
        assert_eq!(detail(r#""hunter2""#), "the request body: expected an object");
    }

    #[test]
    fn a_number_beyond_its_bounds_is_answered_with_them() {
        let document = json!({ "most": 1_000_000_000_000_000_000_u64 });
        let told = fitting::<Bounds>(&document).unwrap_err();
        assert_eq!(told.detail(), "most: expected a whole number from 0 to 4294967295");
    }

    #[derive(Debug, Deserialize, ToSchema)]
    struct Counted {
        most: u32,
    }

    #[test]
    fn a_whole_number_may_be_written_with_a_point_or_an_exponent() {
        let read = |text: &str| fitting::<Counted>(&document(text.as_bytes()).unwrap());
        for (text, most) in [("60.0", 60), ("6e1", 60), ("0.6E+2", 60), ("-0.0", 0), ("60", 60)] {
            assert_eq!(read(&format!(r#"{{"most":{text}}}"#)).unwrap().most, most, "{text}");
        }
        for bad in ["60.5", "-1.0", "1e10", "1e300", "6e-1"] {
            let told = read(&format!(r#"{{"most":{bad}}}"#)).unwrap_err();
            assert!(told.detail().starts_with("most: "), "{bad}: {told}");
        }
        assert!(read(r#"{"most":60.0,"role":1.0}"#).unwrap_err().detail().contains("`role`"));
    }

    #[derive(Debug, Deserialize, ToSchema)]
    struct Large {
        most: i64,
    }

    #[test]
    fn a_whole_number_that_reading_would_round_is_refused() {
        let read = |text: &str| fitting::<Large>(&document(text.as_bytes()).unwrap());
        for (text, most) in [
            ("9007199254740991.0", 9_007_199_254_740_991),
            ("-9007199254740991.0", -9_007_199_254_740_991),
            ("9007199254740993", 9_007_199_254_740_993),
            ("3600.0", 3600),
            ("1e3", 1000),
        ] {
            assert_eq!(read(&format!(r#"{{"most":{text}}}"#)).unwrap().most, most, "{text}");
        }
        for bad in ["9007199254740992.0", "9007199254740993.0", "-9007199254740993.0", "9.1e15"] {
            assert_eq!(
                read(&format!(r#"{{"most":{bad}}}"#)).unwrap_err().detail(),
                "most: expected a whole number from -9223372036854775808 to 9223372036854775807; write it without a point \
                 or an exponent",
                "{bad}"
            );
        }
    }

    #[test]
    fn a_member_of_a_flattened_part_is_named_too() {
        let owner = "app_01m7yepz0rer5tmyyvy97e2x3j";
        let told = |document: Value| fitting::<Whole>(&document).unwrap_err().detail().to_owned();
        assert!(fitting::<Whole>(&json!({ "name": "x", "owner": owner })).is_ok());
        assert_eq!(
            told(json!({ "name": "x", "label": "y", "owner": owner, "since": "yesterday" })),
            "since: expected a time of RFC 3339, such as 2027-01-15T08:00:00Z"
        );
        assert_eq!(
            told(json!({ "label": "y", "name": "x", "owner": "usr_1", "since": null })),
            "owner: expected an id that begins with `app_`"
        );
    }
}
