//! What a list is narrowed to, and its order, as a cursor notes it: a cursor continues the list that it was made for.

use axum::http::Uri;
use serde_json::{Value, json};
use svc_core::{Error, Result};
use svc_keys::{base64url, sha256};
use url::form_urlencoded::Serializer;

use super::LIST_PARAMS;
use crate::extract::Params;

/// The digest of a list's search, filters and order; none where none of them is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Narrowed(Option<String>);

/// The member of a cursor that has the digest.
const TO: &str = "narrowed_to";
/// The member that has the position, where the position is no object itself.
const AT: &str = "position";

impl Narrowed {
    /// That of a request. A query that cannot be read has none: no list answers it.
    pub(crate) fn of(uri: &Uri) -> Self {
        let params = Params::parse(uri.query().unwrap_or_default()).unwrap_or_default();
        let narrows = |(name, value): &(&str, &str)| !LIST_PARAMS.contains(name) && !value.is_empty();
        let mut narrowing: Vec<_> = params.iter().filter(narrows).collect();
        narrowing.sort_unstable();
        let is_any = !narrowing.is_empty();
        let text = Serializer::new(String::new()).extend_pairs(narrowing).finish();
        Self(is_any.then(|| base64url(sha256(text.as_bytes()))))
    }

    /// Notes it with a position. An object keeps its members, and a position of a list that is not narrowed is left alone, so that the
    /// previous version goes on from both.
    pub(super) fn note(&self, position: Value) -> Value {
        match (position, &self.0) {
            (Value::Object(mut members), digest) => {
                members.insert(TO.to_owned(), json!(digest));
                Value::Object(members)
            }
            (position, None) => position,
            (position, Some(digest)) => json!({ AT: position, TO: digest }),
        }
    }

    /// The position that a cursor has, if the cursor is of this list.
    pub(super) fn check(&self, noted: Value) -> Result<Value> {
        let (position, is_same) = match noted {
            Value::Object(mut members) => {
                // A cursor of the previous version notes nothing.
                let is_same = members.remove(TO).is_none_or(|digest| digest == json!(self.0));
                (members.remove(AT).unwrap_or(Value::Object(members)), is_same)
            }
            position => (position, self.0.is_none()),
        };
        is_same.then_some(position).ok_or_else(|| {
            Error::bad_request(
                "cursor: it continues a list with another search, order or filter; \
                 give those of the page before, or leave `cursor` out to begin at the first page",
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(query: &str) -> Narrowed {
        Narrowed::of(&format!("/things?{query}").parse().unwrap())
    }

    #[test]
    fn the_order_of_parameters_and_the_page_do_not_matter() {
        assert_eq!(of("a=1&b=x%20y&limit=2"), of("b=x+y&cursor=c&a=1&c="));
        assert_eq!(of("limit=2&cursor=c&search="), Narrowed(None));
        for other in ["a=1", "a=1&b=xy", "a=2&b=x%20y", "a=1&b=x%20y&c=z", "a=1%26b%3Dx%20y"] {
            assert_ne!(of("a=1&b=x%20y"), of(other), "{other}");
        }
    }

    #[test]
    fn a_position_of_any_shape_is_noted_for_one_list() {
        for position in [json!("id"), json!(7), json!(null), json!({ "id": "a", "name": "b" })] {
            for (made, read) in [("", "limit=1"), ("a=1", "a=1&limit=1")] {
                let noted = of(made).note(position.clone());
                assert_eq!(of(read).check(noted).unwrap(), position, "{made}");
            }
            for (made, read) in [("", "a=1"), ("a=1", ""), ("a=1", "a=2"), ("a=1", "b=1")] {
                let error = of(read).check(of(made).note(position.clone())).unwrap_err();
                assert!(error.detail().starts_with("cursor: it continues a list with"), "{error}");
            }
        }
    }

    #[test]
    fn the_previous_version_and_this_one_go_on_from_each_others_positions() {
        assert_eq!(of("").note(json!("id")), "id");
        let noted = of("a=1").note(json!({ "id": "a", "name": "b" }));
        assert_eq!((&noted["id"], &noted["name"]), (&json!("a"), &json!("b")));
        let before = json!({ "id": "a", "name": "b" });
        assert_eq!(of("a=1").check(before.clone()).unwrap(), before);
    }
}
