//! Names that people tell records apart by: one line of which something can be seen, whatever the record is.

use serde_json::{Value, json};
use svc_db::{args, quiet_system_sql};
use svc_http::Method;

use crate::harness::{Answer, Harness, Site};

async fn create(site: &Site<'_>, collection: &str, body: Value) -> Answer {
    site.call(Method::POST, &format!("/api/v1/{collection}"), Some(&site.mint(|_| ())), Some(body)).await
}

#[tokio::test]
async fn a_name_that_cannot_be_read_is_refused_of_every_kind_of_record() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let initech = site.organization("initech", site.user("ada").await.id).await;
    let keys = json!("https://idp.example/jwks");
    let receiver = json!({ "webhook": { "url": "https://receiver.example/audit" } });
    let people = json!({ "everyone": true });
    for (collection, rest) in [
        ("apis", json!({ "identifier": "https://notes.example" })),
        ("api-keys", json!({ "scope": "tenant-users:read" })),
        ("scim-tokens", json!({ "organization_id": initech.id })),
        ("trusted-issuers", json!({ "issuer": "https://idp.example", "jwks_uri": keys })),
        ("audit/streams", json!({ "destination": receiver })),
        ("scim-targets", json!({ "base_url": "https://app.example", "people": people, "secret": "token" })),
        ("hook-modules", json!({ "module": "AA==" })),
    ] {
        for name in ["", " ", "\u{202E}\u{200B}", "two\nlines", "bell\u{7}", &"x".repeat(251)] {
            let mut body = rest.clone();
            body["name"] = json!(name);
            let refused = create(&site, collection, body).await.expect_problem(400, "bad_request").json();
            let detail = refused["detail"].as_str().unwrap();
            assert!(detail.starts_with("name: "), "{collection} {name:?}: {detail}");
        }
    }
}

#[tokio::test]
async fn a_tenant_is_called_by_a_name_that_can_be_read() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let rename = async |name: &str| {
        let change = Some(json!({ "name": name }));
        site.call(Method::PATCH, "/api/v1/tenant-settings", Some(&site.mint(|_| ())), change).await
    };
    for name in [" ", "\u{202E}\u{200B}", "two\nlines"] {
        let refused = rename(name).await.expect_problem(400, "bad_request").json();
        assert!(refused["detail"].as_str().unwrap().starts_with("name: "), "{name:?}: {refused}");
    }
    // The longest, with which the management API has the longest of APIs.
    let _ = rename(&"x".repeat(200)).await.expect(200);
}

#[tokio::test]
async fn a_scope_is_described_in_one_line_that_people_read_at_consent() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let described = |description: &str| {
        let scope = json!({ "name": "notes:read", "description": description });
        json!({ "identifier": "https://notes.example", "name": "Notes", "scopes": [scope] })
    };
    for bad in ["two\nlines", &"x".repeat(501)] {
        let refused = create(&site, "apis", described(bad)).await.expect_problem(400, "bad_request").json();
        assert!(refused["detail"].as_str().unwrap().starts_with("scopes"), "{bad:?}: {refused}");
    }
    let _ = create(&site, "apis", described("Read your notes")).await.expect(201);
}

#[tokio::test]
async fn the_identifier_of_a_new_api_has_the_characters_of_a_uri() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let named = |identifier: &str| json!({ "identifier": identifier, "name": "Notes", "scopes": [] });
    for bad in [
        " https://notes.example",
        "https://notes.example\n",
        "https://notes.example/\tme",
        "https://notes.example/two words",
        "https:\\\\notes.example",
        "https://notes.example/\u{202E}",
        "https://nötes.example",
        "https://notes.example/<b>",
    ] {
        let refused = create(&site, "apis", named(bad)).await.expect_problem(400, "bad_request").json();
        let detail = refused["detail"].as_str().unwrap();
        assert!(detail.starts_with("identifier: use the characters of a URI"), "{bad:?}: {detail}");
    }
    for good in ["https://notes.example/%C3%A4?v=1", "urn:example:notes", "http://[::1]:8000/mcp"] {
        let _ = create(&site, "apis", named(good)).await.expect(201);
    }
}

#[tokio::test]
async fn words_that_an_api_had_before_they_were_looked_at_hinder_no_other_change_of_it() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let scope = json!({ "name": "notes:read", "description": "Read your notes" });
    let api = json!({ "identifier": "https://notes.example", "name": "Notes", "scopes": [scope] });
    let api = create(&site, "apis", api).await.expect(201).json();
    let id = api["id"].as_str().unwrap();
    let long = "x".repeat(501);
    let mut tx = h.app().db.begin_system().await.unwrap();
    for (now, before) in [("\"Notes\"", "\"\""), ("Read your notes", long.as_str())] {
        let update = quiet_system_sql!(
            "a test",
            "UPDATE apis SET configuration = REPLACE(configuration, $2, $3) WHERE id = $1"
        );
        tx.execute(update, args![id, now, before]).await.unwrap();
    }
    tx.commit().await.unwrap();

    let change = async |wanted: Value| {
        let path = format!("/api/v1/apis/{id}");
        site.call(Method::PATCH, &path, Some(&site.mint(|_| ())), Some(wanted)).await
    };
    let changed = change(json!({ "enabled": false })).await.expect(200).json();
    assert_eq!((&changed["name"], &changed["scopes"][0]["description"]), (&json!(""), &json!(long)));
    let bound = json!([{ "name": "notes:read", "description": long, "roles": ["editor"] }]);
    let _ = change(json!({ "scopes": bound })).await.expect(200);
    let _ = change(json!({ "name": " " })).await.expect_problem(400, "bad_request");
}
