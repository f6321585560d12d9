//! API keys of organizations: what opens them, what they open, and how they end. What they are exchanged for is in `exchanged_keys`.

use serde_json::{Value, json};
use svc_domain::apis::management::ADMIN;
use svc_domain::organizations::{Organization, Status};
use svc_domain::tokens::api_keys::SCOPES_OF_ORGANIZATIONS;
use svc_http::Method;

use super::World;
use crate::harness::{Answer, Harness, Site};
use crate::isolation::OFFERED;

pub async fn send(site: &Site<'_>, token: &str, method: Method, path: &str, body: Option<Value>) -> Answer {
    site.call(method, path, Some(token), body).await
}

pub fn path_of(organization: &Organization) -> String {
    format!("/api/v1/organizations/{}", organization.id)
}

/// A key of an organization that an administrator makes.
pub async fn made(site: &Site<'_>, organization: &Organization, scope: &str) -> Value {
    let body = json!({ "name": "sync", "scope": scope });
    let keys = format!("{}/api-keys", path_of(organization));
    send(site, &site.mint(|_| ()), Method::POST, &keys, Some(body)).await.expect(201).json()
}

pub fn secret(made: &Value) -> &str {
    made["key"].as_str().unwrap()
}

pub fn record_of(organization: &Organization, made: &Value) -> String {
    format!("{}/api-keys/{}", path_of(organization), made["id"].as_str().unwrap())
}

/// A SCIM token of an organization, by its address.
async fn scim_token(site: &Site<'_>, organization: &Organization) -> String {
    let body = json!({ "organization_id": organization.id, "name": "directory" });
    let made = send(site, &site.mint(|_| ()), Method::POST, "/api/v1/scim-tokens", Some(body)).await;
    format!("/api/v1/scim-tokens/{}", made.expect(201).json()["id"].as_str().unwrap())
}

#[tokio::test]
async fn a_key_opens_what_belongs_to_its_organization_and_nothing_else() {
    let h = Harness::with(OFFERED).await;
    let world = World::new(&h).await;
    let (site, other) = (&world.site, h.tenant("other").await);
    let key = made(site, &world.initech, &SCOPES_OF_ORGANIZATIONS.join(" ")).await;
    assert!(secret(&key).starts_with("svc_org_ak_"), "{key}");
    assert_eq!((&key["organization_id"], &key["tenant_user_id"]), (&json!(world.initech.id), &Value::Null));
    let ask = async |method: Method, path: &str, body: Option<Value>| {
        send(site, secret(&key), method, path, body).await
    };
    let (own, theirs) = (path_of(&world.initech), path_of(&world.hooli));
    let places = [
        "",
        "/members",
        "/invitations",
        "/domains",
        "/sso-connections",
        "/api-keys",
        "/trusted-issuers",
        "/directory-groups",
    ];
    for below in places {
        let _ = ask(Method::GET, &format!("{own}{below}"), None).await.expect(200);
        let _ = ask(Method::GET, &format!("{theirs}{below}"), None).await.expect_problem(404, "not_found");
    }
    // An escape names the same organization, and no other.
    let escaped = |path: &str| path.replace("/org_", "/%6frg_");
    let _ = ask(Method::GET, &escaped(&own), None).await.expect(200);
    let _ = ask(Method::GET, &escaped(&theirs), None).await.expect_problem(404, "not_found");
    let renamed = json!({ "name": "Initech Ltd" });
    let _ = ask(Method::PATCH, &own, Some(renamed.clone())).await.expect(200);
    let _ = ask(Method::PATCH, &theirs, Some(renamed)).await.expect_problem(404, "not_found");
    let invited = json!({ "email": "grace@example.com" });
    let _ = ask(Method::POST, &format!("{own}/invitations"), Some(invited.clone())).await.expect(201);
    let invited = ask(Method::POST, &format!("{theirs}/invitations"), Some(invited)).await;
    let _ = invited.expect_problem(404, "not_found");
    for path in ["/api/v1/organizations", "/api/v1/api-keys", "/api/v1/trusted-issuers"] {
        let refused = ask(Method::GET, path, None).await.expect_problem(403, "forbidden");
        assert!(refused.body.contains("that organization's records alone"), "{refused:?}");
    }
    let _ = ask(Method::GET, "/api/v1/tenant-users", None).await.expect_problem(403, "insufficient_scope");
    for answer in [
        send(&other, secret(&key), Method::GET, &own, None).await,
        send(site, secret(&key), Method::GET, "/userinfo", None).await,
        send(site, secret(&key), Method::GET, "/scim/v2/Users", None).await,
        send(site, "svc_org_ak_", Method::GET, &own, None).await,
        send(site, &secret(&key).replace("svc_org_ak_", "svc_ak_"), Method::GET, &own, None).await,
    ] {
        assert_eq!(answer.status, 401, "{answer:?}");
    }
}

#[tokio::test]
async fn a_key_sees_the_scim_tokens_of_its_organization_alone() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let site = &world.site;
    let (own, theirs) = (scim_token(site, &world.initech).await, scim_token(site, &world.hooli).await);
    let key = made(site, &world.initech, "scim-tokens:read scim-tokens:write").await;
    let ask = async |method: Method, path: &str| send(site, secret(&key), method, path, None).await;
    let listed = ask(Method::GET, "/api/v1/scim-tokens").await.expect(200).json();
    assert_eq!(listed["data"].as_array().unwrap().len(), 1, "{listed}");
    assert_eq!(listed["data"][0]["organization_id"], json!(world.initech.id));
    let _ = ask(Method::GET, &own).await.expect(200);
    let filtered = format!("/api/v1/scim-tokens?organization_id={}", world.hooli.id);
    for (method, path) in
        [(Method::GET, theirs.as_str()), (Method::DELETE, &theirs), (Method::GET, &filtered)]
    {
        let _ = ask(method, path).await.expect_problem(404, "not_found");
    }
    for path in ["/api/v1/scim-tokens".to_owned(), format!("{own}/rotate")] {
        let body = json!({ "organization_id": world.initech.id, "name": "another" });
        let body = Some(body).filter(|_| path.ends_with("tokens"));
        let made = send(site, secret(&key), Method::POST, &path, body).await;
        let _ = made.expect_problem(403, "forbidden");
    }
    let _ = ask(Method::DELETE, &own).await.expect(204);
}

#[tokio::test]
async fn a_key_adds_no_member_without_an_invitation_and_ends_no_organization() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let site = &world.site;
    let eve = site.user("eve").await;
    let key = made(site, &world.initech, "organizations:read organizations:write").await;
    let own = path_of(&world.initech);
    let ask = async |method: Method, below: &str, body: Option<Value>| {
        send(site, secret(&key), method, &format!("{own}{below}"), body).await
    };
    let roles = |roles: &[&str]| Some(json!({ "roles": roles }));
    let stranger = ask(Method::PUT, &format!("/members/{}", eve.id), roles(&[])).await;
    let unknown = ask(Method::PUT, "/members/usr_01jd3x9k2mfa8t5v7w0q4r6s8y", roles(&[])).await;
    assert_eq!(stranger.expect_problem(404, "not_found").json()["detail"], unknown.json()["detail"]);
    let member = format!("/members/{}", world.ada.id);
    let given = ask(Method::PUT, &member, roles(&["editor", ADMIN])).await;
    let _ = given.expect_problem(403, "insufficient_scope");
    let _ = ask(Method::PUT, &member, roles(&[])).await.expect(200);
    for (method, body) in [
        (Method::DELETE, None),
        (Method::PATCH, Some(json!({ "status": "suspended" }))),
        (Method::PATCH, Some(json!({ "metadata": { "plan": "gold" } }))),
    ] {
        let _ = ask(method, "", body).await.expect_problem(403, "forbidden");
    }
    let _ = ask(Method::DELETE, &member, None).await.expect(204);
}

#[tokio::test]
async fn a_key_is_reached_below_its_organization_and_nowhere_else() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let site = &world.site;
    let (other, admin) = (h.tenant("other").await, site.mint(|_| ()));
    let key = made(site, &world.initech, "organizations:read").await;
    let own = record_of(&world.initech, &key);
    let id = key["id"].as_str().unwrap();
    let read = send(site, &admin, Method::GET, &own, None).await.expect(200).json();
    assert_eq!((&read["last_used_at"], read.get("key")), (&Value::Null, None));
    let _ = send(site, secret(&key), Method::GET, &path_of(&world.initech), None).await.expect(200);
    let keys = format!("{}/api-keys", path_of(&world.initech));
    let listed = send(site, &admin, Method::GET, &keys, None).await.expect(200).json();
    assert!(
        listed["data"][0]["id"] == json!(id) && listed["data"][0]["last_used_at"].is_string(),
        "{listed}"
    );
    let wanted = json!({ "name": "other", "scope": "organizations:read" });
    for path in [format!("/api/v1/api-keys/{id}"), record_of(&world.hooli, &key)] {
        for (method, body) in [
            (Method::GET, None),
            (Method::PUT, Some(wanted.clone())),
            (Method::PATCH, Some(wanted.clone())),
            (Method::DELETE, None),
        ] {
            let answer = send(site, &admin, method, &path, body).await;
            let _ = answer.expect_problem(404, "not_found");
        }
        let rotated = send(site, &admin, Method::POST, &format!("{path}/rotate"), None).await;
        let _ = rotated.expect_problem(404, "not_found");
    }
    let there = send(&other, &other.mint(|_| ()), Method::GET, &own, None).await;
    let _ = there.expect_problem(404, "not_found");
    let flat = send(site, &admin, Method::GET, "/api/v1/api-keys", None).await.expect(200);
    assert!(!flat.body.contains(id), "{flat:?}");
    let hooli = send(site, &admin, Method::GET, &format!("{}/api-keys", path_of(&world.hooli)), None).await;
    assert_eq!(hooli.expect(200).json()["data"], json!([]));
    let tenants = json!({ "name": "tenant's", "scope": "organizations:read" });
    let tenants =
        send(site, &admin, Method::POST, "/api/v1/api-keys", Some(tenants)).await.expect(201).json();
    let crossed = send(site, &admin, Method::GET, &record_of(&world.initech, &tenants), None).await;
    let _ = crossed.expect_problem(404, "not_found");
}

#[tokio::test]
async fn a_key_ends_with_its_time_its_deletion_and_the_overlap_of_a_rotation() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let site = &world.site;
    let status =
        async |secret: &str| send(site, secret, Method::GET, &path_of(&world.initech), None).await.status;
    let admin = || site.mint(|_| ());
    let keys = format!("{}/api-keys", path_of(&world.initech));
    let body = json!({ "name": "short", "scope": "organizations:read", "expires_in": 3600 });
    let short = send(site, &admin(), Method::POST, &keys, Some(body)).await.expect(201).json();
    let key = made(site, &world.initech, "organizations:read").await;
    let rotate = |secs: u32| format!("{}/rotate?overlap_secs={secs}", record_of(&world.initech, &key));
    let rotated = send(site, &admin(), Method::POST, &rotate(600), None).await.expect(200).json();
    assert_eq!((status(secret(&key)).await, status(secret(&rotated)).await), (200, 200));
    h.advance(599);
    assert_eq!(status(secret(&key)).await, 200);
    h.advance(1);
    assert_eq!((status(secret(&key)).await, status(secret(&rotated)).await), (401, 200));
    let last = send(site, &admin(), Method::POST, &rotate(0), None).await.expect(200).json();
    assert_eq!((status(secret(&rotated)).await, status(secret(&last)).await), (401, 200));
    h.advance(3000);
    assert_eq!(status(secret(&short)).await, 401);
    let path = record_of(&world.initech, &key);
    let _ = send(site, &admin(), Method::DELETE, &path, None).await.expect(204);
    assert_eq!(status(secret(&last)).await, 401);
    let log = send(site, &admin(), Method::GET, "/api/v1/audit?limit=50", None).await.expect(200).json();
    for action in ["api_key.created", "api_key.rotated", "api_key.deleted"] {
        let entries = log["data"].as_array().unwrap().iter();
        let entry =
            entries.into_iter().find(|entry| entry["action"] == action && entry["target"] == key["id"]);
        assert_eq!(entry.unwrap()["detail"]["organization_id"], json!(world.initech.id), "{action}");
    }
}

#[tokio::test]
async fn the_keys_of_a_suspended_or_deleted_organization_are_gone_for_good() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let site = &world.site;
    let (own, admin) = (path_of(&world.initech), site.mint(|_| ()));
    let others = made(site, &world.hooli, "organizations:read").await;
    let key = made(site, &world.initech, "organizations:read").await;
    let status = async |key: &Value| send(site, secret(key), Method::GET, &own, None).await.status;
    world.set_status(&world.initech, Status::Suspended).await;
    assert_eq!(status(&key).await, 401);
    let body = json!({ "name": "sync", "scope": "organizations:read" });
    let refused = send(site, &admin, Method::POST, &format!("{own}/api-keys"), Some(body)).await;
    let _ = refused.expect_problem(409, "conflict");
    world.set_status(&world.initech, Status::Active).await;
    assert_eq!(status(&key).await, 401, "it does not come back");
    let key = made(site, &world.initech, "organizations:read").await;
    assert_eq!(status(&key).await, 200);
    let _ = send(site, &admin, Method::DELETE, &own, None).await.expect(204);
    assert_eq!(status(&key).await, 401);
    let _ = send(site, &admin, Method::GET, &record_of(&world.initech, &key), None).await.expect(404);
    let _ = send(site, secret(&others), Method::GET, &path_of(&world.hooli), None).await.expect(200);
}

#[tokio::test]
async fn no_caller_makes_a_key_that_opens_more_than_it_may_itself() {
    let h = Harness::with(&[("SVC_API_KEYS__MAX_PER_OWNER", "1")]).await;
    let world = World::new(&h).await;
    let site = &world.site;
    let keys = format!("{}/api-keys", path_of(&world.initech));
    let ask = async |token: &str, body: Value| send(site, token, Method::POST, &keys, Some(body)).await;
    let narrow =
        site.mint(|claims| claims["scope"] = json!("api-keys:write api-keys:read organizations:read"));
    let wanted = |scope: &str| json!({ "name": "x", "scope": scope });
    let more = ask(&narrow, wanted("organizations:write")).await.expect_problem(403, "insufficient_scope");
    assert!(more.body.contains("organizations:write"), "{more:?}");
    let without = site.mint(|claims| claims["scope"] = json!("organizations:read organizations:write"));
    let _ = ask(&without, wanted("organizations:read")).await.expect_problem(403, "insufficient_scope");
    let admin = site.mint(|_| ());
    for wrong in [
        wanted(""),
        wanted("tenant-users:read"),
        wanted("organizations:read privileges:grant"),
        json!({ "name": "", "scope": "organizations:read" }),
        json!({ "name": "x", "scope": "organizations:read", "expires_in": 59 }),
        json!({ "name": "x", "scope": "organizations:read", "expires_in": 365 * 86_400 + 1 }),
        json!({ "name": "x", "scope": "organizations:read", "owner": "tenant" }),
        json!({ "name": "x", "scope": "organizations:read", "organization_id": world.hooli.id }),
    ] {
        let refused = ask(&admin, wrong.clone()).await;
        assert_eq!(refused.status, 400, "{wrong}: {refused:?}");
    }
    let key = ask(&narrow, wanted("api-keys:read api-keys:write")).await.expect(201).json();
    let path = record_of(&world.initech, &key);
    let wider = json!({ "name": "x", "scope": "organizations:write" });
    for (method, path, body) in [
        (Method::POST, keys.clone(), Some(wanted("api-keys:read"))),
        (Method::POST, format!("{path}/rotate"), None),
        (Method::PATCH, path.clone(), Some(wider.clone())),
    ] {
        let _ = send(site, secret(&key), method, &path, body).await.expect_problem(403, "forbidden");
    }
    let _ = send(site, &narrow, Method::PATCH, &path, Some(wider)).await.expect(403);
    let third = ask(&admin, wanted("organizations:read")).await.expect_problem(409, "conflict");
    assert!(third.body.contains("delete one"), "{third:?}");
    let _ = send(site, secret(&key), Method::DELETE, &path, None).await.expect(204);
}

#[tokio::test]
async fn a_person_who_lost_the_role_makes_no_more_keys() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let site = &world.site;
    let boss = site.user_with_roles("boss", &[ADMIN]).await;
    let audience = site.tenant.api_audience();
    let scope = "openid offline_access api-keys:write organizations:read";
    let asked = [("scope", scope), ("resource", audience.as_str())];
    let code = world.web.code_with(&mut site.browser(), &boss, &asked).await;
    let tokens = world.web.exchange(&code).await.expect(200).json();
    let keys = format!("{}/api-keys", path_of(&world.initech));
    let body = json!({ "name": "mine", "scope": "organizations:read" });
    let token = tokens["access_token"].as_str().unwrap();
    let made = send(site, token, Method::POST, &keys, Some(body.clone())).await.expect(201).json();
    let person = format!("/api/v1/tenant-users/{}", boss.id);
    let none = Some(json!({ "roles": [] }));
    let _ = send(site, &site.mint(|_| ()), Method::PATCH, &person, none).await.expect(200);
    let refreshed = world.refresh(&tokens, &[]).await;
    if refreshed.status == 200 {
        let token = refreshed.json()["access_token"].as_str().unwrap().to_owned();
        let _ = send(site, &token, Method::POST, &keys, Some(body)).await.expect(403);
    }
    // The key is the organization's, and no longer the person's to lose.
    let _ = send(site, secret(&made), Method::GET, &path_of(&world.initech), None).await.expect(200);
}

#[tokio::test]
async fn where_keys_or_organizations_are_off_there_are_none() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let key = made(&world.site, &world.initech, "organizations:read").await;
    for switch in ["SVC_API_KEYS__ENABLED", "SVC_ORGANIZATIONS__ENABLED"] {
        let without = h.restarted_with(&[(switch, "false")]).await;
        let site = Site { harness: &without, ..world.site.clone() };
        let own = format!("{}/members", path_of(&world.initech));
        let answer = send(&site, secret(&key), Method::GET, &own, None).await;
        assert!([401, 404].contains(&answer.status), "{switch}: {answer:?}");
    }
}
