//! What a sign-in by the word of an organization's provider alone does not open: how the person signs in at every tenant.

use serde_json::{Value, json};
use svc_db::{SystemSql, args};
use svc_http::Method;

use super::World;
use super::sso_sign_in::{LOOPBACK, connect, led, prove};
use crate::changes::left_by;
use crate::harness::client::claims;
use crate::harness::provider::Provider;
use crate::harness::{Answer, Browser, Harness};

/// Ada's own account, for whom Initech's provider vouches in a new browser.
pub async fn vouched<'h>(world: &World<'h>, provider: &Provider, page: &mut Option<Answer>) -> Browser<'h> {
    let mut browser = world.site.browser();
    let asked = led(&mut browser, world, &world.ada.email).await;
    let is_ada = |claims: &mut Value| claims["email"] = json!(world.ada.email);
    *page = Some(browser.get(&provider.vouch(&asked, world.site.harness, is_ada)).await);
    browser
}

pub async fn world_of<'h>(h: &'h Harness, provider: &Provider) -> World<'h> {
    let world = World::new(h).await;
    connect(&world.site, &world.initech, provider, json!({})).await;
    prove(&world.site, &world.initech, "main.example").await;
    world
}

#[tokio::test]
async fn the_word_of_a_provider_opens_no_page_that_changes_how_the_person_signs_in_elsewhere() {
    let h = Harness::with(&[LOOPBACK]).await;
    let provider = Provider::serve().await;
    let world = world_of(&h, &provider).await;
    let mut page = None;
    let mut browser = vouched(&world, &provider, &mut page).await;
    assert!(page.as_ref().unwrap().is_signed_in(), "{page:?}");
    let _ = browser.get("/account/profile").await.expect(200);
    for section in ["password", "email", "passkeys", "second-factors", "backup-codes", "data"] {
        let page = browser.get(&format!("/account/{section}")).await.expect(200);
        assert!(page.body.contains("id=\"login-submit\""), "{section}: {page:?}");
        assert!(
            page.body.contains("You have signed in through a provider that is trusted only here"),
            "{section}"
        );
    }
    // Another word of the provider opens no more; the person's own password does.
    let page = browser.get("/account/password").await.expect(200);
    let fields = [("username", world.ada.email.as_str()), ("password", &world.ada.password)];
    let _ = browser.submit(&page, &fields).await.expect(303);
    let page = browser.get("/account/password").await.expect(200);
    let done = browser.submit(&page, &[("password", "relay tangerine lighthouse")]).await;
    assert!(done.begins_session(), "{done:?}");
}

#[tokio::test]
async fn people_who_may_sign_in_at_the_provider_alone_read_whom_to_ask() {
    let h = Harness::with(&[LOOPBACK]).await;
    let provider = Provider::serve().await;
    let world = World::new(&h).await;
    connect(&world.site, &world.initech, &provider, json!({ "enforced": true })).await;
    prove(&world.site, &world.initech, "main.example").await;
    let mut page = None;
    let mut browser = vouched(&world, &provider, &mut page).await;
    assert!(page.as_ref().unwrap().is_signed_in(), "{page:?}");
    let page = browser.get("/account/password").await.expect(200);
    assert!(page.body.contains("Ask the administrator of your organization"), "{page:?}");
    assert!(!page.body.contains("Sign in with your password"), "{page:?}");
}

#[tokio::test]
async fn the_api_sends_no_one_to_sign_in_again_where_the_organization_accepts_its_provider_alone() {
    let h = Harness::with(&[LOOPBACK]).await;
    let provider = Provider::serve().await;
    let world = World::new(&h).await;
    connect(&world.site, &world.initech, &provider, json!({ "enforced": true })).await;
    prove(&world.site, &world.initech, "main.example").await;
    let now = h.operator().now.as_secs();
    for age in [0, 3600] {
        let token = world.site.mint(|claims| {
            claims["sub"] = json!(world.ada.subject);
            claims["subject_type"] = json!("human");
            claims["scope"] = json!("identity:read identity:write");
            (claims["auth_time"], claims["acr"]) = (json!(now - age), json!("urn:svc:aal1"));
            claims["amr"] = json!(["fed"]);
        });
        let call = world.site.call(Method::POST, "/api/v1/identity/totp", Some(&token), Some(json!({})));
        let refused = call.await.expect_problem(403, "forbidden");
        assert!(refused.body.contains("ask its administrator"), "{age}: {refused:?}");
    }
}

#[tokio::test]
async fn tokens_say_by_what_the_person_signed_in_and_the_api_asks_for_a_credential_of_the_account() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let tokens = world.web.tokens(&world.ada).await;
    assert_eq!(claims(tokens.access_token())["amr"], json!(["pwd"]));
    let call = async |amr: Value| {
        let now = h.operator().now.as_secs();
        let token = world.site.mint(|claims| {
            claims["sub"] = json!(world.ada.subject);
            claims["subject_type"] = json!("human");
            claims["scope"] = json!("identity:read identity:write");
            (claims["auth_time"], claims["acr"]) = (json!(now), json!("urn:svc:aal1"));
            claims["amr"] = amr;
        });
        world.site.call(Method::POST, "/api/v1/identity/totp", Some(&token), Some(json!({}))).await
    };
    for amr in [json!(["fed"]), json!(["fed", "mfa"])] {
        let refused = call(amr).await.expect_problem(401, "unauthorized");
        assert!(
            refused.header("www-authenticate").contains("insufficient_user_authentication"),
            "{refused:?}"
        );
    }
    assert_ne!(call(json!(["pwd"])).await.status, 401);
    // The tenant manages the account, and may give it credentials by itself.
    let mut tx = h.app().db.begin_system().await.unwrap();
    let manage = SystemSql::new("UPDATE accounts SET managed_by = $1 WHERE email = $2");
    tx.execute(manage, args![world.site.tenant.id, &world.ada.email]).await.unwrap();
    tx.commit().await.unwrap();
    assert_ne!(call(json!(["fed"])).await.status, 401);
}

#[tokio::test]
async fn a_second_factor_that_the_organization_demands_is_not_set_up_by_the_word_of_its_provider() {
    let h = Harness::with(&[LOOPBACK]).await;
    let provider = Provider::serve().await;
    let world = world_of(&h, &provider).await;
    let rules = Some(json!({ "sign_in": { "second_factor": "required" } }));
    let path = format!("/api/v1/organizations/{}", world.initech.id);
    let admin = world.site.mint(|_| ());
    let _ = world.site.call(Method::PATCH, &path, Some(&admin), rules).await.expect(200);
    let mut browser = world.site.browser();
    let wanted = world.web.authorize_path("v", &[("organization", "initech")]);
    let page = browser.get(&wanted).await.expect(200);
    let fields = [("username", world.ada.email.as_str()), ("password", "whatever"), ("method", "sso")];
    let page = browser.submit(&page, &fields).await.expect(200);
    let asked = super::sso_sign_in::follow(&mut browser, &page).await;
    let is_ada = |claims: &mut Value| claims["email"] = json!(world.ada.email);
    let page = browser.get(&provider.vouch(&asked, &h, is_ada)).await.expect(200);
    assert!(page.body.contains("id=\"login-submit\"") && !page.body.contains("set-up-totp"), "{}", page.body);
    assert!(
        page.body.contains("You have signed in through a provider that is trusted only here"),
        "{}",
        page.body
    );
    // After the person's own password it may be.
    let fields = [("username", world.ada.email.as_str()), ("password", &world.ada.password)];
    let page = browser.submit(&page, &fields).await.expect(200);
    assert!(page.body.contains("id=\"set-up-totp-begin\""), "{}", page.body);
}

#[tokio::test]
async fn a_session_for_which_a_provider_vouched_ends_with_the_membership_and_the_persons_own_goes_on() {
    let h = Harness::with(&[LOOPBACK]).await;
    let provider = Provider::serve().await;
    let world = world_of(&h, &provider).await;
    let mut page = None;
    let mut by_provider = vouched(&world, &provider, &mut page).await;
    let mut by_password = world.site.sign_in(&world.web, &world.ada).await;
    let silent = world.web.authorize_path("v", &[("prompt", "none")]);
    for browser in [&mut by_provider, &mut by_password] {
        assert!(browser.get(&silent).await.is_signed_in());
    }
    // What another organization's provider has said does not end with this one.
    super::join(&world.site, &world.hooli, &world.ada, &[]).await;
    world.remove(&world.hooli, &world.ada).await;
    assert!(by_provider.get(&silent).await.is_signed_in());
    let remove = world.remove(&world.initech, &world.ada);
    let [actions, events] = left_by(&h, remove).await;
    assert!(actions.iter().any(|action| action == "session.revoked"), "{actions:?}");
    assert!(events.iter().any(|event| event == "auth.logout"), "{events:?}");
    assert!(!by_provider.get(&silent).await.is_signed_in());
    assert!(by_password.get(&silent).await.is_signed_in());
}

#[tokio::test]
async fn the_provider_of_an_organization_does_not_speak_for_a_person_who_was_taken_out() {
    let h = Harness::with(&[LOOPBACK]).await;
    let provider = Provider::serve().await;
    let world = world_of(&h, &provider).await;
    let mut page = None;
    let _ = vouched(&world, &provider, &mut page).await;
    assert!(page.as_ref().unwrap().is_signed_in(), "{page:?}");
    let member = format!("/api/v1/organizations/{}/members/{}", world.initech.id, world.ada.id);
    let admin = world.site.mint(|_| ());
    let _ = world.site.call(Method::GET, &member, Some(&admin), None).await.expect(200);
    world.remove(&world.initech, &world.ada).await;
    // The same subject, with an address that is not of the organization.
    let mut browser = world.site.browser();
    let asked = led(&mut browser, &world, "someone@main.example").await;
    let is_elsewhere = |claims: &mut Value| claims["email"] = json!("someone@elsewhere.example");
    let _ = browser.get(&provider.vouch(&asked, &h, is_elsewhere)).await;
    let _ = world.site.call(Method::GET, &member, Some(&admin), None).await.expect_problem(404, "not_found");
}
