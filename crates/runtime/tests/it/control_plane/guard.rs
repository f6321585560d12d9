//! Every declared operation of the control plane against every credential, and an operator's token against everything else.

use serde_json::{Value, json};
use svc_core::Seconds;
use svc_domain::apis::control_plane::{self, READ, WRITE};
use svc_domain::people::tenant_users;
use svc_http::{Guard, Method};
use svc_runtime::compose;

use super::{KEYS, Operator};
use crate::delegation::exchange;
use crate::harness::{Answer, Harness, Site};
use crate::isolation;

/// The operations as they are called about things that do not exist.
fn operations(h: &Harness) -> Vec<(Method, String)> {
    let routes = compose::planes_of(&h.app().config);
    let guarded = routes.iter().filter(|route| matches!(route.guard, Guard::Operator(_)));
    let all: Vec<_> = guarded
        .map(|route| (route.method.clone(), route.path.replace("{id}", "usr_00000000000000000000000000")))
        .collect();
    assert!(all.len() >= 6, "{all:?}");
    all
}

async fn call(site: &Site<'_>, (method, path): &(Method, String), token: Option<&str>) -> Answer {
    let body = match (method.as_str(), path.rsplit('/').next().unwrap_or_default()) {
        ("POST", "rotate") | ("PATCH", _) => Some(json!({})),
        ("POST", "tenants") => Some(json!({ "slug": "made", "name": "Made" })),
        ("POST", "plans") => Some(json!({ "name": "made" })),
        ("PUT", "{feature}") => Some(json!({ "enabled": true })),
        ("POST", "administrators") => Some(json!({ "email": "hana@example.com" })),
        _ => None,
    };
    site.call(method.clone(), path, token, body).await
}

#[tokio::test]
async fn no_other_credential_opens_an_operation_of_the_control_plane() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let grace = Operator::created(&site, "grace").await;
    let now = h.operator().now.as_secs();
    // The role alone, which an administrator of the tenant may give, is no operator's account.
    let member = site.user_with_roles("mallory", &["operator", "admin"]).await;
    let id_token = grace.signed_in(&[]).await["id_token"].as_str().unwrap().to_owned();
    let described = format!("{}/.well-known/oauth-protected-resource/control-plane", site.issuer());
    for operation in operations(&h) {
        let mint = |change: &dyn Fn(&mut Value)| {
            site.mint(|claims| {
                grace.claims(claims);
                change(claims);
            })
        };
        let lacking = if operation.0 == Method::GET { WRITE } else { READ };
        let cases = [
            ("the management API's", 401, site.mint(|_| ())),
            ("an ID token", 401, id_token.clone()),
            ("expired", 401, mint(&|claims| claims["exp"] = json!(now - 100))),
            ("for UserInfo", 401, mint(&|claims| claims["aud"] = json!(site.issuer()))),
            ("the other scope", 403, mint(&|claims| claims["scope"] = json!(lacking))),
            ("a program's", 403, mint(&|claims| claims["subject_type"] = json!("system"))),
            ("an agent's", 403, mint(&|claims| claims["subject_type"] = json!("agent"))),
            ("delegated", 403, mint(&|claims| claims["act"] = json!({ "sub": "agent" }))),
            ("another application's", 403, mint(&|claims| claims["client_id"] = json!("web"))),
            ("a member's", 403, mint(&|claims| claims["sub"] = json!(member.subject))),
            ("bound to another key", 401, mint(&|claims| claims["cnf"] = json!({ "jkt": "x" }))),
        ];
        for (case, status, token) in cases {
            let answer = call(&site, &operation, Some(&token)).await;
            assert_eq!(answer.status, status, "{case} {operation:?}: {answer:?}");
        }
        let answer = call(&site, &operation, None).await.expect_problem(401, "unauthorized");
        let challenge = answer.header("www-authenticate");
        let is_told = challenge.ends_with(&format!(" resource_metadata=\"{described}\""));
        assert!(challenge.starts_with("Bearer ") && is_told, "{operation:?}: {answer:?}");
    }
    let document = site.get(described.strip_prefix(site.issuer()).unwrap()).await.expect(200).json();
    assert_eq!(document["resource"], format!("{}/control-plane", site.issuer()));
}

#[tokio::test]
async fn an_operators_token_opens_the_control_plane_and_nothing_else() {
    let h = Harness::with(isolation::OFFERED).await;
    let site = h.tenant("main").await;
    let grace = Operator::created(&site, "grace").await;
    let token = grace.token().await;
    for operation in operations(&h) {
        let answer = call(&site, &operation, Some(&token)).await;
        assert!([200, 201, 404].contains(&answer.status), "{operation:?}: {answer:?}");
    }
    // The rotation has announced new keys; the token's own still verifies it.
    let own = isolation::records(&site).await;
    for operation in isolation::operations(&h) {
        let answer = isolation::call(&site, &operation, &own, Some(&token)).await;
        let _ = answer.expect_problem(401, "unauthorized");
    }
    let _ = site.call(Method::GET, "/userinfo", Some(&token), None).await.expect(401);
    let web = site.app("web").await;
    let told = web.post("/oauth/introspect", &[("token", &token)], &[]).await.expect(200);
    assert_eq!(told.json(), json!({ "active": false }));
    site.api(crate::delegation::NOTES, &["notes:read"]).await;
    let _ = exchange(&web, &token, &[]).await.expect_problem(400, "invalid_request");
}

#[tokio::test]
async fn the_control_plane_is_at_the_default_tenant_alone() {
    let h = Harness::new().await;
    let (site, acme) = (h.tenant("main").await, h.tenant("acme").await);
    let grace = Operator::created(&site, "grace").await;
    let token = grace.token().await;
    for operation in operations(&h) {
        let _ = call(&acme, &operation, Some(&token)).await.expect_problem(404, "not_found");
    }
    let paths = async |site: &Site<'_>| {
        let document = h.get(&site.host, "/openapi.json").await.expect(200).json();
        document["paths"].as_object().unwrap().keys().filter(|path| path.contains("control-plane")).count()
    };
    assert_eq!((paths(&site).await, paths(&acme).await), (18, 0));
}

#[tokio::test]
async fn the_control_plane_is_asked_for_by_its_application_which_asks_for_nothing_else() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let grace = Operator::created(&site, "grace").await;
    let audience = site.tenant.control_plane_audience();
    let web = site.app_with("web", |app| app.scope = format!("openid {READ} {WRITE}").parse().unwrap()).await;
    let asked = [("resource", audience.as_str()), ("scope", "openid control-plane:write")];
    let answer = site.browser().get(&web.authorize_path(&web.verifier(), &asked)).await;
    assert_eq!(answer.redirect_param("error").as_deref(), Some("invalid_target"), "{answer:?}");
    let form = [("grant_type", "client_credentials"), ("scope", WRITE), ("resource", audience.as_str())];
    let _ = web.token(&form, &[]).await.expect_problem(400, "invalid_target");
    let management = site.tenant.api_audience();
    let asked = [("resource", management.as_str()), ("scope", "openid")];
    let app = &grace.app;
    let answer = site.browser().get(&app.authorize_path(&app.verifier(), &asked)).await;
    assert_eq!(answer.redirect_param("error").as_deref(), Some("invalid_target"), "{answer:?}");
}

#[tokio::test]
async fn the_stored_name_of_an_api_of_the_service_is_no_resource_and_asking_for_it_hides_no_api() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let grace = Operator::created(&site, "grace").await;
    let (spa, console) = (site.public_app("spa").await, site.app("console").await);
    for name in ["urn:svc:management-api", "urn:svc:control-plane"] {
        // Once on each node, where there are two.
        for _ in 0..2 {
            let path = spa.authorize_path(&spa.verifier(), &[("resource", name)]);
            let answer = site.browser().get(&path).await;
            assert_eq!(answer.redirect_param("error").as_deref(), Some("invalid_target"), "{answer:?}");
            let form = [("grant_type", "client_credentials"), ("resource", name)];
            let _ = console.token(&form, &[]).await.expect_problem(400, "invalid_target");
        }
    }
    for _ in 0..2 {
        let _ = console.own_token("applications:read", &site.tenant.api_audience()).await;
        let _ = grace.token().await;
        let document = site.get("/.well-known/oauth-protected-resource").await.expect(200).json();
        assert!(!document["scopes_supported"].as_array().unwrap().is_empty(), "{document}");
    }
}

#[tokio::test]
async fn a_sign_in_that_is_too_long_ago_has_to_be_repeated() {
    let h = Harness::with(&[("SVC_ADMIN__SESSION_LIFETIME_SECS", "600")]).await;
    let site = h.tenant("main").await;
    let grace = Operator::created(&site, "grace").await;
    let mut browser = site.browser();
    let scope = [("scope", READ)];
    let code = grace.app.code_with(&mut browser, &grace.person, &scope).await;
    let answer = grace.app.exchange(&code).await.expect(200).json();
    assert!(answer["expires_in"].as_i64().unwrap() <= 600, "{answer}");
    assert!(answer["refresh_token"].is_null(), "{answer}");
    h.advance(601);
    // The session of the browser goes on, and gives a token that is new.
    let code = grace.app.code_with(&mut browser, &grace.person, &scope).await;
    let late = grace.app.exchange(&code).await.expect(200).json()["access_token"].clone();
    let answer = grace.call(late.as_str().unwrap(), Method::GET, KEYS, None).await;
    let answer = answer.expect_problem(401, "unauthorized");
    let challenge = answer.header("www-authenticate");
    assert!(challenge.contains("error=\"insufficient_user_authentication\""), "{challenge}");
    assert!(challenge.ends_with("max_age=\"600\""), "{challenge}");
    let again = [("scope", READ), ("max_age", "600")];
    let code = grace.app.code_with(&mut browser, &grace.person, &again).await;
    let token = grace.app.exchange(&code).await.expect(200).json()["access_token"].clone();
    let _ = grace.call(token.as_str().unwrap(), Method::GET, KEYS, None).await.expect(200);
}

#[tokio::test]
async fn no_token_of_an_operator_lives_longer_than_the_session_that_is_configured_now() {
    let h = Harness::with(&[("SVC_ADMIN__SESSION_LIFETIME_SECS", "300")]).await;
    let site = h.tenant("main").await;
    let grace = Operator::created(&site, "grace").await;
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    control_plane::ensure(&mut tx, &h.operator(), &site.tenant, Seconds(900)).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(grace.signed_in(&[]).await["expires_in"], 300);
}

#[tokio::test]
async fn where_operators_need_a_second_factor_a_sign_in_without_one_opens_nothing() {
    let h = Harness::with(&[("SVC_ADMIN__SECOND_FACTOR_REQUIRED", "true")]).await;
    let site = h.tenant("main").await;
    let grace = Operator::created(&site, "grace").await;
    let with_level = |acr: Option<&str>| {
        site.mint(|claims| {
            grace.claims(claims);
            if let Some(acr) = acr {
                claims["acr"] = json!(acr);
            }
        })
    };
    for operation in operations(&h) {
        // The word of a trusted issuer says no `acr`, and behind it stands no sign-in here.
        for (acr, wanted) in
            [(None, "max_age=\"28800\""), (Some("urn:svc:aal1"), "acr_values=\"urn:svc:aal2\"")]
        {
            let answer = call(&site, &operation, Some(&with_level(acr))).await;
            let answer = answer.expect_problem(401, "unauthorized");
            let challenge = answer.header("www-authenticate");
            assert!(challenge.contains("error=\"insufficient_user_authentication\""), "{challenge}");
            assert!(challenge.ends_with(wanted), "{challenge}");
        }
    }
    let strong = with_level(Some("urn:svc:aal2"));
    let _ = grace.call(&strong, Method::GET, KEYS, None).await.expect(200);
    let mut browser = site.browser();
    let page = browser.get(&grace.app.authorize_path(&grace.app.verifier(), &[("scope", READ)])).await;
    let fields = [("username", grace.person.username.as_str()), ("password", &grace.person.password)];
    let answer = browser.submit(&page.expect(200), &fields).await;
    let page = browser.settled(answer).await;
    assert!(page.body.contains("id=\"set-up-totp-begin\""), "{page:?}");
}

#[tokio::test]
async fn a_refusal_of_a_known_caller_stands_in_the_audit_log() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let grace = Operator::created(&site, "grace").await;
    let mallory = site.user_with_roles("mallory", &["operator"]).await;
    let token = site.mint(|claims| {
        grace.claims(claims);
        claims["sub"] = json!(mallory.subject);
    });
    h.advance(1);
    let _ = grace.call(&token, Method::GET, KEYS, None).await.expect_problem(403, "forbidden");
    let log = site.call(Method::GET, "/api/v1/audit?limit=1", Some(&site.mint(|_| ())), None).await;
    let entry = log.expect(200).json()["data"][0].clone();
    assert_eq!((&entry["action"], &entry["target"]), (&json!("access.refused"), &json!(READ)));
    assert_eq!((&entry["actor_id"], &entry["outcome"]), (&json!(mallory.subject), &json!("denied")));
    let mut tx = h.app().db.read(site.tenant.id).await.unwrap();
    let found = tenant_users::find(&mut tx, mallory.id).await.unwrap().unwrap();
    assert_eq!(found.roles, ["operator"], "the role is the tenant's, and opens nothing");
}
