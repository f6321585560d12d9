//! Tokens that applications get for API keys (RFC 8693): what they say and open, and how they end with the key.

use serde_json::{Value, json};
use svc_domain::apis::{self, management::ADMIN};
use svc_domain::organizations::Status;
use svc_http::Method;

use super::World;
use super::api_keys::{made, path_of, record_of, secret, send};
use crate::harness::client::{Pairs, claims};
use crate::harness::{Answer, Client, Harness};

const EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
const API_KEY: &str = "urn:svc:token-type:api-key";

async fn exchange(client: &Client<'_>, key: &str, changes: Pairs<'_>) -> Answer {
    let usual = [("grant_type", EXCHANGE), ("subject_token", key), ("subject_token_type", API_KEY)];
    client.token(&usual, changes).await
}

async fn token_for(client: &Client<'_>, key: &Value) -> String {
    let answer = exchange(client, secret(key), &[]).await.expect(200).json();
    answer["access_token"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_key_is_exchanged_for_a_token_that_counts_in_its_organization_alone() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let site = &world.site;
    let key = made(site, &world.initech, "organizations:read organizations:write api-keys:write").await;
    let answer = exchange(&world.web, secret(&key), &[]).await.expect(200).json();
    assert_eq!(answer["issued_token_type"], "urn:ietf:params:oauth:token-type:access_token");
    assert!(answer.get("refresh_token").is_none() && answer.get("id_token").is_none(), "{answer}");
    let token = answer["access_token"].as_str().unwrap();
    let told = claims(token);
    assert_eq!(told["org"], json!({ "id": world.initech.id, "slug": "initech", "roles": [] }));
    assert_eq!((&told["sub"], &told["client_id"]), (&key["id"], &json!(world.web.id)));
    assert_eq!((&told["subject_type"], &told["act"]), (&json!("system"), &json!({ "sub": world.web.id })));
    assert_eq!(told["aud"], json!(site.tenant.api_audience()));
    let (own, theirs) = (path_of(&world.initech), path_of(&world.hooli));
    let _ = send(site, token, Method::GET, &own, None).await.expect(200);
    let _ = send(site, token, Method::GET, &theirs, None).await.expect_problem(404, "not_found");
    let _ = send(site, token, Method::GET, "/api/v1/organizations", None).await.expect(403);
    let body = json!({ "name": "mine", "scope": "organizations:read" });
    for keys in [format!("{own}/api-keys"), "/api/v1/api-keys".to_owned()] {
        let made = send(site, token, Method::POST, &keys, Some(body.clone())).await;
        let _ = made.expect_problem(403, "forbidden");
    }
    let renamed = Some(json!({ "name": "Initech Ltd" }));
    let _ = send(site, token, Method::PATCH, &own, renamed).await.expect(200);
    let log = send(site, &site.mint(|_| ()), Method::GET, "/api/v1/audit?limit=50", None).await;
    let log = log.expect(200).json();
    let entry =
        log["data"].as_array().unwrap().iter().find(|entry| entry["action"] == "organization.updated");
    let entry = entry.unwrap();
    assert_eq!((&entry["actor_kind"], &entry["actor_id"]), (&json!("api_key"), &key["id"]));
    assert_eq!(entry["detail"]["organization_id"], json!(world.initech.id));
    assert_eq!(entry["detail"]["act"], json!({ "sub": world.web.id }));
}

#[tokio::test]
async fn introspection_tells_the_organization_of_a_key_and_of_its_tokens() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let site = &world.site;
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    let found = apis::find_by_identifier(&mut tx, &site.tenant, &site.tenant.api_audience()).await.unwrap();
    let management = found.unwrap();
    let answering = apis::Configuration {
        resource_servers: vec![world.web.id.clone()],
        ..management.configuration.clone()
    };
    apis::update(&mut tx, &h.operator(), &management, &answering, true).await.unwrap();
    tx.commit().await.unwrap();
    let key = made(site, &world.initech, "organizations:read").await;
    let token = token_for(&world.web, &key).await;
    for presented in [secret(&key), token.as_str()] {
        let told = world.web.post("/oauth/introspect", &[("token", presented)], &[]).await.expect(200).json();
        assert_eq!((&told["active"], &told["org"]["slug"]), (&json!(true), &json!("initech")), "{told}");
        assert_eq!((&told["sub"], &told["scope"]), (&key["id"], &json!("organizations:read")));
    }
    world.set_status(&world.initech, Status::Suspended).await;
    for presented in [secret(&key), token.as_str()] {
        let told = world.web.post("/oauth/introspect", &[("token", presented)], &[]).await.expect(200).json();
        assert_eq!(told, json!({ "active": false }));
    }
}

#[tokio::test]
async fn tokens_end_with_what_ends_the_key_or_narrows_it() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let site = &world.site;
    let own = path_of(&world.initech);
    let admin = || site.mint(|_| ());
    let status = async |token: &str| send(site, token, Method::GET, &own, None).await.status;
    for end in ["deletion", "rotation", "narrowing", "suspension"] {
        let key = made(site, &world.initech, "organizations:read api-keys:read").await;
        let token = token_for(&world.web, &key).await;
        assert_eq!(status(&token).await, 200, "{end}");
        let path = record_of(&world.initech, &key);
        match end {
            "deletion" => drop(send(site, &admin(), Method::DELETE, &path, None).await.expect(204)),
            "rotation" => {
                let path = format!("{path}/rotate?overlap_secs=0");
                drop(send(site, &admin(), Method::POST, &path, None).await.expect(200));
            }
            "narrowing" => {
                let body = json!({ "scope": "api-keys:read" });
                drop(send(site, &admin(), Method::PATCH, &path, Some(body)).await.expect(200));
            }
            _ => {
                world.set_status(&world.initech, Status::Suspended).await;
                world.set_status(&world.initech, Status::Active).await;
            }
        }
        assert_eq!(status(&token).await, 401, "{end}");
        h.advance(2);
    }
    let key = made(site, &world.initech, "organizations:read").await;
    let rotate = format!("{}/rotate?overlap_secs=60", record_of(&world.initech, &key));
    let _ = send(site, &admin(), Method::POST, &rotate, None).await.expect(200);
    h.advance(2);
    let token = token_for(&world.web, &key).await;
    assert_eq!(status(&token).await, 200);
    h.advance(58);
    assert_eq!(status(&token).await, 401, "it ends with the secret that it was got for");
}

#[tokio::test]
async fn no_token_outlives_the_secret_that_it_was_got_for_where_a_rotation_ends_that_early() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let site = &world.site;
    let own = path_of(&world.initech);
    let status = async |token: &str| send(site, token, Method::GET, &own, None).await.status;
    let key = made(site, &world.initech, "organizations:read").await;
    let rotate = format!("{}/rotate", record_of(&world.initech, &key));
    let rotated = async |query: &str| {
        let path = format!("{rotate}{query}");
        send(site, &site.mint(|_| ()), Method::POST, &path, None).await.expect(200).json()
    };
    let first = token_for(&world.web, &key).await;
    let second = rotated("").await;
    assert_eq!(status(&first).await, 200, "the former secret ends after its tokens");
    let _ = rotated("").await;
    let _ = exchange(&world.web, secret(&key), &[]).await.expect_problem(400, "invalid_request");
    assert_eq!(status(&first).await, 401, "a further rotation has ended the secret");
    h.advance(2);
    let again = token_for(&world.web, &second).await;
    assert_eq!(status(&again).await, 200);
    let hasty = made(site, &world.initech, "organizations:read").await;
    let token = token_for(&world.web, &hasty).await;
    let path = format!("{}/rotate?overlap_secs=60", record_of(&world.initech, &hasty));
    let _ = send(site, &site.mint(|_| ()), Method::POST, &path, None).await.expect(200);
    assert_eq!(status(&token).await, 401, "the secret ends before the token");
    h.advance(2);
    assert_eq!(status(&token_for(&world.web, &hasty).await).await, 200);
}

#[tokio::test]
async fn a_token_that_a_clock_ahead_has_stamped_ends_with_its_secret_too() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let site = &world.site;
    let key = made(site, &world.initech, "organizations:read").await;
    h.jump(2);
    let token = token_for(&world.web, &key).await;
    h.jump(-2);
    let path = format!("{}/rotate?overlap_secs=0", record_of(&world.initech, &key));
    let _ = send(site, &site.mint(|_| ()), Method::POST, &path, None).await.expect(200);
    h.advance(3);
    assert_eq!(send(site, &token, Method::GET, &path_of(&world.initech), None).await.status, 401);
}

#[tokio::test]
async fn an_exchange_that_races_with_the_end_of_its_key_leaves_no_live_token() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let site = &world.site;
    for _ in 0..8 {
        let key = made(site, &world.initech, "organizations:read").await;
        let (path, admin) = (record_of(&world.initech, &key), site.mint(|_| ()));
        let (exchanged, deleted) = tokio::join!(
            exchange(&world.web, secret(&key), &[]),
            send(site, &admin, Method::DELETE, &path, None)
        );
        let _ = deleted.expect(204);
        assert_eq!(send(site, secret(&key), Method::GET, &path_of(&world.initech), None).await.status, 401);
        if exchanged.status == 200 {
            let token = exchanged.json()["access_token"].as_str().unwrap().to_owned();
            assert_eq!(send(site, &token, Method::GET, &path_of(&world.initech), None).await.status, 401);
        }
    }
}

#[tokio::test]
async fn what_is_no_live_key_of_this_tenant_is_exchanged_for_nothing() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let (site, other) = (&world.site, h.tenant("other").await);
    let key = made(site, &world.initech, "organizations:read").await;
    let stranger = other.app("stranger").await;
    let _ = exchange(&stranger, secret(&key), &[]).await.expect_problem(400, "invalid_request");
    for (changes, code) in [
        (&[("scope", "organizations:write")][..], "invalid_scope"),
        (&[("scope", "openid")], "invalid_scope"),
        (&[("audience", super::NOTES)], "invalid_target"),
        (&[("organization", "hooli")], "invalid_request"),
        (&[("subject_token", "svc_org_ak_x")], "invalid_request"),
        (&[("subject_token_type", "urn:ietf:params:oauth:token-type:access_token")], "invalid_request"),
        (&[("requested_token_type", "urn:ietf:params:oauth:token-type:id-jag")], "invalid_request"),
    ] {
        let refused = exchange(&world.web, secret(&key), changes).await;
        assert_eq!((refused.status, &refused.json()["error"]), (400, &json!(code)), "{changes:?}");
    }
    let _ = exchange(&world.web, secret(&key), &[("organization", "initech")]).await.expect(200);
    let poor = site.app_with("poor", |app| app.scope = "notes:read".parse().unwrap()).await;
    let _ = exchange(&poor, secret(&key), &[("scope", "organizations:read")]).await.expect(400);
    let boss = site.user_with_roles("boss", &[ADMIN]).await;
    let token = site.mint(|claims| {
        (claims["sub"], claims["subject_type"]) = (json!(boss.subject), json!("human"));
    });
    let body = json!({ "name": "mine", "scope": "organizations:read" });
    let mine = send(site, &token, Method::POST, "/api/v1/api-keys", Some(body)).await.expect(201).json();
    let refused = exchange(&world.web, secret(&mine), &[]).await.expect_problem(400, "invalid_request");
    assert!(refused.body.contains("the key of a person"), "{refused:?}");
}

#[tokio::test]
async fn the_key_of_a_tenant_is_exchanged_for_a_token_of_the_whole_tenant_that_ends_with_it() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let site = &world.site;
    let body = json!({ "name": "import", "scope": "tenant-users:read api-keys:write" });
    let admin = site.mint(|_| ());
    let key = send(site, &admin, Method::POST, "/api/v1/api-keys", Some(body)).await.expect(201).json();
    let token = token_for(&world.web, &key).await;
    assert!(claims(&token).get("org").is_none());
    let _ = send(site, &token, Method::GET, "/api/v1/tenant-users", None).await.expect(200);
    let more = json!({ "name": "more", "scope": "tenant-users:read" });
    let made = send(site, &token, Method::POST, "/api/v1/api-keys", Some(more)).await;
    let _ = made.expect_problem(403, "forbidden");
    let path = format!("/api/v1/api-keys/{}", key["id"].as_str().unwrap());
    let _ = send(site, &admin, Method::DELETE, &path, None).await.expect(204);
    let _ = send(site, &token, Method::GET, "/api/v1/tenant-users", None).await.expect(401);
}
