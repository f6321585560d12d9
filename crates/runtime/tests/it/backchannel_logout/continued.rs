//! A session ends with everything that was issued in it, also before the same person signed in once more.

use serde_json::json;
use svc_http::Method;

use super::endings::sign_in_again;
use super::{LOOPBACK, Party, manage, sid, sign_out};
use crate::harness::client::Tokens;
use crate::harness::publisher::Publisher;
use crate::harness::{Browser, Client, Harness, Person};

/// What comes of an ordinary code with this scope.
async fn tokens<'h>(app: &Client<'h>, browser: &mut Browser<'h>, (person, scope): (&Person, &str)) -> Tokens {
    let code = app.code_with(browser, person, &[("scope", scope)]).await;
    Tokens { response: app.exchange(&code).await.expect(200).json() }
}

async fn is_active(app: &Client<'_>, token: &str) -> bool {
    let told = app.post("/oauth/introspect", &[("token", token)], &[]).await.expect(200).json();
    told["active"] == json!(true)
}

#[tokio::test]
async fn signing_out_ends_the_access_tokens_of_before_a_further_sign_in_too() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.browser();
    let before = tokens(&app, &mut browser, (&ada, "openid")).await;
    let offline = tokens(&app, &mut browser, (&ada, "openid offline_access")).await;
    let after = sign_in_again(&mut browser, &app, &ada).await;
    assert_ne!(sid(&before), sid(&after));
    assert!(is_active(&app, before.access_token()).await, "the person is still there");
    sign_out(&mut browser, &after).await;
    assert!(!is_active(&app, before.access_token()).await);
    // `offline_access` asks to outlive a sign-out.
    let _ = app.refresh(offline.refresh_token()).await.expect(200);
}

#[tokio::test]
async fn a_session_that_is_ended_from_outside_leaves_no_token_of_any_of_its_sign_ins() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.browser();
    let before = tokens(&app, &mut browser, (&ada, "openid")).await;
    let offline = tokens(&app, &mut browser, (&ada, "openid offline_access")).await;
    let after = sign_in_again(&mut browser, &app, &ada).await;
    let elsewhere = tokens(&app, &mut site.browser(), (&ada, "openid offline_access")).await;
    let path = format!("/api/v1/tenant-users/{}/sessions/{}", ada.id, sid(&after).as_str().unwrap());
    manage(&site, Method::DELETE, &path, None).await;
    for token in [&before, &offline, &after] {
        assert!(!is_active(&app, token.access_token()).await);
    }
    for token in [&offline, &after] {
        let late = app.refresh(token.refresh_token()).await;
        let _ = late.expect_problem(400, "invalid_grant");
    }
    assert!(is_active(&app, elsewhere.access_token()).await, "another session goes on");
    let _ = app.refresh(elsewhere.refresh_token()).await.expect(200);
}

#[tokio::test]
async fn an_application_that_redeems_its_code_after_a_further_sign_in_is_told_of_the_end() {
    let server = Publisher::start().await;
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    let (party, ada) = (Party::new(&site, &server, "web").await, site.user("ada").await);
    let other = site.app("other").await;
    let mut browser = site.browser();
    let code = party.client.code_in(&mut browser, &ada).await;
    let after = sign_in_again(&mut browser, &other, &ada).await;
    let late = Tokens { response: party.client.exchange(&code).await.expect(200).json() };
    assert_ne!(sid(&late), sid(&after));
    sign_out(&mut browser, &after).await;
    h.run_jobs().await;
    let told = party.told().await;
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0]["sid"], sid(&late));
}
