//! Every change and every refusal of a known caller leaves its audit row, or does not happen (N99).

use svc_db::{SystemSql, args};
use svc_http::Method;

use super::refused;
use crate::harness::client::claims;
use crate::harness::{Answer, Harness, Site};
use crate::isolation::{self, Operation, Records};

/// A row of the audit log.
#[derive(Debug)]
struct Entry {
    actor: (String, String),
    action: String,
    outcome: String,
    client_ip: String,
    tenant: String,
}

/// The rows that one request left.
async fn entries(h: &Harness, request_id: &str) -> Vec<Entry> {
    let mut tx = h.app().db.read_system().await.unwrap();
    let select = "SELECT tenant_id, actor_kind, actor_id, action, outcome, client_ip FROM audit_log WHERE request_id = $1";
    let rows = tx.all(SystemSql::new(select), args![request_id]).await.unwrap();
    tx.commit().await.unwrap();
    let entry = |row: &svc_db::Row| Entry {
        actor: (row.text("actor_kind").unwrap(), row.text("actor_id").unwrap()),
        action: row.text("action").unwrap(),
        outcome: row.text("outcome").unwrap(),
        client_ip: row.text("client_ip").unwrap(),
        tenant: row.text("tenant_id").unwrap(),
    };
    rows.iter().map(entry).collect()
}

/// The one row of a request that an actor made.
async fn the_entry(site: &Site<'_>, answer: &Answer, action: &str) -> Entry {
    let mut found = entries(site.harness, answer.header("x-request-id")).await;
    let all = format!("{found:?}");
    found.retain(|entry| entry.action == action);
    assert_eq!(found.len(), 1, "{action}: {all} after {answer:?}");
    let entry = found.remove(0);
    assert_eq!(entry.tenant, site.tenant.id.to_string());
    assert_eq!(entry.client_ip, "192.0.2.1");
    entry
}

async fn count(h: &Harness) -> i64 {
    let mut tx = h.app().db.read_system().await.unwrap();
    let count = SystemSql::new("SELECT count(*) AS n FROM audit_log");
    let count = tx.one(count, &[]).await.unwrap().int("n").unwrap();
    tx.commit().await.unwrap();
    count
}

async fn run_sql(h: &Harness, text: &'static str) {
    let mut tx = h.app().db.begin_system().await.unwrap();
    tx.execute(SystemSql::new(text), &[]).await.unwrap();
    tx.commit().await.unwrap();
}

/// Questions and trials of policies are posted, and change nothing; nor does the proof of a domain that is proven, the end of one at
/// which the tenant does not answer,
/// nor the first of two calls; the second one needs what the first one gave.
const CHANGE_NOTHING: &[&str] = &[
    "/access/v1/evaluation",
    "/access/v1/evaluations",
    "/access/v1/search/action",
    "/access/v1/search/resource",
    "/access/v1/search/subject",
    "/api/v1/policies/simulate",
    "/api/v1/policies/validate",
    "/api/v1/policies/{id}/dry-run",
    "/api/v1/organizations/{id}/domains/{domain_id}/verify",
    "/api/v1/custom-domains/{id}/deactivate",
    "/api/v1/custom-domains/{id}/verify",
    "/api/v1/identity/device/requests",
    "/api/v1/identity/totp",
    "/api/v1/identity/totp/confirm",
    "/api/v1/identity/phone/confirm",
    "/api/v1/identity/passkeys",
    "/api/v1/identity/passkeys/confirm",
];

fn changes(h: &Harness) -> Vec<Operation> {
    // An account that is not to be deleted is kept anyway.
    let keeps = |operation: &Operation| {
        operation.method == Method::DELETE && operation.path == "/api/v1/identity/deletion"
    };
    let changes = |operation: &Operation| {
        operation.method != Method::GET && !CHANGE_NOTHING.contains(&operation.path) && !keeps(operation)
    };
    isolation::operations(h).into_iter().filter(changes).collect()
}

/// Only a suspended person can be reactivated, and only a secret that was replaced can be ended.
async fn prepare(site: &Site<'_>, operation: &Operation, own: &Records) {
    for (end, before) in [("/reactivate", "/suspend"), ("/secrets/former", "/secret")] {
        if operation.path.ends_with(end) {
            let path = isolation::path_of(operation, own).replace(end, before);
            let answer = site.call(Method::POST, &path, Some(&site.mint(|_| ())), None).await;
            assert!((200..300).contains(&answer.status), "{answer:?}");
        }
    }
    // What is in already is not put in again.
    let is_put_in =
        ["/members/{tenant_user_id}", "/groups/{group_id}"].iter().any(|end| operation.path.ends_with(end));
    if operation.method == Method::PUT && is_put_in {
        let path = isolation::path_of(operation, own);
        let _ = site.call(Method::DELETE, &path, Some(&site.mint(|_| ())), None).await.expect(204);
    }
}

/// Whom the audit log names for a minted token.
fn actor(operation: &Operation, own: &Records) -> (String, String) {
    if operation.is_for_people {
        ("user".to_owned(), own.of("{sub}").to_owned())
    } else if operation.is_for_receivers() {
        ("application".to_owned(), own.of("applications").to_owned())
    } else {
        ("application".to_owned(), "minted".to_owned())
    }
}

#[tokio::test]
async fn a_known_caller_that_is_refused_leaves_one_row() {
    let h = Harness::with(isolation::OFFERED).await;
    let site = h.tenant("main").await;
    let own = isolation::records(&site).await;
    for operation in isolation::operations(&h) {
        let token = site.mint(|claims| claims["scope"] = "nothing".into());
        let answer = isolation::call(&site, &operation, &own, Some(&token)).await;
        refused(&answer, 403, "insufficient_scope");
        let entry = the_entry(&site, &answer, "access.refused").await;
        assert_eq!(entry.outcome, "denied");
        assert_eq!(entry.actor, ("application".to_owned(), "minted".to_owned()));
    }
}

#[tokio::test]
async fn a_stranger_cannot_fill_the_log() {
    let h = Harness::with(isolation::OFFERED).await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let own = isolation::records(&site).await;
    let foreign = other.mint(|_| ());
    let before = count(&h).await;
    for operation in isolation::operations(&h) {
        for token in [None, Some("junk"), Some(foreign.as_str())] {
            let answer = isolation::call(&site, &operation, &own, token).await;
            assert!([401, 404].contains(&answer.status), "{answer:?}");
        }
    }
    assert_eq!(count(&h).await, before);
}

#[tokio::test]
async fn every_change_through_the_api_says_who_did_what_and_without_its_row_does_not_happen() {
    let h = Harness::with(isolation::OFFERED).await;
    for text in ["audit_log", "no such table"] {
        h.expect_error(text);
    }
    for (number, operation) in changes(&h).into_iter().enumerate() {
        let site = h.tenant(&format!("t{number}")).await;
        let own = isolation::records(&site).await;
        let token = site.mint(|claims| isolation::suit(claims, &operation, &own));
        prepare(&site, &operation, &own).await;
        let reader = site.mint(|_| ());
        let before = snapshot(&site, &reader).await;
        run_sql(&h, "ALTER TABLE audit_log RENAME TO audit_log_away").await;
        let answer = isolation::call(&site, &operation, &own, Some(&token)).await;
        run_sql(&h, "ALTER TABLE audit_log_away RENAME TO audit_log").await;
        refused(&answer, 500, "server_error");
        assert_eq!(snapshot(&site, &reader).await, before, "{operation:?}");
        let answer = isolation::call(&site, &operation, &own, Some(&token)).await;
        assert!((200..300).contains(&answer.status), "{operation:?}: {answer:?}");
        says_who_did_what(&site, &own, &operation, &answer).await;
    }
}

/// Each thing that a request did has one row, with the caller and its address.
async fn says_who_did_what(site: &Site<'_>, own: &Records, operation: &Operation, answer: &Answer) {
    let found = entries(site.harness, answer.header("x-request-id")).await;
    assert!(!found.is_empty(), "{operation:?} left no audit row");
    for entry in &found {
        assert_eq!(entry.actor, actor(operation, own), "{operation:?}: {found:?}");
        // To refuse another person's request is an act of its own.
        let outcome = if operation.path.ends_with("/deny") { "denied" } else { "success" };
        assert_eq!((entry.outcome.as_str(), entry.client_ip.as_str()), (outcome, "192.0.2.1"), "{found:?}");
        assert_eq!(entry.tenant, site.tenant.id.to_string());
    }
    let mut actions: Vec<_> = found.iter().map(|entry| entry.action.as_str()).collect();
    actions.sort_unstable();
    actions.dedup();
    assert_eq!(actions.len(), found.len(), "one row for each thing done: {found:?}");
}

/// What the API shows of a tenant.
async fn snapshot(site: &Site<'_>, token: &str) -> Vec<String> {
    let mut seen = Vec::new();
    for path in ["/api/v1/applications", "/api/v1/apis", "/api/v1/tenant-users", "/api/v1/audit"] {
        let list = site.call(Method::GET, path, Some(token), None).await.expect(200).json();
        seen.push(list["data"].to_string());
    }
    seen
}

#[tokio::test]
async fn a_credential_whose_row_cannot_be_written_is_not_used_up() {
    let h = Harness::with(isolation::OFFERED).await;
    for text in ["audit_log", "no such table"] {
        h.expect_error(text);
    }
    let site = h.tenant("main").await;
    let (app, public, ada) = (site.app("web").await, site.public_app("spa").await, site.user("ada").await);
    let code = app.code(&ada).await;
    let tokens = public.tokens(&ada).await;
    run_sql(&h, "ALTER TABLE audit_log RENAME TO audit_log_away").await;
    refused(&app.exchange(&code).await, 500, "server_error");
    refused(&public.refresh(tokens.refresh_token()).await, 500, "server_error");
    run_sql(&h, "ALTER TABLE audit_log_away RENAME TO audit_log").await;
    let _ = app.exchange(&code).await.expect(200);
    let _ = public.refresh(tokens.refresh_token()).await.expect(200);
}

#[tokio::test]
async fn what_people_and_applications_do_is_on_record() {
    let h = Harness::with(isolation::OFFERED).await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let person = ("user".to_owned(), ada.subject.clone());
    let itself = ("application".to_owned(), app.id.clone());
    let mut browser = site.browser();
    let page = browser.get(&app.authorize_path(&app.verifier(), &[])).await.expect(200);
    let wrong =
        browser.submit(&page, &[("username", "ada"), ("password", "wrong password")]).await.expect(200);
    assert_eq!(the_entry(&site, &wrong, "session.created").await.outcome, "denied");
    let right = browser.submit(&page, &[("username", "ada"), ("password", &ada.password)]).await.expect(303);
    for action in ["session.created", "authorization.granted"] {
        let entry = the_entry(&site, &right, action).await;
        assert_eq!((entry.outcome.as_str(), &entry.actor), ("success", &person), "{action}");
    }

    let code = app.code_in(&mut browser, &ada).await;
    let issued = app.exchange(&code).await.expect(200);
    assert_eq!(the_entry(&site, &issued, "token.issued").await.actor, itself);
    let replayed = app.exchange(&code).await.expect(400);
    let entry = the_entry(&site, &replayed, "token.refused").await;
    assert_eq!((entry.outcome.as_str(), &entry.actor), ("denied", &itself));
    let token = issued.json()["access_token"].as_str().unwrap().to_owned();
    assert_eq!(claims(&token)["sub"], ada.subject.as_str());

    let fresh = app.tokens(&ada).await;
    let revoked = app.post("/oauth/revoke", &[("token", fresh.refresh_token())], &[]).await.expect(200);
    assert!(!entries(&h, revoked.header("x-request-id")).await.is_empty(), "a revocation is a change");
    let question = browser.get("/oauth/end-session").await.expect(200);
    let ended = browser.submit(&question, &[]).await.expect(200);
    assert_eq!(the_entry(&site, &ended, "session.ended").await.actor, person);
}
