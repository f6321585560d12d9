//! The choice of an organization for a request that is decided on another device (RFC 8628, OpenID CIBA): at an application whose tokens
//! always count in one, of a person who belongs to several.

use serde_json::{Value, json};
use svc_http::Method;

use super::{NOTES, SCOPE, World, access, join};
use crate::harness::client::Pairs;
use crate::harness::{Answer, Client, Harness};
use crate::polling::ciba_api::token;
use crate::polling::{Started, ask, decide, enter, poll_ciba, poll_device, signed_in};

const CIBA: &str = "/api/v1/identity/ciba/requests";
const DEVICE: &str = "/api/v1/identity/device/requests";

/// Ada as a member of two organizations, an editor in one alone, and an application that requires one.
async fn of_two(h: &Harness) -> (World<'_>, Client<'_>) {
    let world = World::new(h).await;
    join(&world.site, &world.hooli, &world.ada, &[]).await;
    let portal = world.requiring("portal").await;
    (world, portal)
}

/// A device that asks for the API.
async fn start(app: &Client<'_>, changes: Pairs<'_>) -> Started {
    let form = [("scope", SCOPE), ("resource", NOTES)];
    let response = app.post("/oauth/device/code", &form, changes).await.expect(200).json();
    let text = |name: &str| response[name].as_str().unwrap().to_owned();
    Started { device_code: text("device_code"), user_code: text("user_code") }
}

/// What the tokens of a device say, fetched and refreshed.
async fn told(app: &Client<'_>, started: &Started) -> [Value; 2] {
    app.site.harness.advance(5);
    let tokens = poll_device(app, &started.device_code).await.expect(200).json();
    let refreshed = app.refresh(tokens["refresh_token"].as_str().unwrap()).await.expect(200).json();
    [access(&tokens), access(&refreshed)]
}

/// Sends what a person decides through an application of their own.
async fn act(world: &World<'_>, path: &str, body: Option<Value>) -> Answer {
    let token = token(&world.site, &world.ada);
    world.site.call(Method::POST, path, Some(&token), body).await
}

/// The newest backchannel request that waits for Ada.
async fn waiting(world: &World<'_>) -> Value {
    let token = token(&world.site, &world.ada);
    let listed = world.site.call(Method::GET, CIBA, Some(&token), None).await.expect(200).json();
    listed["data"][0].clone()
}

#[tokio::test]
async fn the_page_of_a_device_offers_the_choice_and_the_tokens_count_there() {
    let h = Harness::new().await;
    let (world, portal) = of_two(&h).await;
    let (initech, hooli) = (world.initech.id.to_string(), world.hooli.id.to_string());
    let mut browser = signed_in(&world.site, &world.ada).await;
    for (organization, slug, roles, scope) in [
        (&initech, "initech", json!(["editor"]), "notes:read notes:write offline_access openid"),
        (&hooli, "hooli", json!([]), "notes:read offline_access openid"),
    ] {
        let started = start(&portal, &[]).await;
        let page = enter(&mut browser, &started.user_code).await.expect(200);
        for part in [
            "id=\"approval-organization-0-0\"",
            "id=\"approval-organization-0-1\"",
            "id=\"approval-allow-0\"",
            "data-scope=\"notes:write\"",
            &initech,
            &hooli,
        ] {
            assert!(page.body.contains(part), "{part} in {}", page.body);
        }
        let answer = [("decision", "allow"), ("organization", organization.as_str())];
        let _ = browser.submit(&page, &answer).await.expect(200);
        for told in told(&portal, &started).await {
            assert_eq!(told["org"], json!({ "id": organization, "slug": slug, "roles": roles }));
            assert_eq!(told["scope"], scope);
        }
    }
}

#[tokio::test]
async fn a_person_with_one_organization_has_nothing_to_choose() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let portal = world.requiring("portal").await;
    let started = start(&portal, &[]).await;
    let mut browser = signed_in(&world.site, &world.ada).await;
    let page = enter(&mut browser, &started.user_code).await.expect(200);
    assert!(!page.body.contains("type=\"radio\""), "{}", page.body);
    assert!(page.body.contains("<strong><bdi>initech</bdi></strong>"), "{}", page.body);
    let _ = decide(&mut browser, &page, "allow").await.expect(200);
    for told in told(&portal, &started).await {
        assert_eq!(told["org"]["slug"], "initech");
    }
}

#[tokio::test]
async fn an_approval_counts_in_the_organization_alone_that_its_page_names() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let portal = world.requiring("portal").await;
    let auth_req_id = ask(&portal, "ada", &[]).await;
    let mut browser = signed_in(&world.site, &world.ada).await;
    let page = browser.get("/auth/approvals").await.expect(200);
    assert!(page.body.contains("<strong><bdi>initech</bdi></strong>"), "{}", page.body);
    join(&world.site, &world.hooli, &world.ada, &[]).await;
    world.remove(&world.initech, &world.ada).await;
    let alone = decide(&mut browser, &page, "allow").await.expect(200);
    assert!(alone.body.contains("id=\"organization-submit\""), "{}", alone.body);
    assert!(alone.body.contains(&world.hooli.id.to_string()), "{}", alone.body);
    let _ = poll_ciba(&portal, &auth_req_id).await.expect_problem(400, "authorization_pending");
}

#[tokio::test]
async fn a_form_without_a_choice_that_can_count_leads_to_the_page_of_the_choice_alone() {
    let h = Harness::new().await;
    let (world, portal) = of_two(&h).await;
    let foreign = world.site.organization("umbrella", world.bob.id).await.id.to_string();
    let started = start(&portal, &[]).await;
    let mut browser = signed_in(&world.site, &world.ada).await;
    let page = enter(&mut browser, &started.user_code).await.expect(200);
    for choice in [foreign.as_str(), "initech", "", "org_x"] {
        let answer = [("decision", "allow"), ("organization", choice)];
        let again = browser.submit(&page, &answer).await.expect(200);
        assert!(again.body.contains("id=\"organization-submit\""), "{choice}: {}", again.body);
    }
    let alone = decide(&mut browser, &page, "allow").await.expect(200);
    let _ = poll_device(&portal, &started.device_code).await.expect_problem(400, "authorization_pending");
    let hooli = world.hooli.id.to_string();
    let answer = [("decision", "continue"), ("organization", hooli.as_str())];
    let _ = browser.submit(&alone, &answer).await.expect(200);
    for told in told(&portal, &started).await {
        assert_eq!(told["org"]["slug"], "hooli");
    }
    let refused = start(&portal, &[]).await;
    let page = enter(&mut browser, &refused.user_code).await.expect(200);
    let alone = decide(&mut browser, &page, "allow").await.expect(200);
    let _ = decide(&mut browser, &alone, "deny").await.expect(200);
    let _ = poll_device(&portal, &refused.device_code).await.expect_problem(400, "access_denied");
}

#[tokio::test]
async fn a_choice_whose_membership_has_ended_leads_to_no_other_organization() {
    let h = Harness::new().await;
    let (world, portal) = of_two(&h).await;
    let (initech, hooli) = (world.initech.id.to_string(), world.hooli.id.to_string());
    let auth_req_id = ask(&portal, "ada", &[]).await;
    let mut browser = signed_in(&world.site, &world.ada).await;
    let page = browser.get("/auth/approvals").await.expect(200);
    world.remove(&world.hooli, &world.ada).await;
    let answer = [("decision", "allow"), ("organization", hooli.as_str())];
    let alone = browser.submit(&page, &answer).await.expect(200);
    assert!(alone.body.contains(&initech) && !alone.body.contains(&hooli), "{}", alone.body);
    let _ = poll_ciba(&portal, &auth_req_id).await.expect_problem(400, "authorization_pending");
    let answer = [("decision", "continue"), ("organization", initech.as_str())];
    let _ = browser.submit(&alone, &answer).await.expect(200);
    h.advance(5);
    let tokens = poll_ciba(&portal, &auth_req_id).await.expect(200).json();
    assert_eq!(access(&tokens)["org"]["slug"], "initech");
    // An approval ends with the membership for which it was given.
    join(&world.site, &world.hooli, &world.ada, &[]).await;
    let auth_req_id = ask(&portal, "ada", &[]).await;
    let page = browser.get("/auth/approvals").await.expect(200);
    let answer = [("decision", "allow"), ("organization", hooli.as_str())];
    let _ = browser.submit(&page, &answer).await.expect(200);
    world.remove(&world.hooli, &world.ada).await;
    let _ = poll_ciba(&portal, &auth_req_id).await.expect_problem(400, "access_denied");
}

#[tokio::test]
async fn an_application_of_the_persons_shows_the_organizations_and_names_the_chosen_one() {
    let h = Harness::new().await;
    let (world, portal) = of_two(&h).await;
    let choices = json!([
        { "id": world.hooli.id, "slug": "hooli", "name": "hooli", "roles": [] },
        { "id": world.initech.id, "slug": "initech", "name": "initech", "roles": ["editor"] },
    ]);
    let started = start(&portal, &[]).await;
    let entered = act(&world, DEVICE, Some(json!({ "user_code": started.user_code }))).await;
    let device = entered.expect(200).json();
    let auth_req_id = ask(&portal, "ada", &[("scope", SCOPE), ("resource", NOTES)]).await;
    let request = waiting(&world).await;
    for shown in [&device, &request] {
        assert_eq!((&shown["organizations"], shown.get("org")), (&choices, None), "{shown}");
    }
    let approve =
        |collection: &str, shown: &Value| format!("{collection}/{}/approve", shown["id"].as_str().unwrap());
    for path in [approve(DEVICE, &device), approve(CIBA, &request)] {
        for body in [None, Some(json!({})), Some(json!({ "organization_id": null }))] {
            let refused = act(&world, &path, body).await.expect_problem(400, "bad_request").json();
            let detail = refused["detail"].as_str().unwrap();
            assert!(detail.starts_with("organization_id: ") && detail.contains("organizations"), "{detail}");
        }
        let unknown = Some(json!({ "organization_id": "org_00000000000000000000000000" }));
        let _ = act(&world, &path, unknown).await.expect_problem(400, "bad_request");
        let chosen = Some(json!({ "organization_id": world.initech.id }));
        let _ = act(&world, &path, chosen.clone()).await.expect(204);
        let _ = act(&world, &path, chosen).await.expect_problem(409, "conflict");
    }
    for told in told(&portal, &started).await {
        assert_eq!(told["org"]["slug"], "initech");
    }
    let tokens = poll_ciba(&portal, &auth_req_id).await.expect(200).json();
    let told = access(&tokens);
    assert_eq!(told["org"], json!({ "id": world.initech.id, "slug": "initech", "roles": ["editor"] }));
    assert_eq!(told["scope"], "notes:read notes:write offline_access openid");
}

#[tokio::test]
async fn an_approval_names_no_organization_in_which_the_tokens_cannot_count() {
    let h = Harness::new().await;
    let (world, portal) = of_two(&h).await;
    let here = Some(json!({ "organization_id": world.initech.id }));
    // Where the application requires none, and where the request names another one.
    for (app, changes, org) in
        [(&world.web, &[][..], Value::Null), (&portal, &[("organization", "hooli")][..], json!("hooli"))]
    {
        let auth_req_id = ask(app, "ada", changes).await;
        let request = waiting(&world).await;
        assert_eq!((request.get("organizations"), &request["org"]["slug"]), (None, &org), "{request}");
        let path = format!("{CIBA}/{}/approve", request["id"].as_str().unwrap());
        let refused = act(&world, &path, here.clone()).await.expect_problem(400, "bad_request").json();
        assert!(refused["detail"].as_str().unwrap().starts_with("organization_id: "), "{refused}");
        let _ = act(&world, &path, None).await.expect(204);
        let tokens = poll_ciba(app, &auth_req_id).await.expect(200).json();
        assert_eq!(access(&tokens)["org"]["slug"], org);
    }
}
