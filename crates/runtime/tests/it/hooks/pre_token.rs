//! Hooks before tokens: what they are told, what they refuse, and what they add.

use serde_json::{Value, json};
use svc_db::SystemSql;
use svc_http::Method;

use super::{HOOKS, NOTES, answer, asked, call, entries, hook, with_receiver};
use crate::harness::client::{SCOPE, claims};
use crate::harness::{Answer, Client, Person, Site};
use crate::polling::{allow_device, poll_device, start};

/// Asks for a code, and nothing more.
async fn code(web: &Client<'_>, person: &Person) -> crate::harness::Code {
    web.code_with(&mut web.site.browser(), person, &[]).await
}

async fn own(web: &Client<'_>) -> Answer {
    web.token(&[("grant_type", "client_credentials"), ("resource", NOTES)], &[]).await
}

#[tokio::test]
async fn a_hook_is_told_of_the_person_and_adds_claims_to_the_tokens_of_each_grant() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    site.api(NOTES, &["notes:read"]).await;
    let (web, ada) = (site.app("web").await, site.user_with_roles("ada", &["editor"]).await);
    let added = json!({ "access_token": { "tier": 3 }, "id_token": { "https://main.example/tier": "gold" } });
    answer(&server, "/hook", &json!({ "verdict": "allow", "claims": added }));
    let made = hook(&site, &server, "/hook", json!({})).await;

    let tokens = web.exchange(&code(&web, &ada).await).await.expect(200).json();
    let [access, id] = ["access_token", "id_token"].map(|token| claims(tokens[token].as_str().unwrap()));
    assert_eq!([&access["tier"], &id["https://main.example/tier"]], [&json!(3), &json!("gold")]);
    assert_eq!((access.get("https://main.example/tier"), id.get("tier")), (None, None));
    let told = asked(&server.requests("/hook")[0], &[&made.secret]);
    assert_eq!(told["tenant"]["issuer"], site.issuer());
    assert_eq!(
        [&told["application"]["id"], &told["grant_type"]],
        [&json!(web.id), &json!("authorization_code")]
    );
    let subject = &told["subject"];
    assert_eq!([&subject["type"], &subject["id"]], [&json!("person"), &json!(ada.id.to_string())]);
    assert_eq!([&subject["username"], &subject["roles"]], [&json!("ada"), &json!(["editor"])]);
    assert_eq!([&subject["amr"], &subject["session_id"]], [&json!(["pwd"]), &id["sid"]]);
    assert_eq!(told["scope"].as_str().unwrap().split(' ').count(), SCOPE.split(' ').count());

    // The token is that of the service itself, which takes it as ever.
    let access_token = tokens["access_token"].as_str();
    let _ = site.call(Method::GET, "/userinfo", access_token, None).await.expect(200);
    let again = web.refresh(tokens["refresh_token"].as_str().unwrap()).await.expect(200).json();
    assert_eq!(claims(again["access_token"].as_str().unwrap())["tier"], 3);
    let own = own(&web).await.expect(200).json();
    assert_eq!(claims(own["access_token"].as_str().unwrap())["tier"], 3);
    let grants: Vec<_> = server
        .requests("/hook")
        .iter()
        .map(|posted| {
            let told = asked(posted, &[&made.secret]);
            (told["grant_type"].clone(), told["subject"]["type"].clone(), told["audience"].clone())
        })
        .collect();
    let us = json!(site.issuer());
    assert_eq!(
        grants,
        [
            (json!("authorization_code"), json!("person"), us.clone()),
            (json!("refresh_token"), json!("person"), us),
            (json!("client_credentials"), json!("application"), json!(NOTES)),
        ]
    );
}

#[tokio::test]
async fn what_a_hook_refuses_has_spent_nothing() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    site.api(NOTES, &["notes:read"]).await;
    // Refresh tokens of a public application are spent with each use.
    let (web, spa, ada) = (site.app("web").await, site.public_app("spa").await, site.user("ada").await);
    let made = hook(&site, &server, "/hook", json!({})).await;
    let deny = json!({ "verdict": "deny", "message": "Your plan has ended" });
    answer(&server, "/hook", &deny);

    let code = code(&spa, &ada).await;
    for _ in 0..2 {
        let refused = spa.exchange(&code).await.expect_problem(400, "access_denied").json();
        assert_eq!(refused["error_description"], "Your plan has ended");
    }
    let _ = own(&web).await.expect_problem(400, "access_denied");
    assert!(entries(&site, "token.issued").await.is_empty());
    let denied = entries(&site, "hook.denied").await;
    assert_eq!(denied.len(), 1);
    assert_eq!(denied[0]["target"], made.path.strip_prefix("/api/v1/hooks/").unwrap());

    answer(&server, "/hook", &json!({ "verdict": "allow" }));
    let tokens = spa.exchange(&code).await.expect(200).json();
    let refresh_token = tokens["refresh_token"].as_str().unwrap();
    answer(&server, "/hook", &json!({ "verdict": "deny" }));
    let refused = spa.refresh(refresh_token).await.expect_problem(400, "access_denied").json();
    assert_eq!(refused["error_description"], "a hook of the tenant refuses these tokens");
    answer(&server, "/hook", &json!({ "verdict": "allow" }));
    let next = spa.refresh(refresh_token).await.expect(200).json();
    assert_ne!(next["refresh_token"], refresh_token);
    // A code that was exchanged stays so.
    let asked_before = server.requests("/hook").len();
    let _ = spa.exchange(&code).await.expect_problem(400, "invalid_grant");
    assert_eq!(server.requests("/hook").len(), asked_before);
}

#[tokio::test]
async fn hooks_are_asked_in_order_for_their_applications_until_one_refuses() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    site.api(NOTES, &["notes:read"]).await;
    let (web, batch) = (site.app("web").await, site.app("batch").await);
    let tiered = |tier: i64| {
        let claims = json!({ "access_token": { "tier": tier, format!("of{tier}"): true } });
        json!({ "verdict": "allow", "claims": claims })
    };
    answer(&server, "/late", &tiered(2));
    answer(&server, "/early", &tiered(1));
    answer(&server, "/batch", &json!({ "verdict": "deny" }));
    hook(&site, &server, "/late", json!({ "order": 20 })).await;
    hook(&site, &server, "/early", json!({ "order": 10 })).await;
    let of_batch = json!({ "order": 15, "application_ids": [batch.id] });
    let of_batch = hook(&site, &server, "/batch", of_batch).await;
    let _ = h.informed_app().await;

    let token = own(&web).await.expect(200).json();
    let told = claims(token["access_token"].as_str().unwrap());
    assert_eq!([&told["tier"], &told["of1"], &told["of2"]], [&json!(2), &json!(true), &json!(true)]);
    let _ = own(&batch).await.expect_problem(400, "access_denied");
    assert_eq!(["/early", "/batch", "/late"].map(|path| server.requests(path).len()), [2, 1, 1]);

    // A change counts at once: one that is switched off, and one that is deleted.
    let off = Some(json!({ "is_active": false }));
    let _ = call(&site, Method::PATCH, &of_batch.path, off).await.expect(200);
    let _ = h.informed_app().await;
    let _ = own(&batch).await.expect(200);
    let list: Value = call(&site, Method::GET, HOOKS, None).await.expect(200).json();
    for record in list["data"].as_array().unwrap() {
        let path = format!("{HOOKS}/{}", record["id"].as_str().unwrap());
        let _ = call(&site, Method::DELETE, &path, None).await.expect(204);
    }
    let _ = h.informed_app().await;
    let token = own(&web).await.expect(200).json();
    assert_eq!(claims(token["access_token"].as_str().unwrap()).get("tier"), None);
    assert_eq!(server.requests("/late").len(), 2);
}

#[tokio::test]
async fn hooks_of_another_tenant_are_not_asked_and_not_seen() {
    let (h, server) = with_receiver().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    site.api(NOTES, &["notes:read"]).await;
    answer(&server, "/theirs", &json!({ "verdict": "deny" }));
    let theirs = hook(&other, &server, "/theirs", json!({})).await;
    let web = site.app("web").await;
    let _ = own(&web).await.expect(200);
    assert!(server.requests("/theirs").is_empty());
    for (method, path) in [
        (Method::GET, theirs.path.clone()),
        (Method::DELETE, theirs.path.clone()),
        (Method::POST, format!("{}/test", theirs.path)),
        (Method::POST, format!("{}/secret", theirs.path)),
    ] {
        let _ = call(&site, method, &path, None).await.expect_problem(404, "not_found");
    }
}

#[tokio::test]
async fn where_the_deployment_has_no_hooks_none_is_asked() {
    let server = super::Publisher::start().await;
    answer(&server, "/hook", &json!({ "verdict": "deny" }));
    let h = super::Harness::with(&[super::LOOPBACK]).await;
    let site = h.tenant("main").await;
    site.api(NOTES, &["notes:read"]).await;
    let web = site.app("web").await;
    hook(&site, &server, "/hook", json!({})).await;
    let _ = own(&web).await.expect_problem(400, "access_denied");
    let without = h.restarted_with(&[super::LOOPBACK, ("SVC_HOOKS__ENABLED", "false")]).await;
    let web = Client { site: Site { harness: &without, ..site.clone() }, ..web };
    let _ = own(&web).await.expect(200);
    let _ = call(&web.site, Method::GET, HOOKS, None).await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn a_device_waits_until_a_hook_lets_it_have_its_tokens() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let (tv, ada) = (site.public_app("tv").await, site.user("ada").await);
    answer(&server, "/hook", &json!({ "verdict": "deny" }));
    hook(&site, &server, "/hook", json!({})).await;
    let started = start(&tv, "openid offline_access").await;
    let _ = poll_device(&tv, &started.device_code).await.expect_problem(400, "authorization_pending");
    assert!(server.requests("/hook").is_empty(), "nothing was decided that a hook could be asked about");
    allow_device(&site, &ada, &started.user_code).await;
    h.advance(10);
    let _ = poll_device(&tv, &started.device_code).await.expect_problem(400, "access_denied");
    answer(&server, "/hook", &json!({ "verdict": "allow", "claims": { "id_token": { "tier": 3 } } }));
    h.advance(10);
    let tokens = poll_device(&tv, &started.device_code).await.expect(200).json();
    assert_eq!(claims(tokens["id_token"].as_str().unwrap())["tier"], 3);
}

#[tokio::test]
async fn what_is_recorded_token_by_token_is_recorded_once_and_only_if_it_is_allowed() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    site.api(NOTES, &["notes:read"]).await;
    let web = site.app("web").await;
    hook(&site, &server, "/hook", json!({})).await;
    let mut tx = h.app().db.begin_system().await.unwrap();
    let record = SystemSql::new(
        "UPDATE tenants SET settings = '{\"record_every_token\":true}', updated_at = 1900000000000000 WHERE slug = 'main'",
    );
    tx.execute(record, &[]).await.unwrap();
    tx.commit().await.unwrap();
    let after = h.restarted_with(&[super::LOOPBACK]).await;
    let site = Site { harness: &after, ..site.clone() };
    let web = Client { site: site.clone(), ..web };
    answer(&server, "/hook", &json!({ "verdict": "deny" }));
    let _ = own(&web).await.expect_problem(400, "access_denied");
    assert!(entries(&site, "token.issued").await.is_empty());
    let added = json!({ "access_token": { "tier": 3 } });
    answer(&server, "/hook", &json!({ "verdict": "allow", "claims": added }));
    let token = own(&web).await.expect(200).json();
    assert_eq!(claims(token["access_token"].as_str().unwrap())["tier"], 3);
    assert_eq!(entries(&site, "token.issued").await.len(), 1);
}
