//! Signing out: no redirect that is not registered, and no end of a session without the person's word (N9).

use svc_http::Method;
use svc_keys::{Algorithm, Typ};

use super::errands::asked;
use super::{World, world};
use crate::harness::client::claims;
use crate::harness::{Answer, Browser, Harness};

const GOOD: &str = "https://first.app.example/";

fn path(params: &[(&str, &str)]) -> String {
    let sent = params.iter().filter(|(_, value)| !value.is_empty());
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(sent).finish();
    format!("/oauth/end-session?{query}")
}

async fn is_signed_in(world: &World<'_>, browser: &Browser<'_>) -> bool {
    let answer = asked(world, &mut browser.clone(), &[("prompt", "none")]).await;
    answer.redirect_param("code").is_some()
}

#[track_caller]
fn is_question(answer: &Answer) {
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(answer.body.contains("id=\"logout-confirm\""), "{answer:?}");
}

/// An ID token of this browser's session.
async fn hint(world: &World<'_>, browser: &mut Browser<'_>) -> String {
    let mut browser = browser.clone();
    browser.site = world.site.clone();
    let code = world.first.code_in(&mut browser, &world.ada).await;
    world.first.exchange(&code).await.expect(200).json()["id_token"].as_str().unwrap().to_owned()
}

/// Hints that say nothing: altered, signed by another, of another kind, of another person, of a disabled time.
async fn bad_hints(world: &World<'_>, elsewhere: &World<'_>, good: &str) -> Vec<(&'static str, String)> {
    let mut claims = claims(good);
    let ring = world.harness().app().services.keys.ring_of_deployment();
    let sign = |claims: &serde_json::Value, typ| {
        ring.held(Algorithm::Es256).unwrap().sign(typ, &serde_json::to_vec(claims).unwrap()).unwrap()
    };
    let access = sign(&claims, Typ::AccessToken);
    let header = svc_keys::base64url(br#"{"alg":"none","typ":"JWT"}"#);
    let unsigned = format!("{header}.{}.", good.split('.').nth(1).unwrap());
    let foreign = elsewhere.first.tokens(&elsewhere.ada).await.id_token().to_owned();
    let bob = world.site.user("bob").await;
    let others = world.first.tokens(&bob).await.id_token().to_owned();
    claims["exp"] = (claims["exp"].as_i64().unwrap() - 3 * 366 * 86_400).into();
    let ancient = sign(&claims, Typ::Jwt);
    let other = if good.ends_with('A') { "Q" } else { "A" };
    let altered = format!("{}{other}", &good[..good.len() - 1]);
    vec![
        ("junk", "junk".to_owned()),
        ("altered", altered),
        ("unsigned", unsigned),
        ("an access token", access),
        ("another tenant's", foreign),
        ("another person's", others),
        ("expired for years", ancient),
    ]
}

#[tokio::test]
async fn a_hint_that_does_not_hold_means_a_question_and_the_session_stays() {
    let h = Harness::new().await;
    let (home, elsewhere) = (world(&h, "main").await, world(&h, "other").await);
    let mut browser = home.site.sign_in(&home.first, &home.ada).await;
    let good = hint(&home, &mut browser).await;
    for (what, bad) in bad_hints(&home, &elsewhere, &good).await {
        let params = [("id_token_hint", bad.as_str()), ("post_logout_redirect_uri", GOOD), ("state", "s")];
        is_question(&browser.get(&path(&params)).await);
        assert!(is_signed_in(&home, &browser).await, "{what}");
    }
    is_question(&browser.get(&path(&[])).await);
    is_question(
        &browser.get(&path(&[("client_id", &home.first.id), ("post_logout_redirect_uri", GOOD)])).await,
    );
    is_question(&browser.get(&path(&[("client_id", "nobody"), ("id_token_hint", &good)])).await);
    is_question(&browser.get(&path(&[("client_id", &home.third.id), ("id_token_hint", &good)])).await);
    assert!(is_signed_in(&home, &browser).await);
    let answer = browser
        .get(&path(&[("id_token_hint", &good), ("post_logout_redirect_uri", GOOD), ("state", "s")]))
        .await;
    assert_eq!((answer.status, answer.location()), (303, "https://first.app.example/?state=s"));
    assert!(!is_signed_in(&home, &browser).await);
}

#[tokio::test]
async fn no_one_is_sent_to_an_unregistered_address_with_or_without_confirmation() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    for bad in [
        "https://evil.example/",
        "https://first.app.example",
        "https://first.app.example/?x=1",
        "https://first.app.example/#x",
        "https://first.app.example/../",
        "https://FIRST.app.example/",
        "https://first.app.example:443/",
        "https://first.app.example@evil.example/",
        "http://first.app.example/",
        "//evil.example/",
        "javascript:alert(1)",
        "data:text/html,x",
        "/",
        "https://third.app.example/",
    ] {
        let mut browser = home.site.sign_in(&home.first, &home.ada).await;
        let good = hint(&home, &mut browser).await;
        let page = browser.get(&path(&[("id_token_hint", &good), ("post_logout_redirect_uri", bad)])).await;
        is_question(&page);
        assert!(is_signed_in(&home, &browser).await, "{bad}");
        let answer = browser.submit(&page, &[]).await.expect(200);
        assert!(
            !answer.body.contains("href=\"https://evil") && !answer.body.contains("continue-link"),
            "{bad}: {answer:?}"
        );
        assert!(!is_signed_in(&home, &browser).await, "{bad}");
        // Without a session there is nothing to confirm, and still no way out.
        let answer = browser
            .get(&path(&[("id_token_hint", &good), ("post_logout_redirect_uri", bad)]))
            .await
            .expect(200);
        assert!(
            !answer.body.contains("href=\"https://evil") && !answer.body.contains("continue-link"),
            "{bad}: {answer:?}"
        );
    }
}

#[tokio::test]
async fn a_confirmation_returns_to_the_registered_address_with_the_state_alone() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let mut browser = home.site.sign_in(&home.first, &home.ada).await;
    let state = "a b&c=d#\"'<script>";
    let params = [
        ("client_id", home.first.id.as_str()),
        ("post_logout_redirect_uri", GOOD),
        ("state", state),
        ("code", "x"),
        ("iss", "y"),
    ];
    let page = browser.get(&path(&params)).await;
    is_question(&page);
    let answer = browser.submit(&page, &[]).await;
    assert_eq!(answer.status, 303);
    assert_eq!(answer.redirect_param("state").as_deref(), Some(state));
    assert_eq!(url::Url::parse(answer.location()).unwrap().query_pairs().count(), 1);
    assert!(!browser.cookies.contains_key("__Host-svc_session"));
}

#[tokio::test]
async fn signing_out_ends_the_sessions_tokens_and_no_one_elses() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let mut browser = home.site.browser();
    let code = home.first.code_with(&mut browser, &home.ada, &[("scope", "openid")]).await;
    let own = home.first.exchange(&code).await.expect(200).json();
    let other = home.first.tokens(&home.ada).await;
    let page = browser.get(&path(&[])).await;
    let _ = browser.submit(&page, &[]).await.expect(200);
    let userinfo =
        async |token: &str| home.site.call(Method::GET, "/userinfo", Some(token), None).await.status;
    assert_eq!(userinfo(own["access_token"].as_str().unwrap()).await, 401);
    assert_eq!(userinfo(other.access_token()).await, 200);
}

#[tokio::test]
async fn doubled_parameters_and_overlong_or_broken_states_do_not_pass() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let mut browser = home.site.sign_in(&home.first, &home.ada).await;
    let good = hint(&home, &mut browser).await;
    let doubled = format!(
        "{}&post_logout_redirect_uri=https%3A%2F%2Fevil.example%2F",
        path(&[("post_logout_redirect_uri", GOOD), ("id_token_hint", &good)])
    );
    super::refused(&browser.get(&doubled).await, 400, "invalid_request");
    for state in ["x\r\nLocation: https://evil.example/".to_owned(), "x".repeat(8 * 1024 + 1)] {
        let params =
            [("id_token_hint", good.as_str()), ("post_logout_redirect_uri", GOOD), ("state", state.as_str())];
        is_question(&browser.get(&path(&params)).await);
    }
    assert!(is_signed_in(&home, &browser).await);
}
