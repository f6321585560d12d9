//! Proof keys: none left out, none weakened, none guessed (N10, N11; RFC 9700 §4.8).

use svc_domain::apps::RequirePkce;

use super::is_told;
use crate::harness::{Code, Harness};

#[tokio::test]
async fn a_request_without_a_strong_challenge_is_refused() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let long = "a".repeat(44);
    let strict = site.app_with("web", |configuration| configuration.require_pkce = RequirePkce::Yes).await;
    for app in [site.public_app("spa").await, strict] {
        let mut browser = site.sign_in(&app, &ada).await;
        for changes in [
            &[("code_challenge", ""), ("code_challenge_method", "")][..],
            &[("code_challenge", "")],
            &[("code_challenge_method", "")],
            &[("code_challenge_method", "plain")],
            &[("code_challenge_method", "s256")],
            &[("code_challenge_method", "S512")],
            &[("code_challenge", "a")],
            &[("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-c")],
            &[("code_challenge", &long)],
            &[("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM")],
            &[("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM=")],
        ] {
            let answer = browser.get(&app.authorize_path(&app.verifier(), changes)).await;
            is_told(&answer, &app, "invalid_request", &format!("{changes:?}"));
        }
        app.code_in(&mut browser, &ada).await;
    }
}

#[tokio::test]
async fn a_wrong_verifier_yields_nothing_and_burns_the_code() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    for app in [site.public_app("spa").await, site.app("web").await] {
        let mut browser = site.sign_in(&app, &ada).await;
        let wrong: [fn(&str) -> String; 8] = [
            |_| String::new(),
            |right| right[..42].to_owned(),
            |right| right.repeat(3),
            |right| format!("{right}="),
            |right| format!("{right} "),
            |right| format!("{}!", &right[..42]),
            |right| right.to_uppercase(),
            svc_keys::pkce::s256,
        ];
        for wrong in wrong {
            let code = app.code_in(&mut browser, &ada).await;
            let verifier = wrong(&code.verifier);
            let bad = Code { code: code.code.clone(), verifier: verifier.clone() };
            let answer = app.exchange_with(&bad, &[("code_verifier", &verifier)]).await;
            let _ = answer.expect_problem(400, "invalid_grant");
            let _ = app.exchange(&code).await.expect_problem(400, "invalid_grant");
        }
        let _ = app.exchange(&app.code_in(&mut browser, &ada).await).await.expect(200);
    }
}

#[tokio::test]
async fn a_downgraded_request_is_noticed_at_the_exchange() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let app = site.app_with("web", |configuration| configuration.require_pkce = RequirePkce::No).await;
    let mut browser = site.browser();
    let without = [("code_challenge", ""), ("code_challenge_method", "")];
    let code = app.code_with(&mut browser, &ada, &without).await;
    let _ = app.exchange(&code).await.expect_problem(400, "invalid_grant");
    let code = app.code_with(&mut browser, &ada, &without).await;
    let _ = app.exchange_with(&code, &[("code_verifier", "")]).await.expect(200);
    // A challenge that was sent is held to, required or not.
    let code = app.code_in(&mut browser, &ada).await;
    let _ = app.exchange_with(&code, &[("code_verifier", "")]).await.expect_problem(400, "invalid_grant");
}

#[tokio::test]
async fn the_challenge_of_one_code_does_not_open_another() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.public_app("spa").await, site.user("ada").await);
    let mut browser = site.sign_in(&app, &ada).await;
    let mine = app.code_in(&mut browser, &ada).await;
    let theirs = app.code_in(&mut browser, &ada).await;
    let injected = Code { code: theirs.code, verifier: mine.verifier.clone() };
    let _ = app.exchange(&injected).await.expect_problem(400, "invalid_grant");
    let _ = app.exchange(&mine).await.expect(200);
}
