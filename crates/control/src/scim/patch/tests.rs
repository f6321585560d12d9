//! Changes in part, as the standard and as Entra ID and Okta write them.

use serde_json::{Value, json};
use svc_core::Result;

use super::apply;
use crate::scim::schema::{ENTERPRISE, USER, USERS};

fn before() -> Value {
    json!({
        "userName": "ada", "active": true, "name": { "givenName": "Ada", "familyName": "L" },
        "emails": [{ "value": "a@work.example", "type": "work", "primary": true }, { "value": "a@home.example", "type": "home" }],
        ENTERPRISE: { "department": "R", "manager": { "value": "usr_1" } },
    })
}

fn patched(operations: &Value) -> Result<Value> {
    let mut document = before().as_object().unwrap().clone();
    let sent = json!({ "Operations": operations });
    apply(&mut document, super::operations(sent.as_object().unwrap().clone())?, &USERS)?;
    Ok(Value::Object(document))
}

/// What an operation leaves at a pointer.
fn leaves(operation: &Value, pointer: &str) -> Value {
    let document = patched(&json!([operation])).unwrap_or_else(|error| panic!("{operation}: {error}"));
    document.pointer(pointer).cloned().unwrap_or_default()
}

#[test]
fn operations_of_the_standard_do_what_it_says() {
    for (operation, pointer, left) in [
        (json!({ "op": "replace", "path": "active", "value": false }), "/active", json!(false)),
        (json!({ "op": "add", "path": "title", "value": "Countess" }), "/title", json!("Countess")),
        (json!({ "op": "remove", "path": "name.givenName" }), "/name", json!({ "familyName": "L" })),
        (
            json!({ "op": "replace", "path": "name", "value": { "givenName": "A" } }),
            "/name",
            json!({ "givenName": "A", "familyName": "L" }),
        ),
        (json!({ "op": "remove", "path": "emails" }), "/emails", Value::Null),
        (json!({ "op": "remove", "path": "emails[type eq \"home\"]" }), "/emails/1", Value::Null),
        (
            json!({ "op": "remove", "path": "emails[type eq \"home\"].type" }),
            "/emails/1",
            json!({ "value": "a@home.example" }),
        ),
        (
            json!({ "op": "remove", "path": "emails[type eq \"other\"]" }),
            "/emails",
            before()["emails"].clone(),
        ),
        (
            json!({ "op": "replace", "path": "emails[type eq \"home\"].value", "value": "b" }),
            "/emails/1/value",
            json!("b"),
        ),
        (
            json!({ "op": "replace", "path": "emails[type eq \"home\"]", "value": { "value": "b" } }),
            "/emails/1",
            json!({ "value": "b", "type": "home" }),
        ),
        (
            json!({ "op": "add", "path": "emails", "value": [{ "value": "c" }] }),
            "/emails/2",
            json!({ "value": "c" }),
        ),
        (
            json!({ "op": "add", "path": "emails", "value": [{ "value": "a@home.example", "type": "home" }] }),
            "/emails/2",
            Value::Null,
        ),
        (
            json!({ "op": "add", "path": "emails", "value": [{ "value": "a@home.example", "type": "other" }] }),
            "/emails/2/type",
            json!("other"),
        ),
        (
            json!({ "op": "add", "path": "emails", "value": [{ "value": "c" }, { "value": "c" }] }),
            "/emails/3",
            Value::Null,
        ),
        (
            json!({ "op": "add", "path": "emails", "value": { "value": "c", "primary": true } }),
            "/emails/0/primary",
            Value::Null,
        ),
        (
            json!({ "op": "add", "path": "emails", "value": { "value": "c", "primary": true } }),
            "/emails/2/primary",
            json!(true),
        ),
        (
            json!({ "op": "replace", "path": "emails", "value": [{ "value": "d" }] }),
            "/emails",
            json!([{ "value": "d" }]),
        ),
        (
            json!({ "op": "replace", "path": "emails[type eq \"home\"].primary", "value": true }),
            "/emails/0/primary",
            Value::Null,
        ),
        (
            json!({ "op": "add", "value": { "title": "C", "name": { "middleName": "K" } } }),
            "/name/middleName",
            json!("K"),
        ),
        (json!({ "op": "replace", "path": "title", "value": null }), "/title", Value::Null),
        (json!({ "op": "add", "path": format!("{USER}:title"), "value": "C" }), "/title", json!("C")),
        (json!({ "op": "replace", "path": USER, "value": { "title": "C" } }), "/title", json!("C")),
        (json!({ "op": "add", "value": { (USER): { "title": "C" } } }), "/title", json!("C")),
    ] {
        assert_eq!(leaves(&operation, pointer), left, "{operation}");
    }
}

#[test]
fn the_dialects_of_entra_and_okta_are_understood() {
    let department = format!("/{}/department", ENTERPRISE.replace('/', "~1"));
    let manager = format!("/{ENTERPRISE}/manager/value");
    for (operation, pointer, left) in [
        (json!({ "op": "Replace", "path": "active", "value": "False" }), "/active", json!(false)),
        (json!({ "op": "Replace", "value": { "active": false } }), "/active", json!(false)),
        (json!({ "op": "replace", "value": { "id": "usr_9", "active": false } }), "/id", Value::Null),
        (
            json!({ "op": "Replace", "value": { "name.givenName": "Augusta", "displayName": "AL" } }),
            "/name/givenName",
            json!("Augusta"),
        ),
        (
            json!({ "op": "Add", "path": "emails[type eq \"other\"].value", "value": "o" }),
            "/emails/2",
            json!({ "type": "other", "value": "o" }),
        ),
        (
            json!({ "op": "Add", "value": { "emails[type eq \"work\"].value": "w" } }),
            "/emails/0/value",
            json!("w"),
        ),
        (
            json!({ "op": "Add", "path": "phoneNumbers[type eq \"mobile\"].value", "value": "1" }),
            "/phoneNumbers",
            json!([{ "type": "mobile", "value": "1" }]),
        ),
        (
            json!({ "op": "Add", "path": "roles[primary eq \"True\"].value", "value": "r" }),
            "/roles",
            json!([{ "primary": true, "value": "r" }]),
        ),
        (
            json!({ "op": "Add", "path": format!("{ENTERPRISE}:department"), "value": "X" }),
            &department,
            json!("X"),
        ),
        (
            json!({ "op": "Add", "path": format!("{ENTERPRISE}:manager"), "value": "usr_2" }),
            &manager,
            json!("usr_2"),
        ),
        (
            json!({ "op": "Replace", "path": format!("{ENTERPRISE}:manager"), "value": "" }),
            &manager,
            Value::Null,
        ),
        (json!({ "op": "Remove", "path": format!("{ENTERPRISE}:manager") }), &manager, Value::Null),
        (
            json!({ "op": "Add", "path": "manager", "value": [{ "$ref": "https://a.example/usr_2", "value": "usr_2" }] }),
            &manager,
            json!("usr_2"),
        ),
        (json!({ "op": "Remove", "path": "manager" }), &manager, Value::Null),
        (
            json!({ "op": "Replace", "value": { (ENTERPRISE): { "department": "Y" } } }),
            &department,
            json!("Y"),
        ),
        (
            json!({ "op": "Add", "value": { format!("{ENTERPRISE}:department"): "Z" } }),
            &department,
            json!("Z"),
        ),
        (
            json!({ "op": "Remove", "path": "emails", "value": [{ "value": "a@home.example" }] }),
            "/emails/1",
            Value::Null,
        ),
        (json!({ "op": "Remove", "path": "emails", "value": [] }), "/emails", before()["emails"].clone()),
        (
            json!({ "op": "Remove", "path": "emails", "value": [{ "value": "" }] }),
            "/emails",
            before()["emails"].clone(),
        ),
        (json!({ "op": "Remove", "path": "emails", "value": null }), "/emails", Value::Null),
        (json!({ "op": "Remove", "path": "emails", "value": "" }), "/emails", Value::Null),
        (json!({ "op": "Add", "value": { "password": "secret" } }), "/password", Value::Null),
        (
            json!({ "op": "Add", "value": { "urn:example:hat": { "size": 58 } } }),
            "/urn:example:hat/size",
            json!(58),
        ),
    ] {
        assert_eq!(leaves(&operation, pointer), left, "{operation}");
    }
}

#[test]
fn an_operation_that_cannot_be_carried_out_says_why() {
    for (operations, word) in [
        (json!([{ "op": "remove" }]), "noTarget"),
        (json!([{ "op": "remove", "path": "userName" }]), "mutability"),
        (json!([{ "op": "replace", "path": "emails[value co \"zzz\"].value", "value": "y" }]), "noTarget"),
        (json!([{ "op": "add", "path": "id", "value": "x" }]), "mutability"),
        (json!([{ "op": "add", "path": "groups", "value": [{ "value": "x" }] }]), "mutability"),
        (json!([{ "op": "replace", "path": "meta.version", "value": "x" }]), "mutability"),
        (json!([{ "op": "add", "path": "nothing", "value": "x" }]), "invalidPath"),
        (json!([{ "op": "add", "path": "emails[type eq", "value": "x" }]), "invalidPath"),
        (json!([{ "op": "add", "path": "userName[type eq \"x\"]", "value": "x" }]), "invalidPath"),
        (json!([{ "op": "replace", "path": "active", "value": "maybe" }]), "invalidValue"),
        (json!([{ "op": "add", "value": "x" }]), "invalidValue"),
        (json!([{ "op": "add", "path": "title", "value": 7 }]), "invalidValue"),
        (json!([{ "op": "add", "path": "title" }]), "invalidValue"),
        (json!([{ "op": "add", "path": USER, "value": "x" }]), "invalidValue"),
        (json!([{ "op": "remove", "path": USER }]), "noTarget"),
        (json!([{ "op": "add", "path": "emails[type eq \"work\"].", "value": "x" }]), "invalidPath"),
        (json!([{ "op": "add", "path": "emails[value eq \"\\u0000\"].type", "value": "x" }]), "invalidPath"),
        (json!([{ "op": "add", "path": "emails[type eq \"work\"]", "value": "x" }]), "invalidValue"),
        (json!([]), "invalidSyntax"),
        (json!([{ "op": "move", "path": "active" }]), "invalidSyntax"),
        (json!([7]), "invalidSyntax"),
        (json!(vec![json!({ "op": "remove", "path": "title" }); 1001]), "invalidSyntax"),
    ] {
        let error = patched(&operations).expect_err(&operations.to_string());
        assert_eq!((error.class().status(), error.word()), (400, Some(word)), "{operations}");
    }
}
