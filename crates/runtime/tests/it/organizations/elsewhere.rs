//! Requests for an organization that are decided on another device (RFC 8628, OpenID CIBA).

use serde_json::{Value, json};
use svc_http::Method;

use super::accepted_ways::offers;
use super::sso::set_rules;
use super::sso_alone::world_of;
use super::sso_sign_in::{LOOPBACK, follow};
use super::{World, access, join};
use crate::harness::Harness;
use crate::harness::provider::Provider;
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

#[tokio::test]
async fn a_refused_approval_leads_to_the_sign_in_that_the_organization_demands_and_back() {
    let h = Harness::with(&[LOOPBACK]).await;
    let provider = Provider::serve().await;
    let world = world_of(&h, &provider).await;
    set_rules(&world, &world.initech, json!({ "sso": "required" })).await;
    let _ = h.informed_app().await;
    let request = ask(&world.web, "ada", &[("organization", "initech")]).await;
    let mut browser = signed_in(&world.site, &world.ada).await;
    let page = browser.get("/auth/approvals").await.expect(200);
    let refused = decide(&mut browser, &page, "allow").await.expect(403);
    assert!(refused.body.contains("the organization asks for another sign-in"), "{refused:?}");
    let page = browser.get(&refused.link("retry-link")).await;
    offers(&page, &["sso-continue"], &["login-submit"]);
    let asked = follow(&mut browser, &page).await;
    let is_ada = |claims: &mut Value| claims["email"] = json!(world.ada.email);
    let back = browser.get(&provider.vouch(&asked, &h, is_ada)).await;
    assert_eq!(back.location(), "/auth/approvals");
    let page = browser.get("/auth/approvals").await.expect(200);
    let _ = decide(&mut browser, &page, "allow").await.expect(200);
    let _ = poll_ciba(&world.web, &request).await.expect(200);
}

#[tokio::test]
async fn a_sign_in_that_is_too_old_for_the_organization_is_made_again_and_the_request_allowed() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let rules = json!({ "sso": "optional", "session_max_age_secs": 60 });
    set_rules(&world, &world.initech, rules).await;
    let _ = h.informed_app().await;
    let mut browser = signed_in(&world.site, &world.ada).await;
    h.advance(120);
    let request = ask(&world.web, "ada", &[("organization", "initech")]).await;
    let page = browser.get("/auth/approvals").await.expect(200);
    let refused = decide(&mut browser, &page, "allow").await.expect(403);
    assert!(refused.body.contains("Please sign in again to continue."), "{refused:?}");
    let page = browser.get(&refused.link("retry-link")).await.expect(200);
    let fields = [("username", world.ada.username.as_str()), ("password", &world.ada.password)];
    let back = browser.submit(&page, &fields).await;
    assert_eq!(back.location(), "/auth/approvals");
    let page = browser.get("/auth/approvals").await.expect(200);
    let _ = decide(&mut browser, &page, "allow").await.expect(200);
    let _ = poll_ciba(&world.web, &request).await.expect(200);
}

#[tokio::test]
async fn a_challenge_names_the_sign_in_that_the_organization_demands_of_an_approval_by_the_api() {
    const WAITING: &str = "/api/v1/identity/ciba/requests";
    const ONE: &str = "urn:svc:aal1";
    const TWO: &str = "urn:svc:aal2";
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let token = |(age, acr): (i64, &str)| {
        let signed_in = h.operator().now.as_secs() - age;
        world.site.mint(|claims| {
            (claims["sub"], claims["subject_type"]) = (json!(world.ada.subject), json!("human"));
            (claims["auth_time"], claims["acr"]) = (json!(signed_in), json!(acr));
        })
    };
    let asked = async |rules: Value| {
        set_rules(&world, &world.initech, rules).await;
        let _ = h.informed_app().await;
        let request = ask(&world.web, "ada", &[("organization", "initech")]).await;
        let listed = world.site.call(Method::GET, WAITING, Some(&token((0, ONE))), None).await.expect(200);
        (request, format!("{WAITING}/{}/approve", listed.json()["data"][0]["id"].as_str().unwrap()))
    };
    for (one, rules, refused, wanted, enough) in [
        ("fresher", json!({ "session_max_age_secs": 60 }), (61, ONE), "max_age=\"60\"", (0, ONE)),
        (
            "stronger",
            json!({ "second_factor": "required" }),
            (0, ONE),
            "acr_values=\"urn:svc:aal2\"",
            (0, TWO),
        ),
    ] {
        let (request, path) = asked(rules).await;
        let approve = async |signed_in: (i64, &str)| {
            let key = ("idempotency-key", one);
            world.site.call_with(Method::POST, &path, &token(signed_in), key, json!({})).await
        };
        let refused = approve(refused).await.expect_problem(401, "unauthorized");
        let challenge = refused.header("www-authenticate");
        assert!(challenge.contains("error=\"insufficient_user_authentication\""), "{challenge}");
        assert!(challenge.ends_with(wanted), "{challenge}");
        // The call is repeated as it was, after the sign-in that was asked for.
        let _ = approve(enough).await.expect(204);
        let _ = poll_ciba(&world.web, &request).await.expect(200);
    }
    // For another way to sign in there is no challenge, however old the sign-in is.
    for (age, rules) in
        [(0, json!({ "sso": "required" })), (61, json!({ "sso": "required", "session_max_age_secs": 60 }))]
    {
        let (_, path) = asked(rules).await;
        let refused = world.site.call(Method::POST, &path, Some(&token((age, TWO))), None).await;
        let refused = refused.expect_problem(403, "forbidden");
        assert_eq!(refused.header("www-authenticate"), "", "{age}");
    }
}
