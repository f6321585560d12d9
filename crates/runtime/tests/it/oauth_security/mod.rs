//! The OAuth endpoints under attack, a file for each topic; case numbers (N…) are those of the security plan.

mod assurance;
mod claims;
mod client_authentication;
mod codes;
mod defaults;
mod ended_access;
mod forged_tokens;
mod id_token;
mod introspection;
mod key_rotation;
pub mod keys_of_tenants;
mod one_shot;
mod parameters;
mod person_in_memory;
mod pkce;
mod prompts;
mod redirects;
mod refresh;
mod refresh_replay;
mod response;
mod revocation;
mod signed_responses;
mod token_requests;
mod token_types;
mod userinfo;

use svc_db::{args, system_sql};
use svc_http::{Body, Method, Request};
use url::Url;

use crate::harness::client::STATE;
use crate::harness::{Answer, Browser, Client, Harness, Site};

/// An error that is a page of ours: nothing leads anywhere else.
#[track_caller]
fn is_page(answer: &Answer, case: &str) {
    assert_eq!(answer.status, 400, "{case}: {answer:?}");
    assert_eq!(answer.header("location"), "", "{case}: {answer:?}");
    assert!(answer.header("content-type").starts_with("text/html"), "{case}: {answer:?}");
    assert_eq!(answer.header("cache-control"), "no-store", "{case}: {answer:?}");
    assert!(!answer.header("x-request-id").is_empty(), "{case}: {answer:?}");
    assert!(answer.body.contains("id=\"error-code\""), "{case}: {answer:?}");
    assert!(!answer.body.contains("<form"), "{case}: {answer:?}");
}

/// An error that the application is told at its own address, and nothing besides (RFC 6749 §4.1.2.1, RFC 9207).
#[track_caller]
fn is_told(answer: &Answer, client: &Client<'_>, error: &str, case: &str) {
    assert!([302, 303].contains(&answer.status), "{case}: {answer:?}");
    let location = answer.location();
    let query = location.strip_prefix(client.redirect_uri()).unwrap_or_else(|| panic!("{case}: {location}"));
    assert!(query.starts_with(['?', '&']), "{case}: {location}");
    let url = Url::parse(location).unwrap();
    let pairs: Vec<_> = url.query_pairs().collect();
    let names: Vec<_> = pairs.iter().map(|(name, _)| name.as_ref()).collect();
    assert_eq!(names, ["error", "error_description", "state", "iss"], "{case}: {location}");
    assert_eq!(pairs[0].1, error, "{case}: {location}");
    let is_allowed = |byte: u8| (b' '..=b'~').contains(&byte) && byte != b'"' && byte != b'\\';
    assert!(pairs[1].1.bytes().all(is_allowed), "{case}: {location}");
    assert_eq!(pairs[2].1, STATE, "{case}: {location}");
    assert_eq!(pairs[3].1, client.site.issuer(), "{case}: {location}");
    assert!(!answer.header("x-request-id").is_empty(), "{case}: {answer:?}");
}

/// A form to an endpoint with exactly these headers and this body.
async fn raw(site: &Site<'_>, path: &str, headers: &[(&str, &[u8])], body: impl Into<Body>) -> Answer {
    let mut request = Request::post(path).header("host", &site.host);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    site.harness.send(request.body(body.into()).unwrap()).await
}

const FORM: (&str, &[u8]) = ("content-type", b"application/x-www-form-urlencoded");

/// `UserInfo` with a bearer token.
async fn userinfo(site: &Site<'_>, token: &str) -> Answer {
    site.call(Method::GET, "/userinfo", Some(token), None).await
}

/// How often an event of this type was written.
async fn events(h: &Harness, name: &str) -> i64 {
    let mut tx = h.app().db.read_system().await.unwrap();
    let count = system_sql!(
        "SELECT COUNT(*) AS number FROM (SELECT type FROM outbox UNION ALL SELECT type FROM events) recorded WHERE type = $1"
    );
    tx.one(count, args![name]).await.unwrap().int("number").unwrap()
}

/// How many refusals of this action the audit log tells of.
async fn refusals(h: &Harness, action: &str) -> i64 {
    let mut tx = h.app().db.read_system().await.unwrap();
    let count = system_sql!(
        "SELECT COUNT(*) AS number FROM audit_log WHERE action = $1 AND outcome = 'denied' AND request_id <> ''"
    );
    tx.one(count, args![action]).await.unwrap().int("number").unwrap()
}

/// The secret in the newest mail's link.
pub async fn mailed_secret(h: &Harness) -> String {
    let mails = h.mails().await;
    let link = mails[0].links.iter().find(|link| link.contains("token=")).unwrap();
    link.split_once("token=").unwrap().1.to_owned()
}

/// Asks for authorization in a browser, and signs in if that is asked for.
async fn signing_in(browser: &mut Browser<'_>, path: &str, person: &crate::harness::Person) -> Answer {
    let page = browser.get(path).await;
    if page.status == 200 && page.body.contains("id=\"login-submit\"") {
        let fields = [("username", person.username.as_str()), ("password", person.password.as_str())];
        return browser.submit(&page, &fields).await;
    }
    page
}
