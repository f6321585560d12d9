//! Whatever ends a person's access ends it at the hosts behind proxies, at the next request.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use svc_http::Method;

use super::{COOKIE, Host, SETTINGS, world};
use crate::harness::{Harness, Site};

async fn call(site: &Site<'_>, method: Method, path: &str, body: Option<Value>) {
    let answer = site.call(method, path, Some(&site.mint(|_| ())), body).await;
    assert!((200..300).contains(&answer.status), "{path}: {answer:?}");
}

#[tokio::test]
async fn a_sign_in_ends_with_its_time() {
    let h = Harness::with(&[SETTINGS[0], SETTINGS[1], ("SVC_PROXY__SESSION_LIFETIME_SECS", "600")]).await;
    let (site, ada, mut wiki) = world(&h).await;
    let mut browser = site.browser();
    let _ = wiki.sign_in(&mut browser, &ada).await.expect(303);
    h.advance(599);
    assert!(wiki.is_signed_in().await);
    h.advance(1);
    assert!(!wiki.is_signed_in().await);
    // The session goes on: no form is shown again.
    let path = wiki.begin().await;
    let answer = browser.get(&path).await.expect(303);
    let callback = wiki.path_here(answer.location());
    let _ = wiki.send(&callback, &[]).await.expect(303);
    assert!(wiki.is_signed_in().await);
}

#[tokio::test]
async fn a_sign_in_does_not_outlive_the_session_behind_it() {
    let h = Harness::with(&[
        SETTINGS[0],
        SETTINGS[1],
        ("SVC_SESSION_COOKIE__IDLE_LIFETIME_SECS", "3600"),
        ("SVC_SESSION_COOKIE__ABSOLUTE_LIFETIME_SECS", "3600"),
    ])
    .await;
    let (site, ada, mut wiki) = world(&h).await;
    let _ = wiki.sign_in(&mut site.browser(), &ada).await.expect(303);
    h.advance(3599);
    assert!(wiki.is_signed_in().await);
    h.advance(1);
    assert!(!wiki.is_signed_in().await);
}

#[tokio::test]
async fn a_person_signs_out_at_the_host_and_a_copy_of_the_cookie_is_worth_nothing() {
    let h = Harness::with(&SETTINGS).await;
    let (site, ada, mut wiki) = world(&h).await;
    let mut browser = site.browser();
    let _ = wiki.sign_in(&mut browser, &ada).await.expect(303);
    let mut copy = wiki.clone();
    let answer = wiki.send("/auth/proxy/sign-out", &[]).await.expect(303);
    assert!(!wiki.cookies.contains_key(COOKIE) && !wiki.is_signed_in().await && !copy.is_signed_in().await);

    let page = browser.get(answer.location().strip_prefix(site.issuer()).unwrap()).await.expect(200);
    let left = browser.submit(&page, &[]).await;
    assert_eq!(left.location(), "https://wiki.example/");
    let path = wiki.begin().await;
    assert!(browser.get(&path).await.expect(200).body.contains("id=\"login-submit\""));
    let _ = wiki.send("/auth/proxy/sign-out", &[]).await.expect(303);
}

#[tokio::test]
async fn the_end_of_the_session_ends_every_host_of_the_browser() {
    let h = Harness::with(&SETTINGS).await;
    let (site, ada, mut wiki) = world(&h).await;
    let mut shop = Host::new(&site, "shop", |_| ()).await;
    let mut browser = site.browser();
    let _ = wiki.sign_in(&mut browser, &ada).await.expect(303);
    let _ = shop.sign_in(&mut browser, &ada).await.expect(303);
    let mut elsewhere = Host { cookies: BTreeMap::new(), ..wiki.clone() };
    let _ = elsewhere.sign_in(&mut site.browser(), &ada).await.expect(303);
    let page = browser.get("/oauth/end-session").await.expect(200);
    let _ = browser.submit(&page, &[]).await;
    assert!(!wiki.is_signed_in().await && !shop.is_signed_in().await);
    assert!(elsewhere.is_signed_in().await, "another browser has a session of its own");
}

#[tokio::test]
async fn what_ends_the_access_of_a_person_or_an_application_ends_it_at_the_next_request() {
    let h = Harness::with(&SETTINGS).await;
    let site = h.tenant("main").await;
    for end in ["suspend", "remove", "consent", "disable", "unregister"] {
        let ada = site.user(&format!("ada-{end}")).await;
        let mut blog = Host::new(&site, &format!("blog-{end}"), |app| app.first_party = false).await;
        let _ = blog.sign_in(&mut site.browser(), &ada).await.expect(303);
        assert!(blog.is_signed_in().await);
        h.advance(1);
        let user = format!("/api/v1/tenant-users/{}", ada.id);
        let application = format!("/api/v1/applications/{}", blog.app.id);
        let mut wanted = serde_json::to_value(&blog.app.configuration).unwrap();
        match end {
            "suspend" => call(&site, Method::POST, &format!("{user}/suspend"), None).await,
            "remove" => call(&site, Method::DELETE, &user, None).await,
            "consent" => {
                let path = format!("{user}/consents/{}", blog.app.id);
                call(&site, Method::DELETE, &path, None).await;
            }
            "disable" => {
                wanted["enabled"] = json!(false);
                call(&site, Method::PUT, &application, Some(wanted)).await;
            }
            _ => {
                wanted["redirect_uris"] = json!(["https://elsewhere.example/callback"]);
                call(&site, Method::PUT, &application, Some(wanted)).await;
            }
        }
        let answer = blog.check().await;
        let expected = if ["disable", "unregister"].contains(&end) { 403 } else { 401 };
        assert_eq!((answer.status, answer.header("x-svc-subject")), (expected, ""), "{end}: {answer:?}");
    }
}

#[tokio::test]
async fn a_code_that_was_issued_before_the_end_is_refused_after_it() {
    let h = Harness::with(&SETTINGS).await;
    let (site, ada, mut wiki) = world(&h).await;
    let path = wiki.begin().await;
    let callback = wiki.authorized(&mut site.browser(), &path, &ada).await;
    call(&site, Method::POST, &format!("/api/v1/tenant-users/{}/suspend", ada.id), None).await;
    let _ = wiki.send(&callback, &[]).await.expect_problem(400, "invalid_grant");
    assert!(!wiki.is_signed_in().await);
}
