//! Chains of actors: nested, bounded, without loops, and narrower at every hop (N38).

use serde_json::json;
use svc_http::Method;

use super::{ACCESS_TOKEN, NOTES, World, actors, exchange, exchanged};
use crate::harness::Harness;
use crate::harness::client::claims;

#[tokio::test]
async fn each_actor_stands_before_those_who_acted_already() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let tool = world.site.app("tool").await;
    let first = exchanged(&world.agent, &world.usual().await, &[]).await;
    let second = exchanged(&tool, &first, &[]).await;
    let act = json!({ "sub": tool.id, "act": { "sub": world.agent.id } });
    assert_eq!(claims(&second)["act"], act);
    assert_eq!(claims(&second)["sub"], world.ada.subject.as_str());
}

#[tokio::test]
async fn a_chain_of_four_actors_grows_no_further() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let mut token = world.usual().await;
    for number in 0..4 {
        let next = world.site.app(&format!("hop{number}")).await;
        token = exchanged(&next, &token, &[]).await;
    }
    assert_eq!(actors(&token).len(), 4);
    let _ = exchange(&world.agent, &token, &[]).await.expect_problem(400, "invalid_request");
}

#[tokio::test]
async fn no_actor_appears_twice_in_a_chain() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let tool = world.site.app("tool").await;
    let first = exchanged(&world.agent, &world.usual().await, &[]).await;
    let _ = exchange(&world.agent, &first, &[]).await.expect_problem(400, "invalid_request");
    let second = exchanged(&tool, &first, &[]).await;
    let _ = exchange(&world.agent, &second, &[]).await.expect_problem(400, "invalid_request");
}

#[tokio::test]
async fn what_one_hop_gave_up_no_later_hop_gets_back() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let tool = world.site.app("tool").await;
    let narrow = exchanged(&world.agent, &world.usual().await, &[("scope", "notes:read")]).await;
    let wider = exchange(&tool, &narrow, &[("scope", "notes:read notes:write")]).await;
    let _ = wider.expect_problem(400, "invalid_scope");
    assert_eq!(claims(&exchanged(&tool, &narrow, &[]).await)["scope"], "notes:read");
}

#[tokio::test]
async fn an_actor_cannot_be_claimed() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let (subject, tool) = (world.usual().await, world.site.app("tool").await);
    let theirs = tool.own_token("notes:read", NOTES).await;
    let persons = world.usual().await;
    let access_token = "urn:ietf:params:oauth:token-type:access_token";
    for (actor_token, kind) in [
        (theirs.as_str(), access_token),
        (&persons, access_token),
        ("x.y.z", access_token),
        (&theirs, "urn:ietf:params:oauth:token-type:jwt"),
        (&theirs, ""),
        ("", access_token),
    ] {
        let changes = [("actor_token", actor_token), ("actor_token_type", kind)];
        let _ = exchange(&world.agent, &subject, &changes).await.expect_problem(400, "invalid_request");
    }
    let forged = [("act", r#"{"sub":"app_somebody"}"#)];
    assert_eq!(actors(&exchanged(&world.agent, &subject, &forged).await), [world.agent.id.clone()]);
}

#[tokio::test]
async fn an_application_names_itself_by_a_token_of_either_type_that_an_api_may_want() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let support = world.site.app_with("support", |app| app.may_impersonate = true).await;
    let plain = "https://plain.example";
    let scopes = json!([{ "name": "notes:read" }]);
    let api = json!({ "identifier": plain, "name": "Plain", "scopes": scopes, "access_token_typ": "JWT" });
    let _ = world.manage(Method::POST, "/api/v1/apis", Some(api)).await.expect(201);
    let subject = world.usual().await;
    for audience in [NOTES, plain] {
        let own = support.own_token("notes:read", audience).await;
        let named = [("actor_token", own.as_str()), ("actor_token_type", ACCESS_TOKEN)];
        assert_eq!(actors(&exchanged(&support, &subject, &named).await), [support.id.clone()], "{audience}");
    }
    let persons = support.tokens(&world.ada).await;
    let id_token = [("actor_token", persons.id_token()), ("actor_token_type", ACCESS_TOKEN)];
    let _ = exchange(&support, &subject, &id_token).await.expect_problem(400, "invalid_request");
}
