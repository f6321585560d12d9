//! What guests are refused: too many of them, what is for people who are known, and forms of other sites.

use serde_json::{Value, json};
use svc_http::Method;

use super::{ON, access, enter, flow_of, harness, press, world};
use crate::harness::{Client, Harness, Site};

#[tokio::test]
async fn from_one_address_come_so_many_guests_of_a_tenant_and_no_more() {
    let h = Harness::with(&[ON, ("SVC_AUTH__REGISTRATION_RATE_LIMIT_MAX", "2")]).await;
    let (site, client) = world(&h).await;
    for _ in 0..2 {
        enter(&mut site.browser(), &client).await;
    }
    let mut browser = site.browser();
    let page = browser.get(&client.authorize_path(&client.verifier(), &[])).await.expect(200);
    assert!(!press(&mut browser, &page).await.expect(429).begins_session());
    let other = h.tenant("other").await;
    enter(&mut other.browser(), &other.app("web").await).await;
    h.advance(3601);
    enter(&mut browser, &client).await;
}

#[tokio::test]
async fn a_challenge_stands_before_a_guest_where_one_is_configured_and_a_guest_is_not_excused_from_it() {
    let h = Harness::with(&[
        ON,
        ("SVC_CAPTCHA__ENABLED", "true"),
        ("SVC_CAPTCHA__SECRET_KEY", "a-long-random-text-of-the-deployment"),
        ("SVC_CAPTCHA__PROOF_OF_WORK_BITS", "8"),
    ])
    .await;
    let (site, client) = world(&h).await;
    let mut browser = site.browser();
    let page = browser.get(&client.authorize_path(&client.verifier(), &[])).await.expect(200);
    let refused = press(&mut browser, &page).await.expect(200);
    assert!(!refused.begins_session() && refused.body.contains("not a robot"), "{refused:?}");
    assert!(refused.body.contains("captcha_challenge"), "{refused:?}");
}

#[tokio::test]
async fn a_form_of_another_site_makes_no_guest() {
    let h = harness().await;
    let (site, client) = world(&h).await;
    let mut browser = site.browser();
    let page = browser.get(&client.authorize_path(&client.verifier(), &[])).await.expect(200);
    let (flow, evil) = (flow_of(&page), "https://evil.example");
    let fields = [("flow", flow.as_str()), ("method", "anonymous")];
    assert!(!browser.post_from(evil, "/auth/sign-in", &fields).await.expect(403).begins_session());
    // Nor does the form of one browser in another.
    assert!(!site.browser().post("/auth/sign-in", &fields).await.expect(403).begins_session());
}

/// The record of the only guest.
async fn record(site: &Site<'_>) -> Value {
    let path = "/api/v1/tenant-users?subject_type=anonymous";
    let list = site.call(Method::GET, path, Some(&site.mint(|_| ())), None).await.expect(200).json();
    list["data"][0].clone()
}

#[tokio::test]
async fn a_guest_gets_no_role_no_group_and_no_organization() {
    let h = harness().await;
    let (site, client) = world(&h).await;
    enter(&mut site.browser(), &client).await;
    site.role("editor", &[]).await;
    let (group, ada) = (site.group("staff", &["editor"]).await, site.user("ada").await);
    let club = site.organization("club", ada.id).await;
    let guest = record(&site).await;
    let (token, id) = (site.mint(|_| ()), guest["id"].as_str().unwrap());
    let user = format!("/api/v1/tenant-users/{id}");
    let tag = site.call(Method::GET, &user, Some(&token), None).await.header("etag").to_owned();
    let role = json!({ "roles": ["editor"] });
    let refused = site.call_with(Method::PUT, &user, &token, ("if-match", &tag), role).await;
    assert!(refused.expect(409).body.contains("guest"));
    for path in [
        format!("/api/v1/groups/{}/members/{id}", group.id),
        format!("/api/v1/organizations/{}/members/{id}", club.id),
    ] {
        let body = path.contains("organizations").then(|| json!({ "roles": [] }));
        let refused = site.call(Method::PUT, &path, Some(&token), body).await.expect(409);
        assert!(refused.body.contains("guest"), "{path}: {refused:?}");
    }
    let now = record(&site).await;
    assert_eq!((&now["effective_roles"], &now["groups"]), (&json!([]), &json!([])));
}

#[tokio::test]
async fn a_guest_sees_of_the_account_centre_how_to_keep_the_account_and_calls_no_api() {
    let h = harness().await;
    let (site, client) = world(&h).await;
    let mut browser = site.browser();
    let tokens = enter(&mut browser, &client).await;
    h.advance(1200);
    for section in ["", "/profile", "/email", "/password", "/passkeys", "/second-factors", "/organizations"] {
        let answer = browser.get(&format!("/account{section}")).await.expect(303);
        assert_eq!(answer.location(), "/account/keep", "{section}");
    }
    let page = browser.get("/account/keep").await.expect(200);
    assert!(page.body.contains("keep-submit") && page.body.contains("Guest"), "{page:?}");
    for section in ["sessions", "login-history", "data", "deletion"] {
        let shown = browser.get(&format!("/account/{section}")).await.expect(200);
        assert!(!shown.body.contains("/account/password"), "a guest has none: {shown:?}");
        assert!(page.body.contains(&format!("account-to-{section}")), "{section}: {page:?}");
    }
    let data = browser.get("/account/data").await.expect(200);
    let document = browser.submit(&data, &[]).await.expect(200).json();
    assert_eq!(document["sub"], access(&tokens)["sub"]);
    for path in ["/api/v1/identity/profile", "/api/v1/tenant-users", "/api/v1/api-keys"] {
        let guest = site.mint(|claims| {
            claims["sub"] = document["sub"].clone();
            claims["subject_type"] = json!("anonymous");
        });
        let _ = site.call(Method::GET, path, Some(&guest), None).await.expect(403);
    }
}

#[tokio::test]
async fn people_who_are_known_have_no_page_of_guests() {
    let h = harness().await;
    let (site, client): (Site<'_>, Client<'_>) = world(&h).await;
    let mut browser = site.sign_in(&client, &site.user("ada").await).await;
    assert_eq!(browser.get("/account/keep").await.expect(303).location(), "/account");
    assert!(!browser.get("/account").await.expect(200).body.contains("account-to-keep"));
}

#[tokio::test]
async fn the_form_that_keeps_a_guest_says_when_there_were_too_many_as_that_of_registration_does() {
    let h = Harness::with(&[ON, ("SVC_AUTH__REGISTRATION_RATE_LIMIT_MAX", "2")]).await;
    let (site, client) = world(&h).await;
    let mut browser = site.browser();
    enter(&mut browser, &client).await;
    let page = browser.get("/account/keep").await.expect(200);
    for _ in 0..2 {
        let _ = browser.submit(&page, &[("email", "grace@new.example")]).await.expect(200);
    }
    let refused = browser.submit(&page, &[("email", "grace@new.example")]).await.expect(429);
    assert!(refused.header("retry-after").parse::<u32>().is_ok_and(|wait| wait > 0), "{refused:?}");
    assert!(refused.body.contains("keep-submit") || refused.body.contains("name=\"email\""), "{refused:?}");
}
