//! What the administrators of a tenant choose: settings, limits within the deployment's, look, and the usage of their plan.

use futures_util::future::join_all;
use rcgen::{CertificateParams, KeyPair};
use serde_json::{Value, json};
use svc_http::Method;

use crate::changes::left_by;
use crate::harness::client::claims;
use crate::harness::{Answer, Harness, Site};

const SETTINGS: &str = "/api/v1/tenant-settings";
const BRANDING: &str = "/api/v1/branding";

async fn send(site: &Site<'_>, method: Method, path: &str, body: Option<Value>) -> Answer {
    site.call(method, path, Some(&site.mint(|_| ())), body).await
}

async fn patch(site: &Site<'_>, body: Value) -> Answer {
    send(site, Method::PATCH, SETTINGS, Some(body)).await
}

#[tokio::test]
async fn an_administrator_changes_settings_in_part_and_the_change_is_recorded_in_the_tenant() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let read = send(&site, Method::GET, SETTINGS, None).await.expect(200);
    let before = read.json();
    assert_eq!([&before["slug"], &before["name"]], [&json!("main"), &json!("Tenant main")]);
    assert_eq!(before["effective_limits"]["jwt"]["id_token_lifetime_secs"], 300);

    let wanted = json!({ "name": "Acme", "settings": { "registration": false, "limits": { "jwt": { "id_token_lifetime_secs": 120 } } } });
    let [audit, events] = left_by(&h, async {
        let changed = patch(&site, wanted).await.expect(200).json();
        assert_eq!([&changed["name"], &changed["settings"]["registration"]], [&json!("Acme"), &json!(false)]);
        assert_eq!(changed["effective_limits"]["jwt"]["id_token_lifetime_secs"], 120);
    })
    .await;
    assert_eq!((audit, events), (vec!["tenant.updated".to_owned()], vec!["admin.tenant.updated".to_owned()]));

    let token = site.mint(|_| ());
    let stale = ("if-match", read.header("etag"));
    let late = site.call_with(Method::PATCH, SETTINGS, &token, stale, json!({ "name": "Late" })).await;
    let _ = late.expect_problem(409, "conflict");
    let untouched = send(&other, Method::GET, SETTINGS, None).await.expect(200).json();
    assert_eq!(untouched["name"], "Tenant other");
}

#[tokio::test]
async fn a_misspelt_setting_that_is_to_be_removed_is_refused_at_every_depth() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for (settings, name) in [
        (json!({ "fnot": null }), "settings.fnot"),
        (json!({ "limits": { "jwt": { "lifetime": null } } }), "settings.limits.jwt.lifetime"),
    ] {
        let refused = patch(&site, json!({ "settings": settings })).await;
        let refused = refused.expect_problem(400, "bad_request").json();
        assert_eq!(refused["detail"], format!("unknown field `{name}`"));
    }
    let known = json!({ "font": null, "limits": { "jwt": { "id_token_lifetime_secs": null } } });
    let _ = patch(&site, json!({ "settings": known })).await.expect(200);
    let initech = site.organization("initech", site.user("ada").await.id).await;
    let path = format!("/api/v1/organizations/{}", initech.id);
    let misspelt = Some(json!({ "sign_in": { "zz": null } }));
    let refused = send(&site, Method::PATCH, &path, misspelt).await.expect_problem(400, "bad_request").json();
    assert_eq!(refused["detail"], "unknown field `sign_in.zz`");
}

#[tokio::test]
async fn changes_of_different_settings_at_once_all_hold() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let wanted = json!({
        "without_recovery": true, "verified_email_required": true, "record_every_token": true, "radius": 3, "font": "serif",
        "accent": "#112233", "sender_name": "Acme", "tos_uri": "https://main.example/terms",
    });
    let members = wanted.as_object().unwrap();
    let changes = members.iter().map(|(name, value)| {
        let change = json!({ "settings": { (name.as_str()): value } });
        patch(&site, change)
    });
    for changed in join_all(changes).await {
        let _ = changed.expect(200);
    }
    let settings = send(&site, Method::GET, SETTINGS, None).await.expect(200).json()["settings"].clone();
    for (name, value) in members {
        assert_eq!(settings[name], *value, "{name}: {settings}");
    }
}

#[tokio::test]
async fn of_changes_at_once_that_are_meant_for_one_version_one_is_made() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let read = send(&site, Method::GET, SETTINGS, None).await.expect(200);
    let (token, version) = (site.mint(|_| ()), read.header("etag"));
    let change = |name: &'static str| {
        site.call_with(Method::PATCH, SETTINGS, &token, ("if-match", version), json!({ "name": name }))
    };
    let answers = join_all(["One", "Two", "Three", "Four", "Five", "Six"].map(change)).await;
    let mut statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409, 409, 409]);
}

#[tokio::test]
async fn what_no_tenant_can_choose_is_refused_by_its_name_and_changes_nothing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let before = send(&site, Method::GET, SETTINGS, None).await.expect(200).json();
    for (settings, named) in [
        (json!({ "accent": "blue" }), "accent"),
        (json!({ "logo_uri": "http://acme.example/logo.png" }), "logo_uri"),
        (json!({ "disabled_capabilities": ["gravity"] }), "gravity"),
        (
            json!({ "limits": { "jwt": { "id_token_lifetime_secs": 59 } } }),
            "limits.jwt.id_token_lifetime_secs",
        ),
        (
            json!({ "limits": { "jwt": {
                "access_token_lifetime_human_secs": 7_200, "refresh_token_lifetime_human_secs": 3_600,
            } } }),
            "limits.jwt.refresh_token_lifetime_human_secs",
        ),
        (
            json!({ "limits": { "session_cookie": {
                "idle_lifetime_secs": 7_200, "absolute_lifetime_secs": 3_600,
            } } }),
            "limits.session_cookie.absolute_lifetime_secs",
        ),
        (
            json!({ "limits": { "api_keys": { "default_lifetime_days": 9, "max_lifetime_days": 8 } } }),
            "limits.api_keys.max_lifetime_days",
        ),
        (json!({ "limits": { "jwt": { "key_rotation_days": 1 } } }), "key_rotation_days"),
        (json!({ "limits": { "auth": { "brute_force_max_attempts": 1 } } }), "auth"),
    ] {
        let refused = patch(&site, json!({ "settings": settings })).await.expect_problem(400, "bad_request");
        assert!(refused.body.contains(named), "{named}: {}", refused.body);
    }
    let _ = patch(&site, json!({ "slug": "mine" })).await.expect_problem(400, "bad_request");
    let _ = patch(&site, json!({ "custom_domain": "bank.example" })).await.expect_problem(400, "bad_request");
    assert_eq!(send(&site, Method::GET, SETTINGS, None).await.expect(200).json(), before);
}

#[tokio::test]
async fn tokens_and_sessions_live_as_long_as_the_tenant_lets_them_and_never_longer_than_the_deployment() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let limits = json!({
        "jwt": { "id_token_lifetime_secs": 3_600, "access_token_lifetime_human_secs": 60 },
        "session_cookie": { "idle_lifetime_secs": 600 },
    });
    let _ = patch(&site, json!({ "settings": { "limits": limits } })).await.expect(200);
    let _ = h.informed_app().await;
    let mut browser = site.browser();
    let code = web.code_with(&mut browser, &ada, &[]).await;
    let tokens = web.exchange(&code).await.expect(200).json();
    let life = |token: &str| {
        let claims = claims(tokens[token].as_str().unwrap());
        claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap()
    };
    assert_eq!((life("access_token"), &tokens["expires_in"]), (60, &json!(60)));
    assert_eq!(life("id_token"), 300, "the deployment's is shorter");
    let silently = async |browser: &mut crate::harness::Browser<'_>| {
        let answer = browser.get(&web.authorize_path("v".repeat(43).as_str(), &[("prompt", "none")])).await;
        answer.redirect_param("error")
    };
    h.advance(500);
    assert_eq!(silently(&mut browser).await, None);
    h.advance(601);
    assert_eq!(silently(&mut browser).await.as_deref(), Some("login_required"));
}

#[tokio::test]
async fn a_session_that_is_older_than_the_tenant_lets_sessions_become_by_now_is_over() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.browser();
    let _ = web.code_with(&mut browser, &ada, &[]).await;
    let path = web.authorize_path("v".repeat(43).as_str(), &[("prompt", "none")]);
    let sessions = format!("/api/v1/tenant-users/{}/sessions", ada.id);
    let listed = async || {
        let list = send(&site, Method::GET, &sessions, None).await.expect(200).json();
        list["data"].as_array().unwrap().len()
    };
    h.advance(3_600);
    assert_eq!(browser.get(&path).await.redirect_param("error"), None);
    assert_eq!(listed().await, 1);
    let limits = json!({ "session_cookie": { "absolute_lifetime_secs": 3_600 } });
    let _ = patch(&site, json!({ "settings": { "limits": limits } })).await.expect(200);
    let _ = h.informed_app().await;
    let refused = browser.get(&path).await;
    assert_eq!(refused.redirect_param("error").as_deref(), Some("login_required"));
    assert_eq!(listed().await, 0);
}

#[tokio::test]
async fn keys_invitations_and_organizations_are_held_to_what_the_tenant_chooses() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let limits = json!({
        "api_keys": { "default_lifetime_days": 2, "max_lifetime_days": 3 },
        "invitations": { "lifetime_hours": 1 },
        "organizations": { "max_members": 1 },
    });
    let _ = patch(&site, json!({ "settings": { "limits": limits } })).await.expect(200);
    let _ = h.informed_app().await;
    for (site, is_held) in [(&site, true), (&other, false)] {
        let (ada, bob) = (site.user("ada").await, site.user("bob").await);
        let organization = format!("/api/v1/organizations/{}", site.organization("initech", ada.id).await.id);
        let made =
            async |path: &str, method: Method, body: Value| send(site, method, path, Some(body)).await.status;
        let key = |days: i64| json!({ "name": "import", "scope": "tenant-users:read", "expires_in": days * 86_400 });
        assert_eq!(made("/api/v1/api-keys", Method::POST, key(3)).await, 201);
        assert_eq!(made("/api/v1/api-keys", Method::POST, key(4)).await, if is_held { 400 } else { 201 });
        let invitations = format!("{organization}/invitations");
        let invitation = |hours: i64| json!({ "email": format!("in{hours}@new.example"), "roles": [], "expires_in": hours * 3_600 });
        assert_eq!(made(&invitations, Method::POST, invitation(1)).await, 201);
        assert_eq!(made(&invitations, Method::POST, invitation(2)).await, if is_held { 400 } else { 201 });
        let member = format!("{organization}/members/{}", bob.id);
        let added = made(&member, Method::PUT, json!({ "roles": [] })).await;
        assert_eq!(added, if is_held { 409 } else { 200 });
    }
    let usual = json!({ "name": "usual", "scope": "tenant-users:read" });
    let key = send(&site, Method::POST, "/api/v1/api-keys", Some(usual)).await.expect(201).json();
    let opens = async || {
        let token = key["key"].as_str();
        site.call(Method::GET, "/api/v1/tenant-users", token, None).await.status
    };
    h.advance(2 * 86_400 - 1);
    assert_eq!(opens().await, 200);
    h.advance(1);
    assert_eq!(opens().await, 401);
}

#[tokio::test]
async fn a_capability_that_the_tenant_goes_without_is_gone_at_once() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let _ = patch(&site, json!({ "settings": { "disabled_capabilities": ["device"] } })).await.expect(200);
    let _ = h.informed_app().await;
    let shown = send(&site, Method::GET, SETTINGS, None).await.expect(200).json();
    let device =
        shown["capabilities"].as_array().unwrap().iter().find(|one| one["name"] == "device").unwrap();
    assert_eq!(device["enabled"], false);
    let metadata = site.call(Method::GET, "/.well-known/openid-configuration", None, None).await.expect(200);
    assert_eq!(metadata.json().get("device_authorization_endpoint"), None);
}

#[tokio::test]
async fn a_role_that_may_change_the_look_changes_nothing_else() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let designer = site.mint(|claims| claims["scope"] = json!("branding:read branding:write"));
    let wanted = json!({ "accent": "#8a2be2", "tos_uri": "https://acme.example/terms" });
    let call = async |method, path, body| site.call(method, path, Some(&designer), body).await;
    let changed = call(Method::PUT, BRANDING, Some(wanted.clone())).await.expect(200).json();
    assert_eq!(
        changed,
        json!({
            "accent": "#8a2be2", "logo_uri": null, "policy_uri": null, "tos_uri": wanted["tos_uri"], "radius": null,
            "font": null, "sender_name": null,
        })
    );
    let changed = call(Method::PATCH, BRANDING, Some(json!({ "tos_uri": null }))).await.expect(200).json();
    assert_eq!([&changed["accent"], &changed["tos_uri"]], [&json!("#8a2be2"), &Value::Null]);
    let _ = call(Method::GET, SETTINGS, None).await.expect_problem(403, "insufficient_scope");
    let _ = call(Method::PATCH, SETTINGS, Some(json!({}))).await.expect_problem(403, "insufficient_scope");
    let _ = call(Method::PATCH, BRANDING, Some(json!({ "registration": false })))
        .await
        .expect_problem(400, "bad_request");
    let settings = send(&site, Method::GET, SETTINGS, None).await.expect(200).json();
    assert_eq!(
        [&settings["settings"]["accent"], &settings["settings"]["registration"]],
        [&json!("#8a2be2"), &json!(true)]
    );
    let _ = h.informed_app().await;
    let web = site.app("web").await;
    let page = site.browser().follow(&web.authorize_path(&web.verifier(), &[])).await;
    assert!(page.body.contains("--accent:#8a2be2"), "{}", page.body);
}

#[tokio::test]
async fn who_may_give_no_privileges_does_not_choose_whose_certificates_prove_applications() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let writer = site.mint(|claims| claims["scope"] = json!("tenant-settings:read tenant-settings:write"));
    let change =
        |pem: Option<&str>| json!({ "settings": { "tls_client_ca_pem": pem, "registration": false } });
    let made = CertificateParams::default().self_signed(&KeyPair::generate().unwrap()).unwrap().pem();
    let refused = site.call(Method::PATCH, SETTINGS, Some(&writer), Some(change(Some(&made)))).await;
    assert!(refused.expect_problem(403, "insufficient_scope").body.contains("tls_client_ca_pem"));
    let _ = site.call(Method::PATCH, SETTINGS, Some(&writer), Some(change(None))).await.expect(200);
}

#[tokio::test]
async fn a_tenant_sees_what_it_uses() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let _ = (site.app("web").await, site.user("ada").await);
    let used = send(&site, Method::GET, "/api/v1/usage", None).await.expect(200).json();
    assert_eq!(used["plan"], Value::Null);
    let of = |name: &str| {
        let quotas = used["quotas"].as_array().unwrap();
        quotas.iter().find(|quota| quota["name"] == name).unwrap().clone()
    };
    assert_eq!(of("tenant_users"), json!({ "name": "tenant_users", "used": 1, "limit": null }));
    assert_eq!(of("applications")["used"], 1);
}
