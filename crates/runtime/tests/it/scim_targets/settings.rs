//! How a target is set up to push: what a person is called, what is said of them, and how accounts are changed.

use serde_json::{Value, json};
use svc_http::Method;

use super::{Target, call, push, tell, with_application};
use crate::harness::Site;

#[tokio::test]
async fn user_name_and_attributes_are_what_the_target_asks_for() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    site.role("staff", &[]).await;
    let ada = site.user_with_roles("ada", &["staff"]).await;
    let further = json!({ "user_name": "username", "attributes": ["roles", "phone_numbers"] });
    let target = Target::with(&site, &application.base_url(), &further).await;
    push(&h).await;
    assert_eq!(
        application.of(ada.id).unwrap(),
        json!({
            "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "id": "r1",
            "userName": "ada", "externalId": ada.id, "active": true, "roles": [{ "value": "staff" }],
        }),
        "the number is not proven"
    );
    // Several changes are one request.
    let path = format!("/api/v1/tenant-users/{}", ada.id);
    for name in ["ada1", "ada2", "ada3"] {
        let change = json!({ "username": name, "roles": [] });
        let _ = call(&site, Method::PATCH, &path, Some(change)).await.expect(200);
    }
    push(&h).await;
    let [patched] = application.asked("PATCH").try_into().unwrap();
    let operations = patched.body["Operations"].as_array().unwrap();
    assert!(operations.contains(&json!({ "op": "replace", "path": "userName", "value": "ada3" })));
    assert!(operations.contains(&json!({ "op": "remove", "path": "roles" })), "{operations:?}");
    assert_eq!(application.of(ada.id).unwrap().get("roles"), None);

    let _ = target.change(&site, json!({ "user_name": "sub", "attributes": [] })).await.expect(200);
    push(&h).await;
    assert_eq!(application.of(ada.id).unwrap()["userName"], ada.subject.as_str());
}

#[tokio::test]
async fn an_address_that_is_not_proven_gives_no_account_of_another_person() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let mut tx = h.app().db.begin_system().await.unwrap();
    let update = svc_db::SystemSql::new("UPDATE accounts SET email_verified = $1");
    let _ = tx.execute(update, svc_db::args![false]).await.unwrap();
    tx.commit().await.unwrap();
    let target = Target::new(&site, &application.base_url()).await;
    push(&h).await;
    let link = target.link(&site, ada.id).await;
    assert_eq!(link["last_error"], "the person has no e-mail address that is proven");
    assert!(application.asked("").is_empty());
    let _ = target.change(&site, json!({ "unverified_emails": true })).await.expect(200);
    push(&h).await;
    assert_eq!(application.of(ada.id).unwrap()["userName"], "ada@main.example");
    let nell = call(&site, Method::POST, "/api/v1/tenant-users", Some(json!({ "username": "nell" }))).await;
    push(&h).await;
    let link = target.link(&site, nell.expect(201).json()["id"].as_str().unwrap()).await;
    assert_eq!(link["last_error"], "the person has no e-mail address");
}

#[tokio::test]
async fn accounts_are_replaced_as_a_whole_where_the_application_cannot_change_them_in_part() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let further = json!({ "update_with": "put", "user_name": "username" });
    let target = Target::with(&site, &application.base_url(), &further).await;
    push(&h).await;
    let path = format!("/api/v1/tenant-users/{}", ada.id);
    let _ = call(&site, Method::PATCH, &path, Some(json!({ "username": "ada-l" }))).await.expect(200);
    push(&h).await;
    assert_eq!(application.of(ada.id).unwrap()["userName"], "ada-l");
    tell(&site, ada.id, "suspend").await;
    push(&h).await;
    let account = application.of(ada.id).unwrap();
    assert_eq!((&account["active"], &account["userName"]), (&json!(false), &json!("ada-l")));
    assert_eq!((application.asked("PUT").len(), application.asked("PATCH").len()), (2, 0));
    assert_eq!(target.counts(&site).await, [0, 0, 1, 0]);
}

#[tokio::test]
async fn a_target_that_is_deactivated_gets_nothing_and_makes_up_for_it_when_it_is_activated() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let target = Target::new(&site, &application.base_url()).await;
    push(&h).await;
    let _ = target.change(&site, json!({ "active": false })).await.expect(200);
    tell(&site, ada.id, "suspend").await;
    let grace = site.user("grace").await;
    push(&h).await;
    assert_eq!(application.of(ada.id).unwrap()["active"], true);
    let _ = target.change(&site, json!({ "active": true })).await.expect(200);
    push(&h).await;
    assert_eq!(application.of(ada.id).unwrap()["active"], false);
    assert_eq!(application.of(grace.id).unwrap()["active"], true);
}

#[tokio::test]
async fn what_was_not_pushed_while_the_tenant_went_without_is_pushed_when_it_has_the_client_again() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let target = Target::new(&site, &application.base_url()).await;
    push(&h).await;
    application.answer_next("PATCH", "500 Oops", "");
    tell(&site, ada.id, "suspend").await;
    push(&h).await;
    assert_eq!(target.counts(&site).await, [1, 0, 0, 0]);

    go_without(&site, json!(["scim_targets"])).await;
    h.advance(60);
    push(&h).await;
    assert_eq!(application.asked("PATCH").len(), 1, "nothing is pushed meanwhile");
    go_without(&site, json!([])).await;
    h.advance(120);
    push(&h).await;
    assert_eq!(target.counts(&site).await, [0, 0, 1, 0]);
    assert_eq!(application.of(ada.id).unwrap()["active"], false);
}

/// The tenant has every capability but these.
async fn go_without(site: &Site<'_>, names: Value) {
    let settings = json!({ "settings": { "disabled_capabilities": names } });
    let _ = call(site, Method::PATCH, "/api/v1/tenant-settings", Some(settings)).await.expect(200);
    let _ = site.harness.informed_app().await;
}

#[tokio::test]
async fn an_application_that_has_moved_is_asked_by_external_id_and_not_by_the_ids_of_before() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let target = Target::new(&site, &application.base_url()).await;
    push(&h).await;
    let other = super::Application::start().await;
    // There, the id of before is that of another.
    other.has(json!({ "userName": "root", "externalId": "root" }));
    let moved = json!({ "base_url": other.base_url(), "secret": "token-of-the-other" });
    let _ = target.change(&site, moved).await.expect(200);
    push(&h).await;
    assert_eq!(other.of("root").unwrap()["userName"], "root");
    assert_eq!(other.of(ada.id).unwrap()["userName"], "ada@main.example");
    assert_eq!(target.link(&site, ada.id).await["remote_id"], "r2");
}

#[tokio::test]
async fn an_oauth_client_gets_its_tokens_at_the_application() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let client =
        json!({ "token_url": application.url("/token"), "client_id": "svc client", "scope": "scim" });
    let given =
        json!({ "access_token": "given-token", "token_type": "Bearer", "expires_in": 600 }).to_string();
    let target = Target::with(&site, &application.base_url(), &json!({ "client_credentials": client })).await;
    for _ in 0..2 {
        application.answer_next("POST /token", "200 OK", &given);
    }
    push(&h).await;
    let [asked] = application.asked("POST /token").try_into().unwrap();
    let basic = svc_keys::base64(format!("svc+client:{}", super::TOKEN));
    assert!(asked.head.contains(&format!("authorization: Basic {basic}")), "{}", asked.head);
    let [created] = application.asked("POST /scim/v2/Users").try_into().unwrap();
    assert!(created.head.contains("authorization: Bearer given-token"), "{}", created.head);
    assert_eq!(application.of(ada.id).unwrap()["userName"], "ada@main.example");
    let trial = call(&site, Method::POST, &target.path("/test"), None).await.expect(200).json();
    assert_eq!(trial["is_usable"], true);

    // The secret goes to no other token endpoint.
    let elsewhere = json!({ "client_credentials": { "token_url": application.url("/other") } });
    let _ = target.change(&site, elsewhere).await.expect(400);
    // A client that is refused stops the target, and an endpoint that is down does not.
    application.answer_next("POST /token", "503 Down", "");
    tell(&site, ada.id, "suspend").await;
    push(&h).await;
    assert_eq!(target.link(&site, ada.id).await["last_error"], "token_url: answered 503");
    application.answer_next("POST /token", "401 Unauthorized", r#"{"error":"invalid_client"}"#);
    h.advance(60);
    push(&h).await;
    assert_eq!(target.read(&site).await["deactivated_because"], "unauthorized");
    assert!(!h.log().contains("given-token"));
}
