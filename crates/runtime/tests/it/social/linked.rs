//! Accounts at other providers in the account centre: added by signing in there, taken away unless that is the last way in.

use svc_http::Method;
use url::Url;

use super::{led, named, with_google};
use crate::harness::Site;
use crate::harness::provider::AuthorizationRequest;

const SECTION: &str = "/account/identities";

#[tokio::test]
async fn a_person_adds_an_account_elsewhere_and_takes_it_away() {
    let (h, provider) = with_google(&[]).await;
    let site = h.tenant("main").await;
    let (client, ada, bob) = (site.app("first").await, site.user("ada").await, site.user("bob").await);
    let mut browser = site.sign_in(&client, &ada).await;
    let page = browser.get(SECTION).await.expect(200);
    assert!(page.body.contains("id=\"identities-none\""));
    let asked = AuthorizationRequest(
        Url::parse(browser.get(&page.link("identity-add-google")).await.expect(303).location()).unwrap(),
    );
    let done =
        browser.get(&provider.vouch(&asked, &h, named("elsewhere@acme.example", true))).await.expect(303);
    assert!(done.location().starts_with("/account/identities?done=notice-identity-linked&told="), "{done:?}");
    let page = browser.get(done.location()).await.expect(200);
    assert!(
        page.body.contains("elsewhere@acme.example") && page.body.contains("identity-remove-0"),
        "{page:?}"
    );
    assert!(h.mails().await.iter().any(|mail| mail.to == ada.email), "its owner is told");
    let mut other = site.browser();
    let asked = led(&mut other, &client, "google").await;
    assert!(other.get(&provider.vouch(&asked, &h, named("x@acme.example", false))).await.is_signed_in());

    // Bob cannot add the same one.
    let mut bobs = site.sign_in(&client, &bob).await;
    let his = bobs.get(SECTION).await.expect(200);
    let asked = AuthorizationRequest(
        Url::parse(bobs.get(&his.link("identity-add-google")).await.expect(303).location()).unwrap(),
    );
    let done = bobs.get(&provider.vouch(&asked, &h, |_| ())).await.expect(303);
    assert!(done.location().starts_with("/account/identities?done=notice-identity-taken&told="), "{done:?}");

    let page = browser.get(SECTION).await.expect(200);
    let _ = browser.submit(&page, &[("action", "remove")]).await.expect(303);
    assert!(browser.get(SECTION).await.expect(200).body.contains("identities-none"));
    let mut other = site.browser();
    let asked = led(&mut other, &client, "google").await;
    assert!(!other.get(&provider.vouch(&asked, &h, named("x@acme.example", false))).await.is_signed_in());
}

#[tokio::test]
async fn a_question_whether_to_join_ends_with_the_account_elsewhere_that_led_to_it() {
    let (h, provider) = with_google(&[]).await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let (client, there) = (site.app("first").await, other.app("first").await);
    let mut browser = site.sign_in(&client, &site.user("ada").await).await;
    let page = browser.get(SECTION).await.expect(200);
    let asked = AuthorizationRequest(
        Url::parse(browser.get(&page.link("identity-add-google")).await.expect(303).location()).unwrap(),
    );
    let _ = browser.get(&provider.vouch(&asked, &h, |_| ())).await.expect(303);
    let mut joining = other.browser();
    let asked = led(&mut joining, &there, "google").await;
    let question = joining.get(&provider.vouch(&asked, &h, |_| ())).await.expect(200);
    assert!(question.body.contains("/auth/join"), "{question:?}");
    let page = browser.get(SECTION).await.expect(200);
    let _ = browser.submit(&page, &[("action", "remove")]).await.expect(303);
    let answer = joining.submit(&question, &[]).await.expect(200);
    assert!(answer.body.contains("id=\"login-submit\"") && !answer.begins_session(), "{answer:?}");
}

#[tokio::test]
async fn the_way_back_adds_an_account_on_a_node_that_has_just_started() {
    let (h, provider) = with_google(&[]).await;
    let site = h.tenant("main").await;
    let (client, ada) = (site.app("first").await, site.user("ada").await);
    let mut browser = site.sign_in(&client, &ada).await;
    let page = browser.get(SECTION).await.expect(200);
    let asked = AuthorizationRequest(
        Url::parse(browser.get(&page.link("identity-add-google")).await.expect(303).location()).unwrap(),
    );
    let restarted = h.restarted().await;
    browser.site = Site { harness: &restarted, ..site.clone() };
    let done = browser.get(&provider.vouch(&asked, &restarted, |_| ())).await.expect(303);
    assert!(done.location().starts_with("/account/identities?done=notice-identity-linked&told="), "{done:?}");
    assert!(restarted.mails().await.iter().any(|mail| mail.to == ada.email), "its owner is told");
}

#[tokio::test]
async fn the_way_back_adds_nothing_to_an_account_that_signed_out_meanwhile() {
    let (h, provider) = with_google(&[("SVC_SESSION_COOKIE__ACCOUNTS_PER_BROWSER", "1")]).await;
    let site = h.tenant("main").await;
    let (client, ada, bob) = (site.app("first").await, site.user("ada").await, site.user("bob").await);
    let mut browser = site.sign_in(&client, &ada).await;
    let page = browser.get(SECTION).await.expect(200);
    let asked = AuthorizationRequest(
        Url::parse(browser.get(&page.link("identity-add-google")).await.expect(303).location()).unwrap(),
    );
    // Another person signs in in the same browser.
    let form = browser.get(&client.authorize_path("v", &[("prompt", "login")])).await.expect(200);
    let typed = [("username", bob.username.as_str()), ("password", bob.password.as_str())];
    assert!(browser.submit(&form, &typed).await.is_signed_in());
    let _ = browser.get(&provider.vouch(&asked, &h, |_| ())).await.expect(403);
    let held = site.call(Method::GET, "/account/identities", None, None).await;
    assert!(!held.body.contains("identity-remove-0"));
}

#[tokio::test]
async fn a_link_of_the_account_centre_begins_no_session_after_the_person_has_signed_out() {
    let (h, _provider) = with_google(&[]).await;
    let site = h.tenant("main").await;
    let (client, ada) = (site.app("first").await, site.user("ada").await);
    let mut browser = site.sign_in(&client, &ada).await;
    let page = browser.get(SECTION).await.expect(200);
    let link = Url::parse(site.issuer()).unwrap().join(&page.link("identity-add-google")).unwrap();
    let flow = link.query_pairs().find(|(name, _)| name == "flow").unwrap().1.into_owned();
    let question = browser.get("/oauth/end-session").await.expect(200);
    let _ = browser.submit(&question, &[]).await;
    // The browser still has the addresses of its pages.
    for path in ["/auth/join", "/auth/sign-in", "/auth/forgot/password"] {
        let answer = browser.post(path, &[("flow", flow.as_str()), ("method", "password")]).await;
        assert!(!answer.begins_session(), "{path}: {answer:?}");
    }
    assert!(!browser.get(SECTION).await.body.contains("identity-add-google"));
}

#[tokio::test]
async fn the_way_back_adds_nothing_where_the_sign_in_is_long_ago_by_then() {
    let (h, provider) = with_google(&[]).await;
    let site = h.tenant("main").await;
    let (client, ada) = (site.app("first").await, site.user("ada").await);
    let mut browser = site.sign_in(&client, &ada).await;
    h.advance(10 * 60);
    let page = browser.get(SECTION).await.expect(200);
    let asked = AuthorizationRequest(
        Url::parse(browser.get(&page.link("identity-add-google")).await.expect(303).location()).unwrap(),
    );
    h.advance(6 * 60);
    let again = browser.get(&provider.vouch(&asked, &h, named("x@acme.example", false))).await.expect(200);
    assert!(again.body.contains("id=\"login-submit\""), "{again:?}");
    let typed = [("username", ada.username.as_str()), ("password", ada.password.as_str())];
    let _ = browser.submit(&again, &typed).await.expect(303);
    assert!(browser.get(SECTION).await.expect(200).body.contains("id=\"identities-none\""));
}

#[tokio::test]
async fn the_last_way_in_stays() {
    let (h, provider) = with_google(&[]).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let mut browser = site.browser();
    let asked = led(&mut browser, &client, "google").await;
    assert!(browser.get(&provider.vouch(&asked, &h, named("grace@acme.example", true))).await.is_signed_in());
    let page = browser.get(SECTION).await.expect(200);
    let refused = browser.submit(&page, &[("action", "remove")]).await;
    assert!(refused.body.contains("identity-remove-0") && refused.body.contains("last way"), "{refused:?}");
}

#[tokio::test]
async fn a_person_who_cannot_add_an_account_comes_back_to_their_own_and_reads_why() {
    let (h, provider) = with_google(&[]).await;
    let site = h.tenant("main").await;
    let (client, ada) = (site.app("first").await, site.user("ada").await);
    let mut browser = site.sign_in(&client, &ada).await;
    let page = browser.get(SECTION).await.expect(200);
    provider.statuses.lock().unwrap().insert("/.well-known/openid-configuration".to_owned(), 503);
    let led = browser.get(&page.link("identity-add-google")).await.expect(303);
    assert!(
        led.location().starts_with("/account/identities?done=error-provider-unavailable&told="),
        "{led:?}"
    );
    provider.statuses.lock().unwrap().clear();
    let asked = AuthorizationRequest(
        Url::parse(browser.get(&page.link("identity-add-google")).await.expect(303).location()).unwrap(),
    );
    let path = asked.back(String::new()).split('?').next().unwrap().to_owned();
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("error", "access_denied").append_pair("state", &asked.param("state"));
    let led = browser.get(&format!("{path}?{}", query.finish())).await.expect(303);
    assert!(led.location().starts_with("/account/identities?done=error-provider-declined&told="), "{led:?}");
    let page = browser.get(led.location()).await.expect(200);
    assert!(
        page.body.contains("The sign-in there was cancelled") && page.body.contains("identity-add-google"),
        "{page:?}"
    );
}
