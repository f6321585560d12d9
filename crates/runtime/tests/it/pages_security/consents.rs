//! Consent: asked when it is due, silent when it is not, and `prompt`, `max_age` held to their word (N66).

use svc_http::Method;

use super::errands::asked;
use super::{World, world};
use crate::harness::client::claims;
use crate::harness::{Answer, Browser, Client, Code, Harness};

async fn third<'h>(world: &World<'h>, browser: &mut Browser<'h>, changes: &[(&str, &str)]) -> Answer {
    browser.get(&world.third.authorize_path(&world.third.verifier(), changes)).await
}

fn error(answer: &Answer) -> String {
    answer.redirect_param("error").unwrap_or_else(|| panic!("no error in {answer:?}"))
}

/// The claims of the ID token of a silent request.
async fn silent_claims(
    world: &World<'_>,
    browser: &mut Browser<'_>,
    changes: &[(&str, &str)],
) -> serde_json::Value {
    let verifier = world.first.verifier();
    let answer = browser.get(&world.first.authorize_path(&verifier, changes)).await;
    let code = Code { code: answer.redirect_param("code").unwrap(), verifier };
    claims(world.first.exchange(&code).await.expect(200).json()["id_token"].as_str().unwrap())
}

#[tokio::test]
async fn what_was_not_allowed_is_asked_for_and_never_given_silently() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let mut browser = home.site.sign_in(&home.first, &home.ada).await;
    let silent = [("prompt", "none"), ("scope", "openid email")];
    assert_eq!(error(&third(&home, &mut browser, &silent).await), "consent_required");
    let page = third(&home, &mut browser, &[("scope", "openid email")]).await.expect(200);
    assert!(browser.submit(&page, &[("decision", "allow")]).await.redirect_param("code").is_some());
    assert!(third(&home, &mut browser, &silent).await.redirect_param("code").is_some());
    for wider in ["openid email phone", "openid email profile", "openid email offline_access"] {
        let answer = third(&home, &mut browser, &[("prompt", "none"), ("scope", wider)]).await;
        assert_eq!(error(&answer), "consent_required", "{wider}");
    }
}

#[tokio::test]
async fn consent_is_one_persons_for_one_application() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let mut browser = home.site.sign_in(&home.first, &home.ada).await;
    let page = third(&home, &mut browser, &[("scope", "openid")]).await.expect(200);
    assert!(browser.submit(&page, &[("decision", "allow")]).await.redirect_param("code").is_some());
    let silent = [("prompt", "none"), ("scope", "openid")];
    let another = home.site.app_with("fourth", |configuration| configuration.first_party = false).await;
    let answer = browser.get(&another.authorize_path(&another.verifier(), &silent)).await;
    assert_eq!(error(&answer), "consent_required");
    let mut bobs = home.site.sign_in(&home.first, &home.site.user("bob").await).await;
    assert_eq!(error(&third(&home, &mut bobs, &silent).await), "consent_required");
}

/// An access token without a refresh token.
async fn short_lived<'h>(world: &World<'h>, browser: &mut Browser<'h>, app: &Client<'h>) -> String {
    let code = app.code_with(browser, &world.ada, &[("scope", "openid email")]).await;
    let tokens = app.exchange(&code).await.expect(200).json();
    assert!(tokens["refresh_token"].is_null());
    tokens["access_token"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_access_token_without_a_refresh_token_dies_with_the_consent_that_is_taken_back() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let mut browser = home.site.browser();
    let first = short_lived(&home, &mut browser, &home.first).await;
    let third = short_lived(&home, &mut browser, &home.third).await;
    let status = async |token: &str| home.site.call(Method::GET, "/userinfo", Some(token), None).await.status;
    assert_eq!((status(&first).await, status(&third).await), (200, 200));
    let page = browser.get("/auth/access").await.expect(200);
    let _ = browser.submit(&page, &[("app", home.third.id.as_str())]).await.expect(303);
    assert_eq!(
        (status(&first).await, status(&third).await),
        (200, 401),
        "the other application keeps its own"
    );
    h.advance(1);
    let again = short_lived(&home, &mut browser, &home.third).await;
    assert_eq!(status(&again).await, 200, "what is allowed again counts again");
}

#[tokio::test]
async fn a_decision_is_allow_or_deny() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let mut browser = home.site.sign_in(&home.first, &home.ada).await;
    let page = third(&home, &mut browser, &[("scope", "openid")]).await.expect(200);
    for wrong in ["", "Allow", "yes", "true", "allow "] {
        super::refused(&browser.submit(&page, &[("decision", wrong)]).await, 400, "invalid_request");
    }
    let _ = browser.submit(&page, &[("decision", "allow"), ("decision", "deny")]).await.expect(400);
    assert_eq!(error(&browser.submit(&page, &[("decision", "deny")]).await), "access_denied");
    assert_eq!(
        error(&third(&home, &mut browser, &[("prompt", "none"), ("scope", "openid")]).await),
        "consent_required"
    );
}

#[tokio::test]
async fn prompt_none_goes_with_nothing_else() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let mut browser = home.site.sign_in(&home.first, &home.ada).await;
    for other in ["login", "consent", "select_account", "create"] {
        for prompt in [format!("none {other}"), format!("{other} none")] {
            assert_eq!(
                error(&asked(&home, &mut browser, &[("prompt", &prompt)]).await),
                "invalid_request",
                "{prompt}"
            );
        }
    }
    assert_eq!(error(&asked(&home, &mut browser, &[("prompt", "sometimes")]).await), "invalid_request");
}

#[tokio::test]
async fn a_fresh_sign_in_is_one_that_happened_after_the_request() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let mut browser = home.site.sign_in(&home.first, &home.ada).await;
    let began =
        silent_claims(&home, &mut browser, &[("prompt", "none"), ("max_age", "10")]).await["auth_time"]
            .clone();
    h.advance(10);
    let again = silent_claims(&home, &mut browser, &[("prompt", "none"), ("max_age", "10")]).await;
    assert_eq!(again["auth_time"], began);
    h.advance(1);
    for stale in [[("max_age", "10")], [("max_age", "0")], [("max_age", "1")], [("prompt", "login")]] {
        let page = asked(&home, &mut browser, &stale).await.expect(200);
        assert!(page.body.contains("id=\"login-submit\""), "{stale:?}");
        let silent = [stale[0], ("prompt", "none")];
        if stale[0].0 == "max_age" {
            assert_eq!(error(&asked(&home, &mut browser, &silent).await), "login_required", "{stale:?}");
        }
    }
    for bad in ["-1", "x", "1.5", "99999999999999999999", "1e3", " 1"] {
        assert_eq!(error(&asked(&home, &mut browser, &[("max_age", bad)]).await), "invalid_request", "{bad}");
    }
    let page = asked(&home, &mut browser, &[("max_age", "0")]).await;
    let fields = [("username", "ada"), ("password", home.ada.password.as_str())];
    assert!(browser.submit(&page, &fields).await.redirect_param("code").is_some());
    let after = silent_claims(&home, &mut browser, &[("prompt", "none"), ("max_age", "10000")]).await;
    assert_eq!(after["auth_time"].as_i64().unwrap() - began.as_i64().unwrap(), 11);
}

#[tokio::test]
async fn a_hint_of_another_person_asks_for_that_person() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let bob = home.site.user("bob").await;
    let hint = home.first.tokens(&bob).await.id_token().to_owned();
    let own = home.first.tokens(&home.ada).await.id_token().to_owned();
    let mut browser = home.site.sign_in(&home.first, &home.ada).await;
    let silent = |hint| [("prompt", "none"), ("id_token_hint", hint)];
    assert_eq!(error(&asked(&home, &mut browser, &silent(&hint)).await), "login_required");
    assert!(asked(&home, &mut browser, &silent(&own)).await.redirect_param("code").is_some());
    let page = asked(&home, &mut browser, &[("id_token_hint", &hint)]).await.expect(200);
    let answer = browser.submit(&page, &[("username", "ada"), ("password", &home.ada.password)]).await;
    assert_eq!(error(&answer), "login_required", "Ada is not who the application expects");
}

#[tokio::test]
async fn a_disabled_application_gets_nothing_from_a_page_that_was_open() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let mut browser = home.site.sign_in(&home.first, &home.ada).await;
    let page = third(&home, &mut browser, &[("scope", "openid")]).await.expect(200);
    let token = home.site.mint(|_| ());
    let path = format!("/api/v1/applications/{}", home.third.id);
    let gone = home.site.call(Method::DELETE, &path, Some(&token), None).await;
    assert!((200..300).contains(&gone.status), "{gone:?}");
    super::refused(&browser.submit(&page, &[("decision", "allow")]).await, 400, "invalid_request");
}
