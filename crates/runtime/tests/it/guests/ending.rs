//! Guests who are not used any more are deleted, and no others.

use serde_json::Value;
use svc_db::{SystemSql, args};

use super::{ON, access, enter, keep, silent, world};
use crate::changes::left_by;
use crate::harness::{Harness, Site};

const DAY: i64 = 86_400;

/// A deployment whose sessions live longer than its guests.
async fn harness() -> Harness {
    Harness::with(&[
        ON,
        ("SVC_ANONYMOUS__LIFETIME_DAYS", "10"),
        ("SVC_JWT__REFRESH_TOKEN_LIFETIME_HUMAN_SECS", "2592000"),
    ])
    .await
}

async fn status(site: &Site<'_>, sub: &Value) -> String {
    let mut tx = site.harness.app().db.read_system().await.unwrap();
    let select = SystemSql::new("SELECT status FROM tenant_users WHERE subject = $1");
    tx.one(select, args![sub.as_str().unwrap()]).await.unwrap().text("status").unwrap()
}

#[tokio::test]
async fn a_guest_who_deletes_the_account_is_gone_at_once() {
    let h = harness().await;
    let (site, client) = world(&h).await;
    let mut browser = site.browser();
    let tokens = enter(&mut browser, &client).await;
    let page = browser.get("/account/deletion").await.expect(200);
    let done = browser.submit(&page, &[("sure", "yes"), ("action", "delete")]).await.expect(200);
    assert!(done.body.contains("Your account is deleted"), "{done:?}");
    assert_eq!(silent(&mut browser, &client).await.unwrap_err(), "login_required");
    h.advance(120);
    h.run_jobs().await;
    h.run_jobs().await;
    assert_eq!(status(&site, &access(&tokens)["sub"]).await, "removed");
}

#[tokio::test]
async fn a_guest_who_was_not_used_for_so_long_is_gone_and_one_who_was_is_not() {
    let h = harness().await;
    let (site, client) = world(&h).await;
    let (mut left, mut kept, mut used) = (site.browser(), site.browser(), site.browser());
    let [gone, known, refreshed, shown] = [
        enter(&mut left, &client).await,
        enter(&mut kept, &client).await,
        enter(&mut site.browser(), &client).await,
        enter(&mut used, &client).await,
    ];
    h.advance(60);
    assert!(keep(&mut kept, "grace@new.example").await.begins_session());
    h.advance(6 * DAY);
    let next = client.refresh(refreshed["refresh_token"].as_str().unwrap()).await.expect(200).json();
    assert!(silent(&mut used, &client).await.is_ok());
    h.advance(5 * DAY);
    let [actions, events] = left_by(&h, h.run_jobs()).await;
    assert!(actions.iter().any(|action| action == "tenant_user.removed"), "{actions:?}");
    assert!(events.iter().any(|event| event == "tenant_user.removed"), "{events:?}");
    let sub = |tokens: &Value| access(tokens)["sub"].clone();
    assert_eq!(status(&site, &sub(&gone)).await, "removed");
    assert_eq!(status(&site, &sub(&known)).await, "active");
    assert_eq!(status(&site, &sub(&refreshed)).await, "active");
    assert_eq!(status(&site, &sub(&shown)).await, "active");
    let dead = client.refresh(gone["refresh_token"].as_str().unwrap()).await;
    let _ = dead.expect_problem(400, "invalid_grant");
    let _ = client.refresh(next["refresh_token"].as_str().unwrap()).await.expect(200);
    h.advance(11 * DAY);
    h.run_jobs().await;
    assert_eq!(status(&site, &sub(&refreshed)).await, "removed");
    assert_eq!(status(&site, &sub(&known)).await, "active");
}
