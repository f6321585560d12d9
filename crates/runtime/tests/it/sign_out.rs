//! Sign-out from an application (OpenID Connect RP-Initiated Logout §2), and from the hosted pages.

use svc_keys::{Algorithm, Jws};

use crate::harness::{Browser, Client, Harness};

const DAY: i64 = 86_400;

/// Whether the browser is still signed in: a silent request tells.
async fn is_signed_in(browser: &mut Browser<'_>, app: &Client<'_>) -> bool {
    let answer = browser.get(&app.authorize_path(&app.verifier(), &[("prompt", "none")])).await;
    answer.redirect_param("code").is_some()
}

fn end_session(hint: &str, target: &str) -> String {
    let pairs = [("id_token_hint", hint), ("post_logout_redirect_uri", target), ("state", "bye")];
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    format!("/oauth/end-session?{query}")
}

#[tokio::test]
async fn an_application_signs_its_person_out_and_gets_the_browser_back() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.browser();
    let code = app.code_in(&mut browser, &ada).await;
    let tokens = app.exchange(&code).await.expect(200).json();
    assert!(is_signed_in(&mut browser, &app).await);
    let target = app.configuration.post_logout_redirect_uris[0].clone();
    let answer = browser.follow(&end_session(tokens["id_token"].as_str().unwrap(), &target)).await;
    assert!(answer.location().starts_with(&target), "{answer:?}");
    assert_eq!(answer.redirect_param("state").as_deref(), Some("bye"));
    assert!(!is_signed_in(&mut browser, &app).await);
}

#[tokio::test]
async fn a_hint_outlives_the_rotation_of_its_key_and_not_its_withdrawal() {
    for is_withdrawn in [false, true] {
        let h = Harness::new().await;
        let site = h.tenant("main").await;
        let (app, ada) = (site.app("web").await, site.user("ada").await);
        h.advance(29 * DAY);
        h.run_jobs().await;
        h.advance(DAY - 60);
        let mut browser = site.browser();
        let code = app.code_in(&mut browser, &ada).await;
        let tokens = app.exchange(&code).await.expect(200).json();
        let hint = tokens["id_token"].as_str().unwrap();
        let kid = Jws::parse(hint, Algorithm::SIGNING).unwrap().kid().unwrap().to_owned();
        if is_withdrawn {
            h.app().services.keys.withdraw(&h.app().db, &h.operator(), &kid).await.unwrap();
        }
        h.advance(60);
        h.run_jobs().await;
        h.advance(DAY + 1);
        h.run_jobs().await;
        let published = site.get("/.well-known/jwks.json").await.expect(200);
        assert!(!published.body.contains(&kid), "{published:?}");
        assert!(is_signed_in(&mut browser, &app).await);
        let silent = [("prompt", "none"), ("id_token_hint", hint)];
        let answer = browser.get(&app.authorize_path(&app.verifier(), &silent)).await;
        let error = is_withdrawn.then_some("invalid_request");
        assert_eq!(answer.redirect_param("error").as_deref(), error, "{answer:?}");
        assert_eq!(answer.redirect_param("code").is_some(), !is_withdrawn, "{answer:?}");
        let target = app.configuration.post_logout_redirect_uris[0].clone();
        let _ = browser.follow(&end_session(hint, &target)).await;
        assert_eq!(is_signed_in(&mut browser, &app).await, is_withdrawn);
    }
}

#[tokio::test]
async fn an_unregistered_return_address_is_never_redirected_to() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.browser();
    let code = app.code_in(&mut browser, &ada).await;
    let tokens = app.exchange(&code).await.expect(200).json();
    for bad in ["https://evil.example/", "https://web.app.example/x", "javascript:alert(1)"] {
        let answer = browser.get(&end_session(tokens["id_token"].as_str().unwrap(), bad)).await;
        assert!(!answer.header("location").contains(bad), "{bad}: {answer:?}");
        assert!(!answer.body.contains(&format!("href=\"{bad}")), "{bad}: {answer:?}");
    }
}

#[tokio::test]
async fn every_page_for_the_signed_in_leads_to_the_account_and_out() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    for path in ["/auth/access", "/auth/approvals"] {
        let mut browser = site.browser();
        let _ = app.code_in(&mut browser, &ada).await;
        let page = browser.get(path).await.expect(200);
        let _ = browser.get(&page.link("account-link")).await.expect(200);
        let asked = browser.get(&page.link("signout-link")).await.expect(200);
        let _ = browser.submit(&asked, &[]).await;
        assert!(!is_signed_in(&mut browser, &app).await, "{path}");
    }
}
