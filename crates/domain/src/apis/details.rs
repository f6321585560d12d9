//! The types of `authorization_details` that an API understands (RFC 9396 §2, §11.2).

use std::fmt;
use std::sync::{Arc, OnceLock};

use jsonschema::Validator;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_core::{Error, Result};
use utoipa::ToSchema;

use super::sentence::{self, Sentence};
use super::{Api, schema};

/// Most types of one API.
const MOST: usize = 20;

/// One type of authorization details.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AuthorizationDetailsType)]
pub struct DetailsType {
    /// The `type` of its objects: 1 to 128 printable characters, best a URI or a dotted name of your own.
    #[serde(rename = "type")]
    pub name: String,
    /// The JSON Schema (2020-12) that its objects must fit; `type` itself need not be in it.
    #[schema(value_type = Object)]
    pub schema: Value,
    /// The sentence that people read, with members of the object in braces: `Pay {amount.value} to {creditor}`.
    pub template: String,
}

/// Whether `name` can be the name of a type.
pub fn is_details_type(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\');
    (1..=128).contains(&name.len()) && name.bytes().all(is_plain)
}

/// Refuses types that could not be asked for, judged or read.
pub(super) fn check(types: &[DetailsType]) -> Result<()> {
    let too_many = types.len() > MOST;
    let amount = if too_many { malformed("", &format!("use at most {MOST}")) } else { Ok(()) };
    // What is too much to keep is not worth compiling.
    let each = types.iter().take(MOST).enumerate().map(|(index, of)| {
        let is_repeated = types.iter().take(index).any(|other| other.name == of.name);
        check_type(index, of, is_repeated)
    });
    Error::every(std::iter::once(amount).chain(each))
}

fn check_type(
    index: usize,
    DetailsType { name, schema, template }: &DetailsType,
    is_repeated: bool,
) -> Result<()> {
    let at = |member: &str| format!("[{index}].{member}");
    let name = if !is_details_type(name) {
        malformed(&at("type"), "use 1 to 128 printable characters without spaces")
    } else if is_repeated {
        malformed(&at("type"), &format!("{name} is there twice"))
    } else {
        Ok(())
    };
    let schema = schema::compile(schema).map_or_else(|why| malformed(&at("schema"), &why), |_| Ok(()));
    let template = sentence::check(template).or_else(|why| malformed(&at("template"), &why));
    Error::every([name, schema, template])
}

#[track_caller]
fn malformed(at: &str, why: &str) -> Result<()> {
    Err(Error::bad_request(format!("authorization_details_types{at}: {why}")))
}

/// The compiled schemas of an API, made when the first object is judged and kept with it.
#[derive(Clone, Default)]
pub struct Judges(Arc<OnceLock<Vec<Judge>>>);

struct Judge {
    name: String,
    validator: Validator,
    /// Whether the schema speaks of `type` itself.
    knows_type: bool,
}

impl fmt::Debug for Judges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Judges")
    }
}

impl Judge {
    fn new(of: &DetailsType) -> Option<Self> {
        let required = of.schema.get("required").and_then(Value::as_array);
        let knows_type = of.schema.pointer("/properties/type").is_some()
            || required.is_some_and(|names| names.iter().any(|name| name == "type"));
        Some(Self { name: of.name.clone(), validator: schema::compile(&of.schema).ok()?, knows_type })
    }

    /// The error says where the object does not fit, and which keyword of the schema wants it otherwise.
    fn judge(&self, detail: &Value) -> Result<(), (String, String)> {
        let mut bare = detail.clone();
        if let (Value::Object(members), false) = (&mut bare, self.knows_type) {
            members.shift_remove("type");
        }
        self.validator
            .validate(&bare)
            .map_err(|error| (error.instance_path().to_string(), error.kind().keyword().to_owned()))
    }
}

impl Api {
    /// The names of its types.
    pub fn details_types(&self) -> impl Iterator<Item = &str> {
        self.configuration.authorization_details_types.iter().map(|of| of.name.as_str())
    }

    /// The type of this name.
    pub fn details_type(&self, name: &str) -> Option<&DetailsType> {
        self.configuration.authorization_details_types.iter().find(|known| known.name == name)
    }

    /// Refuses an object that is not of a type of this API, is for another API, or does not fit its schema.
    pub fn check_detail(&self, detail: &Value) -> Result<()> {
        let name = type_of(detail).ok_or_else(|| refused("every object needs a type"))?;
        let types = &self.configuration.authorization_details_types;
        let judges = self.judges.0.get_or_init(|| types.iter().filter_map(Judge::new).collect());
        let judge = judges.iter().find(|judge| judge.name == name);
        let judge = judge.ok_or_else(|| refused("the API does not offer a type that is asked for"))?;
        let is_here = |location: &Value| location == self.identifier.as_str();
        if detail.get("locations").is_some_and(|locations| {
            locations.as_array().is_none_or(|locations| !locations.iter().all(is_here))
        }) {
            return Err(refused("locations: name the API that the tokens are for, and no other"));
        }
        judge.judge(detail).map_err(|(path, keyword)| refused(&misfit(&judge.name, (&path, &keyword))))
    }

    /// What people read of these objects; nothing where one is of a type that the API does not offer any more.
    pub fn sentences(&self, details: &[Value]) -> Option<Vec<Sentence>> {
        let sentence = |detail| {
            let of = self.details_type(type_of(detail)?)?;
            Some(sentence::fill(&of.template, detail))
        };
        details.iter().map(sentence).collect()
    }
}

/// The type that an object says it is of.
pub fn type_of(detail: &Value) -> Option<&str> {
    detail.get("type").and_then(Value::as_str)
}

/// Says where, but not with characters that the application chose freely.
fn misfit(name: &str, (path, keyword): (&str, &str)) -> String {
    let is_plain = path.len() <= 100
        && path.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'-' | b'.'));
    let at = if is_plain && !path.is_empty() { format!(" at {path}") } else { String::new() };
    format!("an object of type {name} does not fit its schema{at}: {keyword}")
}

#[track_caller]
fn refused(why: &str) -> Error {
    Error::invalid_authorization_details(why)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn payment(change: impl FnOnce(&mut Value)) -> DetailsType {
        let mut of = json!({
            "type": "payment",
            "schema": {
                "type": "object",
                "properties": { "amount": { "type": "string" }, "locations": {} },
                "required": ["amount"],
                "additionalProperties": false,
            },
            "template": "Pay {amount}",
        });
        change(&mut of);
        serde_json::from_value(of).unwrap()
    }

    #[test]
    fn a_type_that_cannot_be_asked_for_judged_or_read_is_refused_by_the_name_of_its_field() {
        assert!(
            check(&[payment(|_| ()), payment(|of| of["type"] = json!("https://types.example/x"))]).is_ok()
        );
        let refused = |types: &[DetailsType]| check(types).unwrap_err().detail().to_owned();
        let long = "x".repeat(129);
        for name in ["", "a b", "a\n", "ä", &long] {
            let told = refused(&[payment(|of| of["type"] = json!(name))]);
            assert!(told.starts_with("authorization_details_types[0].type: "), "{told}");
        }
        let twice = refused(&[payment(|_| ()), payment(|_| ())]);
        assert_eq!(twice, "authorization_details_types[1].type: payment is there twice");
        let told = refused(&[payment(|of| of["schema"]["type"] = json!("thing"))]);
        assert!(told.starts_with("authorization_details_types[0].schema: "), "{told}");
        let told = refused(&[payment(|of| of["template"] = json!("Pay {{amount}}"))]);
        assert!(told.starts_with("authorization_details_types[0].template: "), "{told}");
        assert!(
            check(&(0..21).map(|n| payment(|of| of["type"] = json!(n.to_string()))).collect::<Vec<_>>())
                .is_err()
        );
    }

    #[test]
    fn a_schema_may_speak_of_the_type_or_leave_it_out() {
        let silent = Judge::new(&payment(|_| ())).unwrap();
        let strict = payment(|of| of["schema"]["properties"]["type"] = json!({ "const": "payment" }));
        let strict = Judge::new(&strict).unwrap();
        for judge in [silent, strict] {
            assert_eq!(judge.judge(&json!({ "type": "payment", "amount": "1" })), Ok(()));
            let told = judge.judge(&json!({ "type": "payment", "amount": 1 }));
            assert_eq!(told, Err(("/amount".to_owned(), "type".to_owned())));
        }
    }

    #[test]
    fn a_refusal_does_not_repeat_what_the_application_made_up() {
        let at = "an object of type a does not fit its schema at /amount/0: enum";
        assert_eq!(misfit("a", ("/amount/0", "enum")), at);
        let nowhere = "an object of type a does not fit its schema: additionalProperties";
        assert_eq!(misfit("a", ("/<b>", "additionalProperties")), nowhere);
    }
}
