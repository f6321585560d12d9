//! A new session begins with every sign-in, and steps of a flow cannot be skipped, replayed or mixed (N53, N54).

use super::errands::{self, asked};
use super::{NEW_PASSWORD, flow_of, new_cookie, refused, state_of, world, wrong_credentials};
use crate::harness::{Answer, Harness};

fn code(answer: &Answer) -> Option<String> {
    (answer.status == 303 && answer.location().starts_with("https:"))
        .then(|| answer.redirect_param("code"))
        .flatten()
}

#[tokio::test]
async fn a_session_cookie_from_before_the_sign_in_is_never_the_one_after_it() {
    let h = Harness::with(errands::EVERYTHING).await;
    let home = world(&h, "main").await;
    let attacker = home.site.sign_in(&home.first, &home.site.user("mallory").await).await;
    for planted in [attacker.cookies["__Host-svc_session"].clone(), "A".repeat(43), String::new()] {
        let mut browser = home.site.browser();
        browser.cookies.insert("__Host-svc_session".to_owned(), planted.clone());
        // An attacker's session means the attacker's tokens, so that the application asks for a fresh sign-in.
        let page = asked(&home, &mut browser, &[("prompt", "login")]).await;
        let fields = [("username", home.ada.username.as_str()), ("password", home.ada.password.as_str())];
        let answer = browser.submit(&page, &fields).await;
        assert!(code(&answer).is_some(), "{answer:?}");
        let fresh = browser.cookies["__Host-svc_session"].clone();
        assert_ne!(fresh, planted);
        let mut fixed = home.site.browser();
        fixed.cookies.insert("__Host-svc_session".to_owned(), planted);
        let page = fixed.get("/account/accounts").await.expect(200);
        assert!(!page.body.contains(&home.ada.email), "it leads nowhere, or to the attacker: {page:?}");
    }
}

#[tokio::test]
async fn signing_in_again_ends_the_session_that_this_browser_had() {
    let h = Harness::with(errands::EVERYTHING).await;
    let home = world(&h, "main").await;
    let mut browser = home.site.sign_in(&home.first, &home.ada).await;
    let old = browser.clone();
    h.advance(5);
    let page = asked(&home, &mut browser, &[("prompt", "login")]).await;
    let fields = [("username", home.ada.username.as_str()), ("password", home.ada.password.as_str())];
    assert!(code(&browser.submit(&page, &fields).await).is_some());
    let answer = asked(&home, &mut old.clone(), &[("prompt", "none")]).await;
    assert_eq!(answer.redirect_param("error").as_deref(), Some("login_required"));
}

#[tokio::test]
async fn a_flow_that_a_victim_opens_for_an_attacker_stops_there() {
    let h = Harness::with(errands::EVERYTHING).await;
    let home = world(&h, "main").await;
    let mut attacker = home.site.browser();
    let page = home.sign_in_page(&mut attacker).await;
    for id in ["forgot-link", "register-link"] {
        let mut victim = home.site.sign_in(&home.first, &home.ada).await;
        refused(&victim.get(&page.link(id)).await, 403, "forbidden");
    }
}

#[tokio::test]
async fn an_empty_form_goes_no_step_further() {
    let h = Harness::with(errands::EVERYTHING).await;
    let home = world(&h, "main").await;
    for path in errands::FORMS {
        let errand = errands::open(&home, path, "hasty").await;
        let has_one_button = [
            "/auth/join",
            "/auth/organization-invitation",
            "/auth/sign-out",
            "/auth/new-address",
            "/auth/undo-address",
            "/auth/was-this-you",
            "/auth/sign-in-link",
            "/auth/guardians/cancel",
            "/auth/impersonation",
            "/auth/impersonation/end",
        ];
        if has_one_button.contains(&path) {
            continue; // Its one button is all there is to say.
        }
        let before = state_of(&h).await;
        let mut browser = errand.browser.clone();
        let answer = browser.submit(&errand.page, &[]).await;
        assert!(code(&answer).is_none(), "{path}: {answer:?}");
        assert_eq!(new_cookie(&answer, "__Host-svc_session"), None, "{path}");
        assert_eq!(state_of(&h).await, before, "{path}");
        let mut errand = errand;
        assert!(errands::is_done(&errand.run().await), "{path}");
        h.advance(1);
    }
}

#[tokio::test]
async fn a_later_step_cannot_come_first() {
    let h = Harness::with(errands::EVERYTHING).await;
    let home = world(&h, "main").await;
    let mut browser = home.site.browser();
    let page = browser.get(&home.third.authorize_path(&home.third.verifier(), &[])).await.expect(200);
    let flow = flow_of(&page);
    for (path, field) in [
        ("/auth/consent", ("decision", "allow")),
        ("/auth/select-account", ("account", "other")),
        ("/auth/select-organization", ("decision", "continue")),
    ] {
        let answer = browser.post(path, &[("flow", &flow), field]).await.expect(200);
        assert!(answer.body.contains("id=\"login-submit\""), "{path}: {answer:?}");
        assert_eq!(new_cookie(&answer, "__Host-svc_session"), None);
    }
    for path in ["/auth/verify", "/auth/reset", "/auth/sign-out"] {
        let answer = browser.post(path, &[("flow", &flow), ("password", NEW_PASSWORD)]).await;
        refused(&answer, 403, "forbidden");
    }
    assert_eq!(state_of(&h).await[..3], [0, 0, 0]);
}

#[tokio::test]
async fn an_earlier_step_cannot_be_replayed_for_another_code_without_the_session() {
    let h = Harness::with(errands::EVERYTHING).await;
    let home = world(&h, "main").await;
    let mut errand = errands::open(&home, "/auth/sign-in", "ada").await;
    let page = errand.page.clone();
    assert!(code(&errand.run().await).is_some());
    // Back button after the end: what was typed must be right again, or nothing happens.
    let mut browser = errand.browser.clone();
    wrong_credentials(&browser.submit(&page, &[("username", "ada"), ("password", "wrong password")]).await);
    browser.cookies.remove("__Host-svc_session");
    let flow = flow_of(&page);
    let answer = browser.get(&format!("/auth/continue?flow={flow}")).await.expect(200);
    assert!(answer.body.contains("id=\"login-submit\""), "{answer:?}");
}

#[tokio::test]
async fn an_answer_on_an_old_consent_page_allows_only_what_that_page_showed_to_that_person() {
    let h = Harness::with(errands::EVERYTHING).await;
    let home = world(&h, "main").await;
    let bob = home.site.user("bob").await;
    let mut browser = home.site.sign_in(&home.first, &home.ada).await;
    let small = browser.get(&home.third.authorize_path(&home.third.verifier(), &[("scope", "openid")])).await;
    let large =
        home.third.authorize_path(&home.third.verifier(), &[("scope", "openid email phone offline_access")]);
    let large_page = browser.get(&large).await;
    // Two tabs: the small page's answer yields a small code, and does not speak for the large one.
    assert!(code(&browser.submit(&small, &[("decision", "allow")]).await).is_some());
    let again = browser.get(&large).await.expect(200);
    assert!(again.body.contains("id=\"consent-allow\""), "{again:?}");
    // Bob signs in meanwhile: Ada's page in the other tab is hers still, and not his answer.
    let page = asked(&home, &mut browser, &[("prompt", "login")]).await;
    let _ =
        browser.submit(&page, &[("username", &bob.username), ("password", &bob.password)]).await.expect(303);
    assert!(code(&browser.submit(&large_page, &[("decision", "allow")]).await).is_some());
    let bobs = browser.get(&format!("{large}&login_hint={}", bob.username)).await.expect(200);
    assert!(bobs.body.contains("id=\"consent-allow\""), "{bobs:?}");
}

#[tokio::test]
async fn a_flow_ends_with_its_application_and_with_its_time() {
    let h = Harness::with(errands::EVERYTHING).await;
    let home = world(&h, "main").await;
    let mut browser = home.site.browser();
    let page = home.sign_in_page(&mut browser).await;
    h.advance(15 * 60);
    let fields = [("username", home.ada.username.as_str()), ("password", home.ada.password.as_str())];
    refused(&browser.submit(&page, &fields).await, 400, "expired_token");
    assert_eq!(state_of(&h).await[..2], [0, 0]);
}

#[tokio::test]
async fn sessions_end_when_they_idle_and_at_their_absolute_end() {
    let h = Harness::with(errands::EVERYTHING).await;
    let home = world(&h, "main").await;
    const DAY: i64 = 86_400;
    let silent = |error: &str, answer: &Answer| answer.redirect_param("error").as_deref() == Some(error);
    let mut idle = home.site.sign_in(&home.first, &home.ada).await;
    let mut busy = home.site.sign_in(&home.first, &home.ada).await;
    for _ in 0..4 {
        h.advance(7 * DAY - 1);
        assert!(code(&asked(&home, &mut busy, &[("prompt", "none")]).await).is_some());
    }
    assert!(silent("login_required", &asked(&home, &mut idle, &[("prompt", "none")]).await));
    h.advance(2 * DAY + 4);
    assert!(silent("login_required", &asked(&home, &mut busy, &[("prompt", "none")]).await));
}
