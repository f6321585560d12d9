//! A preview deployment whose answers come through the relay that is registered at the provider (`[oauth_proxy]`).

use url::Url;

use super::{led, named, with_google};
use crate::harness::Harness;
use crate::harness::provider::AuthorizationRequest;

const SECRET: (&str, &str) = ("SVC_OAUTH_PROXY__SECRET", "one secret of the relay and all previews");

async fn relay_for(origins: &str) -> Harness {
    let origins = ("SVC_OAUTH_PROXY__ALLOWED_ORIGINS", origins);
    Harness::with(&[("SVC_OAUTH_PROXY__ENABLED", "true"), SECRET, origins]).await
}

/// The settings of a preview behind the relay.
fn behind(relay: &str) -> [(&str, &str); 3] {
    [("SVC_OAUTH_PROXY__ENABLED", "true"), SECRET, ("SVC_OAUTH_PROXY__RELAY_URL", relay)]
}

/// An answer with a `state` of someone else's making.
fn with_state(asked: &AuthorizationRequest, change: impl FnOnce(&str) -> String) -> String {
    let mut url =
        Url::parse("https://relay.example").unwrap().join(&asked.back("a-code".to_owned())).unwrap();
    let state = change(&asked.param("state"));
    url.query_pairs_mut().clear().append_pair("code", "a-code").append_pair("state", &state);
    format!("{}?{}", url.path(), url.query().unwrap())
}

#[tokio::test]
async fn an_answer_reaches_the_preview_where_the_sign_in_began() {
    let relay = relay_for("[\"https://*.id.test\"]").await;
    let registered = relay.tenant("main").await;
    let (h, provider) = with_google(&behind(registered.issuer())).await;
    let preview = h.tenant("preview").await;
    let client = preview.app("first").await;
    let mut browser = preview.browser();
    let asked = led(&mut browser, &client, "google").await;
    assert_eq!(asked.param("redirect_uri"), format!("{}/auth/return/google", registered.issuer()));
    let back = provider.vouch(&asked, &h, named("grace@acme.example", true));
    let sent_on = registered.browser().get(&back).await.expect(303).location().to_owned();
    let path = sent_on.strip_prefix(preview.issuer()).expect(&sent_on).to_owned();
    assert!(path.starts_with("/auth/return/google?code="), "{path}");
    assert!(!preview.browser().get(&path).await.is_signed_in(), "it is bound to the browser that began");
    assert!(browser.get(&path).await.is_signed_in());
    let exchanged = provider.asked.lock().unwrap().pop().unwrap();
    let form = exchanged.split("\r\n\r\n").nth(1).unwrap();
    let redirect_uri = url::form_urlencoded::parse(form.as_bytes()).find(|(name, _)| name == "redirect_uri");
    assert_eq!(redirect_uri.unwrap().1, format!("{}/auth/return/google", registered.issuer()));
}

#[tokio::test]
async fn a_relay_sends_nothing_to_where_no_preview_has_asked_for_it() {
    let relay = relay_for("[\"https://elsewhere.example\"]").await;
    let registered = relay.tenant("main").await;
    let (h, _provider) = with_google(&behind(registered.issuer())).await;
    let preview = h.tenant("preview").await;
    let client = preview.app("first").await;
    let asked = led(&mut preview.browser(), &client, "google").await;
    let unlisted = registered.browser().get(&asked.back("a-code".to_owned())).await;
    assert!(unlisted.status == 403 && unlisted.body.contains("allowed_origins"), "{unlisted:?}");
    let attacker = svc_keys::base64url("https://elsewhere.example");
    let forged = |state: &str| {
        let signed = state.strip_prefix("relay.").unwrap().split_once('.').unwrap().1.to_owned();
        format!("relay.{attacker}.{signed}")
    };
    let cut = |state: &str| state.rsplit_once('.').unwrap().0.to_owned();
    let altered = |state: &str| format!("{state}x");
    for state in [with_state(&asked, forged), with_state(&asked, cut), with_state(&asked, altered)] {
        let answer = registered.browser().get(&state).await;
        assert!(answer.status == 403 && !answer.body.contains("elsewhere.example"), "{answer:?}");
    }
    // What was signed for one provider's address is not sent on from another's.
    let other = asked.back("a-code".to_owned()).replace("/google?", "/github?");
    assert_eq!(registered.browser().get(&other).await.status, 403);
}

#[tokio::test]
async fn a_deployment_that_is_no_relay_sends_nothing_on() {
    let (h, _provider) = with_google(&behind("https://dev.example.com")).await;
    let preview = h.tenant("preview").await;
    let client = preview.app("first").await;
    let mut browser = preview.browser();
    let asked = led(&mut browser, &client, "google").await;
    assert_eq!(browser.get(&asked.back("a-code".to_owned())).await.status, 403);
}
