//! By an identity at a provider that is linked to the account; one that is not makes no account and tells nothing.

use url::Url;

use super::CHOSEN;
use crate::changes::left_by;
use crate::harness::provider::{AuthorizationRequest, Provider};
use crate::harness::{Browser, Client, Harness};
use crate::social::with_google;

async fn led(browser: &mut Browser<'_>, web: &Client<'_>) -> AuthorizationRequest {
    let page = browser.get(&web.authorize_path(&web.verifier(), &[])).await.expect(200);
    let page = browser.get(&page.link("forgot-link")).await.expect(200);
    let url = page.link("social-google");
    AuthorizationRequest(Url::parse(browser.get(&url).await.expect(303).location()).unwrap())
}

/// Links the identity of Grace at the provider to the account of a person.
async fn linked(h: &Harness, provider: &Provider, browser: &mut Browser<'_>) {
    let page = browser.get("/account/identities").await.expect(200);
    let url = page.link("identity-add-google");
    let asked = AuthorizationRequest(Url::parse(browser.get(&url).await.expect(303).location()).unwrap());
    let _ = browser.get(&provider.vouch(&asked, h, |_| ())).await.expect(303);
}

#[tokio::test]
async fn a_linked_identity_recovers_its_account() {
    let (h, provider) = with_google(&[]).await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("first").await, site.user("ada").await);
    linked(&h, &provider, &mut site.sign_in(&web, &ada).await).await;
    h.advance(1);
    let mut browser = site.browser();
    let asked = led(&mut browser, &web).await;
    let proven = browser.get(&provider.vouch(&asked, &h, |_| ())).await.expect(303);
    assert!(!proven.begins_session(), "{proven:?}");
    let page = browser.get(proven.location()).await.expect(200);
    assert!(page.body.contains(&ada.email), "{page:?}");
    let done = browser.submit(&page, &[("password", CHOSEN)]).await.expect(200);
    let fields = [("username", ada.username.as_str()), ("password", CHOSEN)];
    assert!(browser.submit(&done, &fields).await.is_signed_in());
}

#[tokio::test]
async fn who_has_a_second_factor_owes_it_after_the_provider_too() {
    let (h, provider) = with_google(&[]).await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("first").await, site.user("ada").await);
    linked(&h, &provider, &mut site.sign_in(&web, &ada).await).await;
    site.second_factor(ada.id).await;
    h.advance(1);
    let mut browser = site.browser();
    let asked = led(&mut browser, &web).await;
    let step = browser.get(&provider.vouch(&asked, &h, |_| ())).await;
    let step = browser.settled(step).await.expect(200);
    assert!(step.body.contains("totp-submit") && !step.body.contains("reset-submit"), "{step:?}");
}

#[tokio::test]
async fn a_stranger_at_the_provider_gets_no_account_here() {
    let (h, provider) = with_google(&[]).await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("first").await, site.user("ada").await);
    // Also with the address of an account.
    for email in ["new@acme.example", ada.email.as_str()] {
        let mut browser = site.browser();
        let asked = led(&mut browser, &web).await;
        let email = email.to_owned();
        let back = provider.vouch(&asked, &h, |claims| {
            claims["email"] = serde_json::json!(email);
            claims["email_verified"] = serde_json::json!(true);
        });
        let mut answer = None;
        let [actions, _] = left_by(&h, async { answer = Some(browser.get(&back).await) }).await;
        let answer = browser.settled(answer.unwrap()).await;
        assert!(answer.body.contains("No account here is connected"), "{answer:?}");
        assert!(!answer.begins_session() && actions.is_empty(), "{actions:?}");
    }
}
