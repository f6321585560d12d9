//! Tokens of directories: what opens the API of provisioning, and what does not.

use serde_json::{Value, json};
use svc_http::Method;

use super::{TOKENS, USERS, directory, refused};
use crate::harness::Harness;

const CONFIG: &str = "/scim/v2/ServiceProviderConfig";

#[tokio::test]
async fn only_a_scim_token_opens_provisioning_and_it_opens_nothing_else() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let directory = directory(&site, "initech").await;
    let _ = directory.get(CONFIG).await.expect(200);
    let body = json!({ "name": "import", "scope": "tenant-users:read" });
    let key = site.call(Method::POST, "/api/v1/api-keys", Some(&site.mint(|_| ())), Some(body)).await.json();
    let key = key["key"].as_str().unwrap().to_owned();
    for token in [site.mint(|_| ()), key, format!("{}A", directory.token), "svc_scim_".to_owned()] {
        let answer = refused(site.call(Method::GET, CONFIG, Some(&token), None).await, 401, None);
        let challenge = answer.header("www-authenticate");
        assert!(challenge.starts_with("Bearer realm=") && challenge.contains("invalid_token"), "{challenge}");
    }
    let answer = refused(site.get(CONFIG).await, 401, None);
    assert!(!answer.header("www-authenticate").contains("error="), "{answer:?}");
    let _ = refused(other.call(Method::GET, CONFIG, Some(&directory.token), None).await, 401, None);
    for path in ["/api/v1/tenant-users", "/api/v1/scim-tokens", "/userinfo"] {
        assert_eq!(directory.get(path).await.status, 401, "{path}");
    }
    let _ = refused(directory.get("/scim/v2/Nothing").await, 404, None);
}

#[tokio::test]
async fn a_token_is_shown_once_rotates_with_overlap_and_ends() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let admin = || site.mint(|_| ());
    let status = async |token: &str| site.call(Method::GET, CONFIG, Some(token), None).await.status;
    let of_organization = format!("{TOKENS}?organization_id={}", directory.organization.id);
    let listed = site.call(Method::GET, &of_organization, Some(&admin()), None).await.expect(200).json();
    let token = &listed["data"][0];
    assert_eq!(
        (token["organization_id"].as_str(), token.get("token")),
        (Some(directory.organization.id.to_string().as_str()), None)
    );
    let path = format!("{TOKENS}/{}", token["id"].as_str().unwrap());
    assert_eq!(token["last_used_at"], Value::Null);
    assert_eq!(status(&directory.token).await, 200);
    let used = site.call(Method::GET, &path, Some(&admin()), None).await.expect(200).json();
    assert!(used["last_used_at"].is_string(), "{used}");
    let rotate = format!("{path}/rotate?overlap_secs=600");
    let rotated = site.call(Method::POST, &rotate, Some(&admin()), None).await.expect(200).json();
    let rotated = rotated["token"].as_str().unwrap().to_owned();
    assert!(rotated.starts_with("svc_scim_"));
    assert_eq!((status(&directory.token).await, status(&rotated).await), (200, 200));
    h.advance(600);
    assert_eq!((status(&directory.token).await, status(&rotated).await), (401, 200));
    let body = json!({ "organization_id": directory.organization.id, "name": "short", "expires_in": 60 });
    let short = site.call(Method::POST, TOKENS, Some(&admin()), Some(body)).await.expect(201).json();
    h.advance(60);
    assert_eq!(status(short["token"].as_str().unwrap()).await, 401);
    let _ = site.call(Method::DELETE, &path, Some(&admin()), None).await.expect(204);
    assert_eq!(status(&rotated).await, 401);
}

#[tokio::test]
async fn a_secret_that_was_replaced_is_said_to_end_no_later_than_its_token_or_key() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let admin = site.mint(|_| ());
    let token = json!({ "organization_id": directory.organization.id, "name": "short", "expires_in": 3600 });
    let key = json!({ "name": "short", "scope": "roles:read", "expires_in": 3600 });
    for (path, new) in [(TOKENS, token), ("/api/v1/api-keys", key)] {
        let made = site.call(Method::POST, path, Some(&admin), Some(new)).await.expect(201).json();
        let rotate =
            |secs: u32| format!("{path}/{}/rotate?overlap_secs={secs}", made["id"].as_str().unwrap());
        let rotated = site.call(Method::POST, &rotate(86_400), Some(&admin), None).await.expect(200).json();
        assert_eq!(rotated["former_expires_at"], made["expires_at"], "{path}");
        let rotated = site.call(Method::POST, &rotate(60), Some(&admin), None).await.expect(200).json();
        assert_ne!(rotated["former_expires_at"], made["expires_at"], "{path}");
    }
}

#[tokio::test]
async fn no_one_makes_a_token_that_can_do_more_than_they_can() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let weak = site.mint(|claims| claims["scope"] = json!("scim-tokens:read scim-tokens:write"));
    let body = json!({ "organization_id": directory.organization.id, "name": "x" });
    let refused = site.call(Method::POST, TOKENS, Some(&weak), Some(body)).await;
    let refused = refused.expect_problem(403, "insufficient_scope");
    assert!(refused.body.contains("tenant-users:write"), "{refused:?}");
}

#[tokio::test]
async fn a_token_reaches_no_role_that_its_maker_lacks() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let admin = site.mint(|_| ());
    let _ = site.role("editor", &[]).await;
    let body = || json!({ "organization_id": directory.organization.id, "name": "Okta" });
    let weak = site.mint(|claims| {
        claims["scope"] = json!(
            "scim-tokens:read scim-tokens:write tenant-users:read tenant-users:write organizations:read \
             organizations:write groups:read groups:write"
        );
    });
    let made = site.call(Method::POST, TOKENS, Some(&weak), Some(body())).await.expect(201).json();
    let group = Some(json!({ "displayName": "Editors" }));
    let group = directory.send(Method::POST, "/scim/v2/Groups", group).await.expect(201).json();
    let groups = format!("/api/v1/organizations/{}/directory-groups", directory.organization.id);
    let path = format!("{groups}/{}", group["id"].as_str().unwrap());
    let roles = |roles: Value| Some(json!({ "roles": roles }));
    let _ = site.call(Method::PUT, &path, Some(&admin), roles(json!(["editor"]))).await.expect(200);
    let rotate = format!("{TOKENS}/{}/rotate", made["id"].as_str().unwrap());
    for (path, sent) in [(TOKENS, Some(body())), (rotate.as_str(), None)] {
        let refused = site.call(Method::POST, path, Some(&weak), sent).await;
        let refused = refused.expect_problem(403, "insufficient_scope");
        assert!(refused.body.contains("roles: editor"), "{refused:?}");
    }
    // What a provisioned person has in the tenant counts too.
    let _ = site.call(Method::PUT, &path, Some(&admin), roles(json!([]))).await.expect(200);
    let ada = directory.create(json!({ "userName": "ada@initech.example" })).await;
    let _ = site.call(Method::POST, &rotate, Some(&weak), None).await.expect(200);
    let person = format!("/api/v1/tenant-users/{}", ada["id"].as_str().unwrap());
    let _ = site.call(Method::PATCH, &person, Some(&admin), roles(json!(["editor"]))).await.expect(200);
    let _ =
        site.call(Method::POST, &rotate, Some(&weak), None).await.expect_problem(403, "insufficient_scope");
    let _ = site.call(Method::POST, &rotate, Some(&admin), None).await.expect(200);
}

#[tokio::test]
async fn a_tenant_without_the_capability_has_nothing_here() {
    let h = Harness::with(&[("SVC_SCIM__ENABLED", "false")]).await;
    let site = h.tenant("main").await;
    for path in [CONFIG, USERS] {
        let _ = refused(site.call(Method::GET, path, Some("svc_scim_x"), None).await, 404, None);
    }
    let _ =
        site.call(Method::GET, TOKENS, Some(&site.mint(|_| ())), None).await.expect_problem(404, "not_found");
}
