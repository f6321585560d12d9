//! How fresh a sign-in at another provider is: what the provider is asked for, and what its answer says of it.

use serde_json::{Value, json};
use url::Url;

use super::{LOOPBACK, named, told, with_google};
use crate::changes::left_by;
use crate::delegation::{NOTES, World, exchange};
use crate::harness::client::claims;
use crate::harness::provider::{AuthorizationRequest, Provider};
use crate::harness::{Answer, Browser, Client, Code, Harness};

const TOO_OLD: &str = "your sign-in there is too old";

/// A service that is registered at a provider as GitLab's, which knows `prompt=login` and `max_age`.
async fn with_gitlab() -> (Harness, Provider) {
    let provider = Provider::serve().await;
    let settings = [
        LOOPBACK,
        ("SVC_SOCIAL__ENABLED", "true"),
        ("SVC_SOCIAL__GITLAB__CLIENT_ID", "svc"),
        ("SVC_SOCIAL__GITLAB__CLIENT_SECRET", "upstream-secret"),
        ("SVC_SOCIAL__GITLAB__BASE_URL", provider.issuer.as_str()),
    ];
    (Harness::with(&settings).await, provider)
}

/// From a page to the provider.
async fn followed(browser: &mut Browser<'_>, page: &Answer, provider: &str) -> AuthorizationRequest {
    let url = page.link(&format!("social-{provider}"));
    AuthorizationRequest(Url::parse(browser.get(&url).await.expect(303).location()).unwrap())
}

/// From an authorization request to the provider.
async fn led(
    browser: &mut Browser<'_>,
    client: &Client<'_>,
    provider: &str,
    changes: &[(&str, &str)],
) -> AuthorizationRequest {
    let page = browser.get(&client.authorize_path(&"v".repeat(43), changes)).await.expect(200);
    followed(browser, &page, provider).await
}

/// The word for a person who signed in there so many seconds ago.
fn seen(h: &Harness, ago: i64) -> impl FnOnce(&mut Value) {
    let at = h.operator().now.as_secs() - ago;
    move |claims| {
        named("grace@acme.example", true)(claims);
        claims["auth_time"] = json!(at);
    }
}

#[tokio::test]
async fn a_provider_is_asked_for_as_fresh_a_sign_in_as_the_application_wants() {
    let (h, _provider) = with_gitlab().await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    for (changes, prompt, max_age) in [
        (&[][..], None, None),
        (&[("prompt", "login")], Some("login"), Some("0")),
        (&[("max_age", "0")], Some("login"), Some("0")),
        (&[("max_age", "600")], None, Some("600")),
        (&[("max_age", "600"), ("prompt", "login")], Some("login"), Some("0")),
    ] {
        let asked = led(&mut site.browser(), &client, "gitlab", changes).await;
        let sent = (asked.asks("prompt"), asked.asks("max_age"));
        assert_eq!((sent.0.as_deref(), sent.1.as_deref()), (prompt, max_age), "{changes:?}");
    }
}

#[tokio::test]
async fn a_session_that_is_open_at_the_provider_is_no_fresh_sign_in() {
    let (h, provider) = with_gitlab().await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let silent = |claims: &mut Value| {
        named("grace@acme.example", true)(claims);
        claims.as_object_mut().unwrap().remove("auth_time");
    };
    for changes in [[("prompt", "login")], [("max_age", "0")], [("max_age", "600")]] {
        let mut browser = site.browser();
        for says_nothing in [false, true] {
            let asked = led(&mut browser, &client, "gitlab", &changes).await;
            let back = if says_nothing {
                provider.vouch(&asked, &h, silent)
            } else {
                provider.vouch(&asked, &h, seen(&h, 3600))
            };
            let mut page = None;
            let recorded = left_by(&h, async { page = Some(browser.get(&back).await) }).await;
            let page = page.unwrap();
            assert!(page.status == 200 && page.body.contains(TOO_OLD), "{changes:?}: {page:?}");
            assert_eq!(recorded, [vec!["session.created"], vec!["auth.login.failure"]], "{changes:?}");
            // The next attempt is held to the same.
            let asked = followed(&mut browser, &page, "gitlab").await;
            assert_eq!(
                asked.asks("max_age").as_deref(),
                Some(if changes[0].1 == "600" { "600" } else { "0" })
            );
        }
        h.advance(1);
        let asked = led(&mut browser, &client, "gitlab", &changes).await;
        let answer = browser.get(&provider.vouch(&asked, &h, seen(&h, 0))).await;
        assert!(answer.is_signed_in(), "{changes:?}: {answer:?}");
        assert_eq!(told(&client, &answer).await["auth_time"], json!(h.operator().now.as_secs()));
    }
}

#[tokio::test]
async fn tokens_say_when_the_provider_last_saw_the_person_sign_in() {
    let (h, provider) = with_gitlab().await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let mut browser = site.browser();
    let asked = led(&mut browser, &client, "gitlab", &[]).await;
    let answer = browser.get(&provider.vouch(&asked, &h, seen(&h, 7200))).await;
    assert!(answer.is_signed_in(), "{answer:?}");
    let signed_in = h.operator().now.as_secs() - 7200;
    assert_eq!(told(&client, &answer).await["auth_time"], json!(signed_in));
    let mut silent = async |max_age: &str| {
        let changes = [("prompt", "none"), ("max_age", max_age)];
        browser.get(&client.authorize_path(&"v".repeat(43), &changes)).await
    };
    assert_eq!(silent("3600").await.redirect_param("error").as_deref(), Some("login_required"));
    let answer = silent("10800").await;
    assert_eq!(told(&client, &answer).await["auth_time"], json!(signed_in));
}

#[tokio::test]
async fn an_account_is_changed_after_a_fresh_sign_in_at_the_provider_alone() {
    let (h, provider) = with_gitlab().await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let mut browser = site.browser();
    let asked = led(&mut browser, &client, "gitlab", &[]).await;
    assert!(browser.get(&provider.vouch(&asked, &h, seen(&h, 7200))).await.is_signed_in());
    h.advance(1);
    let page = browser.get("/account/password").await.expect(200);
    let asked = followed(&mut browser, &page, "gitlab").await;
    assert_eq!(asked.asks("max_age").as_deref(), Some("300"));
    let page = browser.get(&provider.vouch(&asked, &h, seen(&h, 7201))).await.expect(200);
    assert!(page.body.contains(TOO_OLD), "{page:?}");
    let asked = followed(&mut browser, &page, "gitlab").await;
    let _ = browser.get(&provider.vouch(&asked, &h, seen(&h, 0))).await.expect(303);
    let page = browser.get("/account/password").await.expect(200);
    assert!(!page.body.contains("social-gitlab"), "{page:?}");
}

#[tokio::test]
async fn a_session_that_is_open_at_the_provider_leads_to_no_new_password() {
    let (h, provider) = with_gitlab().await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let mut browser = site.browser();
    let asked = led(&mut browser, &client, "gitlab", &[]).await;
    assert!(browser.get(&provider.vouch(&asked, &h, seen(&h, 7200))).await.is_signed_in());
    h.advance(1);
    let mut browser = site.browser();
    let page = browser.get(&client.authorize_path(&client.verifier(), &[])).await.expect(200);
    let page = browser.get(&page.link("forgot-link")).await.expect(200);
    let asked = followed(&mut browser, &page, "gitlab").await;
    assert_eq!(asked.asks("max_age").as_deref(), Some("300"));
    let page = browser.get(&provider.vouch(&asked, &h, seen(&h, 7201))).await.expect(200);
    assert!(page.body.contains(TOO_OLD), "{page:?}");
    let asked = followed(&mut browser, &page, "gitlab").await;
    let proven = browser.get(&provider.vouch(&asked, &h, seen(&h, 0))).await.expect(303);
    assert!(!proven.begins_session(), "{proven:?}");
}

#[tokio::test]
async fn a_provider_that_knows_no_fresh_sign_in_lets_the_person_choose_the_account() {
    let (h, provider) = with_google(&[]).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    for changes in [[("prompt", "login")], [("max_age", "600")]] {
        let mut browser = site.browser();
        let asked = led(&mut browser, &client, "google", &changes).await;
        let sent = (asked.asks("prompt"), asked.asks("max_age"));
        assert_eq!(sent, (Some("select_account".to_owned()), None), "{changes:?}");
        let answer = browser.get(&provider.vouch(&asked, &h, named("grace@acme.example", true))).await;
        assert!(answer.is_signed_in(), "{changes:?}: {answer:?}");
        assert_eq!(told(&client, &answer).await["auth_time"], json!(h.operator().now.as_secs()));
        // What it says all the same counts.
        let mut other = site.browser();
        let asked = led(&mut other, &client, "google", &changes).await;
        let page = other.get(&provider.vouch(&asked, &h, seen(&h, 3600))).await;
        assert!(page.status == 200 && page.body.contains(TOO_OLD), "{changes:?}: {page:?}");
        h.advance(1);
    }
}

#[tokio::test]
async fn a_token_that_outlives_its_session_is_exchanged_however_old_the_sign_in_at_the_provider_is() {
    let (h, provider) = with_gitlab().await;
    let world = World::new(&h).await;
    let mut browser = world.site.browser();
    let changes = [("scope", "openid offline_access notes:read"), ("resource", NOTES)];
    let asked = led(&mut browser, &world.web, "gitlab", &changes).await;
    let answer = browser.get(&provider.vouch(&asked, &h, seen(&h, 7200))).await;
    let code = answer.redirect_param("code").unwrap_or_else(|| panic!("{answer:?}"));
    let tokens = world.web.exchange(&Code { code, verifier: "v".repeat(43) }).await.expect(200).json();
    let token = tokens["access_token"].as_str().unwrap();
    assert!(claims(token).get("sid").is_none(), "{tokens}");
    let _ = exchange(&world.agent, token, &[]).await.expect(200);
}
