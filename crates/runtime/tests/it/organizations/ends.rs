//! What was allowed in an organization ends with the membership there, or with the organization.

use serde_json::{Value, json};
use svc_core::FamilyId;
use svc_db::{Tenant, Tx};
use svc_domain::grants::refresh;
use svc_domain::organizations::{self, Status};
use svc_http::Method;

use super::{World, access, join};
use crate::harness::Harness;

async fn is_over(world: &World<'_>, tokens: &Value) {
    for token in ["access_token", "refresh_token"] {
        assert!(!world.is_active(&tokens[token]).await, "{token}");
    }
    let _ = world.refresh(tokens, &[]).await.expect_problem(400, "invalid_grant");
}

#[tokio::test]
async fn who_is_taken_out_of_an_organization_has_no_tokens_there_any_more() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let mut browser = world.site.browser();
    let there = world.tokens(&mut browser, &world.ada, &[("organization", "initech")]).await;
    let elsewhere = world.tokens(&mut browser, &world.ada, &[]).await;
    let others = world.tokens(&mut world.site.browser(), &world.bob, &[("organization", "initech")]).await;
    let code = world.web.code_with(&mut browser, &world.ada, &[("organization", "initech")]).await;
    let path = format!("/api/v1/organizations/{}/members/{}", world.initech.id, world.ada.id);
    let token = world.site.mint(|_| ());
    let _ = world.site.call(Method::DELETE, &path, Some(&token), None).await.expect(204);
    is_over(&world, &there).await;
    let _ = world.web.exchange(&code).await.expect_problem(400, "invalid_grant");
    for tokens in [&elsewhere, &others] {
        assert!(world.is_active(&tokens["access_token"]).await);
        let _ = world.refresh(tokens, &[]).await.expect(200);
    }

    // Coming back revives nothing, and older sign-ins do not count there.
    join(&world.site, &world.initech, &world.ada, &["editor"]).await;
    is_over(&world, &there).await;
    let again = world.refresh(&elsewhere, &[("organization", "initech")]).await;
    let _ = again.expect_problem(400, "invalid_grant");
    h.advance(2);
    let fresh = world.tokens(&mut browser, &world.ada, &[("organization", "initech")]).await;
    assert!(world.is_active(&fresh["access_token"]).await);
    assert_eq!(access(&world.refresh(&fresh, &[]).await.expect(200).json())["org"]["slug"], "initech");
}

#[tokio::test]
async fn the_tokens_of_third_parties_and_of_userinfo_end_too() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let stranger = world.site.app_with("stranger", |configuration| configuration.first_party = false).await;
    let asked = [("organization", "initech")];
    let code = stranger.code_with(&mut world.site.browser(), &world.ada, &asked).await;
    let tokens = stranger.exchange(&code).await.expect(200).json();
    let token = tokens["access_token"].as_str();
    let _ = world.site.call(Method::GET, "/userinfo", token, None).await.expect(200);
    world.remove(&world.initech, &world.ada).await;
    let _ = world.site.call(Method::GET, "/userinfo", token, None).await.expect_problem(401, "invalid_token");
    let refresh = tokens["refresh_token"].as_str().unwrap();
    let _ = stranger.refresh(refresh).await.expect_problem(400, "invalid_grant");
}

#[tokio::test]
async fn a_suspended_or_deleted_organization_has_no_tokens_and_being_active_again_revives_none() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let mut browser = world.site.browser();
    let asked = [("organization", "initech")];
    let tokens = world.tokens(&mut browser, &world.ada, &asked).await;
    let code = world.web.code_with(&mut browser, &world.ada, &asked).await;
    world.set_status(&world.initech, Status::Suspended).await;
    is_over(&world, &tokens).await;
    let _ = world.web.exchange(&code).await.expect_problem(400, "invalid_grant");
    world.set_status(&world.initech, Status::Active).await;
    is_over(&world, &tokens).await;

    h.advance(2);
    let tokens = world.tokens(&mut browser, &world.ada, &asked).await;
    assert!(world.is_active(&tokens["access_token"]).await);
    let path = format!("/api/v1/organizations/{}", world.initech.id);
    let token = world.site.mint(|_| ());
    let _ = world.site.call(Method::DELETE, &path, Some(&token), None).await.expect(204);
    is_over(&world, &tokens).await;
}

#[tokio::test]
async fn a_switched_family_ends_with_the_organization_that_it_is_in() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    join(&world.site, &world.hooli, &world.ada, &[]).await;
    let tokens = world.tokens(&mut world.site.browser(), &world.ada, &[("organization", "initech")]).await;
    let switched = world.refresh(&tokens, &[("organization", "hooli")]).await.expect(200).json();
    world.remove(&world.initech, &world.ada).await;
    assert!(!world.is_active(&tokens["access_token"]).await);
    assert!(world.is_active(&switched["access_token"]).await);
    let stays = world.refresh(&switched, &[]).await.expect(200).json();
    world.remove(&world.hooli, &world.ada).await;
    is_over(&world, &stays).await;
}

#[tokio::test]
async fn no_family_goes_on_in_an_organization_that_its_person_leaves_at_that_moment() {
    let h = Harness::pooled().await;
    let world = World::new(&h).await;
    join(&world.site, &world.hooli, &world.ada, &[]).await;
    let tokens = world.tokens(&mut world.site.browser(), &world.ada, &[("organization", "initech")]).await;
    let (db, cx) = (&h.app().db, h.operator());
    let mut leaving = db.begin(world.site.tenant.id).await.unwrap();
    assert!(organizations::remove(&mut leaving, &cx, &world.hooli, world.ada.id).await.unwrap());
    let switched = world.refresh(&tokens, &[("organization", "hooli")]);
    let refused = svc_testkit::meanwhile(db, leaving, switched).await;
    let _ = refused.expect_problem(400, "invalid_grant");
    let stays = world.refresh(&tokens, &[]).await.expect(200).json();
    assert_eq!(access(&stays)["org"]["slug"], "initech");
}

#[tokio::test]
async fn nothing_is_exchanged_into_an_organization_that_its_person_leaves_at_that_moment() {
    let h = Harness::pooled().await;
    let world = World::new(&h).await;
    let agent = world.site.app("agent").await;
    let tokens = world.tokens(&mut world.site.browser(), &world.ada, &[]).await;
    let form = [
        ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"),
        ("subject_token", tokens["access_token"].as_str().unwrap()),
        ("subject_token_type", "urn:ietf:params:oauth:token-type:access_token"),
        ("audience", super::NOTES),
        ("scope", "notes:read offline_access"),
        ("organization", "initech"),
    ];
    let there = agent.token(&form, &[]).await.expect(200).json();
    assert_eq!(access(&there)["org"]["slug"], "initech");
    let (db, cx) = (&h.app().db, h.operator());
    let mut leaving = db.begin(world.site.tenant.id).await.unwrap();
    assert!(organizations::remove(&mut leaving, &cx, &world.initech, world.ada.id).await.unwrap());
    let refused = svc_testkit::meanwhile(db, leaving, agent.token(&form, &[])).await;
    let _ = refused.expect_problem(400, "invalid_request");
}

/// What goes into an organization with tokens that count in none.
#[derive(Clone, Copy, Debug)]
enum Way {
    Exchange,
    Refresh,
}

#[tokio::test]
async fn what_goes_into_an_organization_and_the_end_of_a_membership_there_take_turns_with_a_family() {
    for way in [Way::Exchange, Way::Refresh] {
        let h = Harness::pooled().await;
        let world = World::new(&h).await;
        let agent = world.site.app("agent").await;
        let tokens = world.tokens(&mut world.site.browser(), &world.ada, &[]).await;
        let digest = svc_keys::digest(tokens["refresh_token"].as_str().unwrap());
        let form = [
            ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"),
            ("subject_token", tokens["access_token"].as_str().unwrap()),
            ("subject_token_type", "urn:ietf:params:oauth:token-type:access_token"),
            ("audience", super::NOTES),
            ("scope", "notes:read"),
            ("organization", "initech"),
        ];
        let (db, cx) = (&h.app().db, h.operator());
        let mut leaving = db.begin(world.site.tenant.id).await.unwrap();
        let family = refresh::find(&mut leaving, digest, cx.now).await.unwrap().unwrap().family.id;
        assert!(organizations::remove(&mut leaving, &cx, &world.initech, world.ada.id).await.unwrap());
        let going = async {
            match way {
                Way::Exchange => agent.token(&form, &[]).await,
                Way::Refresh => world.refresh(&tokens, &[("organization", "initech")]).await,
            }
        };
        // As the end of a session does for which a provider of the organization has vouched.
        let refused = svc_testkit::meanwhile_then(db, leaving, going, async |leaving: &mut _| {
            assert_eq!(hold(leaving, family).await, 1, "{way:?}");
        });
        let refusal = match way {
            Way::Exchange => "invalid_request",
            Way::Refresh => "invalid_grant",
        };
        let _ = refused.await.expect_problem(400, refusal);
    }
}

async fn hold(tx: &mut Tx<Tenant>, family: FamilyId) -> usize {
    let [rows] = tx.batch([refresh::hold(tx, family)]).await.unwrap();
    rows.len()
}

#[tokio::test]
async fn what_is_done_for_a_person_in_an_organization_ends_too() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let agent = world.site.app("agent").await;
    let tokens = world.tokens(&mut world.site.browser(), &world.ada, &[("organization", "initech")]).await;
    let form = [
        ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"),
        ("subject_token", tokens["access_token"].as_str().unwrap()),
        ("subject_token_type", "urn:ietf:params:oauth:token-type:access_token"),
        ("audience", super::NOTES),
        ("scope", "notes:read offline_access"),
    ];
    let acting = agent.token(&form, &[]).await.expect(200).json();
    world.remove(&world.initech, &world.ada).await;
    let refresh = acting["refresh_token"].as_str().unwrap();
    let _ = agent.refresh(refresh).await.expect_problem(400, "invalid_grant");
    let token = world.site.mint(|_| ());
    let listed =
        world.site.call(Method::GET, "/api/v1/delegations", Some(&token), None).await.expect(200).json();
    assert_eq!(listed["data"][0]["state"], json!("revoked"));
}
