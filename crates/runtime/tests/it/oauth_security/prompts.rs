//! What an application may ask of the sign-in: prompts, ages, hints (OpenID Connect Core §3.1.2.1).

use super::{is_told, mailed_secret, signing_in};
use crate::harness::client::{Tokens, claims};
use crate::harness::{Browser, Client, Harness};

const SIGN_IN: &str = "id=\"login-submit\"";
const CONSENT: &str = "id=\"consent-allow\"";

async fn ask(
    browser: &mut Browser<'_>,
    app: &Client<'_>,
    changes: &[(&str, &str)],
) -> crate::harness::Answer {
    browser.get(&app.authorize_path(&app.verifier(), changes)).await
}

#[tokio::test]
async fn values_that_are_unknown_or_contradict_each_other_are_refused() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&app, &ada).await;
    for changes in [
        [("prompt", "none login")],
        [("prompt", "consent none")],
        [("prompt", "none select_account")],
        [("prompt", "later")],
        [("prompt", "NONE")],
        [("prompt", "login,consent")],
        [("max_age", "x")],
        [("max_age", "-1")],
        [("max_age", "1.5")],
        [("max_age", "99999999999999999999")],
        [("id_token_hint", "x")],
        [("id_token_hint", "a.b.c")],
    ] {
        is_told(&ask(&mut browser, &app, &changes).await, &app, "invalid_request", &format!("{changes:?}"));
    }
}

#[tokio::test]
async fn a_silent_request_is_answered_without_a_page() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let third = site.app_with("web", |configuration| configuration.first_party = false).await;
    let ada = site.user("ada").await;
    let silent = [("prompt", "none"), ("scope", "openid email")];
    let mut browser = site.browser();
    is_told(&ask(&mut browser, &third, &silent).await, &third, "login_required", "no session");
    let path = third.authorize_path(&third.verifier(), &[("scope", "openid email")]);
    let page = signing_in(&mut browser, &path, &ada).await;
    assert!(page.body.contains(CONSENT), "{page:?}");
    is_told(&ask(&mut browser, &third, &silent).await, &third, "consent_required", "no consent");
    let _ = browser.submit(&page, &[("decision", "allow")]).await.location();
    assert!(ask(&mut browser, &third, &silent).await.redirect_param("code").is_some());
    let wider = [("prompt", "none"), ("scope", "openid email phone")];
    is_told(&ask(&mut browser, &third, &wider).await, &third, "consent_required", "more than was allowed");
    h.advance(5);
    let old = [("prompt", "none"), ("max_age", "1")];
    is_told(&ask(&mut browser, &third, &old).await, &third, "login_required", "too long ago");
}

#[tokio::test]
async fn a_wish_for_a_page_shows_it_although_nothing_is_missing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&app, &ada).await;
    for (prompt, mark) in [
        ("login", SIGN_IN),
        ("consent", CONSENT),
        ("select_account", "id=\"account-other\""),
        ("create", "id=\"register-submit\""),
        ("login consent", SIGN_IN),
    ] {
        let page = ask(&mut browser, &app, &[("prompt", prompt)]).await.expect(200);
        assert!(page.body.contains(mark), "{prompt}: {page:?}");
    }
    h.advance(5);
    for (age, is_asked) in [("10000", false), ("5", false), ("4", true), ("1", true), ("0", true)] {
        let answer = ask(&mut browser, &app, &[("max_age", age)]).await;
        assert_eq!(answer.status == 200 && answer.body.contains(SIGN_IN), is_asked, "{age}: {answer:?}");
    }
}

#[tokio::test]
async fn a_forced_sign_in_cannot_be_skipped_by_going_around_its_page() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&app, &ada).await;
    let page = ask(&mut browser, &app, &[("prompt", "login")]).await.expect(200);
    let flow = page.link("forgot-link").split_once("flow=").unwrap().1.to_owned();
    let around = browser.get(&format!("/auth/continue?flow={flow}")).await.expect(200);
    assert!(around.body.contains(SIGN_IN), "{around:?}");
    let denied = browser.post("/auth/consent", &[("flow", &flow), ("decision", "allow")]).await;
    assert!(denied.headers.get("location").is_none(), "{denied:?}");
    let wrong =
        browser.submit(&page, &[("username", &ada.username), ("password", "wrong")]).await.expect(200);
    assert!(wrong.body.contains(SIGN_IN));
    let right = browser.submit(&page, &[("username", &ada.username), ("password", &ada.password)]).await;
    assert!(right.redirect_param("code").is_some(), "{right:?}");
}

#[tokio::test]
async fn a_hint_names_the_person_who_must_be_there() {
    let h = Harness::new().await;
    let (site, globex) = (h.tenant("main").await, h.tenant("globex").await);
    let (app, ada, bob) = (site.app("web").await, site.user("ada").await, site.user("bob").await);
    let (adas, bobs): (Tokens, Tokens) = (app.tokens(&ada).await, app.tokens(&bob).await);
    let others = site.app("other").await.tokens(&ada).await;
    let foreign = globex.app("web").await.tokens(&globex.user("ada").await).await;
    let mut browser = site.sign_in(&app, &ada).await;
    let hint = |token| [("prompt", "none"), ("id_token_hint", token)];
    assert!(ask(&mut browser, &app, &hint(adas.id_token())).await.redirect_param("code").is_some());
    is_told(&ask(&mut browser, &app, &hint(bobs.id_token())).await, &app, "login_required", "another person");
    for bad in [others.id_token(), foreign.id_token(), adas.access_token(), adas.refresh_token()] {
        is_told(&ask(&mut browser, &app, &hint(bad)).await, &app, "invalid_request", "not issued to it");
    }
    let page = ask(&mut browser, &app, &[("id_token_hint", bobs.id_token())]).await.expect(200);
    assert!(page.body.contains(SIGN_IN), "{page:?}");
    let answer = browser.submit(&page, &[("username", &ada.username), ("password", &ada.password)]).await;
    is_told(&answer, &app, "login_required", "the wrong person signed in");
    h.advance(3600);
    assert!(
        ask(&mut browser, &app, &hint(adas.id_token())).await.redirect_param("code").is_some(),
        "expired is fine"
    );
}

#[tokio::test]
async fn a_consent_allows_what_its_page_showed_and_no_more() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let third = site.app_with("web", |configuration| configuration.first_party = false).await;
    let ada = site.user("ada").await;
    let mut browser = site.browser();
    let path = third.authorize_path(&third.verifier(), &[("scope", "openid")]);
    let page = signing_in(&mut browser, &path, &ada).await;
    let _ = browser.submit(&page, &[("decision", "allow"), ("scope", "openid email phone")]).await.location();
    let wider = [("prompt", "none"), ("scope", "openid email")];
    is_told(&ask(&mut browser, &third, &wider).await, &third, "consent_required", "a smuggled scope");
    let narrow = [("prompt", "none"), ("scope", "openid")];
    assert!(ask(&mut browser, &third, &narrow).await.redirect_param("code").is_some());
}

#[tokio::test]
async fn an_account_is_chosen_or_another_person_signs_in() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada, bob) = (site.app("web").await, site.user("ada").await, site.user("bob").await);
    let mut browser = site.sign_in(&app, &ada).await;
    let choosing = [("prompt", "select_account")];
    let page = ask(&mut browser, &app, &choosing).await.expect(200);
    let present = page.body.split("name=\"account\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let chosen = browser.submit(&page, &[("account", present)]).await;
    assert!(chosen.redirect_param("code").is_some(), "{chosen:?}");
    let page = ask(&mut browser, &app, &choosing).await.expect(200);
    let form = browser.submit(&page, &[("account", "other")]).await.expect(200);
    assert!(form.body.contains(SIGN_IN), "{form:?}");
    let verifier = app.verifier();
    let path = app.authorize_path(&verifier, &choosing);
    let page = browser.get(&path).await.expect(200);
    let form = browser.submit(&page, &[("account", "other")]).await.expect(200);
    let answer = browser.submit(&form, &[("username", "bob"), ("password", &bob.password)]).await;
    let code = crate::harness::Code { code: answer.redirect_param("code").unwrap(), verifier };
    let tokens = app.exchange(&code).await.expect(200).json();
    assert_eq!(claims(tokens["id_token"].as_str().unwrap())["sub"], bob.subject.as_str());
    let stranger = ask(&mut site.browser(), &app, &choosing).await.expect(200);
    assert!(stranger.body.contains(SIGN_IN), "without a session there is nothing to choose: {stranger:?}");
}

#[tokio::test]
async fn a_wish_to_register_ends_at_the_application_as_the_new_person() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    for mut browser in [site.browser(), site.sign_in(&app, &ada).await] {
        let email = format!("{}@new.example", browser.cookies.len());
        let verifier = app.verifier();
        let page = browser.get(&app.authorize_path(&verifier, &[("prompt", "create")])).await.expect(200);
        let _ = browser.submit(&page, &[("email", &email)]).await.expect(200);
        let page = browser.get(&format!("/auth/verify?token={}", mailed_secret(&h).await)).await.expect(200);
        let fields = [("name", "Eve"), ("password", "tangerine lighthouse nine")];
        let answer = browser.submit(&page, &fields).await;
        let code = crate::harness::Code { code: answer.redirect_param("code").unwrap(), verifier };
        let tokens = app.exchange(&code).await.expect(200).json();
        let access = tokens["access_token"].as_str().unwrap();
        assert_eq!(super::userinfo(&site, access).await.expect(200).json()["email"], email.as_str());
    }
}

#[tokio::test]
async fn a_person_who_is_asked_to_register_may_sign_in_instead() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    for mut browser in [site.browser(), site.sign_in(&app, &ada).await] {
        let page = ask(&mut browser, &app, &[("prompt", "create")]).await.expect(200);
        let form = browser.get(&page.link("signin-link")).await.expect(200);
        assert!(form.body.contains(SIGN_IN), "{form:?}");
        let answer = browser.submit(&form, &[("username", "ada"), ("password", &ada.password)]).await;
        assert!(answer.redirect_param("code").is_some(), "{answer:?}");
    }
}

#[tokio::test]
async fn where_registration_is_closed_a_wish_for_it_is_one_for_a_sign_in() {
    let h = Harness::with(&[("SVC_USER_SELF_SERVICE__REGISTRATION_ENABLED", "false")]).await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&app, &ada).await;
    let page = ask(&mut browser, &app, &[("prompt", "create")]).await.expect(200);
    assert!(page.body.contains(SIGN_IN) && !page.body.contains("register"), "{page:?}");
    let answer = browser.submit(&page, &[("username", "ada"), ("password", &ada.password)]).await;
    assert!(answer.redirect_param("code").is_some(), "{answer:?}");
}
