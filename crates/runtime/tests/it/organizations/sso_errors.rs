//! What a provider of an organization answers in place of its word (OpenID Connect Core §3.1.2.6): what the person reads of it, and the
//! way on.

use serde_json::json;

use super::World;
use super::sso_sign_in::{LOOPBACK, connect, follow, led, prove};
use crate::harness::Harness;
use crate::harness::provider::Provider;

#[tokio::test]
async fn what_a_provider_answers_in_place_of_a_word_is_told_in_words_of_its_own_and_leaves_a_way_on() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, json!({})).await;
    prove(&world.site, &world.initech, "acme.example").await;
    for (error, told) in [
        ("access_denied", "The sign-in there was cancelled"),
        ("login_required", "The sign-in there was not finished"),
        ("interaction_required", "The sign-in there was not finished"),
        ("temporarily_unavailable", "The sign-in there is not available"),
        ("server_error", "The sign-in there is not available"),
        ("invalid_scope", "sign-in did not work"),
        ("<b>x</b>", "sign-in did not work"),
    ] {
        let mut browser = world.site.browser();
        let asked = led(&mut browser, &world, "grace@acme.example").await;
        let path = asked.back(String::new()).split('?').next().unwrap().to_owned();
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.append_pair("error", error).append_pair("state", &asked.param("state"));
        let page = browser.get(&format!("{path}?{}", query.finish())).await.expect(200);
        assert!(page.body.contains(told) && page.body.contains("id=\"login-submit\""), "{error}: {page:?}");
        assert!(!page.body.contains("<b>x"), "{page:?}");
        let fields = [("username", "grace@acme.example"), ("method", "sso")];
        let page = browser.submit(&page, &fields).await.expect(200);
        let asked = follow(&mut browser, &page).await;
        let at_hash = svc_keys::at_hash(svc_keys::Algorithm::Es256, "x");
        let back = provider.vouch(&asked, &h, |claims| claims["at_hash"] = json!(at_hash));
        assert!(browser.get(&back).await.is_signed_in(), "{error}");
    }
    // The provider is never asked without a page: an application that forbids pages learns that the person has to sign in.
    let silent = world.web.authorize_path("v", &[("organization", "initech"), ("prompt", "none")]);
    let refused = world.site.browser().get(&silent).await;
    assert_eq!(refused.redirect_param("error").as_deref(), Some("login_required"));
}

#[tokio::test]
async fn a_provider_that_cannot_answer_is_not_available_and_no_fault_of_the_person() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, json!({})).await;
    prove(&world.site, &world.initech, "acme.example").await;
    let issuer = &provider.issuer;
    let metadata = json!({
        "issuer": issuer, "authorization_endpoint": format!("{issuer}/authorize"), "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/jwks"), "userinfo_endpoint": format!("{issuer}/userinfo"),
    });
    let path = "/.well-known/openid-configuration";
    provider.pages.lock().unwrap().insert(path.to_owned(), metadata);
    let told = "The sign-in there is not available";
    provider.statuses.lock().unwrap().insert(path.to_owned(), 503);
    let mut browser = world.site.browser();
    let page = browser.get(&world.web.authorize_path("v", &[])).await.expect(200);
    let typed = [("username", "grace@acme.example"), ("password", "whatever"), ("method", "sso")];
    let page = browser.submit(&page, &typed).await.expect(200);
    let page = browser.get(&page.link("sso-continue")).await.expect(200);
    assert!(page.body.contains(told), "{page:?}");
    provider.statuses.lock().unwrap().clear();
    for path in ["/jwks", "/token", "/userinfo"] {
        // A key set that could not be had is asked for again after a while.
        h.advance(60);
        let mut browser = world.site.browser();
        let asked = led(&mut browser, &world, "grace@acme.example").await;
        let back = provider.vouch(&asked, &h, |claims| {
            claims.as_object_mut().unwrap().remove("groups");
        });
        provider.statuses.lock().unwrap().insert(path.to_owned(), 503);
        let page = browser.get(&back).await.expect(200);
        assert!(page.body.contains(told), "{path}: {page:?}");
        provider.statuses.lock().unwrap().clear();
    }
}
