//! The parameter `organization` at authorization, and what tokens say of it.

use serde_json::json;
use svc_domain::apis::management::ADMIN;
use svc_domain::apps::OrganizationUsage;
use svc_domain::organizations::Status;
use svc_http::Method;

use super::{NOTES, SCOPE, World, access, join};
use crate::harness::Harness;
use crate::harness::client::claims;

#[tokio::test]
async fn an_organization_that_is_named_is_in_every_token_and_its_roles_open_the_scopes() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    join(&world.site, &world.hooli, &world.ada, &[]).await;
    let mut browser = world.site.browser();
    let (initech, hooli) = (world.initech.id.to_string(), world.hooli.id.to_string());
    let write = "notes:read notes:write offline_access openid";
    let read = "notes:read offline_access openid";
    for (named, slug, roles, scope) in [
        ("initech", "initech", json!(["editor"]), write),
        (initech.as_str(), "initech", json!(["editor"]), write),
        (hooli.as_str(), "hooli", json!([]), read),
    ] {
        let tokens = world.tokens(&mut browser, &world.ada, &[("organization", named)]).await;
        let id = if slug == "initech" { &initech } else { &hooli };
        let org = json!({ "id": id, "slug": slug, "roles": roles });
        let told = access(&tokens);
        assert_eq!((&told["org"], &told["scope"]), (&org, &json!(scope)), "{named}");
        assert_eq!(claims(tokens["id_token"].as_str().unwrap())["org"], org, "{named}");
        for token in ["access_token", "refresh_token"] {
            let token = tokens[token].as_str().unwrap();
            let seen = world.web.post("/oauth/introspect", &[("token", token)], &[]).await.expect(200).json();
            assert_eq!(seen["org"], org, "{named}");
        }
    }
    let told = access(&world.tokens(&mut browser, &world.ada, &[]).await);
    assert_eq!((told.get("org"), &told["scope"]), (None, &json!(read)));
}

#[tokio::test]
async fn roles_of_the_tenant_open_nothing_in_an_organization() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let mut browser = world.site.browser();
    let told = access(&world.tokens(&mut browser, &world.bob, &[]).await);
    assert_eq!((&told["roles"], &told["permissions"]), (&json!(["editor"]), &json!(["notes:write"])));
    let told = access(&world.tokens(&mut browser, &world.bob, &[("organization", "initech")]).await);
    assert_eq!(told["org"]["roles"], json!([]));
    assert_eq!(told["scope"], "notes:read offline_access openid");
    assert_eq!((told.get("roles"), told.get("permissions")), (None, None));
}

#[tokio::test]
async fn a_role_in_an_organization_opens_nothing_of_the_management_api() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let eve = world.site.user("eve").await;
    join(&world.site, &world.initech, &eve, &[ADMIN]).await;
    let audience = world.site.tenant.api_audience();
    let asked = [
        ("organization", "initech"),
        ("resource", audience.as_str()),
        ("scope", "openid tenant-users:write identity:approve"),
    ];
    let code = world.web.code_with(&mut world.site.browser(), &eve, &asked).await;
    let tokens = world.web.exchange(&code).await.expect(200).json();
    assert_eq!(tokens["scope"], "identity:approve openid");
    let token = tokens["access_token"].as_str();
    let body = Some(json!({ "email": "mallory@new.example" }));
    let refused = world.site.call(Method::POST, "/api/v1/tenant-users", token, body).await;
    let _ = refused.expect_problem(403, "insufficient_scope");
}

#[tokio::test]
async fn userinfo_tells_the_organization_of_the_token() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let code =
        world.web.code_with(&mut world.site.browser(), &world.ada, &[("organization", "initech")]).await;
    let tokens = world.web.exchange(&code).await.expect(200).json();
    let told = world.site.call(Method::GET, "/userinfo", tokens["access_token"].as_str(), None).await;
    let org = json!({ "id": world.initech.id, "slug": "initech", "roles": ["editor"] });
    assert_eq!(told.expect(200).json()["org"], org);
}

#[tokio::test]
async fn an_organization_of_others_is_told_like_one_that_does_not_exist() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let mut browser = world.site.sign_in(&world.web, &world.ada).await;
    let asleep = world.site.organization("asleep", world.ada.id).await;
    world.set_status(&asleep, Status::Suspended).await;
    let (mut answers, mut pages) = (Vec::new(), Vec::new());
    for named in ["hooli", "nowhere", "asleep", "org_01jd3x9k2mfa8t5v7w0q4r6s8y"] {
        let asked = [("organization", named), ("prompt", "none")];
        let refused = browser.get(&world.web.authorize_path("v", &asked)).await;
        let told = |name| refused.redirect_param(name);
        answers.push((told("error").unwrap(), told("error_description").unwrap()));
        let page = browser.get(&world.web.authorize_path("v", &asked[..1])).await.expect(200);
        assert!(page.body.contains("id=\"organization-none\"") && !page.body.contains(named), "{page:?}");
        let told = page.body.split("id=\"organization-none\"").nth(1).unwrap();
        pages.push(told.split("</p>").next().unwrap().to_owned());
        let back = browser.submit(&page, &[("decision", "deny")]).await;
        assert_eq!(back.redirect_param("error").as_deref(), Some("access_denied"));
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert_eq!(answers[0].0, "access_denied");
    pages.dedup();
    assert_eq!(pages.len(), 1, "{pages:?}");
}

#[tokio::test]
async fn an_application_takes_no_organization_where_it_or_the_tenant_has_none() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let denying = world
        .site
        .app_with("denying", |configuration| {
            configuration.organization_usage = Some(OrganizationUsage::Deny);
        })
        .await;
    for (app, named) in
        [(&denying, "initech"), (&world.web, "Initech"), (&world.web, "-"), (&world.web, "org_x")]
    {
        let asked = [("organization", named)];
        let refused = world.site.browser().get(&app.authorize_path("v", &asked)).await;
        assert_eq!(refused.redirect_param("error").as_deref(), Some("invalid_request"), "{named}");
        let description = refused.redirect_param("error_description").unwrap();
        assert!(description.starts_with("organization: "), "{description}");
        let form = [
            ("response_type", "code"),
            ("redirect_uri", app.redirect_uri()),
            ("scope", "openid"),
            ("nonce", "n"),
            ("organization", named),
        ];
        let _ = app.post("/oauth/par", &form, &[]).await.expect_problem(400, "invalid_request");
    }
    let h = Harness::with(&[("SVC_ORGANIZATIONS__ENABLED", "false")]).await;
    let site = h.tenant("main").await;
    let refused =
        site.browser().get(&site.app("web").await.authorize_path("v", &[("organization", "initech")])).await;
    assert_eq!(refused.redirect_param("error").as_deref(), Some("invalid_request"));
}

#[tokio::test]
async fn an_organization_can_be_pushed_and_switched_without_another_sign_in() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    join(&world.site, &world.hooli, &world.ada, &[]).await;
    let mut browser = world.site.sign_in(&world.web, &world.ada).await;
    for slug in ["initech", "hooli"] {
        let verifier = world.web.verifier();
        let challenge = svc_keys::pkce::s256(&verifier);
        let form = [
            ("response_type", "code"),
            ("redirect_uri", world.web.redirect_uri()),
            ("scope", SCOPE),
            ("resource", NOTES),
            ("nonce", "n"),
            ("code_challenge", challenge.as_str()),
            ("code_challenge_method", "S256"),
            ("organization", slug),
        ];
        let pushed = world.web.post("/oauth/par", &form, &[]).await.expect(201).json();
        let query = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("client_id", &world.web.id)
            .append_pair("request_uri", pushed["request_uri"].as_str().unwrap())
            .finish();
        let code = browser.get(&format!("/oauth/authorize?{query}")).await.redirect_param("code").unwrap();
        let code = crate::harness::client::Code { code, verifier };
        let tokens = world.web.exchange(&code).await.expect(200).json();
        assert_eq!(access(&tokens)["org"]["slug"], slug);
    }
}

#[tokio::test]
async fn what_was_granted_in_an_organization_gives_nothing_while_organizations_are_off() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let mut browser = world.site.browser();
    let there = world.tokens(&mut browser, &world.ada, &[("organization", "initech")]).await;
    let anywhere = world.tokens(&mut browser, &world.ada, &[]).await;
    let set = async |without: &[&str]| {
        let change = Some(json!({ "settings": { "disabled_capabilities": without } }));
        let admin = world.site.mint(|_| ());
        let _ =
            world.site.call(Method::PATCH, "/api/v1/tenant-settings", Some(&admin), change).await.expect(200);
        let _ = h.informed_app().await;
    };
    set(&["organizations"]).await;
    let refused = world.refresh(&there, &[]).await.expect(400).json();
    assert_eq!(refused["error"], "invalid_grant");
    assert!(!world.is_active(&there["refresh_token"]).await);
    let refreshed = world.refresh(&anywhere, &[]).await.expect(200).json();
    assert_eq!(access(&refreshed).get("org"), None);
    set(&[]).await;
    let refreshed = world.refresh(&there, &[]).await.expect(200).json();
    assert_eq!(access(&refreshed)["org"]["slug"], "initech");
}
