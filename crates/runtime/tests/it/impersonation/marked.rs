//! How what comes of it is marked: in tokens, on pages, in the audit log, for the person.

use serde_json::json;
use svc_http::Method;

use super::{Desk, REASON, audited, mailed, own};
use crate::harness::Harness;
use crate::harness::client::claims;

#[tokio::test]
async fn tokens_are_of_the_person_and_name_the_staff_member() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let id = desk.begun().await;
    assert_eq!(desk.state(&id).await, "active");
    let tokens = desk.tokens().await;
    let act = json!({ "sub": desk.sue.subject });
    let access = claims(tokens["access_token"].as_str().unwrap());
    assert_eq!([&access["sub"], &access["act"]], [&json!(desk.ada.subject), &act]);
    assert!(access.get("acr").is_none(), "the person has proven nothing: {access}");
    let id_token = claims(tokens["id_token"].as_str().unwrap());
    assert_eq!([&id_token["sub"], &id_token["act"]], [&json!(desk.ada.subject), &act]);
    assert!(id_token.get("amr").is_none() && id_token.get("acr").is_none(), "{id_token}");
    assert_eq!(tokens.get("refresh_token"), None);
    assert!(!tokens["scope"].as_str().unwrap().contains("offline_access"), "{tokens}");
    let token = tokens["access_token"].as_str().unwrap();
    let told = desk.web.post("/oauth/introspect", &[("token", token)], &[]).await.expect(200).json();
    assert_eq!(told["act"], act);
    let said = desk.site.call(Method::GET, "/userinfo", Some(token), None).await.expect(200).json();
    assert_eq!([&said["sub"], &said["email"]], [&json!(desk.ada.subject), &json!(desk.ada.email)]);
    assert!(said.get("act").is_none(), "{said}");
}

#[tokio::test]
async fn every_page_says_for_whom_the_browser_acts_until_its_button_ends_it() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let plain = desk.browser.get("/").await.expect(200);
    assert!(!plain.body.contains("acting-end"), "{plain:?}");
    let id = desk.begun().await;
    for path in
        ["/", "/account", "/account/sessions", "/account/login-history", "/auth/forgot", "/nowhere-in-auth"]
    {
        let page = desk.browser.get(path).await;
        let is_page = page.header("content-type").starts_with("text/html");
        assert!(!is_page || page.body.contains("You are acting as ada@main.example"), "{path}: {page:?}");
    }
    let page = desk.browser.get("/").await.expect(200);
    let ended = desk.browser.submit(&page, &[]).await.expect(303);
    assert_eq!(ended.location(), "/");
    assert_eq!(desk.state(&id).await, "ended");
    let page = desk.browser.get("/account").await.expect(200);
    assert!(page.body.contains("sue@main.example") && !page.body.contains("acting-end"), "{page:?}");
    assert_eq!(desk.whom().await, json!(desk.sue.subject), "her own session is back");
}

#[tokio::test]
async fn a_page_that_refuses_something_says_for_whom_the_browser_acts_and_leads_to_the_button() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let _ = desk.begun().await;
    let refused = desk.browser.get("/account/password").await.expect(403);
    assert!(refused.body.contains("You are acting as ada@main.example"), "{refused:?}");
    assert!(!refused.body.contains("<form"), "a refusal has none: {refused:?}");
    let button = desk.browser.get(&refused.link("acting-account")).await.expect(200);
    assert!(button.body.contains("acting-end"), "{button:?}");
}

#[tokio::test]
async fn the_audit_log_names_both_people_and_the_reason() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let id = desk.begun().await;
    for action in ["impersonation.requested", "impersonation.link_created", "impersonation.started"] {
        let entry = audited(&h, action).await;
        assert_eq!([&entry["actor_kind"], &entry["actor_id"]], [&json!("user"), &json!(desk.sue.subject)]);
        assert_eq!([&entry["target"], &entry["staff_id"]], [&json!(desk.ada.id), &json!(desk.sue.id)]);
        assert_eq!([&entry["impersonation_id"], &entry["reason"]], [&json!(id), &json!(REASON)]);
    }
    let act = json!({ "sub": desk.sue.subject });
    // Entries sort by their time, and Sue has signed in by herself in this second.
    h.advance(1);
    let _ = desk.tokens().await;
    let used = audited(&h, "authorization.granted").await;
    assert_eq!([&used["actor_kind"], &used["actor_id"]], [&json!("delegate"), &json!(desk.ada.subject)]);
    assert_eq!(used["act"], act);
    assert_eq!(audited(&h, "token.issued").await["act"], act);
    let page = desk.browser.get("/").await.expect(200);
    let _ = desk.browser.submit(&page, &[]).await.expect(303);
    let ended = audited(&h, "impersonation.ended").await;
    assert_eq!([&ended["actor_id"], &ended["act"]], [&json!(desk.ada.subject), &act]);
}

#[tokio::test]
async fn the_person_is_told_and_sees_it_in_the_account_and_in_the_history() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let id = desk.begun().await;
    assert_eq!(mailed(&h, &desk.ada).await, ["Tenant main: support is acting in your account"]);
    let listed = own(&desk.site, &desk.ada, (Method::GET, "")).await.expect(200).json();
    let one = &listed["data"][0];
    assert_eq!([&one["id"], &one["state"], &one["reason"]], [&json!(id), &json!("active"), &json!(REASON)]);
    assert_eq!(one["staff"], "sue of main");
    let mut browser = desk.site.sign_in(&desk.web, &desk.ada).await;
    let page = browser.get("/account/support").await.expect(200);
    assert!(page.body.contains("sue of main") && page.body.contains("support-end-0"), "{page:?}");
    let page = browser.get("/account/login-history").await.expect(200);
    assert!(page.body.contains("Support began to act for you"), "{page:?}");
}

#[tokio::test]
async fn a_tenant_tells_people_afterwards_or_not_by_mail() {
    let h = Harness::new().await;
    let mut desk = Desk::with(&h, json!({ "notice": "end" })).await;
    let _ = desk.begun().await;
    assert!(mailed(&h, &desk.ada).await.is_empty(), "it is not over");
    h.advance(15 * 60 + 1);
    assert_eq!(mailed(&h, &desk.ada).await, ["Tenant main: support acted in your account"]);
    super::set(&desk.site, json!({ "notice": "never" })).await;
    let (browser, sid) = super::signed_in(&desk.web, &desk.sue).await;
    (desk.browser, desk.sid) = (browser, sid);
    let _ = desk.begun().await;
    h.advance(3600);
    assert_eq!(mailed(&h, &desk.ada).await.len(), 1);
}

#[tokio::test]
async fn the_page_that_begins_it_speaks_the_language_of_the_staff_member() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let change = Some(json!({ "locale": "de" }));
    let _ = crate::account::own(&desk.site, &desk.sue, (Method::PATCH, "/profile"), change).await.expect(200);
    let id = desk.asked().await;
    let link = desk.link(&id).await;
    let page = desk.browser.get(&link).await.expect(200);
    assert!(page.body.contains("<html lang=\"de\"") && page.body.contains(REASON), "{page:?}");
}
