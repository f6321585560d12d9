//! Ending a link ends what was made with it, at once; and what is recorded of links.

use serde_json::{Value, json};
use svc_db::{args, system_sql};
use svc_http::Method;

use super::{World, exchange, exchanged, text};
use crate::backchannel_logout::endings::sign_in_again;
use crate::backchannel_logout::sign_out;
use crate::harness::{Client, Harness, Site};

/// A person's token, a link that was made with it, one that was made with that, and another.
struct Chain<'h> {
    world: World<'h>,
    tool: Client<'h>,
    subject: String,
    first: String,
    second: String,
    other: String,
}

impl<'h> Chain<'h> {
    async fn new(h: &'h Harness) -> Self {
        let world = World::new(h).await;
        let (tool, subject) = (world.site.app("tool").await, world.usual().await);
        let first = exchanged(&world.agent, &subject, &[("purpose", "tidy up")]).await;
        let second = exchanged(&tool, &first, &[("scope", "notes:read")]).await;
        let other = exchanged(&tool, &subject, &[]).await;
        Self { world, tool, subject, first, second, other }
    }

    /// Which of the four still count.
    async fn alive(&self) -> [bool; 4] {
        let Self { world, tool, .. } = self;
        [
            world.is_active(&world.web, &self.subject).await,
            world.is_active(&world.agent, &self.first).await,
            world.is_active(tool, &self.second).await,
            world.is_active(tool, &self.other).await,
        ]
    }

    async fn links(&self, query: &str) -> Vec<Value> {
        let path = format!("/api/v1/delegations{query}");
        let list = self.world.manage(Method::GET, &path, None).await.expect(200).json();
        list["data"].as_array().unwrap().clone()
    }
}

#[tokio::test]
async fn revoking_one_link_kills_what_came_after_it_and_nothing_else() {
    let h = Harness::new().await;
    let chain = Chain::new(&h).await;
    let links = chain.links("").await;
    let link = links.iter().find(|link| link["purpose"] == "tidy up").unwrap();
    assert_eq!(chain.alive().await, [true; 4]);
    let path = format!("/api/v1/delegations/{}/revoke", link["id"].as_str().unwrap());
    let ended = chain.world.manage(Method::POST, &path, None).await.expect(200).json();
    assert_eq!(ended["state"], "revoked");
    assert!(ended["revoked_at"].is_string(), "{ended}");
    assert_eq!(chain.alive().await, [true, false, false, true]);
    for dead in [&chain.first, &chain.second] {
        let other = chain.world.site.app(&format!("other{}", dead.len())).await;
        let _ = exchange(&other, dead, &[]).await.expect_problem(400, "invalid_request");
    }
    assert_eq!(chain.links("?state=revoked").await.len(), 2);
    assert_eq!(events(&h, "admin.delegation.revoked").await, 2);
    let again = chain.world.manage(Method::POST, &path, None).await.expect(200).json();
    assert_eq!(again, ended, "revoking twice is no error");
    assert_eq!(events(&h, "admin.delegation.revoked").await, 2);
}

#[tokio::test]
async fn records_say_who_acts_for_whom_and_what_for() {
    let h = Harness::new().await;
    let chain = Chain::new(&h).await;
    let world = &chain.world;
    let links = chain.links("").await;
    let first = links.iter().find(|link| link["purpose"] == "tidy up").unwrap();
    assert_eq!(first["actor"], world.agent.id.as_str());
    assert_eq!(first["source"], world.web.id.as_str());
    assert_eq!(first["tenant_user_id"], world.ada.id.to_string());
    assert_eq!(first["scope"], "notes:read notes:write");
    assert_eq!((&first["parent"], &first["state"]), (&json!(null), &json!("live")));
    let second = links.iter().find(|link| link["parent"] == first["id"]).unwrap();
    assert_eq!((&second["actor"], &second["scope"]), (&json!(chain.tool.id), &json!("notes:read")));
    assert_eq!(second["act"], json!({ "sub": chain.tool.id, "act": { "sub": world.agent.id } }));
    let one = format!("/api/v1/delegations/{}", second["id"].as_str().unwrap());
    assert_eq!(world.manage(Method::GET, &one, None).await.expect(200).json(), *second);
    assert_eq!(chain.links(&format!("?actor={}", chain.tool.id)).await.len(), 2);
    assert_eq!(chain.links(&format!("?tenant_user_id={}&limit=2", world.ada.id)).await.len(), 2);
    for bad in ["?state=dead", "?actor=app_x", "?tenant_user_id=x"] {
        let path = format!("/api/v1/delegations{bad}");
        let _ = world.manage(Method::GET, &path, None).await.expect_problem(400, "bad_request");
    }
}

#[tokio::test]
async fn a_token_that_is_given_back_takes_its_chain_along() {
    let h = Harness::new().await;
    let chain = Chain::new(&h).await;
    let _ = chain.world.agent.post("/oauth/revoke", &[("token", &chain.first)], &[]).await.expect(200);
    assert_eq!(chain.alive().await, [true, false, false, true]);
    let _ = chain.world.web.post("/oauth/revoke", &[("token", &chain.subject)], &[]).await.expect(200);
    assert_eq!(chain.alive().await, [false; 4]);
}

#[tokio::test]
async fn an_actor_that_is_disabled_acts_no_more_and_neither_does_anybody_after_it() {
    let h = Harness::new().await;
    let chain = Chain::new(&h).await;
    let world = &chain.world;
    let path = format!("/api/v1/applications/{}", world.agent.id);
    let mut change = serde_json::to_value(&world.agent.configuration).unwrap();
    change["enabled"] = json!(false);
    let _ = world.manage(Method::PUT, &path, Some(change.clone())).await.expect(200);
    let _ = exchange(&world.agent, &chain.subject, &[]).await.expect_problem(401, "invalid_client");
    let _ = exchange(&world.web, &chain.first, &[]).await.expect_problem(400, "invalid_request");
    change["enabled"] = json!(true);
    let _ = world.manage(Method::PUT, &path, Some(change)).await.expect(200);
    assert_eq!(chain.alive().await, [true, false, false, true], "what died stays dead");
}

#[tokio::test]
async fn an_application_that_is_deleted_leaves_no_chain_behind() {
    let h = Harness::new().await;
    let chain = Chain::new(&h).await;
    let path = format!("/api/v1/applications/{}", chain.world.web.id);
    let _ = chain.world.manage(Method::DELETE, &path, None).await.expect(204);
    assert!(!chain.world.is_active(&chain.world.agent, &chain.first).await);
    assert!(!chain.world.is_active(&chain.tool, &chain.second).await);
    assert!(!chain.world.is_active(&chain.tool, &chain.other).await);
}

#[tokio::test]
async fn a_suspended_person_is_acted_for_no_more_also_when_reactivated() {
    let h = Harness::new().await;
    let chain = Chain::new(&h).await;
    for move_to in ["suspend", "reactivate"] {
        let path = format!("/api/v1/tenant-users/{}/{move_to}", chain.world.ada.id);
        let _ = chain.world.manage(Method::POST, &path, None).await.expect(200);
        assert_eq!(chain.alive().await, [false; 4], "{move_to}");
        assert_eq!(chain.links("?state=live").await, Vec::<Value>::new());
    }
}

#[tokio::test]
async fn a_stolen_refresh_token_takes_the_delegations_of_its_family_along() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let scope = "notes:read offline_access";
    let changes = [("scope", scope), ("resource", super::NOTES)];
    let code = world.web.code_with(&mut world.site.browser(), &world.ada, &changes).await;
    let tokens = world.web.exchange(&code).await.expect(200).json();
    let acting =
        exchange(&world.agent, &text(&tokens, "access_token"), &[("scope", scope)]).await.expect(200).json();
    let _ = world.web.refresh(&text(&tokens, "refresh_token")).await.expect(200);
    h.advance(61);
    let replayed = world.web.refresh(&text(&tokens, "refresh_token")).await;
    let _ = replayed.expect_problem(400, "invalid_grant");
    assert!(!world.is_active(&world.agent, &text(&acting, "access_token")).await);
    let late = world.agent.refresh(&text(&acting, "refresh_token")).await;
    let _ = late.expect_problem(400, "invalid_grant");
}

#[tokio::test]
async fn a_session_that_is_ended_from_outside_takes_its_delegations_along() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let scope = [("scope", "notes:read offline_access")];
    let offline = world.token("notes:read offline_access").await;
    let acting = exchange(&world.agent, &offline, &scope).await.expect(200).json();
    let path = format!("/api/v1/tenant-users/{}/sessions", world.ada.id);
    let sessions = world.manage(Method::GET, &path, None).await.expect(200).json();
    let session = text(&sessions["data"][0], "id");
    let _ = world.manage(Method::DELETE, &format!("{path}/{session}"), None).await.expect(204);
    assert!(!world.is_active(&world.agent, &text(&acting, "access_token")).await);
    let late = world.agent.refresh(&text(&acting, "refresh_token")).await;
    let _ = late.expect_problem(400, "invalid_grant");
}

#[tokio::test]
async fn what_is_made_of_a_token_of_before_a_further_sign_in_ends_with_the_session_too() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let (mut browser, scope) = (world.site.browser(), "notes:read offline_access");
    let changes = [("scope", scope), ("resource", super::NOTES)];
    let code = world.web.code_with(&mut browser, &world.ada, &changes).await;
    let before = world.web.exchange(&code).await.expect(200).json();
    let after = sign_in_again(&mut browser, &world.web, &world.ada).await;
    let acting = exchange(&world.agent, &text(&before, "access_token"), &[("scope", scope)]).await;
    let acting = acting.expect(200).json();
    sign_out(&mut browser, &after).await;
    assert!(!world.is_active(&world.agent, &text(&acting, "access_token")).await);
    let late = world.agent.refresh(&text(&acting, "refresh_token")).await;
    let _ = late.expect_problem(400, "invalid_grant");
}

#[tokio::test]
async fn nothing_is_made_of_a_token_that_another_node_has_ended_a_moment_ago() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let node = h.restarted().await;
    let there = Site { harness: &node, ..world.site.clone() };
    let web = Client { site: there.clone(), ..world.web.clone() };
    let (given_back, of_disabled, live) = (world.usual().await, world.usual().await, world.usual().await);
    let _ = exchange(&world.agent, &live, &[]).await.expect(200);
    let _ = web.post("/oauth/revoke", &[("token", &given_back)], &[]).await.expect(200);
    // This node has not looked at what has changed.
    let _ = exchange(&world.agent, &given_back, &[]).await.expect_problem(400, "invalid_request");
    let mut change = serde_json::to_value(&world.web.configuration).unwrap();
    change["enabled"] = json!(false);
    let path = format!("/api/v1/applications/{}", world.web.id);
    let admin = there.mint(|_| ());
    let _ = there.call(Method::PUT, &path, Some(&admin), Some(change)).await.expect(200);
    let _ = exchange(&world.agent, &of_disabled, &[]).await.expect_problem(400, "invalid_request");
}

async fn events(h: &Harness, name: &str) -> i64 {
    let mut tx = h.app().db.read_system().await.unwrap();
    let count = system_sql!(
        "SELECT COUNT(*) AS number FROM (SELECT type FROM outbox UNION ALL SELECT type FROM events) recorded WHERE type = $1"
    );
    tx.one(count, args![name]).await.unwrap().int("number").unwrap()
}
