//! It ends by time, by either person, by a colleague, and with the session of the staff member; and with it all that came of it.

use serde_json::json;
use svc_domain::people::impersonations;
use svc_domain::people::tenant_users::{self, Status};
use svc_http::Method;

use super::{Desk, audited, own, signed_in, token};
use crate::backchannel_logout::endings::sign_in_again;
use crate::changes::left_by;
use crate::harness::{Harness, Person};

async fn suspend(desk: &Desk<'_>, person: &Person) {
    let h = desk.site.harness;
    let mut tx = h.app().db.begin(desk.site.tenant.id).await.unwrap();
    let found = tenant_users::find(&mut tx, person.id).await.unwrap().unwrap();
    tenant_users::set_status(&mut tx, &h.operator(), &found, Status::Suspended).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn no_session_and_no_token_outlives_its_time() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let id = desk.begun().await;
    h.advance(15 * 60 - 30);
    let tokens = desk.tokens().await;
    let token = tokens["access_token"].as_str().unwrap().to_owned();
    assert_eq!(tokens["expires_in"], 30, "it ends with the session: {tokens}");
    let code = desk.web.code_in(&mut desk.browser, &desk.sue).await;
    h.advance(31);
    assert!(!desk.is_active(&token).await);
    let _ = desk.web.exchange(&code).await.expect_problem(400, "invalid_grant");
    assert_eq!(desk.whom().await, json!(desk.sue.subject), "her own session is back");
    assert_eq!(desk.state(&id).await, "ended");
    let page = desk.browser.get("/").await.expect(200);
    assert!(!page.body.contains("acting-end"), "{page:?}");
}

#[tokio::test]
async fn the_person_ends_it_from_the_account_centre() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let id = desk.begun().await;
    let tokens = desk.tokens().await;
    let mut ada = desk.site.sign_in(&desk.web, &desk.ada).await;
    let page = ada.get("/account/support").await.expect(200);
    let _ = ada.submit(&page, &[("impersonation", &id)]).await.expect(303);
    assert_eq!(desk.state(&id).await, "ended");
    h.advance(1);
    assert!(!desk.is_active(tokens["access_token"].as_str().unwrap()).await);
    assert_eq!(desk.whom().await, json!(desk.sue.subject));
    assert_eq!(audited(&h, "impersonation.ended").await["actor_id"], json!(desk.ada.subject));
}

#[tokio::test]
async fn a_token_of_before_a_further_sign_in_begins_it_in_the_session_that_goes_on() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let _ = sign_in_again(&mut desk.browser, &desk.web, &desk.sue).await;
    let id = desk.begun().await;
    assert_eq!(desk.state(&id).await, "active");
}

#[tokio::test]
async fn a_session_that_the_person_ends_among_the_others_ends_it_too() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let id = desk.begun().await;
    let session =
        desk.call(Method::GET, &format!("/{id}"), None).await.expect(200).json()["session_id"].clone();
    let path = format!("/api/v1/tenant-users/{}/sessions/{}", desk.ada.id, session.as_str().unwrap());
    let all = desk.site.mint(|_| ());
    let _ = desk.site.call(Method::DELETE, &path, Some(&all), None).await.expect(204);
    assert_eq!(desk.state(&id).await, "ended");
    assert_eq!(desk.whom().await, json!(desk.sue.subject));
}

#[tokio::test]
async fn a_colleague_ends_it_and_its_tokens() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let id = desk.begun().await;
    let tokens = desk.tokens().await;
    let tom = desk.site.user("tom").await;
    let (_, sid) = signed_in(&desk.web, &tom).await;
    let path = format!("/api/v1/impersonations/{id}/end");
    let _ = desk.site.call(Method::POST, &path, Some(&token(&desk.site, &tom, &sid)), None).await.expect(204);
    h.advance(1);
    assert!(!desk.is_active(tokens["access_token"].as_str().unwrap()).await);
    let page = desk.browser.get("/account").await.expect(200);
    assert!(page.body.contains("sue@main.example"), "{page:?}");
    let page = desk.browser.get("/").await.expect(200);
    assert!(!page.body.contains("acting-end"), "{page:?}");
}

#[tokio::test]
async fn one_that_begins_after_it_was_read_to_be_ended_ends_with_its_session() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let id = desk.asked().await;
    let (db, tenant) = (&h.app().db, desk.site.tenant.id);
    let mut tx = db.read(tenant).await.unwrap();
    let ready = impersonations::find(&mut tx, id.parse().unwrap(), h.operator().now).await.unwrap().unwrap();
    drop(tx);
    desk.begin(&id).await;
    let tokens = desk.tokens().await;
    let mut tx = db.begin(tenant).await.unwrap();
    assert!(impersonations::end(&mut tx, &h.operator(), &ready).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(desk.state(&id).await, "ended");
    h.advance(1);
    assert!(!desk.is_active(tokens["access_token"].as_str().unwrap()).await);
}

#[tokio::test]
async fn suspending_either_person_ends_it() {
    for is_staff in [true, false] {
        let h = Harness::new().await;
        let mut desk = Desk::new(&h).await;
        let id = desk.begun().await;
        let tokens = desk.tokens().await;
        let whom = if is_staff { desk.sue.clone() } else { desk.ada.clone() };
        suspend(&desk, &whom).await;
        h.advance(1);
        assert!(!desk.is_active(tokens["access_token"].as_str().unwrap()).await, "{}", whom.username);
        let (answer, _) = desk.authorized(&[("prompt", "none")]).await;
        assert_eq!(answer.is_signed_in(), !is_staff, "{answer:?}");
        assert_eq!(audited(&h, "impersonation.ended").await["impersonation_id"], json!(id));
    }
}

#[tokio::test]
async fn the_end_of_the_staff_member_s_own_session_ends_it() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let id = desk.begun().await;
    let tokens = desk.tokens().await;
    let path = format!("/api/v1/tenant-users/{}/sessions/{}", desk.sue.id, desk.sid);
    let all = desk.site.mint(|_| ());
    let _ = desk.site.call(Method::DELETE, &path, Some(&all), None).await.expect(204);
    h.advance(1);
    assert!(!desk.is_active(tokens["access_token"].as_str().unwrap()).await);
    let (answer, _) = desk.authorized(&[("prompt", "none")]).await;
    assert_eq!(answer.redirect_param("error").as_deref(), Some("login_required"));
    let listed = own(&desk.site, &desk.ada, (Method::GET, "")).await.expect(200).json();
    assert_eq!([&listed["data"][0]["id"], &listed["data"][0]["state"]], [&json!(id), &json!("ended")]);
}

#[tokio::test]
async fn signing_out_while_acting_leads_back_to_the_own_session() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let id = desk.begun().await;
    let tokens = desk.tokens().await;
    let hint = tokens["id_token"].as_str().unwrap();
    let out = desk.browser.get(&format!("/oauth/end-session?id_token_hint={hint}")).await;
    assert_eq!(out.status, 200, "{out:?}");
    assert_eq!(desk.state(&id).await, "ended");
    assert_eq!(desk.whom().await, json!(desk.sue.subject));
}

#[tokio::test]
async fn a_tenant_that_does_not_want_it_any_more_has_none() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let _ = desk.begun().await;
    let body = json!({ "settings": { "impersonation": { "enabled": false } } });
    let all = desk.site.mint(|_| ());
    let path = "/api/v1/tenant-settings";
    let _ = desk.site.call(Method::PATCH, path, Some(&all), Some(body)).await.expect(200);
    h.advance(1);
    assert_eq!(desk.whom().await, json!(desk.sue.subject));
    let _ = desk.call(Method::POST, "", Some(desk.body())).await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn its_beginning_and_its_end_are_events() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let [_, events] = left_by(&h, async {
        let id = desk.begun().await;
        let mut ada = desk.site.sign_in(&desk.web, &desk.ada).await;
        let page = ada.get("/account/support").await.expect(200);
        let _ = ada.submit(&page, &[("impersonation", &id)]).await.expect(303);
    })
    .await;
    for event in ["security.impersonation.started", "security.impersonation.ended"] {
        assert_eq!(events.iter().filter(|told| *told == event).count(), 1, "{event} in {events:?}");
    }
}
