//! Each resource through the router.

use svc_core::{AppId, Seconds, TenantUserId};
use svc_domain::apps;
use svc_domain::people::sessions::{self, Lifetimes, NewSession};

use super::*;

const APPLICATIONS: &str = "/api/v1/applications";

async fn create(world: &World, body: Value) -> Value {
    world.send(Call { body: Some(body), ..call("POST", APPLICATIONS) }).await.json(201)
}

#[tokio::test]
async fn an_application_lives_from_creation_to_deletion() {
    let world = World::new().await;
    let created =
        create(&world, json!({ "name": "My Shop", "redirect_uris": ["https://shop.example/cb"] })).await;
    assert!(created["client_secret"].as_str().unwrap().starts_with("svc_cs_"));
    assert_eq!(
        (&created["handle"], &created["type"], &created["enabled"]),
        (&json!("my-shop"), &json!("web"), &json!(true))
    );
    let path = format!("{APPLICATIONS}/{}", created["id"].as_str().unwrap());

    let read = world.send(call("GET", &path)).await;
    assert_eq!((read.etag.as_str(), read.json(200)["client_secret"].is_null()), ("\"1\"", true));

    let change = json!({ "name": "Our Shop", "enabled": false });
    let stale = Call { headers: &[("if-match", "\"9\"")], body: Some(change.clone()), ..call("PUT", &path) };
    world.send(stale).await.refused(409, "changed");
    let current = Call { headers: &[("if-match", "\"1\"")], body: Some(change), ..call("PUT", &path) };
    let changed = world.send(current).await;
    assert_eq!(changed.etag, "\"2\"");
    let document = changed.json(200);
    assert_eq!((&document["name"], &document["enabled"]), (&json!("Our Shop"), &json!(false)));
    let kept = Call { body: Some(json!({ "name": "Our Shop" })), ..call("PUT", &path) };
    assert_eq!(world.send(kept).await.json(200)["enabled"], json!(false));

    let removed = world.send(call("DELETE", &path)).await;
    assert_eq!((removed.status.as_u16(), removed.body.as_str()), (204, ""));
    world.send(call("GET", &path)).await.refused(404, "no record has this id");
}

#[tokio::test]
async fn a_rotated_secret_replaces_the_former() {
    let world = World::new().await;
    let created = create(&world, json!({ "name": "Shop" })).await;
    let id = created["id"].as_str().unwrap();
    let stored = async || {
        let tenant = world.tenant("localhost").await;
        world.app.services.apps.find(tenant.id, id).await.unwrap().unwrap().secret_digest.unwrap()
    };
    assert_eq!(stored().await, digest(created["client_secret"].as_str().unwrap()));
    let path = format!("{APPLICATIONS}/{id}/secret");
    let rotated = world.send(call("POST", &path)).await.json(200);
    assert_eq!(stored().await, digest(rotated["client_secret"].as_str().unwrap()));
    let public = create(&world, json!({ "name": "Spa", "type": "spa" })).await;
    let path = format!("{APPLICATIONS}/{}/secret", public["id"].as_str().unwrap());
    world.send(call("POST", &path)).await.refused(400, "does not authenticate with a secret");
}

#[tokio::test]
async fn a_new_application_on_peoples_devices_has_no_secret_unless_it_asks_for_one() {
    let world = World::new().await;
    for (kind, method, expected) in [
        ("spa", None, "none"),
        ("native", None, "none"),
        ("native", Some("client_secret_post"), "client_secret_post"),
        ("web", None, "client_secret_basic"),
        ("machine", None, "client_secret_basic"),
    ] {
        let mut body = json!({ "name": "Shop", "handle": kind, "type": kind });
        if let Some(method) = method {
            body["token_endpoint_auth_method"] = json!(method);
            body["handle"] = json!("confidential");
        }
        let created = create(&world, body).await;
        assert_eq!(created["token_endpoint_auth_method"], expected, "{kind}");
        assert_eq!(created["client_secret"].is_null(), expected == "none", "{kind}");
    }
    let misspelt = json!({ "name": "Shop", "type": "spa", "redirect_uri": "https://app.example" });
    let refused = Call { body: Some(misspelt), ..call("POST", APPLICATIONS) };
    world.send(refused).await.refused(400, "redirect_uri");
}

#[tokio::test]
async fn a_retried_creation_makes_one_application_and_gives_its_secret_again() {
    let world = World::new().await;
    let once = || Call {
        headers: &[("idempotency-key", "k1")],
        body: Some(json!({ "name": "Shop" })),
        ..call("POST", APPLICATIONS)
    };
    let (first, second) = (world.send(once()).await, world.send(once()).await);
    assert_eq!((first.json(201), first.body), (second.json(201), second.body));
    assert_eq!(world.send(call("GET", APPLICATIONS)).await.json(200)["data"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn another_tenants_record_answers_like_unknown_path() {
    let world = World::new().await;
    let created = create(&world, json!({ "name": "Shop" })).await;
    let theirs = format!("{APPLICATIONS}/{}", created["id"].as_str().unwrap());
    let unknown: AppId = world.cx.id();
    let unknown_path = format!("{APPLICATIONS}/{unknown}");
    let person = world.person("ada").await;
    let users = format!("/api/v1/tenant-users/{}", person.id);
    let unknown: TenantUserId = world.cx.id();
    let no_user = format!("/api/v1/tenant-users/{unknown}");
    for (theirs, unknown_path, action) in
        [(&theirs, &unknown_path, "/secret"), (&users, &no_user, "/suspend")]
    {
        for (method, suffix) in [("GET", ""), ("DELETE", ""), ("POST", action)] {
            let (a, b) = (format!("{theirs}{suffix}"), format!("{unknown_path}{suffix}"));
            let a = world.send(Call { host: "acme.localhost", ..call(method, &a) }).await;
            let b = world.send(Call { host: "acme.localhost", ..call(method, &b) }).await;
            assert_eq!(a.without_request_id(404), b.without_request_id(404), "{method} {theirs}{suffix}");
        }
    }
    let list = world.send(Call { host: "acme.localhost", ..call("GET", APPLICATIONS) }).await.json(200);
    assert_eq!(list["data"], json!([]));
}

#[tokio::test]
async fn unknown_members_of_a_body_are_refused_by_name() {
    let world = World::new().await;
    for (path, body) in [
        (APPLICATIONS, json!({ "name": "Shop", "tenant_id": "tnt_x" })),
        ("/api/v1/apis", json!({ "identifier": "https://a.example", "name": "A", "tenant_id": "tnt_x" })),
    ] {
        world.send(Call { body: Some(body), ..call("POST", path) }).await.refused(400, "`tenant_id`");
    }
}

#[tokio::test]
async fn lists_are_paged_by_cursors_that_only_their_own_list_accepts() {
    let world = World::new().await;
    for number in 0..5 {
        create(&world, json!({ "name": format!("App {number}") })).await;
    }
    let (mut seen, mut path) = (Vec::new(), format!("{APPLICATIONS}?limit=2"));
    loop {
        let page = world.send(call("GET", &path)).await.json(200);
        seen.extend(
            page["data"].as_array().unwrap().iter().map(|app| app["handle"].as_str().unwrap().to_owned()),
        );
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        world.send(call("GET", &format!("/api/v1/audit?cursor={cursor}"))).await.refused(400, "cursor");
        path = format!("{APPLICATIONS}?limit=2&cursor={cursor}");
    }
    seen.sort_unstable();
    assert_eq!(seen, ["app-0", "app-1", "app-2", "app-3", "app-4"]);
}

#[tokio::test]
async fn an_api_is_created_and_changed_but_the_management_api_is_not() {
    let world = World::new().await;
    let new = json!({ "identifier": "https://api.example", "name": "Orders", "scopes": [{ "name": "orders:read" }] });
    let created = world.send(Call { body: Some(new), ..call("POST", "/api/v1/apis") }).await.json(201);
    let path = format!("/api/v1/apis/{}", created["id"].as_str().unwrap());
    let change = json!({ "name": "Orders", "access_token_lifetime_secs": 120 });
    let changed = world.send(Call { body: Some(change.clone()), ..call("PUT", &path) }).await.json(200);
    assert_eq!((&changed["scopes"], &changed["access_token_lifetime_secs"]), (&json!([]), &json!(120)));

    let list = world.send(call("GET", "/api/v1/apis")).await.json(200);
    let audience = world.tenant("localhost").await.api_audience();
    let own =
        list["data"].as_array().unwrap().iter().find(|api| api["identifier"] == json!(audience)).unwrap();
    assert_eq!(own["name"], "main management");
    let path = format!("/api/v1/apis/{}", own["id"].as_str().unwrap());
    world
        .send(Call { body: Some(change), ..call("PUT", &path) })
        .await
        .refused(403, "kept by the service itself");
}

#[tokio::test]
async fn no_api_has_the_audience_of_tokens_for_no_api() {
    let world = World::new().await;
    let issuer = world.tenant("localhost").await.issuer.clone();
    let new = json!({ "identifier": issuer, "name": "Everything" });
    let answer = world.send(Call { body: Some(new), ..call("POST", "/api/v1/apis") }).await;
    answer.refused(400, "identifier: this is the issuer");
}

#[tokio::test]
async fn of_the_management_api_the_tenant_chooses_who_answers_for_it_and_how_long_tokens_live() {
    let world = World::new().await;
    let list = world.send(call("GET", "/api/v1/apis")).await.json(200);
    let audience = json!(world.tenant("localhost").await.api_audience());
    let own = list["data"].as_array().unwrap().iter().find(|api| api["identifier"] == audience).unwrap();
    let path = format!("/api/v1/apis/{}", own["id"].as_str().unwrap());
    let gateway = create(&world, json!({ "name": "Gateway" })).await;
    let gateway = gateway["id"].as_str().unwrap();
    let chosen = json!({ "resource_servers": [gateway], "access_token_lifetime_secs": 120 });
    let writer = world.token_with("localhost", "apis:write", "writer", None).await;
    let written =
        async |body: Value| world.send_as(&writer, Call { body: Some(body), ..call("PATCH", &path) }).await;
    // Its own, too.
    for server in [gateway, "app"] {
        written(json!({ "resource_servers": [server] })).await.refused(403, "resource_servers");
    }
    let changed = world.send(Call { body: Some(chosen.clone()), ..call("PATCH", &path) }).await.json(200);
    for member in ["resource_servers", "access_token_lifetime_secs"] {
        assert_eq!(changed[member], chosen[member], "{changed}");
    }
    assert_eq!(changed["scopes"], own["scopes"]);
    let kept = [
        json!({ "name": "Ours" }),
        json!({ "scopes": [] }),
        json!({ "enabled": false }),
        json!({ "access_token_typ": "JWT" }),
        json!({ "access_token_claims": ["roles"] }),
    ];
    for kept in kept {
        let refused = world.send(Call { body: Some(kept), ..call("PATCH", &path) }).await;
        refused.refused(403, "kept by the service itself");
    }
    world.send(call("DELETE", &path)).await.refused(403, "kept by the service itself");
    let changed = written(json!({ "resource_servers": [] })).await.json(200);
    assert_eq!(changed["resource_servers"], json!([]));
}

#[tokio::test]
async fn who_answers_for_an_api_is_an_application_by_its_client_id() {
    let world = World::new().await;
    let gateway = create(&world, json!({ "name": "Gateway" })).await;
    let gateway = gateway["id"].as_str().unwrap();
    let new = |server: &str| {
        let orders =
            json!({ "identifier": "https://orders.example", "name": "Orders", "resource_servers": [server] });
        world.send(Call { body: Some(orders), ..call("POST", "/api/v1/apis") })
    };
    let unknown: AppId = world.cx.id();
    for server in [unknown.to_string().as_str(), "gateway", "https://client.example/app"] {
        new(server).await.refused(400, "of no application of this tenant");
    }
    let made = new(gateway).await.json(201);
    let path = format!("/api/v1/apis/{}", made["id"].as_str().unwrap());
    let removed = world.send(call("DELETE", &format!("{APPLICATIONS}/{gateway}"))).await;
    assert_eq!(removed.status.as_u16(), 204);
    let change = |body: Value| world.send(Call { body: Some(body), ..call("PATCH", &path) });
    assert_eq!(change(json!({ "name": "Sales" })).await.json(200)["resource_servers"], json!([gateway]));
    change(json!({ "resource_servers": ["web"] })).await.refused(400, "resource_servers: \"web\" is");
}

#[tokio::test]
async fn a_suspended_person_is_out_at_once_and_comes_back_when_reactivated() {
    let world = World::new().await;
    let person = world.person("ada").await;
    let path = format!("/api/v1/tenant-users/{}", person.id);
    let token = world.token("localhost", &person.subject, None).await;
    assert_eq!(world.send_as(&token, call("GET", &path)).await.json(200)["email"], "ada@example.com");

    let suspended = world.send(call("POST", &format!("{path}/suspend"))).await.json(200);
    assert_eq!(suspended["status"], "suspended");
    assert_eq!(world.send_as(&token, call("GET", &path)).await.status.as_u16(), 401);
    world.send(call("POST", &format!("{path}/suspend"))).await.refused(409, "does not go from suspended");
    let found = async |status: &str| {
        let list = world.send(call("GET", &format!("/api/v1/tenant-users?status={status}"))).await.json(200);
        list["data"].as_array().unwrap().len()
    };
    assert_eq!((found("suspended").await, found("active").await), (1, 0));
    world
        .send(call("GET", "/api/v1/tenant-users?status=gone"))
        .await
        .refused(400, "status: unknown variant `gone`");

    assert_eq!(world.send(call("POST", &format!("{path}/reactivate"))).await.json(200)["status"], "active");
    assert_eq!(world.send(call("DELETE", &path)).await.status.as_u16(), 204);
    assert_eq!(world.send(call("GET", &path)).await.json(200)["status"], "removed");
    world.send(call("POST", &format!("{path}/reactivate"))).await.refused(409, "stays removed");
}

#[tokio::test]
async fn a_member_that_names_no_record_or_no_address_is_told_by_its_name() {
    let world = World::new().await;
    let unknown = "usr_00000000000000000000000000";
    let organization = json!({ "slug": "initech", "name": "Initech", "owner_id": unknown });
    let token = json!({ "name": "Entra ID", "organization_id": "org_00000000000000000000000000" });
    for (path, body, status, told) in [
        ("/api/v1/organizations", organization, 404, "owner_id: no record has this id"),
        ("/api/v1/scim-tokens", token, 404, "organization_id: no record has this id"),
        (
            "/api/v1/organizations",
            json!({ "slug": "initech", "name": "Initech", "owner_id": "ada" }),
            400,
            "owner_id: expected an id that begins with `usr_`",
        ),
        (
            "/api/v1/trusted-issuers",
            json!({ "issuer": "https://partner.example", "name": "Partner", "jwks_uri": "https://10.0.0.1/keys" }),
            400,
            "jwks_uri: the address is not https",
        ),
        (
            "/api/v1/audit/streams",
            json!({ "name": "Security team", "destination": {} }),
            400,
            "destination: expected one of webhook, syslog, s3",
        ),
    ] {
        let answer = world.send(Call { body: Some(body), ..call("POST", path) }).await;
        answer.refused(status, told);
    }
}

#[tokio::test]
async fn of_a_removed_tenant_user_only_the_metadata_is_still_changed() {
    let world = World::new().await;
    let role = Call { body: Some(json!({ "name": "support" })), ..call("POST", "/api/v1/roles") };
    world.send(role).await.json(201);
    let new = json!({ "username": "grace", "name": "Grace", "roles": ["support"] });
    let made = world.send(Call { body: Some(new), ..call("POST", "/api/v1/tenant-users") }).await.json(201);
    let path = format!("/api/v1/tenant-users/{}", made["id"].as_str().unwrap());
    let changed = async |body: Value| world.send(Call { body: Some(body), ..call("PATCH", &path) }).await;
    let (credentials, password) = (format!("{path}/credentials"), format!("{path}/password"));
    let set_password =
        || Call { body: Some(json!({ "password": "compiler nanosecond moth" })), ..call("PUT", &password) };
    assert_eq!(world.send(set_password()).await.status.as_u16(), 204);
    assert_eq!(world.send(call("DELETE", &path)).await.status.as_u16(), 204);

    // The account may be a member again, with roles that this membership does not have.
    changed(json!({ "roles": [] })).await.refused(409, "stays removed");
    changed(json!({ "username": "hopper" })).await.refused(409, "stays removed");
    changed(json!({ "name": "Hopper" })).await.refused(409, "stays removed");
    world.send(set_password()).await.refused(403, "not managed by the tenant");
    world.send(call("GET", &credentials)).await.refused(403, "not managed by the tenant");
    let noted = changed(json!({ "private_metadata": { "left": "2027" } })).await.json(200);
    assert_eq!(noted["private_metadata"], json!({ "left": "2027" }));
}

#[tokio::test]
async fn an_ended_session_takes_its_tokens_along_and_leaves_the_others() {
    let world = World::new().await;
    let person = world.person("ada").await;
    let start = async |secret: &str| {
        let mut tx = world.app.db.begin(world.tenant("localhost").await.id).await.unwrap();
        let new = NewSession {
            digest: digest(secret),
            amr: &["pwd"],
            acr: "1",
            user_agent: "Browser",
            auth_time: world.cx.now,
        };
        let lifetimes = Lifetimes { idle: Seconds(600), absolute: Seconds(3_600) };
        let session = sessions::create(&mut tx, &world.cx, &person, new, lifetimes).unwrap();
        tx.commit().await.unwrap();
        session.id.to_string()
    };
    let (one, other) = (start("one").await, start("other").await);
    let all = format!("/api/v1/tenant-users/{}/sessions", person.id);
    let ids = async || {
        let list = world.send(call("GET", &all)).await.json(200);
        list["data"].as_array().unwrap().iter().map(|session| session["id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(ids().await.len(), 2);
    let tokens = [
        world.token("localhost", &person.subject, Some(&one)).await,
        world.token("localhost", &person.subject, Some(&other)).await,
    ];
    let path = format!("{all}/{one}");
    assert_eq!(world.send(call("DELETE", &path)).await.status.as_u16(), 204);
    assert_eq!(ids().await, [json!(other)]);
    assert_eq!(world.send_as(&tokens[0], call("GET", &all)).await.status.as_u16(), 401);
    assert_eq!(world.send_as(&tokens[1], call("GET", &all)).await.status.as_u16(), 200);
    world.send(call("DELETE", &path)).await.refused(404, "no record has this id");
    let bob = world.person("bob").await;
    let elsewhere = format!("/api/v1/tenant-users/{}/sessions/{other}", bob.id);
    world.send(call("DELETE", &elsewhere)).await.refused(404, "no record has this id");
}

#[tokio::test]
async fn the_audit_log_tells_who_did_what_newest_first() {
    let world = World::new().await;
    world.clock.advance(Seconds(1));
    let created = create(&world, json!({ "name": "Shop" })).await;
    let log = world.send(call("GET", "/api/v1/audit")).await.json(200);
    let newest = &log["data"][0];
    assert_eq!(
        (&newest["action"], &newest["target"], &newest["actor_kind"], &newest["actor_id"]),
        (&json!("application.created"), &created["id"], &json!("user"), &json!("administrator"))
    );
    let older = &log["data"].as_array().unwrap()[1..];
    let mut older: Vec<_> = older.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    older.sort_unstable();
    let keys = ["signing_key.created"; 3];
    assert_eq!(older, [&["api.created", "role.created"], &keys[..], &["tenant.created"]].concat());
}

#[tokio::test]
async fn the_description_is_served_under_a_policy_that_loads_nothing() {
    let world = World::new().await;
    let answer = world.send(call("GET", "/openapi.json")).await;
    assert!(answer.policy.starts_with("default-src 'none';"), "{}", answer.policy);
    assert!(answer.json(200)["paths"]["/api/v1/applications/{id}"]["put"].is_object());
}

#[tokio::test]
async fn a_taken_handle_is_a_conflict() {
    let world = World::new().await;
    create(&world, json!({ "name": "Shop" })).await;
    let again =
        Call { body: Some(json!({ "name": "Other", "handle": "shop" })), ..call("POST", APPLICATIONS) };
    world.send(again).await.refused(409, "handle: an application has the handle shop already");
    let tenant = world.tenant("localhost").await;
    let mut tx = world.app.db.read(tenant.id).await.unwrap();
    assert_eq!(apps::list(&mut tx, (None, 10)).await.unwrap().len(), 1);
}

#[tokio::test]
async fn applications_of_one_name_are_told_apart_by_their_handles() {
    let world = World::new().await;
    for (name, start) in [("Shop", "shop"), ("ショップ", "application"), (&"x".repeat(120), &"x".repeat(54))]
    {
        let mut handles = std::collections::BTreeSet::new();
        for _ in 0..3 {
            let created = create(&world, json!({ "name": name })).await;
            assert_eq!(created["name"], name);
            let handle = created["handle"].as_str().unwrap();
            assert!(handle.starts_with(start) && handle.len() <= 63, "{handle}");
            handles.insert(handle.to_owned());
        }
        assert_eq!(handles.len(), 3, "{handles:?}");
    }
}

#[tokio::test]
async fn applications_of_one_name_that_are_made_at_once_are_told_apart_too() {
    let world = World::new().await;
    let made = || create(&world, json!({ "name": "Shop" }));
    let (one, two, three, four) = tokio::join!(made(), made(), made(), made());
    let handles = [one, two, three, four].map(|created| created["handle"].as_str().unwrap().to_owned());
    let different: std::collections::BTreeSet<_> = handles.iter().collect();
    assert_eq!(different.len(), 4, "{handles:?}");
}

#[tokio::test]
async fn an_application_without_a_handle_gives_way_to_one_that_is_given_it_at_that_moment() {
    let world = World::new().await;
    let tenant = world.tenant("localhost").await;
    let configuration = json!({ "name": "Other", "token_endpoint_auth_method": "none" });
    let configuration = serde_json::from_value(configuration).unwrap();
    let mut tx = world.app.db.begin(tenant.id).await.unwrap();
    let new = apps::NewApp { configuration: &configuration, secret: None };
    apps::create(&mut tx, &world.cx, &rules(), "shop", new).await.unwrap();
    let making = create(&world, json!({ "name": "Shop" }));
    let created = svc_testkit::meanwhile(&world.app.db, tx, making).await;
    let handle = created["handle"].as_str().unwrap();
    assert!(handle.starts_with("shop-"), "{handle}");
}

#[tokio::test]
async fn the_audit_log_is_read_from_the_primary_while_the_replica_has_not_taken_in_the_schema() {
    let replica = svc_testkit::Database::empty().await;
    let world = World::with_replica(Some(replica.db.clone())).await;
    let log = world.send(call("GET", "/api/v1/audit")).await.json(200);
    assert!(!log["data"].as_array().unwrap().is_empty(), "{log}");
}
