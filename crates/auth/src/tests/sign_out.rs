//! RP-initiated logout (N9): at once for whom a valid hint names, never to an unregistered address.

use serde_json::json;
use svc_keys::{Algorithm, Typ};

use super::*;

const BYE: &str = "https://app.example/bye";

async fn world() -> World {
    World::with(|configuration| configuration.post_logout_redirect_uris = vec![BYE.to_owned()]).await
}

/// An ID token for Ada, as the token endpoint would issue it.
async fn hint(world: &World, subject: Option<&str>, exp: i64) -> String {
    let mut tx = world.app.db.read(world.tenant().await.id).await.unwrap();
    let ada = tenant_users::find_by_identifier(&mut tx, "ada").await.unwrap().unwrap();
    let claims = json!({
        "iss": "http://localhost:8080", "aud": world.shop.id, "sub": subject.unwrap_or(&ada.subject), "iat": 1,
        "exp": exp,
    });
    let ring = world.app.services.keys.ring_of_deployment();
    ring.held(Algorithm::Es256).unwrap().sign(Typ::Jwt, claims.to_string().as_bytes()).unwrap()
}

fn end(fields: &[(&str, &str)]) -> String {
    crate::hosted::with_query("/oauth/end-session", fields.iter().copied())
}

async fn is_signed_in(browser: &mut Browser<'_>) -> bool {
    let path = browser.world.authorize(&[("prompt", "none")]);
    browser.get(&path).await.carried().contains_key("code")
}

#[tokio::test]
async fn a_hint_for_the_person_signs_out_at_once_and_returns() {
    let world = world().await;
    let mut browser = world.browser();
    browser.sign_in().await.code();
    let session = browser.session().unwrap().to_owned();
    let expired = hint(&world, None, NOW.as_secs() - 1000).await;
    let path = end(&[("id_token_hint", &expired), ("post_logout_redirect_uri", BYE), ("state", "a b")]);
    let answer = browser.get(&path).await;
    assert_eq!(
        (answer.status, answer.header(header::LOCATION)),
        (StatusCode::SEE_OTHER, "https://app.example/bye?state=a%20b")
    );
    assert_eq!(browser.session(), None);
    browser.cookies.insert("svc_session".to_owned(), session);
    assert!(!is_signed_in(&mut browser).await, "the session is over, not only its cookie");
    assert_eq!(world.events("auth.logout").await, 1);
    let mut tx = world.app.db.read_system().await.unwrap();
    let revoked = svc_db::system_sql!("SELECT value FROM revocations WHERE kind = 'session'");
    assert_eq!(tx.all(revoked, &[]).await.unwrap().len(), 1, "and so are its access tokens");
}

#[tokio::test]
async fn a_request_for_headers_alone_signs_no_one_out() {
    let world = world().await;
    let mut browser = world.browser();
    browser.sign_in().await.code();
    let sound = hint(&world, None, NOW.as_secs() + 1000).await;
    let answer = browser.send("HEAD", &end(&[("id_token_hint", &sound)]), None).await;
    assert_eq!((answer.status, answer.header(header::LOCATION)), (StatusCode::OK, ""));
    assert!(is_signed_in(&mut browser).await);
}

#[tokio::test]
async fn anything_that_does_not_hold_means_a_question_and_no_redirect() {
    let world = world().await;
    let mut browser = world.browser();
    browser.sign_in().await.code();
    let soon = NOW.as_secs() + 1000;
    let (good, other) = (hint(&world, None, soon).await, hint(&world, Some("bob"), soon).await);
    let ancient = hint(&world, None, NOW.as_secs() - 366 * 86_400).await;
    let client_id = world.shop.id.to_string();
    let (signed, signature) = good.rsplit_once('.').unwrap();
    let tampered = format!("{signed}.{}", signature.chars().rev().collect::<String>());
    let bye = ("post_logout_redirect_uri", BYE);
    let cases: [&[(&str, &str)]; 10] = [
        &[],
        &[bye],
        &[("client_id", &client_id), bye],
        &[("id_token_hint", &other), bye],
        &[("id_token_hint", &ancient), bye],
        &[("id_token_hint", &tampered), bye],
        &[("id_token_hint", "eyJhbGciOiJub25lIn0.e30."), bye],
        &[("id_token_hint", &good), ("client_id", "app_other"), bye],
        &[("id_token_hint", &good), ("post_logout_redirect_uri", "https://app.example/bye?x")],
        &[("id_token_hint", &good), ("post_logout_redirect_uri", "https://evil.example/")],
    ];
    for fields in cases {
        browser.get(&end(fields)).await.is_page(200, "logout-confirm");
        assert!(is_signed_in(&mut browser).await, "{fields:?}");
    }
}

#[tokio::test]
async fn a_confirmed_sign_out_returns_to_a_registered_address_only() {
    let world = world().await;
    let client_id = world.shop.id.to_string();
    for (address, target) in [(BYE, BYE), ("https://evil.example/", "")] {
        let mut browser = world.browser();
        browser.sign_in().await.code();
        let fields = [("client_id", client_id.as_str()), ("post_logout_redirect_uri", address)];
        let page = browser.get(&end(&fields)).await;
        let answer = browser.post("/auth/sign-out", &[("flow", page.flow())]).await;
        assert_eq!(answer.header(header::LOCATION), target);
        assert!(browser.session().is_none() && !is_signed_in(&mut browser).await);
    }
}

#[tokio::test]
async fn without_a_session_there_is_nothing_to_ask() {
    let world = world().await;
    let mut browser = world.browser();
    let answer = browser.get(&end(&[])).await;
    assert!(answer.status == StatusCode::OK && answer.body.contains("You are signed out"));
    let good = hint(&world, None, NOW.as_secs() + 1000).await;
    let bye = ("post_logout_redirect_uri", BYE);
    assert_eq!(browser.get(&end(&[("id_token_hint", &good), bye])).await.header(header::LOCATION), BYE);
    let client_id = world.shop.id.to_string();
    let page = browser.get(&end(&[("client_id", &client_id), bye])).await;
    assert!(page.header(header::LOCATION).is_empty() && page.body.contains("id=\"continue-link\""));
    let page = browser
        .get(&end(&[("client_id", &client_id), ("post_logout_redirect_uri", "https://evil.example")]))
        .await;
    assert!(page.header(header::LOCATION).is_empty() && !page.body.contains("href=\"https://evil.example"));
    page.is_page(200, "signout-unregistered");
}

#[tokio::test]
async fn a_post_of_the_application_is_moved_to_where_cookies_are_sent() {
    let world = world().await;
    let mut browser = world.browser();
    browser.headers = vec![("sec-fetch-site", "cross-site".to_owned())];
    let answer = browser.post("/oauth/end-session", &[("state", "x")]).await;
    assert_eq!(answer.header(header::LOCATION), "/oauth/end-session?state=x");
    browser.headers.clear();
    let answer = browser.post("/oauth/end-session?state=y", &[("state", "x")]).await;
    answer.is_error(400, "invalid_request");
}

#[tokio::test]
async fn a_post_whose_origin_is_hidden_signs_the_person_out_all_the_same() {
    let world = world().await;
    let mut browser = world.browser();
    browser.sign_in().await.code();
    let good = hint(&world, None, NOW.as_secs() + 1000).await;
    let fields = [("id_token_hint", good.as_str()), ("post_logout_redirect_uri", BYE)];
    let mut without_cookies = world.browser();
    without_cookies.headers = vec![("origin", "null".to_owned())];
    let moved = without_cookies.post("/oauth/end-session", &fields).await;
    assert_eq!(moved.header(header::LOCATION), end(&fields));
    let answer = browser.get(moved.header(header::LOCATION)).await;
    assert_eq!(answer.header(header::LOCATION), BYE);
    assert!(!is_signed_in(&mut browser).await);
}

#[tokio::test]
async fn a_post_of_our_own_page_whose_origin_is_hidden_stays_where_it_is() {
    let world = world().await;
    let mut browser = world.browser();
    browser.headers = vec![("sec-fetch-site", "same-origin".to_owned()), ("origin", "null".to_owned())];
    let answer = browser.post("/oauth/end-session", &[]).await;
    assert!(answer.status == StatusCode::OK && answer.body.contains("You are signed out"));
}
