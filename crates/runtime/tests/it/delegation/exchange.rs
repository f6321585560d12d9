//! What an exchange gives (RFC 8693 §2.2, §4.1).

use serde_json::json;

use super::{ACCESS_TOKEN, ARCHIVE, JWT, NOTES, World, actors, exchange, exchanged, text};
use crate::harness::Harness;
use crate::harness::client::claims;

#[tokio::test]
async fn the_subject_stays_and_the_application_appears_as_actor() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let subject = world.usual().await;
    assert_eq!(claims(&subject).get("act"), None, "no application acts in a token of the person's own");
    let answer = exchange(&world.agent, &subject, &[("scope", "notes:read")]).await.expect(200);
    assert_eq!(answer.header("cache-control"), "no-store");
    let response = answer.json();
    assert_eq!(response["issued_token_type"], ACCESS_TOKEN);
    assert_eq!((&response["token_type"], &response["scope"]), (&json!("Bearer"), &json!("notes:read")));
    assert!(response.get("refresh_token").is_none() && response.get("id_token").is_none(), "{response}");
    let token = claims(&text(&response, "access_token"));
    let given = claims(&subject);
    assert_eq!(token["act"], json!({ "sub": world.agent.id }));
    assert_eq!(token["client_id"], world.agent.id.as_str());
    assert_eq!(token["aud"], NOTES);
    for same in ["sub", "tenant_id", "subject_type", "auth_time", "acr", "sid"] {
        assert_eq!(token[same], given[same], "{same}");
    }
    assert_ne!(token["jti"], given["jti"]);
}

#[tokio::test]
async fn without_a_scope_everything_passes_that_all_sides_allow() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let subject = world.token("openid profile offline_access notes:read notes:write").await;
    let response = exchange(&world.agent, &subject, &[]).await.expect(200).json();
    assert_eq!(response["scope"], "notes:read notes:write");
    let response = exchange(&world.agent, &subject, &[("audience", ARCHIVE)]).await.expect(200).json();
    assert_eq!(response["scope"], "notes:read", "what the subject token never permitted does not appear");
}

#[tokio::test]
async fn a_token_lives_no_longer_than_the_one_that_it_came_of() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let subject = world.usual().await;
    h.advance(600);
    let response = exchange(&world.agent, &subject, &[]).await.expect(200).json();
    assert_eq!(response["expires_in"], 300);
    assert_eq!(claims(&text(&response, "access_token"))["exp"], claims(&subject)["exp"]);
}

#[tokio::test]
async fn one_token_is_exchanged_by_several_applications_and_more_than_once() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let (subject, other) = (world.usual().await, world.site.app("other").await);
    let first = exchanged(&world.agent, &subject, &[]).await;
    let second = exchanged(&world.agent, &subject, &[]).await;
    let third = exchanged(&other, &subject, &[("audience", ARCHIVE)]).await;
    assert_ne!(claims(&first)["jti"], claims(&second)["jti"]);
    assert_eq!(actors(&third), [other.id.clone()]);
    assert!(world.is_active(&world.agent, &first).await && world.is_active(&world.agent, &second).await);
}

#[tokio::test]
async fn introspection_shows_who_acts() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let token = exchanged(&world.agent, &world.usual().await, &[]).await;
    let told = world.agent.post("/oauth/introspect", &[("token", &token)], &[]).await.expect(200).json();
    assert_eq!(told["act"], json!({ "sub": world.agent.id }));
    assert_eq!(told["sub"], world.ada.subject.as_str());
}

#[tokio::test]
async fn an_application_may_name_itself_with_a_token_of_its_own() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let subject = world.usual().await;
    let own = world.agent.own_token("notes:read", NOTES).await;
    let changes = [("actor_token", own.as_str()), ("actor_token_type", ACCESS_TOKEN)];
    assert_eq!(actors(&exchanged(&world.agent, &subject, &changes).await), [world.agent.id.clone()]);
}

#[tokio::test]
async fn an_access_token_of_ours_is_exchanged_also_by_the_name_of_its_format() {
    let h = Harness::new().await;
    let (world, acme) = (World::new(&h).await, World::at(h.tenant("acme").await).await);
    let (subject, as_jwt) = (world.usual().await, [("subject_token_type", JWT)]);
    assert_eq!(actors(&exchanged(&world.agent, &subject, &as_jwt).await), [world.agent.id.clone()]);
    let id_token = world.web.tokens(&world.ada).await.id_token().to_owned();
    let own = world.agent.own_token("notes:read", NOTES).await;
    for bad in [acme.usual().await, id_token, own, format!("{subject}x"), "x.y.z".to_owned()] {
        let _ = exchange(&world.agent, &bad, &as_jwt).await.expect_problem(400, "invalid_request");
    }
    let _ = world.web.post("/oauth/revoke", &[("token", &subject)], &[]).await.expect(200);
    let _ = exchange(&world.agent, &subject, &as_jwt).await.expect_problem(400, "invalid_request");
}
