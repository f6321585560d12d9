//! The person approves or refuses, where the tenant wants that.

use serde_json::json;
use svc_http::Method;

use super::{Desk, REASON, audited, mailed, own, set};
use crate::harness::Harness;

#[tokio::test]
async fn nothing_begins_before_the_person_approves_in_the_inbox() {
    let h = Harness::new().await;
    let mut desk = Desk::with(&h, json!({ "approval_required": true })).await;
    let id = desk.asked().await;
    assert_eq!(desk.state(&id).await, "waiting");
    assert_eq!(mailed(&h, &desk.ada).await, ["Tenant main: support asks to act in your account"]);
    let early = desk.call(Method::POST, &format!("/{id}/link"), None).await;
    let _ = early.expect_problem(409, "conflict");
    let mut browser = desk.site.sign_in(&desk.web, &desk.ada).await;
    let page = browser.get("/auth/approvals").await.expect(200);
    assert!(page.body.contains("sue of main from support asks to act in your account"), "{page:?}");
    assert!(page.body.contains(REASON), "{page:?}");
    let done = browser.submit(&page, &[("decision", "allow")]).await.expect(200);
    assert!(done.body.contains("Support staff can now act in your account"), "{done:?}");
    assert!(!done.body.contains("go back to your device"), "{done:?}");
    assert_eq!(desk.state(&id).await, "ready");
    let entry = audited(&h, "impersonation.approved").await;
    assert_eq!([&entry["actor_id"], &entry["reason"]], [&json!(desk.ada.subject), &json!(REASON)]);
    let again = browser.submit(&page, &[("decision", "deny")]).await;
    assert_eq!(again.status, 409, "a decision is made once: {again:?}");
    let link = desk.link(&id).await;
    let page = desk.browser.get(&link).await.expect(200);
    let _ = desk.browser.submit(&page, &[]).await.expect(303);
    assert_eq!(desk.whom().await, json!(desk.ada.subject));
}

#[tokio::test]
async fn what_was_ready_before_the_tenant_became_stricter_begins_by_the_present_rules() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let id = desk.asked().await;
    let link = desk.link(&id).await;
    let page = desk.browser.get(&link).await.expect(200);
    for stricter in [
        json!({ "approval_required": true }),
        json!({ "approval_required": false, "second_factor_required": true }),
    ] {
        set(&desk.site, stricter).await;
        h.advance(2);
        for answer in [desk.browser.get(&link).await, desk.browser.submit(&page, &[]).await] {
            let dead = answer.expect(400);
            assert!(dead.body.contains("This link does not work here"), "{dead:?}");
        }
    }
    set(&desk.site, json!({ "approval_required": true, "second_factor_required": false })).await;
    h.advance(2);
    let refused = desk.call(Method::POST, &format!("/{id}/link"), None).await;
    let _ = refused.expect_problem(409, "conflict");
    assert_eq!(desk.state(&id).await, "ready");
    set(&desk.site, json!({ "approval_required": false, "max_minutes": 5 })).await;
    h.advance(2);
    let _ = desk.browser.submit(&page, &[]).await.expect(303);
    assert_eq!(desk.state(&id).await, "active");
    h.advance(5 * 60);
    assert_eq!(desk.state(&id).await, "ended");
}

#[tokio::test]
async fn a_refusal_is_final_and_the_api_decides_as_the_inbox_does() {
    let h = Harness::new().await;
    let desk = Desk::with(&h, json!({ "approval_required": true })).await;
    let id = desk.asked().await;
    let _ = own(&desk.site, &desk.ada, (Method::POST, &format!("/{id}/deny"))).await.expect(204);
    assert_eq!(desk.state(&id).await, "refused");
    assert_eq!(audited(&h, "impersonation.refused").await["actor_id"], json!(desk.ada.subject));
    let late = own(&desk.site, &desk.ada, (Method::POST, &format!("/{id}/approve"))).await;
    let _ = late.expect_problem(409, "conflict");
    let _ = desk.call(Method::POST, &format!("/{id}/link"), None).await.expect_problem(409, "conflict");
    let next = desk.asked().await;
    let _ = own(&desk.site, &desk.ada, (Method::POST, &format!("/{next}/approve"))).await.expect(204);
    assert_eq!(desk.state(&next).await, "ready");
    let _ = own(&desk.site, &desk.ada, (Method::POST, &format!("/{next}/end"))).await.expect(204);
    let taken_back = desk.call(Method::POST, &format!("/{next}/link"), None).await;
    let _ = taken_back.expect_problem(409, "conflict");
}

#[tokio::test]
async fn no_one_but_the_person_decides_and_not_too_late() {
    let h = Harness::new().await;
    let desk = Desk::with(&h, json!({ "approval_required": true })).await;
    let id = desk.asked().await;
    let bob = desk.site.user("bob").await;
    for person in [&bob, &desk.sue] {
        for decision in ["approve", "deny", "end"] {
            let path = format!("/{id}/{decision}");
            let _ = own(&desk.site, person, (Method::POST, &path)).await.expect_problem(404, "not_found");
        }
    }
    h.advance(24 * 3600 + 1);
    assert_eq!(desk.state(&id).await, "expired");
    let late = own(&desk.site, &desk.ada, (Method::POST, &format!("/{id}/approve"))).await;
    let _ = late.expect_problem(409, "conflict");
}
