//! Members of the documents in which other systems keep factors. No error repeats a value, which may be a secret.

use serde_json::Value;
use svc_core::{Error, Result};
use svc_keys::{from_base64, from_base64url};

/// The text of a member, or nothing.
pub(super) fn text<'a>(document: &'a Value, name: &str) -> Option<&'a str> {
    document.get(name)?.as_str().filter(|text| !text.is_empty())
}

/// The text of a member that must be there.
pub(super) fn needed<'a>(document: &'a Value, name: &str) -> Result<&'a str> {
    text(document, name).ok_or_else(|| Error::bad_request(format!("`{name}` is missing; give it as a text")))
}

/// A number, or what counts where there is none.
pub(super) fn number<T: TryFrom<u64>>(document: &Value, name: &str, otherwise: T) -> Result<T> {
    let Some(value) = document.get(name).filter(|value| !value.is_null()) else { return Ok(otherwise) };
    let number = value.as_u64().and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| {
        Error::bad_request(format!("`{name}` must be a number that is not negative or too large"))
    })
}

/// Bytes in base64 of either alphabet, with padding or without.
pub(super) fn bytes(document: &Value, name: &str) -> Result<Vec<u8>> {
    decoded(needed(document, name)?).ok_or_else(|| Error::bad_request(format!("`{name}` must be base64url")))
}

/// The same for a text.
pub(super) fn decoded(text: &str) -> Option<Vec<u8>> {
    from_base64(text).or_else(|| {
        let url = text.trim_end_matches('=').replace('+', "-").replace('/', "_");
        from_base64url(&url)
    })
}

/// A member that is the text of a document, as Keycloak writes them.
pub(super) fn document(outer: &Value, name: &str) -> Result<Value> {
    let invalid = || Error::bad_request(format!("`{name}` must be the text of a JSON document"));
    serde_json::from_str::<Value>(needed(outer, name)?).ok().filter(Value::is_object).ok_or_else(invalid)
}
