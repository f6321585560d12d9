//! Whom a provider's word means: a new account, a known identity, or nothing before the person's own credential.

use serde_json::{Value, json};
use svc_http::Method;

use super::{at_google, led, named, told, with_google};
use crate::changes::left_by;
use crate::harness::Harness;
use crate::harness::provider::Provider;

#[tokio::test]
async fn a_person_whom_the_provider_has_proven_registers_and_is_known_the_next_time() {
    let (h, provider) = with_google(&[]).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let mut browser = site.browser();
    let asked = led(&mut browser, &client, "google").await;
    assert_eq!(asked.param("redirect_uri"), format!("{}/auth/return/google", site.issuer()));
    assert_eq!(
        (asked.param("code_challenge_method"), asked.param("scope")),
        ("S256".into(), "openid profile email".into())
    );
    let back = provider.vouch(&asked, &h, named("grace@acme.example", true));
    let mut answer = None;
    let [actions, events] = left_by(&h, async { answer = Some(browser.get(&back).await) }).await;
    assert!(answer.as_ref().unwrap().is_signed_in(), "{answer:?}");
    for action in ["tenant_user.created", "account.credential_added"] {
        assert!(actions.iter().any(|done| done == action), "{action} in {actions:?}");
    }
    assert!(events.iter().any(|told| told == "admin.user.created"), "{events:?}");
    let sent = provider.asked.lock().unwrap().pop().unwrap();
    assert!(sent.contains("client_secret=upstream-secret") && sent.contains("code_verifier="), "{sent}");
    let first = told(&client, answer.as_ref().unwrap()).await;

    let mut other = site.browser();
    let asked = led(&mut other, &client, "google").await;
    let back = provider.vouch(&asked, &h, named("another@acme.example", false));
    let [actions, _] = left_by(&h, async { answer = Some(other.get(&back).await) }).await;
    let answer = answer.unwrap();
    assert!(answer.is_signed_in(), "{answer:?}");
    assert!(!actions.iter().any(|done| done == "tenant_user.created"), "{actions:?}");
    let second = told(&client, &answer).await;
    assert_eq!(first["sub"], second["sub"]);
    assert_eq!(second["amr"], json!(["social"]));
}

#[tokio::test]
async fn an_address_links_to_no_account_before_its_owner_has_shown_their_own_credential() {
    let (h, provider) = with_google(&[]).await;
    let site = h.tenant("main").await;
    let (client, ada) = (site.app("first").await, site.user("ada").await);
    for is_proven in [true, false] {
        let mut browser = site.browser();
        let asked = led(&mut browser, &client, "google").await;
        let address = ada.email.as_str();
        let back = provider.vouch(&asked, &h, named(address, is_proven));
        let page = browser.get(&back).await;
        let notice = if is_proven { "There is an account" } else { "no confirmed address" };
        assert!(page.status == 200 && page.body.contains(notice), "{page:?}");
        assert!(!browser.get(&client.authorize_path("v", &[("prompt", "none")])).await.is_signed_in());
        // Without the person's own credential the identity opens nothing, now or later.
        let mut again = site.browser();
        let asked = led(&mut again, &client, "google").await;
        assert!(!again.get(&provider.vouch(&asked, &h, named(address, is_proven))).await.is_signed_in());
    }
    let mut browser = site.browser();
    let asked = led(&mut browser, &client, "google").await;
    let page = browser.get(&provider.vouch(&asked, &h, named(&ada.email, true))).await;
    let mut answer = None;
    let typed = [("username", ada.username.as_str()), ("password", ada.password.as_str())];
    let [actions, events] = left_by(&h, async { answer = Some(browser.submit(&page, &typed).await) }).await;
    assert!(answer.as_ref().unwrap().is_signed_in(), "{answer:?}");
    assert!(actions.iter().any(|done| done == "account.credential_added"), "{actions:?}");
    assert!(events.iter().any(|told| told == "account.credential_added"), "{events:?}");
    assert!(h.mails().await.iter().any(|mail| mail.to == ada.email), "its owner is told");
    let mut other = site.browser();
    let asked = led(&mut other, &client, "google").await;
    let answer = other.get(&provider.vouch(&asked, &h, named("x@acme.example", false))).await;
    assert!(answer.is_signed_in(), "{answer:?}");
    assert_eq!(told(&client, &answer).await["sub"], json!(ada.subject));
}

#[tokio::test]
async fn another_persons_credential_does_not_take_an_identity_with_a_proven_address() {
    let (h, provider) = with_google(&[]).await;
    let site = h.tenant("main").await;
    let (client, ada, bob) = (site.app("first").await, site.user("ada").await, site.user("bob").await);
    let mut browser = site.browser();
    let asked = led(&mut browser, &client, "google").await;
    let page = browser.get(&provider.vouch(&asked, &h, named(&ada.email, true))).await;
    let typed = [("username", bob.username.as_str()), ("password", bob.password.as_str())];
    assert!(browser.submit(&page, &typed).await.is_signed_in());
    let mut other = site.browser();
    let asked = led(&mut other, &client, "google").await;
    assert!(!other.get(&provider.vouch(&asked, &h, named(&ada.email, true))).await.is_signed_in());
}

#[tokio::test]
async fn a_sign_in_that_is_half_done_links_nothing() {
    let (h, provider) = with_google(&[]).await;
    let site = h.tenant("main").await;
    let (client, ada) = (site.app("first").await, site.user("ada").await);
    site.second_factor(ada.id).await;
    let mut browser = site.browser();
    let asked = led(&mut browser, &client, "google").await;
    let page = browser.get(&provider.vouch(&asked, &h, named(&ada.email, true))).await;
    let typed = [("username", ada.username.as_str()), ("password", ada.password.as_str())];
    let half = browser.submit(&page, &typed).await;
    assert!(half.status == 200 && half.body.contains("name=\"code\""), "{half:?}");
    let mut other = site.browser();
    let asked = led(&mut other, &client, "google").await;
    assert!(!other.get(&provider.vouch(&asked, &h, named(&ada.email, true))).await.is_signed_in());
}

#[tokio::test]
async fn an_identity_that_waits_for_one_person_is_not_bound_to_the_next_one() {
    let (h, provider) = with_google(&[]).await;
    let site = h.tenant("main").await;
    let (client, ada, bob) = (site.app("first").await, site.user("ada").await, site.user("bob").await);
    site.second_factor(ada.id).await;
    let mut browser = site.browser();
    let asked = led(&mut browser, &client, "google").await;
    let page = browser.get(&provider.vouch(&asked, &h, named("x@acme.example", false))).await;
    let typed = [("username", ada.username.as_str()), ("password", ada.password.as_str())];
    let half = browser.submit(&page, &typed).await;
    let page = browser.follow(&half.link("switch-link")).await;
    let typed = [("username", bob.username.as_str()), ("password", bob.password.as_str())];
    assert!(browser.submit(&page, &typed).await.is_signed_in());
    let mut other = site.browser();
    let asked = led(&mut other, &client, "google").await;
    assert!(!other.get(&provider.vouch(&asked, &h, named("x@acme.example", false))).await.is_signed_in());
}

#[tokio::test]
async fn where_people_cannot_register_a_stranger_gets_no_account() {
    let (h, provider) = with_google(&[("SVC_USER_SELF_SERVICE__REGISTRATION_ENABLED", "false")]).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let mut browser = site.browser();
    let asked = led(&mut browser, &client, "google").await;
    let back = provider.vouch(&asked, &h, named("grace@acme.example", true));
    let mut page = None;
    let [actions, _] = left_by(&h, async { page = Some(browser.get(&back).await) }).await;
    let page = page.unwrap();
    assert!(page.status == 200 && page.body.contains("no account with your address"), "{page:?}");
    assert!(actions.is_empty(), "{actions:?}");
}

#[tokio::test]
async fn an_answer_that_is_not_the_providers_word_for_this_sign_in_opens_nothing() {
    let (h, provider) = with_google(&[]).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    type Change = Box<dyn Fn(&mut Value)>;
    let wrongs: Vec<(&str, Change)> = vec![
        ("iss", Box::new(|claims| claims["iss"] = json!("https://other.example"))),
        ("aud", Box::new(|claims| claims["aud"] = json!("another"))),
        ("exp", Box::new(|claims| claims["exp"] = json!(claims["iat"].as_i64().unwrap() - 61))),
        ("nonce", Box::new(|claims| claims["nonce"] = json!("another"))),
        ("sub", Box::new(|claims| claims["sub"] = json!(""))),
        ("sub of two lines", Box::new(|claims| claims["sub"] = json!("a\nb"))),
    ];
    for (name, wrong) in wrongs {
        let mut browser = site.browser();
        let asked = led(&mut browser, &client, "google").await;
        let (back, mut page) = (provider.vouch(&asked, &h, wrong), None);
        let recorded = left_by(&h, async { page = Some(browser.get(&back).await) }).await;
        let page = page.unwrap();
        assert!(page.status == 200 && page.body.contains("id=\"login-submit\""), "{name}: {page:?}");
        assert_eq!(recorded, [vec!["session.created"], vec!["auth.login.failure"]], "{name}");
    }
    let mut browser = site.browser();
    let asked = led(&mut browser, &client, "google").await;
    let back = provider.vouch(&asked, &h, named("grace@acme.example", true));
    let _ = browser.get(&back.replace("/return/google", "/return/github")).await.expect(403);
    let _ = site.browser().get(&back).await.expect(403);
    let refused = format!(
        "{}&error=access_denied",
        back.split("code=").next().unwrap().to_owned() + "state=" + &asked.param("state")
    );
    let page = browser.get(&refused).await;
    assert!(page.status == 200 && page.body.contains("id=\"login-submit\""), "{page:?}");
    assert!(page.body.contains("The sign-in there was cancelled"), "{page:?}");
    assert!(browser.get(&back).await.is_signed_in());
    assert!(!browser.get(&back).await.is_signed_in(), "each answer counts once");
}

#[tokio::test]
async fn a_sign_in_that_fails_at_a_provider_has_one_name_in_metrics_and_events() {
    let provider = Provider::serve().await;
    let h = Harness::in_one_process(&at_google(&provider.issuer)).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let mut browser = site.browser();
    let asked = led(&mut browser, &client, "google").await;
    let back = provider.vouch(&asked, &h, |claims| claims["nonce"] = json!("another"));
    let _ = browser.get(&back).await.expect(200);
    let counted = h.app().metrics.render();
    let line = "sign_ins_total{factor=\"federated\",outcome=\"provider\"} 1";
    assert!(counted.lines().any(|shown| shown == line), "{counted}");
}

#[tokio::test]
async fn what_is_switched_off_for_a_tenant_is_not_there() {
    let (h, _) = with_google(&[("SVC_OIDC__DISABLED_CAPABILITIES", "[\"social\"]")]).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let mut browser = site.browser();
    let page = browser.get(&client.authorize_path("v", &[])).await.expect(200);
    assert!(!page.body.contains("social-google"), "{page:?}");
    let _ = site.call(Method::GET, "/account/identities", None, None).await.expect(404);
}

#[tokio::test]
async fn providers_are_set_apart_from_the_password_with_and_without_passkeys() {
    let apart = "<p class=\"or\">or</p>";
    for (passkeys, before) in [("true", format!("<noscript>{apart}</noscript>")), ("false", apart.to_owned())]
    {
        let (h, _) = with_google(&[("SVC_PASSKEY__ENABLED", passkeys)]).await;
        let site = h.tenant("main").await;
        let client = site.app("first").await;
        let page = site.browser().get(&client.authorize_path("v", &[])).await.expect(200);
        let place = |part: &str| page.body.find(part).unwrap_or_else(|| panic!("no {part}: {page:?}"));
        let order = ["id=\"login-submit\"", before.as_str(), "id=\"social-google\""].map(place);
        assert!(order.is_sorted(), "{passkeys}: {order:?}");
    }
}

#[tokio::test]
async fn a_provider_that_is_not_there_is_said_not_to_be_available() {
    let h = Harness::with(&at_google("http://127.0.0.1:1")).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let mut browser = site.browser();
    let page = browser.get(&client.authorize_path("v", &[])).await.expect(200);
    let page = browser.get(&page.link("social-google")).await.expect(200);
    assert!(page.body.contains("The sign-in there is not available"), "{page:?}");
}
