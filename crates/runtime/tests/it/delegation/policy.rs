//! Who may exchange whose tokens, impersonate, and keep acting with a refresh token.

use serde_json::json;
use svc_http::Method;

use super::{EXCHANGE, NOTES, World, actors, exchange, exchanged, text};
use crate::harness::Harness;
use crate::harness::client::claims;

#[tokio::test]
async fn the_grant_is_for_applications_that_were_given_it_and_keep_a_secret() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let token = world.usual().await;
    let without =
        world.site.app_with("without", |app| app.grant_types.retain(|grant| grant != EXCHANGE)).await;
    let _ = exchange(&without, &token, &[]).await.expect_problem(400, "unauthorized_client");
    let spa = world.site.public_app("spa").await;
    let _ = exchange(&spa, &token, &[]).await.expect_problem(400, "unauthorized_client");
    let public = json!({ "name": "Spa", "type": "spa", "token_endpoint_auth_method": "none", "grant_types": [EXCHANGE] });
    let refused = world.manage(Method::POST, "/api/v1/applications", Some(public)).await;
    let _ = refused.expect_problem(400, "invalid_client_metadata");
}

#[tokio::test]
async fn a_third_party_exchanges_only_what_was_issued_or_sent_to_it() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let third = world.site.app_with("third", |app| app.first_party = false).await;
    let token = world.usual().await;
    let _ = exchange(&third, &token, &[]).await.expect_problem(400, "invalid_request");
    let changes = [("scope", "notes:read"), ("resource", NOTES)];
    let code = third.code_with(&mut world.site.browser(), &world.ada, &changes).await;
    let own = text(&third.exchange(&code).await.expect(200).json(), "access_token");
    assert_eq!(actors(&exchanged(&third, &own, &[]).await), [third.id.clone()]);
    // Once it answers for the API, tokens for that are sent to it.
    let apis = world.manage(Method::GET, "/api/v1/apis", None).await.expect(200).json();
    let api = apis["data"].as_array().unwrap().iter().find(|api| api["identifier"] == NOTES).unwrap();
    let path = format!("/api/v1/apis/{}", api["id"].as_str().unwrap());
    let change = json!({ "name": "Notes", "scopes": api["scopes"], "resource_servers": [third.id] });
    let _ = world.manage(Method::PUT, &path, Some(change)).await.expect(200);
    let _ = exchange(&third, &token, &[]).await.expect(200);
}

#[tokio::test]
async fn impersonation_needs_an_explicit_permission_and_hides_no_earlier_actor() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let support = world.site.app_with("support", |app| app.may_impersonate = true).await;
    let subject = world.usual().await;
    let token = exchanged(&support, &subject, &[]).await;
    assert_eq!(claims(&token).get("act"), None);
    assert_eq!(claims(&token)["client_id"], support.id.as_str());
    let own = support.own_token("notes:read", NOTES).await;
    let kind = "urn:ietf:params:oauth:token-type:access_token";
    let visible = [("actor_token", own.as_str()), ("actor_token_type", kind)];
    assert_eq!(actors(&exchanged(&support, &subject, &visible).await), [support.id.clone()]);
    let delegated = exchanged(&world.agent, &subject, &[]).await;
    assert_eq!(actors(&exchanged(&support, &delegated, &[]).await), [world.agent.id.clone()]);
    let record = &world.manage(Method::GET, "/api/v1/delegations", None).await.expect(200).json()["data"];
    assert_eq!(
        record.as_array().unwrap().len(),
        4,
        "impersonation is recorded like any delegation: {record}"
    );
}

#[tokio::test]
async fn an_actor_gets_a_refresh_token_of_its_own_where_offline_access_was_granted() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let online = world.usual().await;
    let scope = [("scope", "notes:read offline_access")];
    let _ = exchange(&world.agent, &online, &scope).await.expect_problem(400, "invalid_scope");
    let offline = world.token("notes:read offline_access").await;
    let unasked = exchange(&world.agent, &offline, &[]).await.expect(200).json();
    assert_eq!(unasked.get("refresh_token"), None, "{unasked}");
    let first = exchange(&world.agent, &offline, &scope).await.expect(200).json();
    h.advance(3_600);
    let second = world.agent.refresh(&text(&first, "refresh_token")).await.expect(200).json();
    let token = text(&second, "access_token");
    assert_eq!(actors(&token), [world.agent.id.clone()]);
    assert_eq!(claims(&token)["sub"], world.ada.subject.as_str());
    let refresh_token = text(&second, "refresh_token");
    let told =
        world.agent.post("/oauth/introspect", &[("token", &refresh_token)], &[]).await.expect(200).json();
    assert_eq!(told["act"], json!({ "sub": world.agent.id }));
    // It ends like an agent's, after a day, however often it is used.
    h.advance(86_400 - 3_600 - 60);
    let last = world.agent.refresh(&refresh_token).await.expect(200).json();
    assert_eq!(last["expires_in"], 60);
    h.advance(60);
    let late = world.agent.refresh(&text(&last, "refresh_token")).await;
    let _ = late.expect_problem(400, "invalid_grant");
}

#[tokio::test]
async fn an_actor_gets_no_refresh_token_for_what_could_not_be_refreshed_itself() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let change = |app: &mut svc_domain::apps::Configuration| {
        app.grant_types.retain(|grant| grant != "refresh_token");
    };
    let plain = world.site.app_with("plain", change).await;
    let scope = "notes:read offline_access";
    let changes = [("scope", scope), ("resource", NOTES)];
    let code = plain.code_with(&mut world.site.browser(), &world.ada, &changes).await;
    let subject = text(&plain.exchange(&code).await.expect(200).json(), "access_token");
    let told = exchange(&world.agent, &subject, &[("scope", scope)]).await.expect(200).json();
    assert_eq!((told.get("refresh_token"), &told["scope"]), (None, &json!("notes:read")));
}

#[tokio::test]
async fn a_delegated_token_does_not_open_userinfo() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let token = exchanged(&world.agent, &world.token("openid notes:read").await, &[]).await;
    let _ = world
        .site
        .call(Method::GET, "/userinfo", Some(&token), None)
        .await
        .expect_problem(401, "invalid_token");
}
