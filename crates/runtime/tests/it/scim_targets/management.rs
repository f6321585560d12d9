//! Targets as administrators make, read, change, try and delete them.

use serde_json::json;
use svc_http::Method;

use super::{TARGETS, TOKEN, Target, call, push, with_application};
use crate::harness::Harness;
use crate::oauth_security::keys_of_tenants::destroy;

#[tokio::test]
async fn a_target_is_made_read_changed_and_deleted_and_never_shows_its_token() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let target = Target::new(&site, &application.base_url()).await;
    let read = call(&site, Method::GET, &target.path(""), None).await.expect(200);
    assert!(!read.body.contains(TOKEN) && !read.body.contains("secret"), "{}", read.body);
    let document = read.json();
    assert_eq!(
        (&document["on_removal"], &document["update_with"], &document["user_name"], &document["push_groups"]),
        (&json!("deactivate"), &json!("patch"), &json!("email"), &json!(false))
    );
    assert_eq!(document["attributes"], json!(["name", "display_name", "emails"]));
    let changed =
        target.change(&site, json!({ "name": "Wiki", "on_removal": "delete" })).await.expect(200).json();
    assert_eq!((&changed["name"], &changed["on_removal"]), (&json!("Wiki"), &json!("delete")));

    let log = call(&site, Method::GET, "/api/v1/audit?action=scim_target.*", None).await.expect(200);
    assert!(!log.body.contains(TOKEN), "{}", log.body);
    let mut actions: Vec<_> =
        log.json()["data"].as_array().unwrap().iter().map(|entry| entry["action"].clone()).collect();
    actions.sort_by_key(ToString::to_string);
    assert_eq!(actions, ["scim_target.created", "scim_target.updated"]);

    site.user("ada").await;
    push(&h).await;
    let _ = call(&site, Method::DELETE, &target.path(""), None).await.expect(204);
    let _ = call(&site, Method::GET, &target.path("/status"), None).await.expect(404);
    site.user("grace").await;
    push(&h).await;
    assert_eq!(application.all("Users").len(), 1, "what is there stays, and nothing more comes");
}

#[tokio::test]
async fn what_cannot_be_is_refused_and_changes_nothing() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let base = application.base_url();
    let good = json!({ "name": "App", "base_url": base, "people": { "everyone": true }, "secret": TOKEN });
    let unknown = "org_01jd3x9k2mfa8t5v7w0q4r6s8y";
    for (change, begins) in [
        (json!({ "name": "" }), "name: "),
        (json!({ "base_url": "http://10.0.0.1/scim" }), "base_url: "),
        (json!({ "base_url": "https://169.254.169.254/scim" }), "base_url: "),
        (json!({ "base_url": "https://user@app.example/scim" }), "base_url: "),
        (json!({ "base_url": "https://app.example/scim?x=1" }), "base_url: "),
        (json!({ "base_url": "https://app.example/scim#x" }), "base_url: "),
        (json!({ "people": {} }), "people: "),
        (json!({ "people": { "everyone": true, "roles": ["staff"] } }), "people: "),
        (json!({ "people": { "roles": ["unknown"] } }), "people.roles: "),
        (json!({ "people": { "organization_ids": [unknown] } }), "people.organization_ids: "),
        (json!({ "people": { "group_ids": [unknown.replace("org", "grp")] } }), "people.group_ids: "),
        (json!({ "attributes": ["name", "name"] }), "attributes: "),
        (json!({ "secret": "" }), "secret: "),
        (json!({ "secret": "two words" }), "secret: "),
    ] {
        let mut body = good.clone();
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let refusal = call(&site, Method::POST, TARGETS, Some(body)).await.expect(400).json();
        assert!(refusal["detail"].as_str().unwrap().starts_with(begins), "{change}: {refusal}");
    }
    for unknown in
        [json!({ "attributes": ["password"] }), json!({ "on_removal": "burn" }), json!({ "extra": 1 })]
    {
        let mut body = good.clone();
        body.as_object_mut().unwrap().extend(unknown.as_object().unwrap().clone());
        let _ = call(&site, Method::POST, TARGETS, Some(body)).await.expect(400);
    }
    let list = call(&site, Method::GET, TARGETS, None).await.expect(200).json();
    assert_eq!(list["data"], json!([]));
}

#[tokio::test]
async fn the_token_goes_nowhere_else_than_it_was_given_for() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let target = Target::new(&site, &application.base_url()).await;
    let elsewhere = json!({ "base_url": format!("{}/other", application.base_url()) });
    let refusal = target.change(&site, elsewhere).await.expect(400).json();
    assert!(refusal["detail"].as_str().unwrap().starts_with("secret: "), "{refusal}");
    push(&h).await;
    assert!(application.asked("").is_empty());
    let moved = json!({ "base_url": format!("{}/other", application.base_url()), "secret": "for-the-other" });
    let _ = target.change(&site, moved).await.expect(200);
    assert!(!h.log().contains(TOKEN));
}

#[tokio::test]
async fn only_those_who_may_read_people_and_groups_send_them_somewhere() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let body = json!({ "name": "App", "base_url": application.base_url(), "people": { "everyone": true }, "secret": TOKEN });
    let with = |scope: &str| site.mint(|claims| claims["scope"] = json!(scope));
    let weak = with("scim-targets:write scim-targets:read");
    let _ = site.call(Method::POST, TARGETS, Some(&weak), Some(body.clone())).await.expect(403);
    let people = with("scim-targets:write tenant-users:read");
    let made = site.call(Method::POST, TARGETS, Some(&people), Some(body.clone())).await.expect(201).json();
    let path = format!("{TARGETS}/{}", made["id"].as_str().unwrap());
    let groups = json!({ "push_groups": true });
    let _ = site.call(Method::PATCH, &path, Some(&people), Some(groups.clone())).await.expect(403);
    for below in ["/sync", "/test"] {
        let _ = site.call(Method::POST, &format!("{path}{below}"), Some(&weak), None).await.expect(403);
    }
    let both = with("scim-targets:write tenant-users:read groups:read");
    let _ = site.call(Method::PATCH, &path, Some(&both), Some(groups)).await.expect(200);
}

#[tokio::test]
async fn a_test_says_that_the_key_of_the_secret_was_destroyed() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let target = Target::new(&site, &application.base_url()).await;
    destroy(&h, site.tenant.id).await;
    let _ = h.informed_app().await;
    let trial = call(&site, Method::POST, &target.path("/test"), None).await.expect(200).json();
    let finding = "secret: it cannot be opened, because its key was destroyed; give it again";
    assert_eq!((&trial["is_usable"], &trial["findings"]), (&json!(false), &json!([finding])));
    assert_eq!(target.change(&site, json!({ "secret": TOKEN })).await.status, 200);
    h.advance(11);
    let trial = call(&site, Method::POST, &target.path("/test"), None).await.expect(200).json();
    assert_eq!(trial["is_usable"], true, "{trial}");
}

#[tokio::test]
async fn a_test_says_what_the_application_can_do_and_what_is_in_the_way() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let target = Target::new(&site, &application.base_url()).await;
    let path = target.path("/test");
    let test = || call(&site, Method::POST, &path, None);
    let trial = test().await.expect(200).json();
    assert_eq!(
        trial,
        json!({
            "is_usable": true, "findings": [], "patch": true, "filter": true, "bulk": false, "etag": false,
            "authentication_schemes": ["oauthbearertoken"],
        })
    );
    let again = test().await.expect(429);
    assert_eq!(again.header("retry-after"), "10");

    h.advance(11);
    let config = r#"{"patch":{"supported":false},"filter":{"supported":false}}"#;
    application.answer_next("GET /scim/v2/ServiceProviderConfig", "200 OK", config);
    application.answer_next("GET /scim/v2/Users", "401 Unauthorized", "a secret page of a stranger");
    let answer = test().await.expect(200);
    assert!(!answer.body.contains("stranger"), "{}", answer.body);
    let trial = answer.json();
    assert_eq!(trial["is_usable"], false);
    let findings: Vec<_> =
        trial["findings"].as_array().unwrap().iter().map(|finding| finding.as_str().unwrap()).collect();
    assert_eq!(findings[0], "Users: answered 401");
    assert!(findings[1].starts_with("update_with: ") && findings[2].starts_with("filter: "), "{findings:?}");
    assert_eq!(target.read(&site).await["active"], true, "a test changes nothing");
}

#[tokio::test]
async fn everyone_is_pushed_again_when_that_is_asked_for() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let target = Target::new(&site, &application.base_url()).await;
    push(&h).await;
    application.set("r1", "displayName", &json!("Another Name"));
    h.advance(11);
    let _ = target.sync(&site).await.expect(200);
    let _ = target.sync(&site).await.expect(429);
    assert_eq!(target.counts(&site).await, [1, 0, 0, 0]);
    push(&h).await;
    assert_eq!(application.of(ada.id).unwrap()["displayName"], "ada of main");
    let _ = target.change(&site, json!({ "active": false })).await.expect(200);
    h.advance(11);
    let _ = target.sync(&site).await.expect(409);
}

#[tokio::test]
async fn a_tenant_without_the_capability_has_no_targets_and_nothing_is_pushed_any_more() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    site.user("ada").await;
    let target = Target::new(&site, &application.base_url()).await;
    push(&h).await;
    let settings = json!({ "settings": { "disabled_capabilities": ["scim_targets"] } });
    let _ = call(&site, Method::PATCH, "/api/v1/tenant-settings", Some(settings)).await.expect(200);
    let _ = h.informed_app().await;
    let _ = call(&site, Method::GET, &target.path(""), None).await.expect(404);
    site.user("grace").await;
    push(&h).await;
    assert_eq!(application.all("Users").len(), 1);
}

#[tokio::test]
async fn a_tenant_has_a_hundred_targets_at_the_most() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let body = json!({ "name": "App", "base_url": "https://app.example/scim", "people": { "everyone": true }, "secret": TOKEN });
    for _ in 0..100 {
        let _ = call(&site, Method::POST, TARGETS, Some(body.clone())).await.expect(201);
    }
    let _ = call(&site, Method::POST, TARGETS, Some(body)).await.expect(409);
}
