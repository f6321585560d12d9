//! What the pages tell of accounts and of what they have: nothing; and what is off.

use serde_json::json;
use svc_http::Method;

use super::{NUMBER, harness_with, state, world};
use crate::account::own;
use crate::harness::Harness;
use crate::sent_codes::refused;

const UNKNOWN: &str = "+442079460778";

#[tokio::test]
async fn asking_and_guessing_look_the_same_whether_an_account_has_the_number_or_not() {
    let h = harness_with(&[("SVC_AUTH__BRUTE_FORCE_MAX_ATTEMPTS", "2")]).await;
    let home = world(&h).await;
    let mut seen = Vec::new();
    for number in [NUMBER, UNKNOWN] {
        let mut browser = home.site.browser();
        let page = home.asked(&mut browser, number).await;
        let mut shown = vec![(page.status, page.shown(number))];
        for _ in 0..3 {
            let again = browser.submit(&page, &[("code", "not a code")]).await;
            refused(&again);
            shown.push((again.status, again.shown(number)));
        }
        seen.push(shown);
    }
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0].last().unwrap().0, 429, "the number locks for everybody alike");
    let texts = h.texts().await;
    assert_eq!(texts.iter().map(|text| text.to.as_str()).collect::<Vec<_>>(), [NUMBER]);
    assert!(h.mails().await.is_empty());
}

#[tokio::test]
async fn the_page_offers_every_visitor_the_same_ways() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let first = home.forgot(&mut home.site.browser()).await;
    let mut known = home.site.sign_in(&home.web, &home.ada).await;
    known.cookies.retain(|name, _| !name.contains("session"));
    let page = home.forgot(&mut known).await;
    for id in ["sms-link", "passkey-submit", "forgot-submit"] {
        assert!(first.body.contains(id) && page.body.contains(id), "{id}: {page:?}");
    }
}

#[tokio::test]
async fn a_phone_and_a_requester_are_limited_as_at_the_sign_in() {
    let h =
        harness_with(&[("SVC_SMS__MAX_PER_HOUR", "2"), ("SVC_AUTH__REGISTRATION_RATE_LIMIT_MAX", "4")]).await;
    let home = world(&h).await;
    for _ in 0..4 {
        let _ = home.asked(&mut home.site.browser(), NUMBER).await.expect(200);
    }
    assert_eq!(h.texts().await.len(), 2);
    let _ = home.asked(&mut home.site.browser(), UNKNOWN).await.expect(429);
}

#[tokio::test]
async fn a_way_that_is_off_recovers_nothing() {
    let h = Harness::new().await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = home.forgot(&mut browser).await;
    assert!(!page.body.contains("sms-link") && page.body.contains("passkey-submit"), "{page:?}");
    let with = h.restarted_with(&[("SVC_SMS__ENABLED", "true")]).await;
    let site = crate::harness::Site { harness: &with, ..home.site.clone() };
    let mut browser = site.browser();
    let page = browser.get("/auth/forgot").await.expect(200);
    let form = browser.get(&page.link("sms-link")).await.expect(200);
    let token = site.mint(|_| ());
    let body = json!({ "settings": { "disabled_capabilities": ["sms"] } });
    let call = (Method::PATCH, "/api/v1/tenant-settings");
    let _ = site.call(call.0, call.1, Some(&token), Some(body)).await.expect(200);
    let _ = with.informed_app().await;
    let _ = browser.submit(&form, &[("phone", NUMBER)]).await.expect(404);
    let page = browser.get("/auth/forgot").await.expect(200);
    assert!(!page.body.contains("sms-link"), "{page:?}");
    assert!(with.texts().await.is_empty());
}

#[tokio::test]
async fn where_recovery_is_off_no_factor_recovers() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let before = home.choosing(&mut browser).await;
    let mut other = home.site.browser();
    let flow = state(&home.forgot(&mut other).await);
    let token = home.site.mint(|_| ());
    let body = json!({ "settings": { "without_recovery": true } });
    let call = (Method::PATCH, "/api/v1/tenant-settings");
    let _ = home.site.call(call.0, call.1, Some(&token), Some(body)).await.expect(200);
    let _ = h.informed_app().await;
    let _ = browser.submit(&before, &[("password", super::CHOSEN)]).await.expect(403);
    let _ = browser.get("/auth/forgot").await.expect(404);
    let fields = [("flow", flow.as_str()), ("method", "sms"), ("begin", "yes"), ("phone", NUMBER)];
    let sent = h.texts().await.len();
    let page = other.post("/auth/sign-in", &fields).await;
    assert!(!page.body.contains("one-time-code"), "{page:?}");
    assert_eq!(h.texts().await.len(), sent);
    assert!(home.opens(&home.ada.password).await);
}

#[tokio::test]
async fn where_the_deployment_has_no_recovery_no_page_leads_to_one() {
    let h = harness_with(&[("SVC_USER_SELF_SERVICE__RECOVERY_ENABLED", "false")]).await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = browser.get(&home.web.authorize_path("v", &[])).await.expect(200);
    assert!(!page.body.contains("forgot-link"), "{page:?}");
    let _ = browser.get("/auth/forgot").await.expect(404);
    let led = browser.get("/.well-known/change-password").await.expect(303);
    assert_eq!(led.location(), "/account/password");
    assert!(home.opens(&home.ada.password).await);
}

#[tokio::test]
async fn where_recovery_is_off_what_warns_an_owner_leads_to_the_account_centre() {
    let h = harness_with(&[("SVC_USER_SELF_SERVICE__RECOVERY_ENABLED", "false")]).await;
    let home = world(&h).await;
    let body = Some(json!({ "password": super::CHOSEN }));
    let _ = own(&home.site, &home.ada, (Method::PUT, "/password"), body).await.expect(204);
    let mail = h.newest_mail_to(&home.ada.email).await;
    let mut paths = mail.links.iter().filter_map(|link| link.strip_prefix(home.site.issuer()));
    let way_on = paths.find(|path| path.len() > 1).expect("a way on");
    assert_eq!(way_on, "/account");
    let page = home.site.browser().get(way_on).await.expect(200);
    assert!(page.body.contains("login-submit"), "{page:?}");
}
