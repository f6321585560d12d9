//! Rich authorization requests (RFC 9396): what is asked for in detail, who may ask for it, and what is less than it.

use serde_json::{Value, json};
use svc_core::capability::Capability;
use svc_core::{Error, Result, json};
use svc_domain::apis::{Api, type_of};
use svc_domain::apps::App;
use svc_http::HostCx;

/// The parameter, and the member of tokens and responses.
pub const NAME: &str = "authorization_details";
/// Most objects, and longest parameter in bytes: it becomes a part of every token.
const MOST: usize = 20;
const LONGEST: usize = 4096;
/// Deepest nesting of an object; a token is read to sixteen levels.
const DEEPEST: usize = 8;
/// The members of which a part is less than the whole (RFC 9396 §2.2).
const DIVISIBLE: &[&str] = &["actions", "datatypes", "locations", "privileges"];

/// Reads the parameter, by whatever way it came.
pub fn read(text: &str) -> Result<Vec<Value>> {
    if text.len() > LONGEST {
        return Err(refused("it is longer than 4096 bytes"));
    }
    let value = json::parse(text.as_bytes(), 1 + DEEPEST).map_err(|error| {
        refused("it is not JSON, a member occurs twice, or it is nested too deeply").caused_by(error)
    })?;
    let Value::Array(details) = value else { return Err(refused("it is not a JSON array")) };
    if details.len() > MOST {
        return Err(refused("it has more than 20 objects"));
    }
    if !details.iter().all(|detail| type_of(detail).is_some()) {
        return Err(refused("it has something else than objects with a type"));
    }
    Ok(details)
}

/// Refuses what the application may not ask for, or what does not fit the API that the tokens are for.
pub fn check(details: &[Value], app: &App, api: Option<&Api>) -> Result<()> {
    for detail in details {
        let api = api.ok_or_else(|| refused("name the API that it is about, as resource"))?;
        if !is_allowed(detail, app) {
            return Err(refused("it has a type that this application may not ask for"));
        }
        api.check_detail(detail)?;
    }
    Ok(())
}

fn is_allowed(detail: &Value, app: &App) -> bool {
    let allowed = &app.configuration.authorization_details_types;
    type_of(detail).is_some_and(|name| allowed.iter().any(|allowed| allowed == name))
}

/// Whether application and API still go by the type of an object.
pub fn is_offered(detail: &Value, app: &App, api: Option<&Api>) -> bool {
    let is_known = type_of(detail).zip(api).is_some_and(|(name, api)| api.details_type(name).is_some());
    is_known && is_allowed(detail, app)
}

/// Refuses what is more than was granted (RFC 9396 §6.1): each object is one that was granted, or a part of it, and none
/// stands for two.
pub fn check_within(requested: &[Value], granted: &[Value]) -> Result<()> {
    let place = |granted| Place { granted, taken_by: None, is_tried: false };
    let mut places: Vec<_> = granted.iter().map(place).collect();
    let is_within = requested.iter().all(|requested| {
        for place in &mut places {
            place.is_tried = false;
        }
        is_placed(requested, &mut places)
    });
    if is_within { Ok(()) } else { Err(refused("it asks for more than was granted")) }
}

/// An object that was granted, and the one of those that are asked for which stands for it.
struct Place<'a> {
    granted: &'a Value,
    taken_by: Option<&'a Value>,
    is_tried: bool,
}

/// Whether there is a place for an object, where those that have one may move to another.
fn is_placed<'a>(requested: &'a Value, places: &mut [Place<'a>]) -> bool {
    for index in 0..places.len() {
        let place =
            places.get_mut(index).filter(|place| !place.is_tried && is_part(requested, place.granted));
        let Some(place) = place else { continue };
        place.is_tried = true;
        let Some(other) = place.taken_by.replace(requested) else { return true };
        if is_placed(other, places) {
            return true;
        }
        if let Some(place) = places.get_mut(index) {
            place.taken_by = Some(other);
        }
    }
    false
}

fn is_part(requested: &Value, granted: &Value) -> bool {
    let (Value::Object(requested), Value::Object(granted)) = (requested, granted) else { return false };
    let is_less = |name: &String, part: &Value, whole: &Value| {
        DIVISIBLE.contains(&name.as_str())
            && part.as_array().zip(whole.as_array()).is_some_and(|(part, whole)| {
                // No entry at all could be read as every one.
                !part.is_empty() && part.iter().all(|entry| whole.contains(entry))
            })
    };
    let is_covered = |(name, whole): (&String, &Value)| {
        requested.get(name).is_some_and(|part| part == whole || is_less(name, part, whole))
    };
    requested.len() == granted.len() && granted.iter().all(is_covered)
}

/// Whether it is offered to the application.
pub fn is_enabled(host: &HostCx, app: &App) -> bool {
    host.offers_to(app, &Capability::AUTHORIZATION_DETAILS)
}

/// Adds what discovery says of it: the types of the tenant's APIs (RFC 9396 §10).
pub fn publish(types: &[String], document: &mut Value) {
    if let (Value::Object(members), false) = (document, types.is_empty()) {
        members.insert("authorization_details_types_supported".to_owned(), json!(types));
    }
}

/// Adds them to a document about what was granted or asked for.
pub fn add_to(document: &mut Value, details: &[Value]) {
    if let (Value::Object(members), false) = (document, details.is_empty()) {
        members.insert(NAME.to_owned(), json!(details));
    }
}

/// Refuses the parameter altogether.
pub fn not_offered() -> Error {
    refused("this parameter is not offered here")
}

#[track_caller]
fn refused(why: &str) -> Error {
    Error::invalid_authorization_details(format!("authorization_details: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parameter_is_an_array_of_objects_with_a_type() {
        assert_eq!(read(r#"[{"type":"a","x":[{}]}]"#).unwrap(), [json!({ "type": "a", "x": [{}] })]);
        assert!(read("[]").unwrap().is_empty());
        let many = json!(vec![json!({ "type": "a" }); 21]).to_string();
        let deep = format!(r#"[{{"type":"a","x":{}{}}}]"#, "[".repeat(8), "]".repeat(8));
        let long = json!([{ "type": "a", "x": "x".repeat(4096) }]).to_string();
        for bad in [
            "",
            "x",
            "{}",
            "null",
            r#"{"type":"a"}"#,
            "[1]",
            "[[]]",
            "[{}]",
            r#"[{"type":1}]"#,
            r#"[{"type":"a"}"#,
            r#"[{"type":"a","type":"b"}]"#,
            r#"[{"type":"a","x":{"y":1,"y":1}}]"#,
            r#"[{"type":"a"}] "x""#,
            &many,
            &deep,
            &long,
        ] {
            let class = read(bad).unwrap_err().class().code();
            assert_eq!(class, "invalid_authorization_details", "{}", bad.get(..40).unwrap_or(bad));
        }
    }

    #[test]
    fn less_is_the_same_object_or_one_with_fewer_entries_in_its_lists() {
        let granted = [
            json!({ "type": "account", "actions": ["list", "read"], "datatypes": ["balance"], "iban": "DE1" }),
            json!({ "type": "payment", "amount": { "value": "1.00", "currency": "EUR" } }),
        ];
        let (account, payment) = (&granted[0], &granted[1]);
        let less = json!({ "type": "account", "actions": ["read"], "datatypes": ["balance"], "iban": "DE1" });
        let reordered = json!({ "amount": { "currency": "EUR", "value": "1.00" }, "type": "payment" });
        for good in [vec![], vec![account], vec![payment, account], vec![&less], vec![&reordered, &less]] {
            let requested: Vec<Value> = good.into_iter().cloned().collect();
            assert!(check_within(&requested, &granted).is_ok(), "{requested:?}");
        }
        for bad in [
            json!([{ "type": "account" }]),
            json!([{ "type": "account", "actions": ["write"], "datatypes": ["balance"], "iban": "DE1" }]),
            json!([{ "type": "account", "actions": [], "datatypes": ["balance"], "iban": "DE1" }]),
            json!([{ "type": "account", "actions": "read", "datatypes": ["balance"], "iban": "DE1" }]),
            json!([{ "type": "account", "actions": ["read"], "datatypes": ["balance"], "iban": "DE2" }]),
            json!([{ "type": "account", "actions": ["read"], "datatypes": ["balance"], "iban": "DE1", "x": 1 }]),
            json!([{ "type": "payment", "amount": { "value": "1.00" } }]),
            json!([payment, payment]),
            json!([less, account]),
        ] {
            assert!(check_within(bad.as_array().unwrap(), &granted).is_err(), "{bad}");
        }
    }

    #[test]
    fn parts_of_objects_that_overlap_are_found_in_whatever_order_they_come() {
        let of = |actions: &[&str]| json!({ "type": "account", "actions": actions });
        let granted = [of(&["read", "write"]), of(&["list", "read"])];
        for (one, other, is_within) in [
            ("read", "write", true),
            ("write", "read", true),
            ("read", "list", true),
            ("list", "read", true),
            ("read", "read", true),
            ("write", "write", false),
            ("list", "list", false),
        ] {
            let requested = [of(&[one]), of(&[other])];
            assert_eq!(check_within(&requested, &granted).is_ok(), is_within, "{one} {other}");
        }
        let three = [of(&["read"]), of(&["read"]), of(&["read"])];
        assert!(check_within(&three, &granted).is_err());
    }
}
