//! Requests that are polled for (RFC 8628, OpenID CIBA): the device, the application, and the person who decides.

mod ciba;
pub mod ciba_api;
mod ciba_parameters;
mod decoys;
mod device;
mod device_api;
mod device_page;
mod ended_access;
mod inbox;
mod races;
mod signed_requests;
mod waiting;

use serde_json::Value;
use svc_db::{SystemSql, args};

use crate::harness::client::Pairs;
use crate::harness::{Answer, Browser, Client, Harness, Person, Site};

pub const DEVICE_CODE: &str = "urn:ietf:params:oauth:grant-type:device_code";
pub const CIBA: &str = "urn:openid:params:grant-type:ciba";

/// What a device was given.
#[derive(Clone, Debug)]
pub struct Started {
    pub device_code: String,
    pub user_code: String,
}

/// Begins a device authorization.
pub async fn start(app: &Client<'_>, scope: &str) -> Started {
    let response = app.post("/oauth/device/code", &[("scope", scope)], &[]).await.expect(200).json();
    Started { device_code: text(&response, "device_code"), user_code: text(&response, "user_code") }
}

/// Begins a backchannel authentication; returns the `auth_req_id`.
pub async fn ask(app: &Client<'_>, login_hint: &str, changes: Pairs<'_>) -> String {
    let form = [("scope", "openid profile offline_access"), ("login_hint", login_hint)];
    let response = app.post("/bc-authorize", &form, changes).await.expect(200).json();
    text(&response, "auth_req_id")
}

pub async fn poll_device(app: &Client<'_>, device_code: &str) -> Answer {
    app.token(&[("grant_type", DEVICE_CODE), ("device_code", device_code)], &[]).await
}

pub async fn poll_ciba(app: &Client<'_>, auth_req_id: &str) -> Answer {
    app.token(&[("grant_type", CIBA), ("auth_req_id", auth_req_id)], &[]).await
}

/// A browser in which a person signed in on the way to a page of ours.
pub async fn signed_in<'h>(site: &Site<'h>, person: &Person) -> Browser<'h> {
    let mut browser = site.browser();
    let page = browser.get("/auth/approvals").await.expect(200);
    let fields = [("username", person.username.as_str()), ("password", person.password.as_str())];
    let answer = browser.submit(&page, &fields).await;
    assert_eq!(answer.location(), "/auth/approvals");
    browser
}

/// Enters a code; the answer is the page that asks, or the form again.
pub async fn enter(browser: &mut Browser<'_>, user_code: &str) -> Answer {
    let page = browser.get("/oauth/device/verify").await.expect(200);
    browser.submit(&page, &[("user_code", user_code)]).await
}

/// Decides what the first form of a page is about.
pub async fn decide(browser: &mut Browser<'_>, page: &Answer, decision: &str) -> Answer {
    browser.submit(page, &[("decision", decision)]).await
}

/// Everything that a person does at the verification page.
pub async fn allow_device(site: &Site<'_>, person: &Person, user_code: &str) {
    let mut browser = signed_in(site, person).await;
    let page = enter(&mut browser, user_code).await.expect(200);
    let _ = decide(&mut browser, &page, "allow").await.expect(200);
}

/// What a counting statement yields over all tenants.
pub async fn count(h: &Harness, statement: SystemSql) -> i64 {
    let mut tx = h.app().db.read_system().await.unwrap();
    tx.optional(statement, args![]).await.unwrap().unwrap().int("number").unwrap()
}

fn text(document: &Value, name: &str) -> String {
    document[name].as_str().unwrap_or_else(|| panic!("no {name} in {document}")).to_owned()
}
