//! API keys of the management API: what opens them, for whom they act, and how they end.

use serde_json::{Value, json};
use svc_domain::apis::management::ADMIN;
use svc_http::Method;

use crate::harness::{Answer, Harness, Person, Site};

const KEYS: &str = "/api/v1/api-keys";
const USERS: &str = "/api/v1/tenant-users";

async fn send(site: &Site<'_>, token: &str, method: Method, path: &str, body: Option<Value>) -> Answer {
    site.call(method, path, Some(token), body).await
}

/// What a program makes for the tenant; `extra` adds members.
async fn made(site: &Site<'_>, scope: &str) -> Value {
    let body = json!({ "name": "import", "scope": scope });
    send(site, &site.mint(|_| ()), Method::POST, KEYS, Some(body)).await.expect(201).json()
}

/// A token of an administrator who is a person.
fn token_of(site: &Site<'_>, person: &Person) -> String {
    site.mint(|claims| {
        claims["sub"] = json!(person.subject);
        claims["subject_type"] = json!("human");
    })
}

fn secret(made: &Value) -> &str {
    made["key"].as_str().unwrap()
}

fn path_of(made: &Value) -> String {
    format!("{KEYS}/{}", made["id"].as_str().unwrap())
}

#[tokio::test]
async fn a_key_opens_what_its_scopes_say_at_its_tenant_and_nothing_else() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let key = made(&site, "tenant-users:read").await;
    assert!(secret(&key).starts_with("svc_ak_"), "{key}");
    let users = send(&site, secret(&key), Method::GET, USERS, None).await.expect(200);
    assert!(users.json()["data"].is_array(), "{users:?}");
    let body = Some(json!({ "username": "eve" }));
    let refused = send(&site, secret(&key), Method::POST, USERS, body).await;
    let refused = refused.expect_problem(403, "insufficient_scope");
    assert!(refused.header("www-authenticate").contains("tenant-users:write"), "{refused:?}");
    for answer in [
        send(&other, secret(&key), Method::GET, USERS, None).await,
        send(&site, &format!("{}A", secret(&key)), Method::GET, USERS, None).await,
        send(&site, "svc_ak_", Method::GET, USERS, None).await,
        send(&site, secret(&key), Method::GET, "/userinfo", None).await,
        site.get(&format!("{USERS}?access_token={}", secret(&key))).await,
    ] {
        assert_eq!(answer.status, 401, "{answer:?}");
    }
    let app = site.app("web").await;
    let _ = app.refresh(secret(&key)).await.expect_problem(400, "invalid_grant");
    let log = send(&site, &site.mint(|_| ()), Method::GET, "/api/v1/audit?limit=50", None).await.expect(200);
    assert!(!log.body.contains(secret(&key)) && log.body.contains("api_key.created"), "{log:?}");
}

#[tokio::test]
async fn a_key_is_shown_once_and_says_when_it_was_used() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (admin, key) = (site.mint(|_| ()), made(&site, "tenant-users:read").await);
    let read = async || send(&site, &admin, Method::GET, &path_of(&key), None).await.expect(200).json();
    let fresh = read().await;
    assert_eq!((&fresh["last_used_at"], fresh.get("key")), (&Value::Null, None));
    assert_eq!((&fresh["tenant_user_id"], &fresh["scope"]), (&Value::Null, &json!("tenant-users:read")));
    let _ = send(&site, secret(&key), Method::GET, USERS, None).await.expect(200);
    let used = read().await["last_used_at"].clone();
    assert!(used.is_string(), "{used}");
    h.advance(30);
    let _ = send(&site, secret(&key), Method::GET, USERS, None).await.expect(200);
    assert_eq!(read().await["last_used_at"], used, "to the minute");
    h.advance(30);
    let _ = send(&site, secret(&key), Method::GET, USERS, None).await.expect(200);
    assert_ne!(read().await["last_used_at"], used);
}

#[tokio::test]
async fn a_key_ends_with_its_time_its_deletion_and_the_overlap_of_a_rotation() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let status = async |secret: &str| send(&site, secret, Method::GET, USERS, None).await.status;
    let admin = || site.mint(|_| ());
    let body = json!({ "name": "short", "scope": "tenant-users:read", "expires_in": 3600 });
    let short = send(&site, &admin(), Method::POST, KEYS, Some(body)).await.expect(201).json();
    let key = made(&site, "tenant-users:read").await;
    let rotate = format!("{}/rotate?overlap_secs=600", path_of(&key));
    let rotated = send(&site, &admin(), Method::POST, &rotate, None).await.expect(200).json();
    assert_eq!((status(secret(&key)).await, status(secret(&rotated)).await), (200, 200));
    h.advance(599);
    assert_eq!(status(secret(&key)).await, 200);
    h.advance(1);
    assert_eq!((status(secret(&key)).await, status(secret(&rotated)).await), (401, 200));
    let at_once = format!("{}/rotate?overlap_secs=0", path_of(&key));
    let last = send(&site, &admin(), Method::POST, &at_once, None).await.expect(200).json();
    assert_eq!((status(secret(&rotated)).await, status(secret(&last)).await), (401, 200));
    let too_long = format!("{}/rotate?overlap_secs=2592001", path_of(&key));
    let _ = send(&site, &admin(), Method::POST, &too_long, None).await.expect_problem(400, "bad_request");
    h.advance(2999);
    assert_eq!(status(secret(&short)).await, 200);
    h.advance(1);
    assert_eq!(status(secret(&short)).await, 401);
    let _ = send(&site, &admin(), Method::DELETE, &path_of(&key), None).await.expect(204);
    assert_eq!(status(secret(&last)).await, 401);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_rotations_of_one_key_at_once_none_is_refused_and_the_last_one_counts() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let key = made(&site, "tenant-users:read").await;
    let (rotate, admin) = (format!("{}/rotate?overlap_secs=0", path_of(&key)), site.mint(|_| ()));
    let rotations = (0..8).map(|_| send(&site, &admin, Method::POST, &rotate, None));
    let mut open = 0;
    for rotated in futures_util::future::join_all(rotations).await {
        let rotated = rotated.expect(200).json();
        open += u32::from(send(&site, secret(&rotated), Method::GET, USERS, None).await.status == 200);
    }
    assert_eq!(open, 1);
}

#[tokio::test]
async fn a_persons_key_opens_what_the_persons_roles_allow_and_ends_with_the_membership() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user_with_roles("ada", &[ADMIN]).await;
    let body = json!({ "name": "mine", "scope": "tenant-users:read" });
    let key = send(&site, &token_of(&site, &ada), Method::POST, KEYS, Some(body)).await.expect(201).json();
    assert_eq!(key["tenant_user_id"], json!(ada.id));
    let status = async || send(&site, secret(&key), Method::GET, USERS, None).await.status;
    assert_eq!(status().await, 200);
    let path = format!("{USERS}/{}", ada.id);
    let change = async |body: Value| {
        let _ = send(&site, &site.mint(|_| ()), Method::PATCH, &path, Some(body)).await.expect(200);
    };
    change(json!({ "roles": [] })).await;
    assert_eq!(status().await, 403);
    change(json!({ "roles": [ADMIN] })).await;
    assert_eq!(status().await, 200);
    let move_to = async |below: &str| {
        let path = format!("{path}/{below}");
        let answer = send(&site, &site.mint(|_| ()), Method::POST, &path, None).await;
        assert!(answer.status < 300, "{answer:?}");
    };
    move_to("suspend").await;
    assert_eq!(status().await, 401);
    move_to("reactivate").await;
    assert_eq!(status().await, 401, "it does not come back");
}

#[tokio::test]
async fn no_caller_makes_a_key_that_opens_more_than_it_may_itself() {
    let h = Harness::with(&[("SVC_API_KEYS__MAX_PER_OWNER", "2")]).await;
    let site = h.tenant("main").await;
    let narrow = site.mint(|claims| claims["scope"] = json!("api-keys:write api-keys:read"));
    let ask = async |token: &str, body: Value| send(&site, token, Method::POST, KEYS, Some(body)).await;
    let wanted = json!({ "name": "more", "scope": "tenant-users:write" });
    let _ = ask(&narrow, wanted.clone()).await.expect_problem(403, "insufficient_scope");
    let admin = site.mint(|_| ());
    for wrong in [
        json!({ "name": "", "scope": "tenant-users:read" }),
        json!({ "name": "x", "scope": "orders:read" }),
        json!({ "name": "x", "scope": "" }),
        json!({ "name": "x", "scope": "tenant-users:read", "expires_in": 59 }),
        json!({ "name": "x", "scope": "tenant-users:read", "expires_in": 365 * 86_400 + 1 }),
        json!({ "name": "x", "scope": "tenant-users:read", "owner": "caller" }),
        json!({ "name": "x", "scope": "tenant-users:read", "tenant_user_id": "usr_1" }),
    ] {
        let refused = ask(&admin, wrong.clone()).await;
        assert_eq!(refused.status, 400, "{wrong}: {refused:?}");
    }
    let first = made(&site, "api-keys:write api-keys:read tenant-users:read").await;
    let by_key = ask(secret(&first), json!({ "name": "x", "scope": "tenant-users:read" })).await;
    let _ = by_key.expect_problem(403, "forbidden");
    let _ = made(&site, "tenant-users:read").await;
    let third = ask(&admin, json!({ "name": "x", "scope": "tenant-users:read" })).await;
    let third = third.expect_problem(409, "conflict");
    assert!(third.body.contains("delete one"), "{third:?}");
    // What another person's key does, it does as that person: the secret is for that person alone.
    let ada = site.user_with_roles("ada", &[ADMIN]).await;
    let mine = ask(&token_of(&site, &ada), json!({ "name": "mine", "scope": "tenant-users:read" })).await;
    let rotate = format!("{}/rotate", path_of(&mine.expect(201).json()));
    let _ = send(&site, &admin, Method::POST, &rotate, None).await.expect_problem(403, "forbidden");
    let _ = send(&site, &token_of(&site, &ada), Method::POST, &rotate, None).await.expect(200);
}

#[tokio::test]
async fn a_key_lives_for_the_days_of_the_deployment_and_is_given_no_more_than_the_most() {
    const DAY: i64 = 86_400;
    let h = Harness::with(&[
        ("SVC_API_KEYS__DEFAULT_LIFETIME_DAYS", "2"),
        ("SVC_API_KEYS__MAX_LIFETIME_DAYS", "3"),
    ])
    .await;
    let site = h.tenant("main").await;
    let ask = async |lifetime: i64| {
        let body = json!({ "name": "long", "scope": "tenant-users:read", "expires_in": lifetime });
        send(&site, &site.mint(|_| ()), Method::POST, KEYS, Some(body)).await
    };
    let (usual, longest) = (made(&site, "tenant-users:read").await, ask(3 * DAY).await.expect(201).json());
    let refused = ask(3 * DAY + 1).await.expect_problem(400, "bad_request");
    assert!(refused.body.contains("expires_in: use 60 to 259200 seconds"), "{refused:?}");
    let status = async |key: &Value| send(&site, secret(key), Method::GET, USERS, None).await.status;
    for (wait, statuses) in [(2 * DAY - 1, (200, 200)), (1, (401, 200)), (DAY, (401, 401))] {
        h.advance(wait);
        assert_eq!((status(&usual).await, status(&longest).await), statuses);
    }
}

#[tokio::test]
async fn where_keys_are_off_there_are_none() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let key = made(&site, "tenant-users:read").await;
    let without = h.restarted_with(&[("SVC_API_KEYS__ENABLED", "false")]).await;
    let site = Site { harness: &without, tenant: site.tenant.clone(), host: site.host.clone() };
    let _ = send(&site, secret(&key), Method::GET, USERS, None).await.expect(401);
    let _ = send(&site, &site.mint(|_| ()), Method::GET, KEYS, None).await.expect(404);
}

#[tokio::test]
async fn an_application_that_answers_for_the_management_api_may_ask_about_a_key() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, other) = (site.app("gateway").await, site.app("other").await);
    let admin = site.mint(|_| ());
    let listed = send(&site, &admin, Method::GET, "/api/v1/apis", None).await.expect(200).json();
    let audience = json!(site.tenant.api_audience());
    let management = listed["data"].as_array().unwrap().iter().find(|api| api["identifier"] == audience);
    let management = format!("/api/v1/apis/{}", management.unwrap()["id"].as_str().unwrap());
    let answering = Some(json!({ "resource_servers": [app.id] }));
    let _ = send(&site, &admin, Method::PATCH, &management, answering).await.expect(200);
    let key = made(&site, "tenant-users:read").await;
    let form = [("token", secret(&key))];
    let told = app.post("/oauth/introspect", &form, &[]).await.expect(200).json();
    assert_eq!((&told["active"], &told["scope"]), (&json!(true), &json!("tenant-users:read")));
    assert_eq!((&told["client_id"], &told["subject_type"]), (&key["id"], &json!("system")));
    let told = other.post("/oauth/introspect", &form, &[]).await.expect(200).json();
    assert_eq!(told, json!({ "active": false }));
    let rotate = format!("{}/rotate?overlap_secs=600", path_of(&key));
    let rotated = send(&site, &admin, Method::POST, &rotate, None).await.expect(200).json();
    let until = h.operator().now.as_secs() + 600;
    let told = app.post("/oauth/introspect", &form, &[]).await.expect(200).json();
    assert_eq!(told["exp"], json!(until), "the secret that was replaced ends before the key");
    let form = [("token", secret(&rotated))];
    let told = app.post("/oauth/introspect", &form, &[]).await.expect(200).json();
    assert!(told["exp"].as_i64().unwrap() > until, "{told}");
    let _ = send(&site, &admin, Method::DELETE, &path_of(&key), None).await.expect(204);
    let told = app.post("/oauth/introspect", &form, &[]).await.expect(200).json();
    assert_eq!(told, json!({ "active": false }));
}

#[tokio::test]
async fn a_persons_key_decides_nothing_for_the_person_and_the_log_tells_them_apart() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user_with_roles("ada", &[ADMIN]).await;
    let body = json!({ "name": "mine", "scope": "identity:approve roles:write" });
    let token = site.mint(|claims| {
        claims["sub"] = json!(ada.subject);
        claims["subject_type"] = json!("human");
        claims["scope"] = json!("identity:approve roles:write api-keys:write");
    });
    let key = send(&site, &token, Method::POST, KEYS, Some(body)).await.expect(201).json();
    let requests = send(&site, secret(&key), Method::GET, "/api/v1/identity/ciba/requests", None).await;
    assert_eq!(requests.status, 403, "{requests:?}");
    let role = json!({ "name": "editor" });
    let _ = send(&site, secret(&key), Method::POST, "/api/v1/roles", Some(role)).await.expect(201);
    let path = "/api/v1/audit?limit=50";
    let log = send(&site, &site.mint(|_| ()), Method::GET, path, None).await.expect(200).json();
    let entries = log["data"].as_array().unwrap();
    let made = entries.iter().find(|entry| entry["detail"]["name"] == "editor").unwrap();
    assert!(made.to_string().contains(key["id"].as_str().unwrap()), "{made}");
}
