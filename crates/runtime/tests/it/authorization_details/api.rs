//! Types as administrators register them (RFC 9396 §2, §10): refused by the name of the field, and published.

use serde_json::{Value, json};
use svc_http::Method;

use super::{ACCOUNTS, BANK, PAYMENT, World, accounts_type, payment_type};
use crate::harness::{Answer, Harness, Site};

async fn create(site: &Site<'_>, identifier: &str, types: Value) -> Answer {
    let body = json!({ "identifier": identifier, "name": "Bank", "authorization_details_types": types });
    site.call(Method::POST, "/api/v1/apis", Some(&site.mint(|_| ())), Some(body)).await
}

fn changed(pointer: &str, value: Value) -> Value {
    let mut of = payment_type();
    *of.pointer_mut(pointer).unwrap() = value;
    of
}

#[tokio::test]
async fn a_type_is_kept_as_it_was_registered_and_takes_effect_at_once() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let created = create(&site, BANK, json!([payment_type()])).await.expect(201).json();
    assert_eq!(created["authorization_details_types"], json!([payment_type()]));
    let path = format!("/api/v1/apis/{}", created["id"].as_str().unwrap());
    let token = site.mint(|_| ());
    let types = json!([payment_type(), accounts_type()]);
    let body = json!({ "name": "Bank", "authorization_details_types": types });
    let updated = site.call(Method::PUT, &path, Some(&token), Some(body)).await.expect(200).json();
    assert_eq!(updated["authorization_details_types"], types);
    let body = json!({ "name": "Bank", "authorization_details_types": [changed("/template", json!("{"))] });
    let refused = site.call(Method::PUT, &path, Some(&token), Some(body)).await;
    let detail = refused.expect_problem(400, "bad_request").json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.starts_with("authorization_details_types[0].template: "), "{detail}");
}

#[tokio::test]
async fn a_type_that_cannot_work_is_refused_by_the_name_of_its_field() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let fetched = json!({ "$ref": "https://schemas.example/payment.json" });
    for (field, types) in [
        ("[0].type", json!([changed("/type", json!("a b"))])),
        ("[1].type", json!([payment_type(), payment_type()])),
        ("[0].schema", json!([changed("/schema", fetched)])),
        ("[0].schema", json!([changed("/schema", json!({ "type": "thing" }))])),
        ("[0].schema", json!([changed("/schema", json!({ "description": "x".repeat(17_000) }))])),
        ("[0].template", json!([changed("/template", json!("Pay {amount"))])),
        ("[0].template", json!([changed("/template", json!("Pay {{amount}}"))])),
    ] {
        let refused = create(&site, BANK, types).await.expect_problem(400, "bad_request").json();
        let detail = refused["detail"].as_str().unwrap();
        assert!(detail.starts_with(&format!("authorization_details_types{field}: ")), "{detail}");
    }
}

#[tokio::test]
async fn the_types_of_a_tenant_are_published_as_they_change_and_no_other_tenants() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let acme = h.tenant("acme").await;
    for path in ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"] {
        let document = world.site.get(path).await.expect(200).json();
        assert_eq!(document["authorization_details_types_supported"], json!([ACCOUNTS, PAYMENT]));
        let others = acme.get(path).await.expect(200).json();
        assert_eq!(others.get("authorization_details_types_supported"), None);
    }
    let more = json!([changed("/type", json!("a.third"))]);
    let _ = create(&world.site, "https://other.example/api", more).await.expect(201);
    let document = world.site.get("/.well-known/openid-configuration").await.expect(200).json();
    assert_eq!(document["authorization_details_types_supported"], json!(["a.third", ACCOUNTS, PAYMENT]));
    let resource = "/.well-known/oauth-protected-resource";
    let document = world.site.get(&format!("{resource}/bank.example")).await.expect(200).json();
    assert_eq!(document["authorization_details_types_supported"], json!([PAYMENT, ACCOUNTS]));
    let ours = world.site.get(resource).await.expect(200).json();
    assert_eq!(ours.get("authorization_details_types_supported"), None);
}

#[tokio::test]
async fn an_application_names_its_types_as_apis_do() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let token = world.site.mint(|_| ());
    let body = |types: Value| json!({ "handle": "new", "name": "New", "token_endpoint_auth_method": "none", "redirect_uris": ["https://new.example/cb"], "authorization_details_types": types });
    let send = |types| world.site.call(Method::POST, "/api/v1/applications", Some(&token), Some(body(types)));
    let _ = send(json!(["a b"])).await.expect_problem(400, "invalid_client_metadata");
    let created = send(json!([PAYMENT])).await.expect(201).json();
    assert_eq!(created["authorization_details_types"], json!([PAYMENT]));
}

#[tokio::test]
async fn who_registers_gets_the_types_that_exist() {
    let h = Harness::with(&[("SVC_OIDC__DYNAMIC_REGISTRATION", "open")]).await;
    let world = World::new(&h).await;
    let metadata = json!({
        "redirect_uris": ["https://rp.example/cb"], "authorization_details_types": [PAYMENT, "unknown"],
    });
    let made =
        world.site.call(Method::POST, "/oauth/register", None, Some(metadata)).await.expect(201).json();
    assert_eq!(made["authorization_details_types"], json!([PAYMENT]));
    let id = made["client_id"].as_str().unwrap();
    let path = format!("/oauth/register/{id}");
    let manager = made["registration_access_token"].as_str();
    let plain = json!({ "client_id": id, "redirect_uris": ["https://rp.example/cb"] });
    let mut more = plain.clone();
    more["authorization_details_types"] = json!(["unknown"]);
    let refused = world.site.call(Method::PUT, &path, manager, Some(more)).await;
    let _ = refused.expect_problem(403, "forbidden");
    let replaced = world.site.call(Method::PUT, &path, manager, Some(plain)).await.expect(200).json();
    assert_eq!(replaced["authorization_details_types"], json!([]));
}
