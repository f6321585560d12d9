//! The verification page (RFC 8628 §3.3, §5.4): who asks, for what, and nothing without the person.

use svc_db::system_sql;

use super::{allow_device, count, decide, enter, poll_device, signed_in, start};
use crate::harness::Harness;
use crate::harness::browser::Form;

#[tokio::test]
async fn the_page_says_who_asks_and_for_what_and_warns_of_strangers() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (tv, ada) = (site.public_app("tv").await, site.user("ada").await);
    let started = start(&tv, "openid email offline_access").await;
    let mut browser = signed_in(&site, &ada).await;
    let page = enter(&mut browser, &started.user_code.to_lowercase()).await.expect(200);
    let sentences = [
        "Know who you are when you sign in",
        "See your email address",
        "Keep this access while you are away",
    ];
    for text in sentences.into_iter().chain([
        "Application tv",
        &started.user_code,
        &ada.email,
        "id=\"phishing-warning\"",
    ]) {
        assert!(page.body.contains(text), "{text} in {}", page.body);
    }
    assert!(!page.body.contains(&started.device_code));
    let done = decide(&mut browser, &page, "allow").await.expect(200);
    assert!(done.body.contains("go back to your device"), "{}", done.body);
}

#[tokio::test]
async fn a_code_in_the_address_is_filled_in_and_never_sent_by_itself() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (tv, ada) = (site.public_app("tv").await, site.user("ada").await);
    let started = start(&tv, "openid").await;
    let address = format!("/oauth/device/verify?user_code={}", started.user_code);
    let mut browser = site.browser();
    let page = browser.get(&address).await.expect(200);
    assert!(page.body.contains("id=\"login-submit\""), "{}", page.body);
    assert!(!page.body.contains(&started.user_code) && !page.body.contains("Application tv"));
    let fields = [("username", ada.username.as_str()), ("password", ada.password.as_str())];
    let answer = browser.submit(&page, &fields).await;
    assert_eq!(answer.location(), address);
    let page = browser.get(&address).await.expect(200);
    assert!(page.body.contains(&format!("value=\"{}\"", started.user_code)), "{}", page.body);
    assert!(!page.body.contains("Application tv") && !page.body.contains("approval-allow"), "{}", page.body);
    let _ = poll_device(&tv, &started.device_code).await.expect_problem(400, "authorization_pending");
    let asks = browser.submit(&page, &[("user_code", started.user_code.as_str())]).await.expect(200);
    assert!(asks.body.contains("id=\"approval-allow-0\""), "{}", asks.body);
    h.advance(5);
    let _ = poll_device(&tv, &started.device_code).await.expect_problem(400, "authorization_pending");
}

#[tokio::test]
async fn a_wrong_an_expired_a_used_and_a_foreign_code_look_alike() {
    let h = Harness::new().await;
    let (site, acme) = (h.tenant("main").await, h.tenant("acme").await);
    let (tv, theirs, ada) =
        (site.public_app("tv").await, acme.public_app("tv").await, site.user("ada").await);
    let (used, expired) = (start(&tv, "openid").await, start(&tv, "openid").await);
    allow_device(&site, &ada, &used.user_code).await;
    h.advance(600);
    let foreign = start(&theirs, "openid").await;
    let mut browser = signed_in(&site, &ada).await;
    for bad in [&used.user_code, &expired.user_code, &foreign.user_code, "BCDF-GHJK", "nonsense", "", "<b>"] {
        let page = enter(&mut browser, bad).await.expect(200);
        assert!(page.body.contains("This code is not right, or it has expired"), "{bad}: {}", page.body);
        assert!(!page.body.contains("<b>"), "{}", page.body);
    }
}

#[tokio::test]
async fn guessing_codes_is_throttled_per_person_and_reported() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (tv, ada, bob) = (site.public_app("tv").await, site.user("ada").await, site.user("bob").await);
    let mut browser = signed_in(&site, &ada).await;
    for _ in 0..20 {
        let _ = enter(&mut browser, "BCDF-GHJK").await.expect(200);
    }
    let started = start(&tv, "openid").await;
    let refused = enter(&mut browser, &started.user_code).await.expect(429);
    assert!(refused.body.contains("Too many attempts") && !refused.body.contains("approval-allow"));
    let events = system_sql!(
        "SELECT COUNT(*) AS number FROM (SELECT type FROM outbox UNION ALL SELECT type FROM events) recorded WHERE type = 'security.brute_force.detected'"
    );
    assert_eq!(count(&h, events).await, 1);
    // Others are not locked out with them.
    allow_device(&site, &bob, &started.user_code).await;
    h.advance(600);
    let started = start(&tv, "openid").await;
    assert!(enter(&mut browser, &started.user_code).await.expect(200).body.contains("approval-allow"));
}

#[tokio::test]
async fn guessing_codes_is_throttled_per_address() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let mut status = 200;
    for name in ["ada", "bob", "eve", "joe"] {
        let person = site.user(name).await;
        let mut browser = signed_in(&site, &person).await;
        for _ in 0..16 {
            status = enter(&mut browser, "BCDF-GHJK").await.status;
        }
    }
    assert_eq!(status, 429);
}

#[tokio::test]
async fn forms_of_other_sites_browsers_and_people_decide_nothing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (tv, ada, eve) = (site.public_app("tv").await, site.user("ada").await, site.user("eve").await);
    let started = start(&tv, "openid").await;
    let mut browser = signed_in(&site, &ada).await;
    let page = enter(&mut browser, &started.user_code).await.expect(200);
    let flow = Form::of(&page).hidden[0].1.clone();
    let fields = [("flow", flow.as_str()), ("decision", "allow")];
    let _ = browser.post_from("https://evil.example", "/auth/approvals", &fields).await.expect(403);
    let _ = browser.post("/auth/approvals", &[("decision", "allow")]).await.expect(403);
    let mut stranger = signed_in(&site, &eve).await;
    let _ = stranger.post("/auth/approvals", &fields).await.expect(403);
    let _ = browser.post("/auth/approvals", &[("flow", &flow), ("decision", "maybe")]).await.expect(400);
    let _ = browser.post_from("https://evil.example", "/oauth/device/verify", &fields).await.expect(403);
    let _ = browser.post("/oauth/device/verify", &[("user_code", &started.user_code)]).await.expect(403);
    // The same browser, in which another person has signed in meanwhile.
    browser.cookies.insert("__Host-svc_session".to_owned(), stranger.cookies["__Host-svc_session"].clone());
    let answer = browser.post("/auth/approvals", &fields).await.expect(200);
    assert!(answer.body.contains("id=\"login-submit\""), "{}", answer.body);
    let _ = poll_device(&tv, &started.device_code).await.expect_problem(400, "authorization_pending");
}

#[tokio::test]
async fn the_person_who_entered_the_code_last_decides() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (tv, ada, bob) = (site.public_app("tv").await, site.user("ada").await, site.user("bob").await);
    let started = start(&tv, "openid").await;
    let mut first = signed_in(&site, &ada).await;
    let page = enter(&mut first, &started.user_code).await.expect(200);
    allow_device(&site, &bob, &started.user_code).await;
    let _ = decide(&mut first, &page, "deny").await.expect(404);
    let tokens = poll_device(&tv, &started.device_code).await.expect(200).json();
    let id = crate::harness::client::claims(tokens["id_token"].as_str().unwrap());
    assert_eq!(id["sub"], bob.subject.as_str());
}

#[tokio::test]
async fn signing_in_on_the_way_leads_to_our_own_pages_only() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let mut browser = site.browser();
    let page = browser
        .get("/oauth/device/verify?user_code=https://evil.example/&next=//evil.example")
        .await
        .expect(200);
    let fields = [("username", ada.username.as_str()), ("password", ada.password.as_str())];
    assert_eq!(browser.submit(&page, &fields).await.location(), "/oauth/device/verify");
    let wrong = site.browser().get("/auth/errand?flow=AAAA").await;
    let _ = wrong.expect(403);
    let mut other = site.browser();
    let page = other.get("/auth/approvals").await.expect(200);
    let refused =
        other.submit(&page, &[("username", "ada"), ("password", "wrong password")]).await.expect(200);
    assert!(refused.body.contains("role=\"alert\""), "{}", refused.body);
}

#[tokio::test]
async fn an_application_with_a_hostile_name_is_shown_as_text() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site
        .app_with("evil", |configuration| configuration.name = "<script>alert(1)</script>\u{202E}".to_owned())
        .await;
    let ada = site.user("ada").await;
    let started = start(&app, "openid").await;
    let mut browser = signed_in(&site, &ada).await;
    let page = enter(&mut browser, &started.user_code).await.expect(200);
    assert!(!page.body.contains("<script>alert") && !page.body.contains('\u{202E}'), "{}", page.body);
}
