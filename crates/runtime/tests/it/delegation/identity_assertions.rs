//! Identity assertions (ID-JAG): accepted from a trusted issuer, and issued for other authorization servers.

use serde_json::{Value, json};
use svc_domain::apps::AssertionTarget;
use svc_http::Method;
use svc_keys::{Jws, PublicKey, Typ};

use super::{
    ACCESS_TOKEN, ARCHIVE, EXCHANGE, Elsewhere, ID_JAG, ID_TOKEN, JWT, NOTES, World, exchange, exchanged,
    present, text,
};
use crate::backchannel_logout::endings::sign_in_again;
use crate::backchannel_logout::sign_out;
use crate::harness::client::{Pairs, claims};
use crate::harness::{Answer, Client, Harness, Site};

const THERE: &str = "https://as.elsewhere.example";

#[tokio::test]
async fn an_identity_assertion_is_accepted_from_the_application_that_it_names() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let idp = Elsewhere::new();
    idp.trusted(&world).await;
    let assertion = idp.assertion(&world, Typ::IdJag, |_| ());
    let _ = present(&world.web, &assertion, &[]).await.expect_problem(400, "invalid_grant");
    let response = present(&world.agent, &assertion, &[("resource", "")]).await.expect(200).json();
    let token = claims(&text(&response, "access_token"));
    assert_eq!((&token["aud"], &token["scope"]), (&json!(NOTES), &json!("notes:read")));
    assert_eq!(token["sub"], world.ada.subject.as_str());
}

#[tokio::test]
async fn an_identity_assertion_permits_what_it_says_and_no_more() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let idp = Elsewhere::new();
    idp.trusted(&world).await;
    let fresh = |change: &dyn Fn(&mut Value)| idp.assertion(&world, Typ::IdJag, change);
    let usual = fresh(&|_| ());
    let _ =
        present(&world.agent, &usual, &[("scope", "notes:write")]).await.expect_problem(400, "invalid_scope");
    let _ =
        present(&world.agent, &usual, &[("resource", ARCHIVE)]).await.expect_problem(400, "invalid_target");
    let nameless = fresh(&|claims| claims["client_id"] = Value::Null);
    let token_endpoint = format!("{}/oauth/token", world.site.issuer());
    let misdirected = fresh(&|claims| claims["aud"] = json!(token_endpoint));
    for bad in [nameless, misdirected] {
        let _ = present(&world.agent, &bad, &[]).await.expect_problem(400, "invalid_grant");
    }
}

#[tokio::test]
async fn an_identity_assertion_is_exchanged_for_the_resource_that_it_names_and_no_other() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let idp = Elsewhere::new();
    idp.trusted(&world).await;
    let fresh = || idp.assertion(&world, Typ::IdJag, |_| ());
    let elsewhere = [("subject_token_type", JWT), ("audience", ARCHIVE)];
    let _ = exchange(&world.agent, &fresh(), &elsewhere).await.expect_problem(400, "invalid_target");
    for audience in [NOTES, ""] {
        let asked = [("subject_token_type", JWT), ("audience", audience)];
        let token = exchanged(&world.agent, &fresh(), &asked).await;
        assert_eq!(claims(&token)["aud"], NOTES, "{audience}");
    }
}

#[tokio::test]
async fn an_address_without_a_path_is_the_same_resource_with_a_slash() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let idp = Elsewhere::new();
    idp.trusted(&world).await;
    let slashed = format!("{NOTES}/");
    let fresh =
        |resource: &str| idp.assertion(&world, Typ::IdJag, |claims| claims["resource"] = json!(resource));
    for (said, asked) in [(&*slashed, NOTES), (NOTES, &*slashed), (&*slashed, &*slashed), (&*slashed, "")] {
        let answer = present(&world.agent, &fresh(said), &[("resource", asked)]).await;
        let token = text(&answer.expect(200).json(), "access_token");
        assert_eq!(claims(&token)["aud"], NOTES, "{said} {asked}");
    }
}

/// An application that may use our word elsewhere.
async fn partner<'h>(world: &World<'h>) -> Client<'h> {
    partner_of(world, true).await
}

/// The same of the tenant, or of a third party.
async fn partner_of<'h>(world: &World<'h>, is_first_party: bool) -> Client<'h> {
    let change = |app: &mut svc_domain::apps::Configuration| {
        app.first_party = is_first_party;
        let scope = "chat:read chat:write".parse().unwrap();
        app.identity_assertions = vec![AssertionTarget {
            audience: THERE.to_owned(),
            client_id: Some("partner-there".to_owned()),
            scope,
        }];
    };
    world.site.app_with("partner", change).await
}

async fn ask(client: &Client<'_>, subject_token: &str, changes: Pairs<'_>) -> Answer {
    let usual = [
        ("grant_type", EXCHANGE),
        ("requested_token_type", ID_JAG),
        ("subject_token", subject_token),
        ("subject_token_type", ID_TOKEN),
        ("audience", THERE),
    ];
    client.token(&usual, changes).await
}

#[tokio::test]
async fn an_id_token_of_before_a_further_sign_in_counts_until_the_person_signs_out() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let (partner, mut browser) = (partner(&world).await, world.site.browser());
    let code = partner.code_in(&mut browser, &world.ada).await;
    let before = text(&partner.exchange(&code).await.expect(200).json(), "id_token");
    let after = sign_in_again(&mut browser, &partner, &world.ada).await;
    let _ = ask(&partner, &before, &[]).await.expect(200);
    sign_out(&mut browser, &after).await;
    let _ = ask(&partner, &before, &[]).await.expect_problem(400, "invalid_request");
}

#[tokio::test]
async fn an_id_token_counts_for_as_long_as_the_tenant_lets_its_session_live_by_now() {
    let h = Harness::with(&[("SVC_JWT__ID_TOKEN_LIFETIME_SECS", "3600")]).await;
    let world = World::new(&h).await;
    let partner = partner(&world).await;
    let tokens = partner.tokens(&world.ada).await;
    h.advance(600);
    let _ = ask(&partner, tokens.id_token(), &[]).await.expect(200);
    let limits = json!({ "settings": { "limits": { "session_cookie": { "absolute_lifetime_secs": 600 } } } });
    let _ = world.manage(Method::PATCH, "/api/v1/tenant-settings", Some(limits)).await.expect(200);
    let _ = h.informed_app().await;
    let _ = ask(&partner, tokens.id_token(), &[]).await.expect_problem(400, "invalid_request");
}

#[tokio::test]
async fn an_application_gets_an_identity_assertion_for_an_id_token_of_its_own() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let partner = partner(&world).await;
    let tokens = partner.tokens(&world.ada).await;
    let changes = [("scope", "chat:read"), ("resource", "https://chat.elsewhere.example")];
    let response = ask(&partner, tokens.id_token(), &changes).await.expect(200).json();
    assert_eq!((&response["issued_token_type"], &response["token_type"]), (&json!(ID_JAG), &json!("N_A")));
    assert_eq!((&response["scope"], &response["expires_in"]), (&json!("chat:read"), &json!(300)));
    let assertion = text(&response, "access_token");
    let jws = Jws::parse(&assertion, Typ::IdJag.algorithms()).unwrap();
    assert!(jws.is_typ("oauth-id-jag+jwt"));
    let jwks = world.site.get("/.well-known/jwks.json").await.expect(200).json();
    let keys = jwks["keys"].as_array().unwrap();
    let key = keys.iter().find(|key| key["kid"].as_str() == jws.kid()).unwrap();
    let told = jws.verify(&PublicKey::from_jwk(key).unwrap()).unwrap().into_map();
    assert_eq!(told["iss"], world.site.issuer());
    assert_eq!((&told["sub"], &told["aud"]), (&json!(world.ada.subject), &json!(THERE)));
    assert_eq!((&told["client_id"], &told["scope"]), (&json!("partner-there"), &json!("chat:read")));
    assert_eq!(told["resource"], "https://chat.elsewhere.example");
    assert!(told["jti"].as_str().unwrap().len() >= 43 && told["auth_time"].is_i64(), "{told:?}");
    let own = [("subject_token_type", ACCESS_TOKEN)];
    let response = ask(&partner, tokens.access_token(), &own).await.expect(200).json();
    assert_eq!(response["scope"], "chat:read chat:write");
}

#[tokio::test]
async fn an_identity_assertion_is_issued_only_where_policy_and_sign_in_allow() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let partner = partner(&world).await;
    let (own, theirs) = (partner.tokens(&world.ada).await, world.web.tokens(&world.ada).await);
    let (id_token, access_token) = (own.id_token(), [("subject_token_type", ACCESS_TOKEN)]);
    let nowhere = [("audience", "https://other.example")];
    let _ = ask(&partner, id_token, &nowhere).await.expect_problem(400, "invalid_target");
    let _ = ask(&partner, id_token, &[("audience", "")]).await.expect_problem(400, "invalid_request");
    let _ = ask(&partner, id_token, &[("scope", "chat:admin")]).await.expect_problem(400, "invalid_scope");
    let _ = ask(&world.web, theirs.id_token(), &[]).await.expect_problem(400, "invalid_target");
    let _ = ask(&partner, theirs.id_token(), &[]).await.expect_problem(400, "invalid_request");
    let _ = ask(&partner, theirs.access_token(), &access_token).await.expect_problem(400, "invalid_request");
    let delegated = exchanged(&partner, &world.usual().await, &[]).await;
    let _ = ask(&partner, &delegated, &access_token).await.expect_problem(400, "invalid_request");
    let _ = ask(&partner, own.access_token(), &[]).await.expect_problem(400, "invalid_request");
    let path = format!("/api/v1/tenant-users/{}/sessions", world.ada.id);
    let sessions = world.manage(Method::GET, &path, None).await.expect(200).json();
    for session in sessions["data"].as_array().unwrap() {
        let session = session["id"].as_str().unwrap();
        let _ = world.manage(Method::DELETE, &format!("{path}/{session}"), None).await.expect(204);
    }
    let _ = ask(&partner, id_token, &[]).await.expect_problem(400, "invalid_request");
}

#[tokio::test]
async fn an_id_token_of_before_the_end_of_a_consent_leads_nowhere() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let partner = partner_of(&world, false).await;
    let id_token = partner.tokens(&world.ada).await.id_token().to_owned();
    let _ = ask(&partner, &id_token, &[]).await.expect(200);
    let path = format!("/api/v1/tenant-users/{}/consents/{}", world.ada.id, partner.id);
    let _ = world.manage(Method::DELETE, &path, None).await.expect(204);
    let _ = ask(&partner, &id_token, &[]).await.expect_problem(400, "invalid_request");
    h.advance(1);
    let again = partner.tokens(&world.ada).await;
    let _ = ask(&partner, again.id_token(), &[]).await.expect(200);
}

#[tokio::test]
async fn an_id_token_leads_nowhere_where_another_node_has_ended_the_consent_a_moment_ago() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let partner = partner_of(&world, false).await;
    let id_token = partner.tokens(&world.ada).await.id_token().to_owned();
    let node = h.restarted().await;
    let there = Site { harness: &node, ..world.site.clone() };
    let path = format!("/api/v1/tenant-users/{}/consents/{}", world.ada.id, partner.id);
    let admin = there.mint(|_| ());
    let _ = there.call(Method::DELETE, &path, Some(&admin), None).await.expect(204);
    // This node has not looked at what has changed.
    let _ = ask(&partner, &id_token, &[]).await.expect_problem(400, "invalid_request");
}

#[tokio::test]
async fn an_id_token_of_before_its_application_was_disabled_leads_nowhere() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let partner = partner(&world).await;
    let tokens = partner.tokens(&world.ada).await;
    let path = format!("/api/v1/applications/{}", partner.id);
    let mut change = serde_json::to_value(&partner.configuration).unwrap();
    for enabled in [false, true] {
        change["enabled"] = json!(enabled);
        let _ = world.manage(Method::PUT, &path, Some(change.clone())).await.expect(200);
    }
    let _ = ask(&partner, tokens.id_token(), &[]).await.expect_problem(400, "invalid_request");
}

#[tokio::test]
async fn an_identity_assertion_of_ours_is_no_access_token() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let partner = partner(&world).await;
    let tokens = partner.tokens(&world.ada).await;
    let assertion = text(&ask(&partner, tokens.id_token(), &[]).await.expect(200).json(), "access_token");
    assert!(!world.is_active(&partner, &assertion).await);
    let _ = world
        .site
        .call(Method::GET, "/userinfo", Some(&assertion), None)
        .await
        .expect_problem(401, "invalid_token");
    let kinds = [("subject_token_type", ID_TOKEN)];
    let _ = ask(&partner, &assertion, &kinds).await.expect_problem(400, "invalid_request");
    let _ = present(&partner, &assertion, &[]).await.expect_problem(400, "invalid_grant");
}
