//! Sessions for which the provider of an organization vouched end with what made its word count.

use serde_json::{Value, json};
use svc_http::Method;

use super::World;
use super::sso_alone::{vouched, world_of};
use super::sso_sign_in::LOOPBACK;
use crate::changes::left_by;
use crate::harness::client::claims;
use crate::harness::provider::Provider;
use crate::harness::publisher::Publisher;
use crate::harness::{Browser, Harness};

/// The addresses of Initech, and of its only connection.
async fn addresses(world: &World<'_>) -> [String; 2] {
    let organization = format!("/api/v1/organizations/{}", world.initech.id);
    let connections = format!("{organization}/sso-connections");
    let admin = world.site.mint(|_| ());
    let listed = world.site.call(Method::GET, &connections, Some(&admin), None).await.expect(200).json();
    let connection = format!("{connections}/{}", listed["data"][0]["id"].as_str().unwrap());
    [organization, connection]
}

async fn call(world: &World<'_>, method: Method, path: &str, body: Option<Value>) {
    let answer = world.site.call(method, path, Some(&world.site.mint(|_| ())), body).await;
    assert!((200..300).contains(&answer.status), "{path}: {answer:?}");
}

async fn is_signed_in(world: &World<'_>, browser: &mut Browser<'_>) -> bool {
    browser.get(&world.web.authorize_path("v", &[("prompt", "none")])).await.is_signed_in()
}

/// Stops the word of Initech's provider from counting by this request, and lets it count again by that one.
async fn ends(which: usize, stop: (Method, Option<Value>), again: Option<Value>) {
    let h = Harness::with(&[LOOPBACK]).await;
    let provider = Provider::serve().await;
    let world = world_of(&h, &provider).await;
    let path = &addresses(&world).await[which];
    let mut by_provider = vouched(&world, &provider, &mut None).await;
    let mut by_password = world.site.sign_in(&world.web, &world.ada).await;
    let tokens = world.tokens(&mut by_provider, &world.ada, &[]).await;
    let own = world.tokens(&mut by_password, &world.ada, &[]).await;
    let code = world.web.code_with(&mut by_provider, &world.ada, &[]).await;
    assert_eq!(claims(tokens["access_token"].as_str().unwrap())["amr"], json!(["fed"]));
    call(&world, stop.0, path, stop.1).await;
    assert!(!is_signed_in(&world, &mut by_provider).await, "{path}");
    let _ = world.web.exchange(&code).await.expect_problem(400, "invalid_grant");
    let [actions, events] = left_by(&h, h.run_jobs()).await;
    assert_eq!(actions.iter().filter(|action| *action == "session.revoked").count(), 1, "{actions:?}");
    assert_eq!(events.iter().filter(|event| *event == "auth.logout").count(), 1, "{events:?}");
    let over = async || {
        assert!(!world.is_active(&tokens["access_token"]).await, "{path}");
        let _ = world.refresh(&tokens, &[]).await.expect_problem(400, "invalid_grant");
    };
    over().await;
    if again.is_some() {
        call(&world, Method::PATCH, path, again).await;
        assert!(!is_signed_in(&world, &mut by_provider).await, "{path}");
        over().await;
    }
    assert!(is_signed_in(&world, &mut by_password).await, "{path}");
    assert!(world.is_active(&own["access_token"]).await, "{path}");
    let _ = world.refresh(&own, &[]).await.expect(200);
    let left = left_by(&h, h.run_jobs()).await;
    assert!(!left[0].iter().any(|action| action == "session.revoked"), "{left:?}");
}

#[tokio::test]
async fn sessions_end_when_their_connection_is_disabled_and_enabling_it_again_revives_none() {
    let stop = (Method::PATCH, Some(json!({ "enabled": false })));
    Box::pin(ends(1, stop, Some(json!({ "enabled": true })))).await;
}

#[tokio::test]
async fn sessions_end_when_their_connection_is_deleted() {
    Box::pin(ends(1, (Method::DELETE, None), None)).await;
}

#[tokio::test]
async fn sessions_by_its_provider_end_when_an_organization_is_suspended_and_being_active_again_revives_none()
{
    let stop = (Method::PATCH, Some(json!({ "status": "suspended" })));
    Box::pin(ends(0, stop, Some(json!({ "status": "active" })))).await;
}

#[tokio::test]
async fn sessions_by_its_provider_end_when_an_organization_is_deleted() {
    Box::pin(ends(0, (Method::DELETE, None), None)).await;
}

#[tokio::test]
async fn applications_are_notified_when_a_session_ends_with_its_connection() {
    let h = Harness::with(&[LOOPBACK]).await;
    let provider = Provider::serve().await;
    let world = world_of(&h, &provider).await;
    let server = Publisher::start().await;
    server.answer_with("/logout", "200 OK", "");
    let party = world.site.app_with("party", |configuration| {
        configuration.backchannel_logout_uri = Some(server.url("/logout"));
    });
    let party = party.await;
    let mut browser = vouched(&world, &provider, &mut None).await;
    let code = party.code_in(&mut browser, &world.ada).await;
    let _ = party.exchange(&code).await.expect(200);
    let [_, connection] = addresses(&world).await;
    call(&world, Method::DELETE, &connection, None).await;
    // The first run ends what the session has allowed, the second one sends what that has queued.
    h.run_jobs().await;
    h.run_jobs().await;
    assert_eq!(server.posted("/logout").len(), 1);
}
