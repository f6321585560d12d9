//! What a staff member cannot do in the place of a person.

use serde_json::json;
use svc_db::quiet_system_sql;
use svc_http::Method;

use super::{Desk, token_with};
use crate::account::own;
use crate::backchannel_logout::endings::sign_in_again;
use crate::harness::Harness;

#[tokio::test]
async fn what_only_the_person_can_prove_or_allow_is_refused() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let _ = desk.begun().await;
    for (changes, error) in [
        (("max_age", "3600"), "login_required"),
        (("max_age", "0"), "login_required"),
        (("prompt", "login"), "login_required"),
        (("prompt", "create"), "login_required"),
        (("prompt", "select_account"), "login_required"),
        (("prompt", "consent"), "access_denied"),
        (
            ("claims", r#"{"id_token":{"acr":{"essential":true,"value":"urn:svc:aal2"}}}"#),
            "unmet_authentication_requirements",
        ),
    ] {
        let (answer, _) = desk.authorized(&[changes]).await;
        assert_eq!(answer.redirect_param("error").as_deref(), Some(error), "{changes:?}: {answer:?}");
    }
    let other = desk.site.app_with("partner", |app| app.first_party = false).await;
    let answer = desk.browser.get(&other.authorize_path(&other.verifier(), &[])).await;
    assert_eq!(answer.redirect_param("error").as_deref(), Some("access_denied"), "{answer:?}");
    let (answer, _) = desk.authorized(&[("prompt", "none")]).await;
    assert!(answer.is_signed_in(), "{answer:?}");
}

#[tokio::test]
async fn a_page_that_the_person_has_left_open_decides_nothing_in_their_place() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let partner = desk.site.app_with("partner", |app| app.first_party = false).await;
    let path = partner.authorize_path(&partner.verifier(), &[("prompt", "login")]);
    let page = desk.browser.get(&path).await.expect(200);
    let typed = [("username", desk.ada.username.as_str()), ("password", desk.ada.password.as_str())];
    let asked = desk.browser.submit(&page, &typed).await.expect(200);
    assert!(asked.body.contains("consent-allow"), "{asked:?}");
    let _ = sign_in_again(&mut desk.browser, &desk.web, &desk.sue).await;
    let _ = desk.begun().await;
    for decision in ["allow", "deny"] {
        let _ = desk.browser.submit(&asked, &[("decision", decision)]).await.expect(403);
    }
    let allowed = format!("/api/v1/tenant-users/{}/consents", desk.ada.id);
    let allowed = desk.site.call(Method::GET, &allowed, Some(&desk.site.mint(|_| ())), None).await;
    assert_eq!(allowed.expect(200).json()["data"], json!([]));
}

#[tokio::test]
async fn an_application_that_accepts_some_ways_to_sign_in_alone_wants_the_person() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let _ = desk.begun().await;
    let ways = ["passkey", "sso"].into_iter().collect();
    let vault = desk.site.app_with("vault", |app| app.sign_in_methods = Some(ways)).await;
    let answer = desk.browser.get(&vault.authorize_path(&vault.verifier(), &[])).await;
    assert_eq!(answer.redirect_param("error").as_deref(), Some("login_required"), "{answer:?}");
}

#[tokio::test]
async fn an_application_that_demands_a_second_factor_of_everyone_demands_it_of_support() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let vault = desk.site.app_with("vault", |app| app.second_factor_required = true).await;
    let _ = desk.begun().await;
    let path = vault.authorize_path(&vault.verifier(), &[]);
    let answer = desk.browser.get(&path).await;
    assert_eq!(answer.redirect_param("error").as_deref(), Some("login_required"), "{answer:?}");
    let (answer, _) = desk.authorized(&[]).await;
    assert!(answer.is_signed_in(), "others let support in: {answer:?}");
    // As if she had signed in with one.
    let strengthen = quiet_system_sql!(
        "a test",
        "UPDATE sessions SET acr = 'urn:svc:aal2' WHERE impersonation_id IS NULL"
    );
    let mut tx = h.app().db.begin_system().await.unwrap();
    tx.execute(strengthen, &[]).await.unwrap();
    tx.commit().await.unwrap();
    let answer = desk.browser.get(&path).await;
    assert!(answer.is_signed_in(), "{answer:?}");
}

#[tokio::test]
async fn an_impersonation_for_one_application_reaches_no_other() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let shop = desk.site.app("shop").await;
    let mut body = desk.body();
    body["application_id"] = json!(shop.id);
    let id = super::id(&desk.call(Method::POST, "", Some(body)).await.expect(201));
    let link = desk.link(&id).await;
    let page = desk.browser.get(&link).await.expect(200);
    let _ = desk.browser.submit(&page, &[]).await.expect(303);
    let (answer, _) = desk.authorized(&[]).await;
    assert_eq!(answer.redirect_param("error").as_deref(), Some("access_denied"));
    let answer = desk.browser.get(&shop.authorize_path(&shop.verifier(), &[])).await;
    assert!(answer.is_signed_in(), "{answer:?}");
}

#[tokio::test]
async fn pages_of_the_account_show_little_and_change_nothing() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let mut ada = desk.site.sign_in(&desk.web, &desk.ada).await;
    let profile = ada.get("/account/profile").await.expect(200);
    let _ = desk.begun().await;
    for path in [
        "/account/password",
        "/account/email",
        "/account/passkeys",
        "/account/second-factors",
        "/account/backup-codes",
        "/account/data",
        "/account/deletion",
        "/auth/access",
        "/auth/approvals",
        "/oauth/device/verify",
    ] {
        let page = desk.browser.get(path).await;
        assert_eq!(page.status, 403, "{path}: {page:?}");
    }
    for path in ["/account", "/account/profile", "/account/sessions", "/account/support"] {
        let page = desk.browser.get(path).await.expect(200);
        assert!(!page.body.contains("href=\"/account/password\""), "{path} leads on");
    }
    let page = desk.browser.get("/account/profile").await.expect(200);
    let form = page.body.split("<form").nth(2).unwrap_or_else(|| panic!("{page:?}"));
    let flow = form.split("name=\"flow\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let posted = desk.browser.post("/account/profile", &[("flow", flow), ("name", "Mallory")]).await;
    assert_eq!(posted.status, 403, "{posted:?}");
    let stolen = desk.browser.submit(&profile, &[("name", "Mallory")]).await;
    assert_eq!(stolen.status, 403, "{stolen:?}");
    let kept = ada.get("/account/profile").await.expect(200);
    assert!(kept.body.contains("ada of main"), "{kept:?}");
    let closed = "<fieldset class=\"seen\" disabled>";
    assert!(page.body.contains(closed) && !kept.body.contains(closed), "{page:?}");
}

#[tokio::test]
async fn pages_of_the_account_lead_support_to_nothing_that_is_the_person_s_alone() {
    let h = Harness::with(&[("SVC_USER_SELF_SERVICE__SOCIAL_RECOVERY_ENABLED", "true")]).await;
    let mut desk = Desk::new(&h).await;
    let body = json!({ "email": desk.ada.email });
    let _ = own(&desk.site, &desk.sue, (Method::POST, "/guardians"), Some(body)).await.expect(204);
    let mut ada = desk.site.sign_in(&desk.web, &desk.ada).await;
    let seen = ada.get("/account").await.expect(200);
    assert!(seen.body.contains("guarding-asked") && seen.body.contains("switch-account"), "{seen:?}");
    let seen = ada.get("/account/login-history").await.expect(200);
    assert!(seen.body.contains("login-history-password"), "{seen:?}");
    let _ = desk.begun().await;
    let seen = desk.browser.get("/account").await.expect(200);
    assert!(seen.body.contains("acting-end") && !seen.body.contains("guarding-asked"), "{seen:?}");
    for id in ["switch-account", "account-to-access", "account-to-approvals"] {
        assert!(!seen.body.contains(id), "{id}: {seen:?}");
    }
    let seen = desk.browser.get("/account/login-history").await.expect(200);
    assert!(seen.body.contains("login-0") && !seen.body.contains("login-history-password"), "{seen:?}");
}

#[tokio::test]
async fn tokens_of_it_open_no_api_of_the_service_and_cannot_be_exchanged() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let _ = desk.begun().await;
    let tokens = desk.tokens().await;
    let (access, id_token) = (tokens["access_token"].as_str().unwrap(), tokens["id_token"].as_str().unwrap());
    let exchange = [
        ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"),
        ("subject_token", access),
        ("subject_token_type", "urn:ietf:params:oauth:token-type:access_token"),
    ];
    let agent = desk.site.app("agent").await;
    for client in [&desk.web, &agent] {
        let answer = client.token(&exchange, &[]).await;
        assert_eq!(answer.status, 400, "{answer:?}");
        let changes = [
            ("subject_token", id_token),
            ("subject_token_type", "urn:ietf:params:oauth:token-type:id_token"),
        ];
        let answer = client.token(&exchange, &changes).await;
        assert_eq!(answer.status, 400, "{answer:?}");
    }
    // A token for the management API, with whatever scopes, of a staff member who acts: as the guard sees it.
    let act = json!({ "sub": desk.sue.subject });
    let scopes: Vec<_> = svc_control::scopes().into_iter().map(|(name, _)| name).collect();
    let marked = token_with(&desk.site, &desk.ada, |claims| {
        claims["scope"] = json!(scopes.join(" "));
        claims["act"] = act;
    });
    for (method, path) in [
        (Method::GET, "/api/v1/identity/profile"),
        (Method::PATCH, "/api/v1/identity/profile"),
        (Method::GET, "/api/v1/identity/data"),
        (Method::GET, "/api/v1/identity/ciba/requests"),
        (Method::GET, "/api/v1/identity/device/requests"),
        (Method::POST, "/api/v1/identity/device/requests"),
        (Method::POST, "/api/v1/api-keys"),
        (Method::POST, "/api/v1/impersonations"),
        (Method::GET, "/api/v1/impersonations"),
    ] {
        let answer = desk.site.call(method, path, Some(&marked), Some(json!({}))).await;
        assert_eq!(answer.status, 403, "{path}: {answer:?}");
    }
}

#[tokio::test]
async fn nothing_is_accepted_or_answered_in_the_place_of_the_person() {
    let h = Harness::new().await;
    let mut desk = Desk::new(&h).await;
    let mut ada = desk.site.sign_in(&desk.web, &desk.ada).await;
    let body = json!({
        "key": "privacy", "label": "1", "language": "en", "effective_at": "2020-01-01T00:00:00Z",
        "documents": { "en": { "title": "Privacy", "url": "https://acme.example/privacy" } },
    });
    let token = desk.site.mint(|_| ());
    let made =
        desk.site.call(Method::POST, "/api/v1/terms", Some(&token), Some(body)).await.expect(201).json();
    let _ = desk.begun().await;
    let (answer, _) = desk.authorized(&[]).await;
    assert!(answer.is_signed_in(), "staff are not asked: {answer:?}");
    assert_eq!(desk.browser.get("/account/terms").await.status, 403);
    // Not even by the person's own page.
    let path = desk.web.authorize_path(&desk.web.verifier(), &[]);
    let led = ada.get(&path).await.expect(303);
    let page = ada.get(led.location()).await.expect(200);
    let accepted = format!("terms_{}", made["id"].as_str().unwrap());
    let state = crate::harness::browser::Form::of(&page).hidden;
    let flow = state.iter().find(|(name, _)| name == "flow").unwrap().1.clone();
    desk.browser.cookies.extend(
        ada.cookies
            .iter()
            .filter(|(name, _)| !name.contains("session"))
            .map(|(name, value)| (name.clone(), value.clone())),
    );
    for decision in ["continue", "deny"] {
        let form = [("flow", flow.as_str()), ("decision", decision), (accepted.as_str(), "yes")];
        assert_eq!(desk.browser.post("/auth/complete", &form).await.status, 403, "{decision}");
    }
}
