//! A person who may no longer be given anything is given nothing, before and after their approval.

use svc_core::Seconds;
use svc_db::quiet_system_sql;
use svc_domain::coordination::attempts::{self, Policy};
use svc_domain::people::tenant_users::{self, Status};

use super::{allow_device, ask, decide, enter, poll_ciba, poll_device, signed_in, start};
use crate::harness::{Harness, Person, Site};

async fn set_status(site: &Site<'_>, person: &Person, status: Status) {
    let cx = site.harness.operator();
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let found = tenant_users::find(&mut tx, person.id).await.unwrap().unwrap();
    tenant_users::set_status(&mut tx, &cx, &found, status).await.unwrap();
    tx.commit().await.unwrap();
}

async fn lock(site: &Site<'_>, person: &Person) {
    let cx = site.harness.operator();
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let found = tenant_users::find(&mut tx, person.id).await.unwrap().unwrap();
    let subject = svc_keys::digest(&format!("account {}", found.account_id));
    let policy = Policy { max_attempts: 1, lockout: Seconds(120) };
    attempts::reserve(tx, &cx, [subject], policy).await.unwrap();
}

#[tokio::test]
async fn between_approval_and_fetching_access_can_end() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let tv = site.public_app("tv").await;
    for (name, status) in [("ada", Some(Status::Suspended)), ("bob", Some(Status::Removed)), ("eve", None)] {
        let person = site.user(name).await;
        let started = start(&tv, "openid").await;
        allow_device(&site, &person, &started.user_code).await;
        match status {
            Some(status) => set_status(&site, &person, status).await,
            None => lock(&site, &person).await,
        }
        for _ in 0..2 {
            let _ = poll_device(&tv, &started.device_code).await.expect_problem(400, "access_denied");
        }
        h.advance(200);
        let again = poll_device(&tv, &started.device_code).await;
        let _ = again.expect_problem(400, "access_denied");
    }
}

#[tokio::test]
async fn what_was_approved_while_its_session_ended_is_not_fetched() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let started = start(&app, "openid").await;
    allow_device(&site, &ada, &started.user_code).await;
    let auth_req_id = ask(&app, "ada", &[]).await;
    let mut browser = signed_in(&site, &ada).await;
    let page = browser.get("/auth/approvals").await.expect(200);
    let _ = decide(&mut browser, &page, "allow").await.expect(200);
    // As if the person had signed out after their session was looked at, and before the approvals were there to be denied.
    let mut tx = h.app().db.begin_system().await.unwrap();
    tx.execute(quiet_system_sql!("a test", "UPDATE sessions SET ended_at = created_at"), &[]).await.unwrap();
    tx.commit().await.unwrap();
    let _ = poll_device(&app, &started.device_code).await.expect_problem(400, "access_denied");
    let _ = poll_ciba(&app, &auth_req_id).await.expect_problem(400, "access_denied");
}

#[tokio::test]
async fn a_locked_person_decides_nothing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let started = start(&app, "openid").await;
    let mut browser = signed_in(&site, &ada).await;
    let page = enter(&mut browser, &started.user_code).await.expect(200);
    lock(&site, &ada).await;
    let _ = decide(&mut browser, &page, "allow").await.expect(403);
    let _ = poll_device(&app, &started.device_code).await.expect_problem(400, "authorization_pending");
    h.advance(121);
    let _ = decide(&mut browser, &page, "allow").await.expect(200);
    let _ = poll_device(&app, &started.device_code).await.expect(200);
}

#[tokio::test]
async fn a_suspended_persons_browser_is_signed_out() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let auth_req_id = ask(&app, "ada", &[]).await;
    let mut browser = signed_in(&site, &ada).await;
    let page = browser.get("/auth/approvals").await.expect(200);
    set_status(&site, &ada, Status::Suspended).await;
    let answer = decide(&mut browser, &page, "allow").await.expect(200);
    assert!(answer.body.contains("id=\"login-submit\""), "{}", answer.body);
    let _ = poll_ciba(&app, &auth_req_id).await.expect_problem(400, "authorization_pending");
    h.advance(120);
    let _ = poll_ciba(&app, &auth_req_id).await.expect_problem(400, "expired_token");
}

#[tokio::test]
async fn a_disabled_application_gets_nothing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (tv, ada) = (site.public_app("tv").await, site.user("ada").await);
    let started = start(&tv, "openid").await;
    allow_device(&site, &ada, &started.user_code).await;
    let cx = h.operator();
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    let app = svc_domain::apps::find(&mut tx, tv.id.parse().unwrap()).await.unwrap().unwrap();
    svc_domain::apps::update(
        &mut tx,
        &cx,
        h.rules(),
        &app,
        svc_domain::apps::Change { configuration: &app.configuration, enabled: false },
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
    let _ = poll_device(&tv, &started.device_code).await.expect_problem(401, "invalid_client");
}
