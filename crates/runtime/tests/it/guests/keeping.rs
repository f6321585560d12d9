//! A guest keeps the account: the same subject, by password, passkey or another provider's account; and everything that was under way
//! before ends.

use serde_json::{Value, json};
use svc_domain::people::credentials::{self, Kind};
use svc_domain::people::tenant_users::{self, Person};
use svc_testkit::Authenticator;
use url::Url;

use super::{
    BUTTON, ON, PASSWORD, access, asked, bought, choose, enter, harness, keep, link, press, silent, world,
};
use crate::changes::left_by;
use crate::harness::browser::Form;
use crate::harness::client::claims;
use crate::harness::provider::{AuthorizationRequest, Provider};
use crate::harness::{Answer, Browser, Client, Harness};

const ADDRESS: &str = "grace@new.example";

/// The silent tokens of a browser whose guest has kept the account.
async fn is_human<'h>(browser: &mut Browser<'h>, client: &Client<'h>, before: &Value, email: &str) {
    // Tokens of the second in which everything ended are dead too.
    browser.site.harness.advance(1);
    let tokens = silent(browser, client).await.unwrap();
    let (access, id) = (access(&tokens), claims(tokens["id_token"].as_str().unwrap()));
    assert_eq!((&access["sub"], &access["subject_type"]), (&super::access(before)["sub"], &json!("human")));
    assert!(id["acr"].is_string() && id["amr"].is_array(), "{id}");
    let token = tokens["access_token"].as_str().unwrap();
    let known =
        browser.site.call(svc_http::Method::GET, "/userinfo", Some(token), None).await.expect(200).json();
    assert_eq!((&known["email"], &known["email_verified"]), (&json!(email), &json!(true)), "{known}");
}

#[tokio::test]
async fn a_guest_who_proves_an_address_and_chooses_a_password_keeps_the_subject() {
    let h = harness().await;
    let (site, client) = world(&h).await;
    let mut browser = site.browser();
    let before = enter(&mut browser, &client).await;
    h.advance(60);
    let mut done = None;
    let [actions, events] = left_by(&h, async { done = Some(keep(&mut browser, ADDRESS).await) }).await;
    let done = done.unwrap();
    assert!(done.begins_session(), "{done:?}");
    assert_eq!(done.location(), "/account");
    assert!(actions.iter().any(|action| action == "account.guest_kept"), "{actions:?}");
    assert!(events.iter().any(|event| event == "account.guest_kept"), "{events:?}");
    is_human(&mut browser, &client, &before, ADDRESS).await;
    let page = browser.get("/account").await.expect(200);
    assert!(page.body.contains("Grace Hopper"), "{page:?}");
    // The password signs in anywhere.
    let verifier = client.verifier();
    let mut other = site.browser();
    let page = other.get(&client.authorize_path(&verifier, &[])).await.expect(200);
    let entered = other.submit(&page, &[("username", ADDRESS), ("password", PASSWORD)]).await;
    assert_eq!(access(&bought(&client, &entered, verifier).await)["sub"], access(&before)["sub"]);
}

#[tokio::test]
async fn an_attacker_with_the_session_or_a_token_of_the_guest_has_nothing_of_the_kept_account() {
    let h = harness().await;
    let (site, client) = world(&h).await;
    let mut attacker = site.browser();
    let before = enter(&mut attacker, &client).await;
    // The attacker hands the guest to a victim, and keeps a copy, a refresh token and a mail of their own.
    let mut victim = attacker.clone();
    let _ = asked(&mut attacker, "attacker@evil.example").await;
    let own = link(&site, "attacker@evil.example").await;
    h.advance(60);
    let done = keep(&mut victim, ADDRESS).await;
    assert!(done.begins_session(), "{done:?}");
    assert_ne!(victim.cookies, attacker.cookies, "the session is another one");
    assert_eq!(silent(&mut attacker, &client).await.unwrap_err(), "login_required");
    let refresh = before["refresh_token"].as_str().unwrap();
    let _ = client.refresh(refresh).await.expect_problem(400, "invalid_grant");
    let token = before["access_token"].as_str().unwrap();
    let _ = h.informed_app().await;
    let _ = site.call(svc_http::Method::GET, "/userinfo", Some(token), None).await.expect(401);
    let dead = attacker.get(&own).await.expect(400);
    assert!(!dead.body.contains("verify-submit"), "{dead:?}");
    let dead = victim.get(&own).await.expect(400);
    assert!(!dead.body.contains("verify-submit"), "{dead:?}");
    is_human(&mut victim, &client, &before, ADDRESS).await;
}

#[tokio::test]
async fn an_application_that_asks_to_create_an_account_gets_the_kept_one() {
    let h = harness().await;
    let (site, client) = world(&h).await;
    let mut browser = site.browser();
    let before = enter(&mut browser, &client).await;
    h.advance(60);
    let verifier = client.verifier();
    let page = browser.get(&client.authorize_path(&verifier, &[("prompt", "create")])).await.expect(200);
    assert!(
        page.body.contains("You are here as a guest") && page.body.contains("register-submit"),
        "{page:?}"
    );
    let _ = browser.submit(&page, &[("email", ADDRESS)]).await.expect(200);
    let answer = choose(&mut browser, &link(&site, ADDRESS).await).await;
    let tokens = bought(&client, &answer, verifier).await;
    assert_eq!(access(&tokens)["sub"], access(&before)["sub"]);
    assert_eq!(access(&tokens)["subject_type"], "human");
}

#[tokio::test]
async fn a_passkey_keeps_the_account_without_any_password() {
    let h = harness().await;
    let (site, client) = world(&h).await;
    let mut browser = site.browser();
    let before = enter(&mut browser, &client).await;
    h.advance(60);
    let _ = asked(&mut browser, ADDRESS).await;
    let page = browser.get(&link(&site, ADDRESS).await).await.expect(200);
    let flow = Form::of(&page).hidden.into_iter().find(|(name, _)| name == "flow").unwrap().1;
    let fields = [("flow", flow.as_str()), ("name", "Grace Hopper")];
    let challenge = browser.post("/auth/verify/passkey", &fields).await.expect(200).json();
    let made = Authenticator::new(1).create(&challenge["shown"], site.issuer()).unwrap().to_string();
    let flow = challenge["flow"].as_str().unwrap();
    let fields = [("flow", flow), ("name", "Grace Hopper"), ("answer", made.as_str())];
    let done = browser.post("/auth/verify", &fields).await;
    assert!(done.begins_session(), "{done:?}");
    is_human(&mut browser, &client, &before, ADDRESS).await;
}

async fn with_google() -> (Harness, Provider) {
    let provider = Provider::serve().await;
    let settings = [
        ON,
        ("SVC_SECURITY__OUTBOUND_ALLOW_LOOPBACK", "true"),
        ("SVC_SOCIAL__ENABLED", "true"),
        ("SVC_SOCIAL__GOOGLE__CLIENT_ID", "svc"),
        ("SVC_SOCIAL__GOOGLE__CLIENT_SECRET", "upstream-secret"),
        ("SVC_SOCIAL__GOOGLE__BASE_URL", &provider.issuer),
    ];
    (Harness::with(&settings).await, provider)
}

/// Goes to the provider by a link of a page, and comes back as a person with this address.
async fn vouched<'h>(
    (h, provider): (&Harness, &Provider),
    browser: &mut Browser<'h>,
    (page, id): (&Answer, &str),
    email: &str,
) -> Answer {
    let away = browser.get(&page.link(id)).await.expect(303);
    let asked = AuthorizationRequest(Url::parse(away.location()).unwrap());
    let back = provider.vouch(&asked, h, |claims| {
        claims["email"] = json!(email);
        claims["email_verified"] = json!(true);
    });
    browser.get(&back).await
}

#[tokio::test]
async fn an_account_at_another_provider_keeps_the_guest_in_a_flow_and_from_the_account_centre() {
    let (h, provider) = with_google().await;
    let (site, client) = world(&h).await;
    let mut browser = site.browser();
    let before = enter(&mut browser, &client).await;
    h.advance(60);
    let page = browser.get("/account/keep").await.expect(200);
    let done = vouched((&h, &provider), &mut browser, (&page, "keep-with-google"), ADDRESS).await;
    assert!(done.begins_session(), "{done:?}");
    is_human(&mut browser, &client, &before, ADDRESS).await;

    // From then on the identity is that person, also in a browser with another guest; nothing is merged.
    let mut second = site.browser();
    let guest = enter(&mut second, &client).await;
    h.advance(60);
    let verifier = client.verifier();
    let page = second.get(&client.authorize_path(&verifier, &[("prompt", "login")])).await.expect(200);
    let done = vouched((&h, &provider), &mut second, (&page, "social-google"), ADDRESS).await;
    let tokens = bought(&client, &done, verifier).await;
    assert_eq!(access(&tokens)["sub"], access(&before)["sub"]);
    assert_ne!(access(&tokens)["sub"], access(&guest)["sub"]);
}

#[tokio::test]
async fn in_a_flow_a_new_identity_keeps_the_guest() {
    let (h, provider) = with_google().await;
    let (site, client) = world(&h).await;
    let mut browser = site.browser();
    let before = enter(&mut browser, &client).await;
    h.advance(60);
    let verifier = client.verifier();
    let page = browser.get(&client.authorize_path(&verifier, &[("prompt", "login")])).await.expect(200);
    let done = vouched((&h, &provider), &mut browser, (&page, "social-google"), ADDRESS).await;
    let tokens = bought(&client, &done, verifier).await;
    assert_eq!(access(&tokens)["sub"], access(&before)["sub"]);
    assert_eq!(access(&tokens)["subject_type"], "human");
}

/// The kinds of the credentials of a person.
async fn kinds_of(h: &Harness, guest: &Person) -> Vec<Kind> {
    let mut tx = h.app().db.read_system().await.unwrap();
    let all = credentials::of_account(&mut tx, guest.account_id).await.unwrap();
    all.into_iter().filter_map(|one| one.kind).collect()
}

#[tokio::test]
async fn an_identity_that_waits_for_its_account_is_no_guests_and_a_kept_account_has_none_of_before() {
    let (h, provider) = with_google().await;
    let (site, client) = world(&h).await;
    let mut browser = site.browser();
    let verifier = client.verifier();
    let page = browser.get(&client.authorize_path(&verifier, &[])).await.expect(200);
    let away = browser.get(&page.link("social-google")).await.expect(303);
    let asked = AuthorizationRequest(Url::parse(away.location()).unwrap());
    let back = provider.vouch(&asked, &h, |claims| {
        claims.as_object_mut().unwrap().remove("email");
    });
    let page = browser.get(&back).await.expect(200);
    assert!(page.body.contains(BUTTON), "the identity waits for its account: {page:?}");
    let tokens = bought(&client, &press(&mut browser, &page).await, verifier).await;
    let subject = access(&tokens)["sub"].as_str().unwrap().to_owned();
    let mut tx = h.app().db.read(site.tenant.id).await.unwrap();
    let guest = tenant_users::find_by_subject(&mut tx, &subject).await.unwrap().unwrap();
    drop(tx);
    assert!(guest.is_guest() && kinds_of(&h, &guest).await.is_empty());
    // One that got there in another way goes when the account is kept.
    site.identity(guest.id).await;
    assert_eq!(kinds_of(&h, &guest).await, [Kind::Identity]);
    h.advance(60);
    assert!(keep(&mut browser, ADDRESS).await.begins_session());
    assert!(kinds_of(&h, &guest).await.is_empty());
    is_human(&mut browser, &client, &tokens, ADDRESS).await;
}
