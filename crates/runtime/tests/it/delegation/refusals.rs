//! Subject tokens that are not exchanged (N48): each refusal is one answer, and they are counted in the audit log.

use serde_json::json;
use svc_db::{args, system_sql};
use svc_http::Method;
use svc_keys::Typ;

use super::{ACCESS_TOKEN, ARCHIVE, Elsewhere, ID_TOKEN, JWT, NOTES, World, exchange, present, text};
use crate::harness::Harness;

#[tokio::test]
async fn without_a_subject_token_there_is_no_subject() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let own = world.agent.own_token("notes:read", NOTES).await;
    let token = world.usual().await;
    for changes in [
        &[("subject_token", "")][..],
        &[("subject_token", ""), ("actor_token", own.as_str()), ("actor_token_type", ACCESS_TOKEN)],
        &[("subject_token_type", "")],
        &[("subject_token_type", "access_token")],
        &[("subject_token_type", "urn:ietf:params:oauth:token-type:refresh_token")],
        &[("subject_token_type", "urn:ietf:params:oauth:token-type:saml2")],
        &[("requested_token_type", "urn:ietf:params:oauth:token-type:refresh_token")],
    ] {
        let _ = exchange(&world.agent, &token, changes).await.expect_problem(400, "invalid_request");
    }
}

#[tokio::test]
async fn a_sign_in_that_was_not_made_for_an_application_with_ways_of_its_own_does_not_reach_it() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let ways = ["password"].into_iter().collect();
    let vault = world.site.app_with("vault", |app| app.sign_in_methods = Some(ways)).await;
    let refused = exchange(&vault, &world.usual().await, &[]).await.expect_problem(400, "invalid_request");
    assert!(refused.body.contains("this sign-in was not made for it"), "{refused:?}");
    let asked = [("scope", "notes:read"), ("resource", NOTES)];
    let code = vault.code_with(&mut world.site.browser(), &world.ada, &asked).await;
    let own = vault.exchange(&code).await.expect(200).json();
    let _ = exchange(&vault, own["access_token"].as_str().unwrap(), &[]).await.expect(200);
    let idp = Elsewhere::new();
    idp.trusted(&world).await;
    let assertion = || idp.assertion(&world, Typ::Jwt, |_| ());
    let as_subject = [("subject_token_type", JWT)];
    let _ = exchange(&vault, &assertion(), &as_subject).await.expect_problem(400, "invalid_request");
    let refused = present(&vault, &assertion(), &[]).await.expect_problem(400, "invalid_grant");
    assert!(refused.body.contains("this sign-in was not made here"), "{refused:?}");
}

#[tokio::test]
async fn only_a_live_access_token_of_a_person_is_exchanged() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let acme = World::at(h.tenant("acme").await).await;
    let all = world.web.tokens(&world.ada).await;
    let revoked = world.usual().await;
    let _ = world.web.post("/oauth/revoke", &[("token", &revoked)], &[]).await.expect(200);
    let (bound, now) = (world.usual().await, h.operator().now.as_secs());
    let minted = |name: &'static str, value: serde_json::Value| {
        world.site.mint(|claims| {
            (claims["subject_type"], claims["sub"]) = (json!("human"), json!(world.ada.subject));
            claims[name] = value;
        })
    };
    let cases = [
        ("of another tenant", acme.usual().await),
        ("a refresh token", all.refresh_token().to_owned()),
        ("an ID token", all.id_token().to_owned()),
        ("revoked", revoked),
        ("of an application", world.agent.own_token("notes:read", NOTES).await),
        ("altered", format!("{bound}x")),
        ("expired", minted("exp", json!(now - 1))),
        ("about an unknown person", minted("sub", json!("nobody"))),
        ("with actors that were not recorded", minted("act", json!({ "sub": "app_x" }))),
        ("of a foreign key", minted("cnf", json!({ "jkt": "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I" }))),
        ("an empty text", " ".to_owned()),
        ("a huge text", "a".repeat(20_000)),
    ];
    assert_eq!(refusals(&h).await, 0);
    for (number, (case, token)) in (1..).zip(&cases) {
        let answer = exchange(&world.agent, token, &[]).await;
        assert_eq!(answer.status, 400, "{case}: {answer:?}");
        let _ = answer.expect_problem(400, "invalid_request");
        let recorded = if number < 10 { 1 } else { 2 };
        assert_eq!(refusals(&h).await, recorded, "{case}: the first and the tenth are recorded");
    }
    let as_access_token = [("subject_token_type", ID_TOKEN)];
    let _ =
        exchange(&world.web, all.id_token(), &as_access_token).await.expect_problem(400, "invalid_request");
}

#[tokio::test]
async fn a_token_ends_at_the_very_second_of_its_expiry() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let token = world.usual().await;
    h.advance(899);
    let response = exchange(&world.agent, &token, &[]).await.expect(200).json();
    assert_eq!(response["expires_in"], 1);
    h.advance(1);
    let _ = exchange(&world.agent, &token, &[]).await.expect_problem(400, "invalid_request");
}

#[tokio::test]
async fn no_actor_acts_for_a_person_who_may_not_sign_in() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let token = world.usual().await;
    let path = format!("/api/v1/tenant-users/{}/suspend", world.ada.id);
    let _ = world.manage(Method::POST, &path, None).await.expect(200);
    let _ = exchange(&world.agent, &token, &[]).await.expect_problem(400, "invalid_request");
}

#[tokio::test]
async fn a_target_is_an_enabled_api_that_the_application_may_reach() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let token = world.usual().await;
    world.site.api("https://mail.example", &["mail:send"]).await;
    let issuer = world.site.issuer().to_owned();
    for audience in ["https://nowhere.example", "https://mail.example", issuer.as_str(), "notes", ""] {
        let answer = exchange(&world.agent, &token, &[("audience", audience)]).await;
        let _ = answer.expect_problem(400, "invalid_target");
    }
    let both = [("audience", NOTES), ("resource", ARCHIVE)];
    let _ = exchange(&world.agent, &token, &both).await.expect_problem(400, "invalid_target");
    let same = [("audience", NOTES), ("resource", NOTES)];
    let _ = exchange(&world.agent, &token, &same).await.expect(200);
    let with_slash = format!("{NOTES}/");
    let slash = [("audience", ""), ("resource", with_slash.as_str())];
    let _ = exchange(&world.agent, &token, &slash).await.expect(200);
    let apis = world.manage(Method::GET, "/api/v1/apis", None).await.expect(200).json();
    let api = apis["data"].as_array().unwrap().iter().find(|api| api["identifier"] == NOTES).unwrap();
    let path = format!("/api/v1/apis/{}", api["id"].as_str().unwrap());
    let off = json!({ "name": "Notes", "enabled": false, "scopes": [{ "name": "notes:read" }] });
    let _ = world.manage(Method::PUT, &path, Some(off)).await.expect(200);
    let _ = exchange(&world.agent, &token, &[]).await.expect_problem(400, "invalid_target");
}

#[tokio::test]
async fn scopes_are_never_widened() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let token = world.token("notes:read").await;
    for scope in
        ["notes:write", "notes:read notes:write", "archive:write", "offline_access", "users:write", "\""]
    {
        let _ =
            exchange(&world.agent, &token, &[("scope", scope)]).await.expect_problem(400, "invalid_scope");
    }
}

#[tokio::test]
async fn a_token_that_has_no_scope_of_another_api_is_not_exchanged_for_it() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let token = world.token("notes:write").await;
    for scope in ["", "openid"] {
        let elsewhere = [("audience", ARCHIVE), ("scope", scope)];
        let _ = exchange(&world.agent, &token, &elsewhere).await.expect_problem(400, "invalid_target");
    }
    let _ = exchange(&world.agent, &token, &[]).await.expect(200);
    let both = world.usual().await;
    let _ = exchange(&world.agent, &both, &[("audience", ARCHIVE)]).await.expect(200);
}

#[tokio::test]
async fn scopes_about_identity_alone_are_no_reason_for_a_token() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let token = world.token("notes:write").await;
    for scope in ["openid", "openid profile email"] {
        let refused = exchange(&world.agent, &token, &[("scope", scope)]).await;
        let _ = refused.expect_problem(400, "invalid_scope");
    }
    let given = exchange(&world.agent, &token, &[("scope", "openid notes:write")]).await.expect(200).json();
    assert_eq!(given["scope"], "notes:write");
    let idp = Elsewhere::new();
    idp.trusted(&world).await;
    let assertion = idp.assertion(&world, Typ::Jwt, |_| ());
    let refused = present(&world.agent, &assertion, &[("scope", "openid")]).await;
    let _ = refused.expect_problem(400, "invalid_scope");
}

#[tokio::test]
async fn a_scope_that_an_api_shares_with_the_management_api_is_not_exchanged_for_that_one() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (crm, management) = ("https://crm.example", site.tenant.api_audience());
    site.api(crm, &["applications:read"]).await;
    let reader = site.app_with("reader", |app| app.scope = "applications:read".parse().unwrap()).await;
    let grace = site.user_with_roles("grace", &["admin"]).await;
    let asked = [("scope", "applications:read"), ("resource", crm)];
    let code = reader.code_with(&mut site.browser(), &grace, &asked).await;
    let token = text(&reader.exchange(&code).await.expect(200).json(), "access_token");
    let refused = exchange(&reader, &token, &[("audience", management.as_str())]).await;
    let _ = refused.expect_problem(400, "invalid_target");
    let _ = exchange(&reader, &token, &[("audience", crm)]).await.expect(200);
}

#[tokio::test]
async fn a_purpose_is_short_and_readable() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let token = world.usual().await;
    for purpose in ["p".repeat(201), "line\nbreak".to_owned()] {
        let _ = exchange(&world.agent, &token, &[("purpose", &purpose)])
            .await
            .expect_problem(400, "invalid_request");
    }
    let _ = exchange(&world.agent, &token, &[("purpose", &"ü".repeat(200))]).await.expect(200);
}

async fn refusals(h: &Harness) -> i64 {
    let mut tx = h.app().db.read_system().await.unwrap();
    let count = system_sql!(
        "SELECT COUNT(*) AS number FROM audit_log WHERE action = 'token.refused' AND outcome = $1"
    );
    tx.one(count, args!["denied"]).await.unwrap().int("number").unwrap()
}
