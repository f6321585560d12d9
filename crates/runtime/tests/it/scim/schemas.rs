//! Schema extensions that a tenant declares: published, validated, found by, and kept from changes that would break values.

use serde_json::{Value, json};
use svc_http::Method;

use super::{Directory, USERS, at, directory, encoded, refused};
use crate::harness::{Answer, Harness, Site};

const SCHEMAS: &str = "/api/v1/scim-schemas";
const HR: &str = "urn:example:params:scim:schemas:hr:2.0:User";

fn hr() -> Value {
    json!({
        "urn": HR, "name": "hr", "description": "What personnel says",
        "attributes": [
            { "name": "badge", "uniqueness": "server", "required": true },
            { "name": "level", "type": "integer" },
            { "name": "rate", "type": "decimal" },
            { "name": "shift", "canonical_values": ["day", "night"] },
            { "name": "tags", "multi_valued": true, "case_exact": true },
            { "name": "hired", "type": "dateTime", "mutability": "immutable" },
            { "name": "pin", "mutability": "writeOnly", "returned": "never" },
            { "name": "note", "returned": "request" },
            { "name": "site", "returned": "always" },
            { "name": "grade", "mutability": "readOnly" },
            { "name": "remote", "type": "boolean" },
            { "name": "contact", "type": "complex", "multi_valued": true, "sub_attributes": [
                { "name": "value", "required": true }, { "name": "type" }, { "name": "primary", "type": "boolean" },
            ] },
        ],
    })
}

fn said() -> Value {
    json!({
        "badge": "B-1", "level": 3, "rate": 1.5, "shift": "day", "tags": ["Red", "blue"], "hired": "2024-02-29T08:00:00Z",
        "pin": "s3cr3t", "note": "quiet", "site": "Wien", "remote": true, "contact": [{ "value": "+43 1", "type": "desk" }],
    })
}

fn ada(extension: Value) -> Value {
    let mut ada = json!({ "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User", HR], "userName": "ada" });
    ada[HR] = extension;
    ada
}

async fn declare(site: &Site<'_>, body: Value) -> Answer {
    site.call(Method::POST, SCHEMAS, Some(&site.mint(|_| ())), Some(body)).await
}

async fn declared<'a>(site: &'a Site<'a>) -> (Directory<'a>, String) {
    let made = declare(site, hr()).await.expect(201).json();
    (directory(site, "initech").await, format!("{SCHEMAS}/{}", made["id"].as_str().unwrap()))
}

async fn change(site: &Site<'_>, path: &str, attributes: Value) -> Answer {
    let body = json!({ "attributes": attributes });
    site.call(Method::PATCH, path, Some(&site.mint(|_| ())), Some(body)).await
}

/// The attributes of the declaration with another one in place of the one of its name.
fn with(attribute: Value) -> Value {
    let mut attributes = hr()["attributes"].as_array().unwrap().clone();
    match attributes.iter_mut().find(|one| one["name"] == attribute["name"]) {
        Some(same) => *same = attribute,
        None => attributes.push(attribute),
    }
    attributes.into()
}

fn without(name: &str) -> Value {
    let attributes = hr()["attributes"].as_array().unwrap().clone();
    attributes.into_iter().filter(|one| one["name"] != name).collect()
}

async fn public(site: &Site<'_>, id: &Value) -> Value {
    let path = format!("/api/v1/tenant-users/{}", id.as_str().unwrap());
    let user = site.call(Method::GET, &path, Some(&site.mint(|_| ())), None).await.expect(200).json();
    user["public_metadata"].clone()
}

#[tokio::test]
async fn a_declared_schema_is_published_to_the_directories_of_the_tenant_alone() {
    let h = Harness::new().await;
    let (site, elsewhere) = (h.tenant("main").await, h.tenant("other").await);
    let (one, _) = declared(&site).await;
    let other = directory(&elsewhere, "hooli").await;
    let schema = one.get(&format!("/scim/v2/Schemas/{HR}")).await.expect(200).json();
    let badge = &schema["attributes"][0];
    assert_eq!(
        (&schema["id"], &schema["name"], &schema["description"]),
        (&json!(HR), &json!("hr"), &json!("What personnel says"))
    );
    assert_eq!(
        *badge,
        json!({
            "name": "badge", "type": "string", "multiValued": false, "description": "", "required": true, "caseExact": false,
            "mutability": "readWrite", "returned": "default", "uniqueness": "server",
        })
    );
    let of = |name: &str| {
        schema["attributes"].as_array().unwrap().iter().find(|one| one["name"] == *name).unwrap().clone()
    };
    assert_eq!((&of("pin")["mutability"], &of("pin")["returned"]), (&json!("writeOnly"), &json!("never")));
    assert_eq!((&of("hired")["mutability"], &of("hired")["type"]), (&json!("immutable"), &json!("dateTime")));
    assert_eq!(of("shift")["canonicalValues"], json!(["day", "night"]));
    assert_eq!(of("contact")["subAttributes"][0]["name"], "value");
    let extensions = async |directory: &Directory<'_>| {
        let kind = directory.get("/scim/v2/ResourceTypes/User").await.expect(200).json();
        kind["schemaExtensions"].as_array().unwrap().len()
    };
    assert_eq!((extensions(&one).await, extensions(&other).await), (2, 1));
    assert_eq!(other.get("/scim/v2/Schemas").await.expect(200).json()["totalResults"], 3);
    assert_eq!(one.get("/scim/v2/Schemas").await.expect(200).json()["totalResults"], 4);
    let _ = refused(other.get(&format!("/scim/v2/Schemas/{HR}")).await, 404, None);
    // There, the same extension is undeclared, and kept as it came; its own declaration is another.
    let made = other.create(ada(json!({ "badge": [1], "else": true }))).await;
    assert_eq!(made[HR], json!({ "badge": [1], "else": true }));
    let _ = declare(&elsewhere, hr()).await.expect(409);
    let _ = other.send(Method::DELETE, &at(&made), None).await.expect(204);
    let _ = declare(&elsewhere, hr()).await.expect(201);
}

#[tokio::test]
async fn values_are_validated_kept_and_said_of_the_person_to_claims_and_exports() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (directory, _) = declared(&site).await;
    for (extension, detail) in [
        (json!({ "level": 3 }), "badge: this is required"),
        (json!({ "badge": 7 }), "badge: expected a text"),
        (json!({ "badge": "B", "level": 1.5 }), "level: expected a whole number"),
        (json!({ "badge": "B", "level": "high" }), "level: expected a whole number"),
        (json!({ "badge": "B", "rate": true }), "rate: expected a number"),
        (json!({ "badge": "B", "shift": "noon" }), "shift: expected one of day, night"),
        (
            json!({ "badge": "B", "hired": "yesterday" }),
            "hired: expected a time such as 2026-01-31T12:00:00Z",
        ),
        (json!({ "badge": "B", "remote": "perhaps" }), "remote: expected true or false"),
        (json!({ "badge": "B", "contact": [{ "type": "desk" }] }), "value: this is required"),
        (
            json!({ "badge": "B", "contact": [{ "value": "1", "size": 3 }] }),
            "contact.size: the schema has no such part",
        ),
        (
            json!({ "badge": "B", "hat": 58 }),
            "urn:example:params:scim:schemas:hr:2.0:User:hat: the schema has no such attribute",
        ),
        (json!("badge"), "urn:example:params:scim:schemas:hr:2.0:User: expected an object"),
    ] {
        let answer = directory.send(Method::POST, USERS, Some(ada(extension))).await;
        assert_eq!(refused(answer, 400, Some("invalidValue")).json()["detail"], detail);
    }
    let huge: Vec<_> = (0..5).map(|n| format!("{n}{}", "x".repeat(4_000))).collect();
    for tags in [json!(huge), json!(vec!["x"; 101]), json!(["x".repeat(4_097)])] {
        let answer =
            directory.send(Method::POST, USERS, Some(ada(json!({ "badge": "B", "tags": tags })))).await;
        let _ = refused(answer, 400, Some("invalidValue"));
    }
    assert_eq!(directory.named("").await, Vec::<String>::new(), "nothing was kept of what was refused");
    let mut sent = said();
    (sent["grade"], sent["level"], sent["remote"]) = (json!("A"), json!("3"), json!("True"));
    let made = directory.create(ada(sent)).await;
    let shown = json!({
        "badge": "B-1", "level": 3, "rate": 1.5, "shift": "day", "tags": ["Red", "blue"], "hired": "2024-02-29T08:00:00Z",
        "site": "Wien", "remote": true, "contact": [{ "value": "+43 1", "type": "desk" }],
    });
    let mut noted = shown.clone();
    noted["note"] = json!("quiet");
    assert_eq!(made[HR], noted, "the answer to a change shows what it gave");
    assert!(made["schemas"].as_array().unwrap().contains(&json!(HR)));
    assert_eq!(directory.get(&at(&made)).await.expect(200).json()[HR], shown);
    assert_eq!(public(&site, &made["id"]).await, json!({ "hr": noted }));
    let file = site
        .call(Method::GET, "/api/v1/tenant-users/export", Some(&site.mint(|_| ())), None)
        .await
        .expect(200);
    assert!(file.body.contains(r#""badge":"B-1""#) && !file.body.contains("s3cr3t"), "{}", file.body);
    let gone = directory.patch(&made, json!([{ "op": "remove", "path": HR }])).await;
    let _ = refused(gone, 400, Some("mutability"));
    let plain = json!([{ "op": "replace", "path": format!("{HR}:contact"), "value": "x" }]);
    let changed = directory.patch(&made, plain).await.expect(200).json();
    assert_eq!(
        changed[HR]["contact"],
        json!([{ "value": "x" }]),
        "the value of a complex attribute by itself"
    );
    let whole = json!({ "userName": "ada" });
    // What is given once, and what is not returned, stays, and with it what the schema requires.
    let replaced = directory.send(Method::PUT, &at(&made), Some(whole)).await.expect(200).json();
    assert_eq!(replaced[HR], json!({ "badge": "B-1", "hired": "2024-02-29T08:00:00Z" }));
}

#[tokio::test]
async fn the_dialects_of_entra_and_okta_change_declared_attributes() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (directory, _) = declared(&site).await;
    let made = directory.create(ada(json!({ "badge": "B-1", "tags": ["red"], "pin": "s3cr3t" }))).await;
    let path = |name: &str| format!("{HR}:{name}");
    for (operations, name, becomes) in [
        (json!([{ "op": "Add", "path": path("level"), "value": "4" }]), "level", json!(4)),
        (json!([{ "op": "Replace", "path": path("LEVEL"), "value": 5 }]), "level", json!(5)),
        (json!([{ "op": "replace", "value": { path("shift"): "Night" } }]), "shift", json!("Night")),
        (
            json!([{ "op": "replace", "value": { HR: { "remote": "False", "badge": "B-2" } } }]),
            "remote",
            json!(false),
        ),
        (json!([{ "op": "add", "path": path("tags"), "value": ["blue"] }]), "tags", json!(["red", "blue"])),
        (
            json!([{ "op": "remove", "path": format!("{}[value eq \"red\"]", path("tags")) }]),
            "tags",
            json!(["blue"]),
        ),
        (
            json!([{ "op": "add", "path": format!("{}[type eq \"desk\"].value", path("contact")), "value": "1" }]),
            "contact",
            json!([{ "type": "desk", "value": "1" }]),
        ),
        (
            json!([{ "op": "replace", "path": format!("{}[type eq \"desk\"].value", path("contact")), "value": "2" }]),
            "contact",
            json!([{ "type": "desk", "value": "2" }]),
        ),
        (
            json!([{ "op": "add", "path": path("contact"), "value": { "value": "3", "type": "home" } }]),
            "contact",
            json!([{ "type": "desk", "value": "2" }, { "type": "home", "value": "3" }]),
        ),
        (json!([{ "op": "replace", "path": path("note"), "value": "quiet" }]), "note", json!("quiet")),
        (json!([{ "op": "replace", "path": path("level"), "value": 6 }]), "note", Value::Null),
        (json!([{ "op": "remove", "path": path("contact") }]), "contact", Value::Null),
        (
            json!([{ "op": "add", "path": path("hired"), "value": "2024-02-29T08:00:00Z" }]),
            "hired",
            json!("2024-02-29T08:00:00Z"),
        ),
        (json!([{ "op": "replace", "path": HR, "value": { "site": "Graz" } }]), "site", json!("Graz")),
    ] {
        let changed = directory.patch(&made, operations.clone()).await.expect(200).json();
        assert_eq!(changed[HR][name], becomes, "{operations}: {changed}");
        assert_eq!(changed[HR].get("pin"), None);
    }
    assert_eq!(public(&site, &made["id"]).await["hr"]["badge"], "B-2");
    for (operations, kind) in [
        (json!([{ "op": "replace", "path": path("hired"), "value": "2025-01-01T00:00:00Z" }]), "mutability"),
        (json!([{ "op": "remove", "path": path("hired") }]), "mutability"),
        (json!([{ "op": "replace", "path": path("grade"), "value": "A" }]), "mutability"),
        (json!([{ "op": "remove", "path": path("badge") }]), "mutability"),
        (json!([{ "op": "replace", "path": path("level"), "value": "x" }]), "invalidValue"),
        (json!([{ "op": "replace", "path": path("hat"), "value": "x" }]), "invalidPath"),
        (
            json!([{ "op": "replace", "path": format!("{}[value eq \"blue\"]", path("tags")), "value": "x" }]),
            "invalidPath",
        ),
    ] {
        let answer = directory.patch(&made, operations.clone()).await;
        assert_eq!(answer.json()["scimType"], kind, "{operations}: {}", answer.body);
        assert_eq!(answer.status, 400);
    }
    let same = json!({ "badge": "B-2", "hired": "2024-02-29T08:00:00Z" });
    let replaced = directory.send(Method::PUT, &at(&made), Some(ada(same.clone()))).await.expect(200).json();
    assert_eq!(replaced[HR], same, "a whole resource replaces the rest");
    let other = json!({ "badge": "B-2", "hired": "2025-01-01T00:00:00Z" });
    let _ = refused(directory.send(Method::PUT, &at(&made), Some(ada(other))).await, 400, Some("mutability"));
    let forgotten =
        directory.send(Method::PUT, &at(&made), Some(ada(json!({ "badge": "B-2" })))).await.expect(200);
    assert_eq!(forgotten.json()[HR], same, "what is given once stays");
}

#[tokio::test]
async fn people_are_found_sorted_and_shown_by_declared_attributes() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (directory, _) = declared(&site).await;
    for (name, extension) in [
        (
            "p1",
            json!({ "badge": "B-1", "level": 10, "tags": ["Red"], "pin": "s3cr3t", "note": "quiet", "site": "Wien" }),
        ),
        (
            "p2",
            json!({ "badge": "B-2", "level": 9, "shift": "night", "contact": [{ "value": "2", "type": "desk" }] }),
        ),
        ("p3", json!({ "badge": "B-3", "hired": "2024-02-29T08:00:00Z", "remote": true })),
    ] {
        directory.create(json!({ "userName": name, HR: extension })).await;
        h.advance(1);
    }
    for (filter, found) in [
        (format!(r#"{HR}:badge eq "b-2""#), vec!["p2"]),
        (format!("{HR}:level gt 9"), vec!["p1"]),
        (format!("{HR}:level le 10"), vec!["p1", "p2"]),
        (format!(r#"{HR}:tags eq "Red""#), vec!["p1"]),
        (format!(r#"{HR}:tags eq "red""#), vec![]),
        (format!(r#"{HR}:contact[type eq "desk" and value eq "2"]"#), vec!["p2"]),
        (format!(r#"{HR}:hired gt "2024-02-29T08:59:00+01:00""#), vec!["p3"]),
        (format!("{HR}:remote eq true"), vec!["p3"]),
        (format!("{HR}:shift pr"), vec!["p2"]),
        (format!(r#"{HR}:pin eq "s3cr3t""#), vec![]),
        (format!("{HR}:pin pr"), vec![]),
        (format!(r#"not ({HR}:badge eq "B-1")"#), vec!["p2", "p3"]),
    ] {
        assert_eq!(directory.named(&format!("filter={}", encoded(&filter))).await, found, "{filter}");
    }
    for filter in [format!(r#"{HR}:hat eq "x""#), format!(r#"{HR}:level eq "9""#), format!("{HR}:level co 9")]
    {
        let answer = directory.get(&format!("{USERS}?filter={}", encoded(&filter))).await;
        let _ = refused(answer, 400, Some("invalidFilter"));
    }
    assert_eq!(directory.named(&format!("sortBy={HR}:level")).await, ["p2", "p1", "p3"]);
    assert_eq!(directory.named(&format!("sortBy={HR}:badge&sortOrder=descending")).await, ["p3", "p2", "p1"]);
    let first = async |query: &str| {
        let filter = encoded(r#"userName eq "p1""#);
        let page = directory.get(&format!("{USERS}?filter={filter}&{query}")).await.expect(200).json();
        page["Resources"][0].clone()
    };
    for (query, shown) in [
        ("count=5".to_owned(), json!({ "badge": "B-1", "level": 10, "tags": ["Red"], "site": "Wien" })),
        ("attributes=userName".to_owned(), json!({ "site": "Wien" })),
        (format!("attributes={HR}:level"), json!({ "level": 10, "site": "Wien" })),
        (format!("attributes={HR}:note,{HR}:pin"), json!({ "note": "quiet", "site": "Wien" })),
        (format!("attributes={HR}"), json!({ "badge": "B-1", "level": 10, "tags": ["Red"], "site": "Wien" })),
        (format!("excludedAttributes={HR}"), json!({ "site": "Wien" })),
        (
            format!("excludedAttributes={HR}:site,{HR}:tags"),
            json!({ "badge": "B-1", "level": 10, "site": "Wien" }),
        ),
    ] {
        assert_eq!(first(&query).await[HR], shown, "{query}");
    }
}

#[tokio::test]
async fn unique_values_are_unique_where_the_declaration_says_so() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (one, path) = declared(&site).await;
    let other = directory(&site, "hooli").await;
    let named = |name: &str, badge: &str| json!({ "userName": name, HR: { "badge": badge } });
    let ada = one.create(named("ada", "B-1")).await;
    let bob = one.create(named("bob", "B-2")).await;
    let _ = refused(one.send(Method::POST, USERS, Some(named("eve", "b-1"))).await, 409, Some("uniqueness"));
    let answer =
        one.patch(&bob, json!([{ "op": "replace", "path": format!("{HR}:badge"), "value": "B-1" }])).await;
    let _ = refused(answer, 409, Some("uniqueness"));
    assert_eq!(one.get(&at(&bob)).await.expect(200).json(), bob, "nothing has changed");
    let bulk = json!({ "Operations": [
        { "method": "POST", "path": "/Users", "bulkId": "a", "data": named("eve", "B-1") },
        { "method": "POST", "path": "/Users", "bulkId": "b", "data": named("eve", "B-3") },
    ] });
    let done = one.send(Method::POST, "/scim/v2/Bulk", Some(bulk)).await.expect(200).json();
    assert_eq!(
        (&done["Operations"][0]["status"], &done["Operations"][1]["status"]),
        (&json!("409"), &json!("201"))
    );
    // Another directory has badges of its own, until the tenant says otherwise.
    let twin = other.create(named("zoe", "B-1")).await;
    let global = json!({ "name": "badge", "uniqueness": "global", "required": true });
    let _ = change(&site, &path, with(global.clone())).await.expect(409);
    let _ = other.send(Method::DELETE, &at(&twin), None).await.expect(204);
    let _ = change(&site, &path, with(global)).await.expect(200);
    let _ =
        refused(other.send(Method::POST, USERS, Some(named("zoe", "B-1"))).await, 409, Some("uniqueness"));
    let _ = one.send(Method::DELETE, &at(&ada), None).await.expect(204);
    let _ = other.create(named("zoe", "B-1")).await;
}

#[tokio::test]
async fn a_change_that_would_break_what_people_have_is_refused() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (directory, path) = declared(&site).await;
    let made = directory.create(ada(said())).await;
    let admin = site.mint(|_| ());
    let before = site.call(Method::GET, &path, Some(&admin), None).await.expect(200).json();
    for attributes in [
        without("level"),
        with(json!({ "name": "level", "type": "string" })),
        with(json!({ "name": "site", "returned": "never" })),
        with(json!({ "name": "site", "multi_valued": true })),
        with(json!({ "name": "shift", "canonical_values": ["night"] })),
        with(json!({ "name": "new", "required": true })),
        with(
            json!({ "name": "contact", "type": "complex", "multi_valued": true, "sub_attributes": [{ "name": "value" }] }),
        ),
    ] {
        let _ = change(&site, &path, attributes).await.expect(409);
    }
    let renamed = json!({ "name": "personnel" });
    let _ = site.call(Method::PATCH, &path, Some(&admin), Some(renamed)).await.expect(409);
    let _ = site.call(Method::DELETE, &path, Some(&admin), None).await.expect(409);
    assert_eq!(site.call(Method::GET, &path, Some(&admin), None).await.expect(200).json(), before);
    for attributes in [
        with(json!({ "name": "shift", "canonical_values": ["day", "late"] })),
        with(json!({ "name": "new" })),
        without("grade"),
        with(json!({ "name": "site", "required": true })),
    ] {
        let _ = change(&site, &path, attributes).await.expect(200);
    }
    let _ = directory.send(Method::DELETE, &at(&made), None).await.expect(204);
    let _ = change(&site, &path, without("level")).await.expect(200);
    let _ = site.call(Method::DELETE, &path, Some(&admin), None).await.expect(204);
    assert_eq!(directory.get("/scim/v2/Schemas").await.expect(200).json()["totalResults"], 3);
}

#[tokio::test]
async fn what_was_said_before_the_declaration_is_taken_over_where_it_fits() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let made = directory.create(ada(json!({ "badge": "B-1", "level": "3" }))).await;
    let mut strict = hr();
    strict["attributes"][1]["canonical_values"] = json!(["9"]);
    strict["attributes"][1]["type"] = json!("string");
    let detail = declare(&site, strict).await.expect(409).json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains(made["id"].as_str().unwrap()) && detail.contains("level"), "{detail}");
    let _ = declare(&site, hr()).await.expect(201);
    assert_eq!(public(&site, &made["id"]).await, json!({ "hr": { "badge": "B-1", "level": 3 } }));
    let twin = json!({ "userName": "bob", HR: { "badge": "B-1" } });
    let _ = refused(directory.send(Method::POST, USERS, Some(twin)).await, 409, Some("uniqueness"));
}

#[tokio::test]
async fn what_is_no_schema_is_refused() {
    let h = Harness::new().await;
    let (site, elsewhere) = (h.tenant("main").await, h.tenant("other").await);
    let cases = [
        ("urn", json!("hr")),
        ("urn", json!("urn:x")),
        ("urn", json!("urn:ietf:params:scim:schemas:core:2.0:User")),
        ("urn", json!("urn:example:a b")),
        ("name", json!("9")),
        ("name", json!("a.b")),
        ("attributes", json!([])),
        ("attributes", json!([{ "name": "id" }])),
        ("attributes", json!([{ "name": "a b" }])),
        ("attributes", json!([{ "name": "a" }, { "name": "A" }])),
        ("attributes", json!([{ "name": "a", "type": "map" }])),
        ("attributes", json!([{ "name": "a", "type": "complex" }])),
        ("attributes", json!([{ "name": "a", "sub_attributes": [{ "name": "b" }] }])),
        (
            "attributes",
            json!([{ "name": "a", "type": "complex", "sub_attributes": [{ "name": "b", "type": "complex" }] }]),
        ),
        ("attributes", json!([{ "name": "a", "mutability": "writeOnly" }])),
        ("attributes", json!([{ "name": "a", "mutability": "readOnly", "required": true }])),
        ("attributes", json!([{ "name": "a", "type": "boolean", "uniqueness": "server" }])),
        ("attributes", json!([{ "name": "a", "type": "integer", "canonical_values": ["1"] }])),
        ("attributes", json!([{ "name": "a", "reference_types": ["User"] }])),
        ("attributes", json!([{ "name": "a", "colour": "red" }])),
        ("attributes", json!([{ "name": "a\n" }])),
    ];
    for (member, value) in cases {
        let mut body = hr();
        body[member] = value.clone();
        let answer = declare(&site, body).await;
        assert_eq!(answer.status, 400, "{member} {value}: {}", answer.body);
    }
    let made = declare(&site, hr()).await.expect(201).json();
    let (loud, longer) = (HR.to_uppercase().replace("URN", "urn"), format!("{HR}:more"));
    for (urn, name) in
        [(HR, "else"), (loud.as_str(), "else"), ("urn:example:else", "HR"), (longer.as_str(), "more")]
    {
        let mut body = hr();
        (body["urn"], body["name"]) = (json!(urn), json!(name));
        let answer = declare(&site, body).await;
        assert_eq!(answer.status, 409, "{urn} {name}: {}", answer.body);
    }
    let path = format!("{SCHEMAS}/{}", made["id"].as_str().unwrap());
    for (method, body) in
        [(Method::GET, None), (Method::PATCH, Some(json!({ "name": "x" }))), (Method::DELETE, None)]
    {
        let answer = elsewhere.call(method, &path, Some(&elsewhere.mint(|_| ())), body).await;
        assert_eq!(answer.status, 404);
    }
}
