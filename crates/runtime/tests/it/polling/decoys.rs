//! A request for an unknown or inactive person is like any other in every observable, and cannot be decided (N47).
//!
//! Compared are answers, rows and records rather than clocks: the same work takes the same time.

use serde_json::Value;
use svc_db::{args, system_sql};
use svc_domain::claims::profile::Profile;
use svc_domain::grants::ciba_requests;
use svc_domain::people::accounts::Email;
use svc_domain::people::changes;
use svc_domain::people::tenant_users::{self, Status};

use super::{ask, poll_ciba, signed_in};
use crate::harness::client::claims;
use crate::harness::{Answer, Harness, Person, Site};

/// An answer but for what is random in every one.
fn comparable(answer: &Answer) -> (u16, Vec<(String, String)>, Value) {
    let names = answer.headers.iter().filter(|(name, _)| *name != "x-request-id");
    let headers = names.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect();
    let mut body = answer.json();
    for random in ["auth_req_id", "request_id"] {
        if let Some(value) = body.get_mut(random) {
            *value = Value::from(value.as_str().unwrap().len());
        }
    }
    (answer.status, headers, body)
}

async fn set_status(site: &Site<'_>, person: &Person, status: Status) {
    let cx = site.harness.operator();
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let found = tenant_users::find(&mut tx, person.id).await.unwrap().unwrap();
    tenant_users::set_status(&mut tx, &cx, &found, status).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn from_the_start_to_the_end_a_decoy_looks_like_any_other_request() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    site.user("ada").await;
    let suspended = site.user("bob").await;
    set_status(&site, &suspended, Status::Suspended).await;
    let hints = ["ada", "ada@main.example", "nobody", "nobody@main.example", "bob", "bob@main.example", "?!"];
    let mut seen: Vec<Vec<_>> = Vec::new();
    let mut ids = Vec::new();
    for hint in hints {
        let form = [("scope", "openid"), ("login_hint", hint), ("binding_message", "W4SCT")];
        let answer = app.post("/bc-authorize", &form, &[("requested_expiry", "60")]).await.expect(200);
        ids.push(answer.json()["auth_req_id"].as_str().unwrap().to_owned());
        seen.push(vec![comparable(&answer)]);
    }
    for wait in [0, 0, 0, 20, 5, 30, 10] {
        h.advance(wait);
        for (id, seen) in ids.iter().zip(&mut seen) {
            seen.push(comparable(&poll_ciba(&app, id).await));
        }
    }
    assert_eq!(seen[0].last().unwrap().2["error"], "expired_token");
    for (hint, other) in hints.iter().zip(&seen) {
        assert_eq!(other, &seen[0], "{hint}");
    }
}

#[tokio::test]
async fn a_decoy_leaves_the_same_rows_and_records() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    site.user("ada").await;
    for hint in ["ada", "nobody"] {
        ask(&app, hint, &[]).await;
    }
    let mut tx = h.app().db.read_system().await.unwrap();
    let rows = system_sql!(
        "SELECT app_id, digest, hint, COALESCE(tenant_user_id, '') AS person, request, \
         state, interval_secs, created_at, expires_at FROM ciba_requests ORDER BY id"
    );
    let rows = tx.all(rows, args![]).await.unwrap();
    let shape = |row: &svc_db::Row| {
        let texts = ["app_id", "person", "request", "state"].map(|name| row.text(name).unwrap());
        let numbers = ["interval_secs", "created_at", "expires_at"].map(|name| row.int(name).unwrap());
        let lengths = ["digest", "hint"].map(|name| row.bytes(name).unwrap().len());
        (texts, numbers, lengths)
    };
    assert_eq!(rows.len(), 2);
    assert_eq!(shape(&rows[0]), shape(&rows[1]));
    assert_eq!(rows[0].text("person").unwrap(), "");
    let entries =
        system_sql!("SELECT COUNT(*) AS number FROM audit_log WHERE action = 'ciba_request.created'");
    assert_eq!(tx.optional(entries, args![]).await.unwrap().unwrap().int("number").unwrap(), 2);
}

#[tokio::test]
async fn no_one_inherits_what_was_asked_of_an_unknown_or_inactive_person() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, bob) = (site.app("web").await, site.user("bob").await);
    set_status(&site, &bob, Status::Suspended).await;
    h.advance(1);
    let (of_bob, of_newcomer) = (ask(&app, "bob", &[]).await, ask(&app, "newcomer", &[]).await);
    h.advance(1);
    set_status(&site, &bob, Status::Active).await;
    let newcomer = site.user("newcomer").await;
    for person in [&bob, &newcomer] {
        let mut browser = signed_in(&site, person).await;
        let page = browser.get("/auth/approvals").await.expect(200);
        assert!(page.body.contains("id=\"approvals-none\""), "{}", page.body);
    }
    for id in [&of_bob, &of_newcomer] {
        let _ = poll_ciba(&app, id).await.expect_problem(400, "authorization_pending");
    }
    h.advance(1);
    let real = ask(&app, "bob", &[]).await;
    let mut browser = signed_in(&site, &bob).await;
    let page = browser.get("/auth/approvals").await.expect(200);
    let _ = super::decide(&mut browser, &page, "allow").await.expect(200);
    let tokens = poll_ciba(&app, &real).await.expect(200).json();
    assert_eq!(claims(tokens["id_token"].as_str().unwrap())["sub"], bob.subject.as_str());
}

/// How many backchannel requests wait for a person.
async fn waiting(site: &Site<'_>, person: &Person) -> usize {
    let mut tx = site.harness.app().db.read(site.tenant.id).await.unwrap();
    let found = tenant_users::find(&mut tx, person.id).await.unwrap().unwrap();
    let page = ciba_requests::Page { cursor: None, limit: 10 };
    ciba_requests::of_person(&mut tx, &found, site.harness.operator().now, &page).await.unwrap().len()
}

#[tokio::test]
async fn a_request_waits_for_its_person_also_while_their_profile_and_roles_change() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    h.advance(1);
    let asked = ask(&app, "ada", &[]).await;
    h.advance(1);
    let cx = h.operator();
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    let found = tenant_users::find(&mut tx, ada.id).await.unwrap().unwrap();
    let profile = Profile { name: Some("Ada King".to_owned()), ..found.profile.clone() };
    assert!(changes::set_profile(&mut tx, &cx, &found, &profile).await.unwrap());
    assert!(tenant_users::set_roles(&mut tx, &cx, &found, &["editor".to_owned()]).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(waiting(&site, &ada).await, 1);
    let mut browser = signed_in(&site, &ada).await;
    let page = browser.get("/auth/approvals").await.expect(200);
    let _ = super::decide(&mut browser, &page, "allow").await.expect(200);
    let tokens = poll_ciba(&app, &asked).await.expect(200).json();
    assert_eq!(claims(tokens["id_token"].as_str().unwrap())["sub"], ada.subject.as_str());
}

#[tokio::test]
async fn who_takes_a_name_or_an_address_inherits_nothing_that_was_asked_of_it_before() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada, bob) = (site.app("web").await, site.user("ada").await, site.user("bob").await);
    for hint in ["countess", "countess@main.example"] {
        ask(&app, hint, &[]).await;
    }
    h.advance(1);
    let cx = h.operator();
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    let found = tenant_users::find(&mut tx, ada.id).await.unwrap().unwrap();
    assert!(tenant_users::set_username(&mut tx, &cx, &found, Some("countess")).await.unwrap());
    let found = tenant_users::find(&mut tx, bob.id).await.unwrap().unwrap();
    let addresses = (found.email.as_deref(), &Email::parse("countess@main.example").unwrap());
    assert!(changes::set_address(&mut tx, &cx, &found, addresses).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!((waiting(&site, &ada).await, waiting(&site, &bob).await), (0, 0));
    for hint in ["countess", "countess@main.example"] {
        ask(&app, hint, &[]).await;
    }
    assert_eq!((waiting(&site, &ada).await, waiting(&site, &bob).await), (1, 1));
}
