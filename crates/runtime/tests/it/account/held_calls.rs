//! Calls that were begun before the owner took the account back: a body that comes in afterwards changes nothing.

use serde_json::{Value, json};
use svc_http::{Body, Method, Request};

use super::factors::code;
use super::{own, token_of};
use crate::harness::{Answer, Harness, Person, Site};

/// A call of a person, after the head of which the owner chooses another password, and before its body.
async fn call(site: &Site<'_>, person: &Person, (method, path): (Method, &str), body: Value) -> Answer {
    let request = Request::builder().method(method).uri(format!("/api/v1/identity{path}"));
    let request = request.header("host", &site.host).header("content-type", "application/json");
    let request = request.header("authorization", format!("Bearer {}", token_of(site, person, 0)));
    let meanwhile = async {
        site.harness.advance(1);
        let chosen = Some(json!({ "password": "compiler nanosecond moth" }));
        let _ = own(site, person, (Method::PUT, "/password"), chosen).await.expect(204);
    };
    let request = request.body(Body::from(body.to_string())).unwrap();
    site.harness.send_in_parts(request, meanwhile).await
}

/// A process that knows of the end refuses the token, any other the call, as the account says when its credentials changed.
fn assert_refused(answer: &Answer) {
    assert!([401, 403].contains(&answer.status), "{answer:?}");
}

/// Whether a password opens the account in a browser that knows nothing.
async fn opens(site: &Site<'_>, person: &Person, password: &str) -> bool {
    let mut browser = site.browser();
    let page = browser.get("/account").await.expect(200);
    let fields = [("username", person.username.as_str()), ("password", password)];
    browser.submit(&page, &fields).await.begins_session()
}

#[tokio::test]
async fn no_app_is_added_by_a_call_that_was_begun_before_the_password_changed() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let begun = own(&site, &ada, (Method::POST, "/totp"), None).await.expect(200).json();
    let code = code(&site, begun["secret"].as_str().unwrap());
    let proof = json!({ "flow": begun["flow"], "code": code });
    assert_refused(&call(&site, &ada, (Method::POST, "/totp/confirm"), proof).await);
    h.advance(1);
    let listed = own(&site, &ada, (Method::GET, "/credentials"), None).await.expect(200).json();
    assert_eq!(listed["data"], json!([]));
}

#[tokio::test]
async fn no_password_is_set_by_a_call_that_was_begun_before_the_password_changed() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let theirs = json!({ "password": "a wholly different staple" });
    assert_refused(&call(&site, &ada, (Method::PUT, "/password"), theirs).await);
    assert!(!opens(&site, &ada, "a wholly different staple").await);
    assert!(opens(&site, &ada, "compiler nanosecond moth").await);
}
