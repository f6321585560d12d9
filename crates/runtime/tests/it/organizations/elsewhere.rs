//! Requests for an organization that are decided on another device (RFC 8628, OpenID CIBA).

use serde_json::json;
use svc_http::Method;

use super::{World, access, join};
use crate::harness::Harness;
use crate::polling::{ask, decide, poll_ciba, poll_device, signed_in};

#[tokio::test]
async fn a_device_gets_tokens_in_the_organization_that_it_names() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let form = [("scope", super::SCOPE), ("resource", super::NOTES), ("organization", "initech")];
    let started = world.web.post("/oauth/device/code", &form, &[]).await.expect(200).json();
    let code = started["user_code"].as_str().unwrap();
    let eve = world.site.user("eve").await;
    let mut stranger = signed_in(&world.site, &eve).await;
    let page = stranger.get("/oauth/device/verify").await.expect(200);
    let unknown = stranger.submit(&page, &[("user_code", code)]).await.expect(200);
    assert!(unknown.body.contains("role=\"alert\""), "{unknown:?}");

    let mut browser = signed_in(&world.site, &world.ada).await;
    let page = browser.get("/oauth/device/verify").await.expect(200);
    let page = browser.submit(&page, &[("user_code", code)]).await.expect(200);
    assert!(page.body.contains("<strong><bdi>initech</bdi></strong>"), "{}", page.body);
    let _ = decide(&mut browser, &page, "allow").await.expect(200);
    let tokens = poll_device(&world.web, started["device_code"].as_str().unwrap()).await.expect(200).json();
    let told = access(&tokens);
    assert_eq!(told["org"], json!({ "id": world.initech.id, "slug": "initech", "roles": ["editor"] }));
    assert_eq!(told["scope"], "notes:read notes:write offline_access openid");
    world.remove(&world.initech, &world.ada).await;
    let _ = world.refresh(&tokens, &[]).await.expect_problem(400, "invalid_grant");
}

#[tokio::test]
async fn a_backchannel_request_waits_for_members_alone() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let asked = [("organization", "hooli")];
    let request = ask(&world.web, "ada", &asked).await;
    let mut browser = signed_in(&world.site, &world.ada).await;
    assert!(browser.get("/auth/approvals").await.body.contains("id=\"approvals-none\""));
    join(&world.site, &world.hooli, &world.ada, &[]).await;
    let page = browser.get("/auth/approvals").await.expect(200);
    let _ = decide(&mut browser, &page, "allow").await.expect(200);
    let tokens = poll_ciba(&world.web, &request).await.expect(200).json();
    assert_eq!(access(&tokens)["org"]["slug"], "hooli");

    let request = ask(&world.web, "ada", &asked).await;
    let page = browser.get("/auth/approvals").await.expect(200);
    let _ = decide(&mut browser, &page, "allow").await.expect(200);
    world.remove(&world.hooli, &world.ada).await;
    let _ = poll_ciba(&world.web, &request).await.expect_problem(400, "access_denied");
    let refused = world.web.post(
        "/bc-authorize",
        &[("scope", "openid"), ("login_hint", "ada"), ("organization", "-")],
        &[],
    );
    let _ = refused.await.expect_problem(400, "invalid_request");
}

#[tokio::test]
async fn a_second_factor_that_the_organization_demands_is_asked_for_before_a_request_is_allowed() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let rules = Some(json!({ "sign_in": { "second_factor": "required" } }));
    let path = format!("/api/v1/organizations/{}", world.initech.id);
    let admin = world.site.mint(|_| ());
    let _ = world.site.call(Method::PATCH, &path, Some(&admin), rules).await.expect(200);
    let request = ask(&world.web, "ada", &[("organization", "initech")]).await;
    let mut browser = signed_in(&world.site, &world.ada).await;
    let page = browser.get("/auth/approvals").await.expect(200);
    let asked = decide(&mut browser, &page, "allow").await.expect(200);
    assert!(asked.body.contains("id=\"set-up-totp-begin\""), "{asked:?}");
    let _ = poll_ciba(&world.web, &request).await.expect_problem(400, "authorization_pending");
}
