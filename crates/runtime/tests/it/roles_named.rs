//! Roles that something names without having them: they stay, as it would mean the next role of the name as well.

use serde_json::{Value, json};
use svc_http::Method;

use crate::apply::apply_text;
use crate::harness::{Answer, Harness, Site};

const SETTINGS: &str = "/api/v1/tenant-settings";

async fn send(site: &Site<'_>, method: Method, path: &str, body: Option<Value>) -> Answer {
    site.call(method, path, Some(&site.mint(|_| ())), body).await
}

#[tokio::test]
async fn a_role_is_not_deleted_while_an_invitation_a_connection_or_a_target_names_it() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let organization = site.organization("initech", site.user("bob").await.id).await;
    let below = |what: &str| format!("/api/v1/organizations/{}/{what}", organization.id);
    let connection = |changes: Value| {
        let mut body = json!({
            "display_name": "Staff", "issuer": "https://login.acme.example", "client_id": "svc", "client_secret": "secret"
        });
        body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        body
    };
    let roles = json!(["trainee"]);
    for (list, body) in [
        (below("invitations"), json!({ "email": "grace@new.example", "roles": roles })),
        (below("sso-connections"), connection(json!({ "jit": { "enabled": true, "roles": roles } }))),
        (
            below("sso-connections"),
            connection(json!({ "group_roles": [{ "group": "staff", "roles": roles }] })),
        ),
        (
            "/api/v1/scim-targets".to_owned(),
            json!({ "name": "Wiki", "base_url": "https://wiki.example/scim/v2", "people": { "roles": roles }, "secret": "token" }),
        ),
    ] {
        let role = format!("/api/v1/roles/{}", site.role("trainee", &[]).await.id);
        let made = send(&site, Method::POST, &list, Some(body)).await.expect(201).json();
        let id = made["id"].as_str().unwrap();
        let refused = send(&site, Method::DELETE, &role, None).await.expect_problem(409, "conflict").json();
        let detail = refused["detail"].as_str().unwrap();
        assert!(detail.starts_with("the role is in use: ") && detail.contains(id), "{list}: {detail}");
        let _ = send(&site, Method::DELETE, &format!("{list}/{id}"), None).await.expect(204);
        let _ = send(&site, Method::DELETE, &role, None).await.expect(204);
    }
}

#[tokio::test]
async fn the_settings_name_roles_that_there_are_and_that_stay_while_they_are_named() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let set = async |roles: Value| {
        let settings = json!({ "settings": { "second_factor_roles": roles } });
        send(&site, Method::PATCH, SETTINGS, Some(settings)).await
    };
    let role = format!("/api/v1/roles/{}", site.role("billing", &[]).await.id);
    let refused = set(json!(["billing", "biling"])).await.expect_problem(400, "bad_request").json();
    assert_eq!(refused["detail"], "second_factor_roles: there is no role \"biling\"; create it first");
    // Another node that deletes does not wait until it has learned of the settings.
    let _ = set(json!(["billing"])).await.expect(200);
    let refused = send(&site, Method::DELETE, &role, None).await.expect_problem(409, "conflict");
    assert!(refused.body.contains("second_factor_roles"), "{refused:?}");
    let _ = set(json!([])).await.expect(200);
    let _ = send(&site, Method::DELETE, &role, None).await.expect(204);
}

#[tokio::test]
async fn the_settings_of_a_file_name_roles_that_it_makes_or_that_are_there() {
    let h = Harness::new().await;
    let file = |role: &str| {
        format!(
            "[[tenant]]\nslug = 'acme'\nname = 'Acme'\nsettings = {{ second_factor_roles = ['{role}', 'admin'] }}\n\
             [[tenant.role]]\nname = 'billing'\n"
        )
    };
    let told = apply_text(&h, &file("biling")).await.unwrap_err();
    assert!(told.contains("second_factor_roles: there is no role \"biling\""), "{told}");
    apply_text(&h, &file("billing")).await.unwrap();
    assert!(apply_text(&h, &file("billing")).await.unwrap().is_unchanged());
}
