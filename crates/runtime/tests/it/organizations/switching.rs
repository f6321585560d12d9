//! Switching the organization with a refresh token, and what an exchange makes of it.

use serde_json::json;

use super::{NOTES, World, access, join};
use crate::harness::Harness;

const EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
const ACCESS_TOKEN: &str = "urn:ietf:params:oauth:token-type:access_token";

#[tokio::test]
async fn a_refresh_stays_in_its_organization_and_switches_to_one_that_it_names() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    join(&world.site, &world.hooli, &world.ada, &[]).await;
    let tokens = world.tokens(&mut world.site.browser(), &world.ada, &[("organization", "initech")]).await;
    let plain = world.refresh(&tokens, &[]).await.expect(200).json();
    assert_eq!(access(&plain)["org"]["slug"], "initech");
    let switched = world.refresh(&plain, &[("organization", "hooli")]).await.expect(200).json();
    let told = access(&switched);
    assert_eq!(told["org"], json!({ "id": world.hooli.id, "slug": "hooli", "roles": [] }));
    assert_eq!(told["scope"], "notes:read offline_access openid");
    let stays = world.refresh(&switched, &[]).await.expect(200).json();
    assert_eq!(access(&stays)["org"]["slug"], "hooli");
    let back =
        world.refresh(&stays, &[("organization", &world.initech.id.to_string())]).await.expect(200).json();
    let told = access(&back);
    assert_eq!(
        (&told["org"]["slug"], &told["scope"]),
        (&json!("initech"), &json!("notes:read notes:write offline_access openid"))
    );
}

#[tokio::test]
async fn a_refresh_cannot_switch_to_what_the_person_does_not_belong_to() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let tokens = world.tokens(&mut world.site.browser(), &world.ada, &[]).await;
    let mut told = Vec::new();
    for named in ["hooli", "nowhere", "Hooli", &world.hooli.id.to_string()] {
        let refused = world.refresh(&tokens, &[("organization", named)]).await;
        told.push(refused.expect_problem(400, "invalid_grant").without_request_id());
    }
    told.dedup();
    assert_eq!(told.len(), 1, "{told:?}");
    let fine = world.refresh(&tokens, &[("organization", "initech")]).await.expect(200).json();
    assert_eq!(access(&fine)["org"]["slug"], "initech");
    // The same request again is a lost answer, another one a theft.
    let again = world.refresh(&tokens, &[("organization", "initech")]).await.expect(200).json();
    assert_eq!(access(&again)["org"]["slug"], "initech");
}

#[tokio::test]
async fn a_spent_refresh_token_that_comes_back_with_an_organization_ends_its_family() {
    for named in ["nowhere", "initech"] {
        let h = Harness::new().await;
        let world = World::new(&h).await;
        let web = world.site.public_app("spa").await;
        let code = web.code(&world.ada).await;
        let tokens = web.exchange(&code).await.expect(200).json();
        let refresh = tokens["refresh_token"].as_str().unwrap();
        let next = web.refresh(refresh).await.expect(200).json();
        let form = [("grant_type", "refresh_token"), ("refresh_token", refresh), ("organization", named)];
        let _ = web.token(&form, &[]).await.expect_problem(400, "invalid_grant");
        let next = next["refresh_token"].as_str().unwrap();
        let _ = web.refresh(next).await.expect_problem(400, "invalid_grant");
    }
}

#[tokio::test]
async fn an_exchange_keeps_the_organization_or_narrows_to_one() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    join(&world.site, &world.hooli, &world.ada, &[]).await;
    let agent = world.site.app("agent").await;
    let exchange = async |token: &str, organization: &str| {
        let form = [
            ("grant_type", EXCHANGE),
            ("subject_token", token),
            ("subject_token_type", ACCESS_TOKEN),
            ("audience", NOTES),
            ("organization", organization),
        ];
        let kept = if organization.is_empty() { &form[..4] } else { &form[..] };
        agent.token(kept, &[]).await
    };
    let mut browser = world.site.browser();
    let there = world.tokens(&mut browser, &world.ada, &[("organization", "initech")]).await;
    let there = there["access_token"].as_str().unwrap();
    let kept = exchange(there, "").await.expect(200).json();
    assert_eq!(
        (&access(&kept)["org"]["slug"], &kept["scope"]),
        (&json!("initech"), &json!("notes:read notes:write"))
    );
    let same = exchange(there, "initech").await.expect(200).json();
    assert_eq!(access(&same)["org"]["slug"], "initech");
    let _ = exchange(there, "hooli").await.expect_problem(400, "invalid_request");
    let anywhere = world.tokens(&mut browser, &world.ada, &[]).await;
    let anywhere = anywhere["access_token"].as_str().unwrap();
    let narrowed = exchange(anywhere, "initech").await.expect(200).json();
    assert_eq!(
        (&access(&narrowed)["org"]["slug"], &narrowed["scope"]),
        (&json!("initech"), &json!("notes:read"))
    );
    let _ = exchange(anywhere, "nowhere").await.expect_problem(400, "invalid_request");

    world.remove(&world.initech, &world.ada).await;
    for token in [&kept, &same, &narrowed] {
        let told =
            agent.post("/oauth/introspect", &[("token", token["access_token"].as_str().unwrap())], &[]).await;
        assert_eq!(told.expect(200).json(), json!({ "active": false }));
    }
}

#[tokio::test]
async fn what_acts_for_a_person_stays_in_the_organization_of_its_exchange() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    join(&world.site, &world.hooli, &world.ada, &[]).await;
    let agent = world.site.app("agent").await;
    let there = world.tokens(&mut world.site.browser(), &world.ada, &[("organization", "initech")]).await;
    let form = [
        ("grant_type", EXCHANGE),
        ("subject_token", there["access_token"].as_str().unwrap()),
        ("subject_token_type", ACCESS_TOKEN),
        ("audience", NOTES),
        ("scope", "notes:read offline_access"),
    ];
    let acting = agent.token(&form, &[]).await.expect(200).json();
    let refresh = acting["refresh_token"].as_str().unwrap();
    let form = [("grant_type", "refresh_token"), ("refresh_token", refresh)];
    let _ = agent.token(&form, &[("organization", "hooli")]).await.expect_problem(400, "invalid_grant");
    let stays = agent.token(&form, &[("organization", "initech")]).await.expect(200).json();
    assert_eq!(access(&stays)["org"]["slug"], "initech");
}
