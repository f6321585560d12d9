//! What `svc-kms` keeps for others: secrets of the configuration, and the keys of tenants until they are destroyed.

use svc_db::SystemSql;

use super::super::{Place, get, request};

/// The ids of the tenants' keys, and of those that were destroyed.
async fn tenant_keys(place: &Place) -> (Vec<i64>, Vec<i64>) {
    let select = SystemSql::new("SELECT id, wrapped_key FROM tenant_keys ORDER BY id");
    let rows = place.database.db.read_system().await.unwrap().all(select, &[]).await.unwrap();
    let (kept, destroyed): (Vec<_>, Vec<_>) =
        rows.iter().partition(|row| row.maybe_bytes("wrapped_key").unwrap().is_some());
    let ids = |rows: Vec<&svc_db::Row>| rows.iter().map(|row| row.int("id").unwrap()).collect();
    (ids(kept), ids(destroyed))
}

#[tokio::test]
async fn the_keys_of_a_suspended_tenant_are_destroyed_and_it_begins_again_with_another() {
    let (place, kms) = Place::with_kms().await;
    let _sidecar = kms.serve().await;
    let service = place.serve().await;
    let _ = place.ada(service.address).await;
    assert_eq!(tenant_keys(&place).await, (vec![1], vec![]));
    let early = place.run(&["admin", "destroy-tenant-keys", "main"]).await;
    assert!(!early.is_success && early.stderr.contains("suspend it first"), "{early:?}");
    for (command, says) in [
        ("suspend-tenant", "suspended"),
        ("destroy-tenant-keys", "destroyed 1 key(s)"),
        ("reactivate-tenant", "active"),
    ] {
        let done = place.run(&["admin", command, "main"]).await;
        assert!(done.is_success && done.stdout.contains(says), "{done:?}");
    }
    assert_eq!(tenant_keys(&place).await, (vec![], vec![1]));
    super::super::eventually("the tenant answers and seals with a key of its own", || async {
        let path = "/.well-known/openid-configuration";
        if get(service.address, path).await.unwrap().status == 200 {
            let _ = place.ada(service.address).await;
        }
        tenant_keys(&place).await == (vec![2], vec![1])
    })
    .await;
}

#[tokio::test]
async fn commands_of_a_keyring_name_those_of_svc_kms_where_that_holds_the_root_key() {
    let (place, _kms) = Place::with_kms().await;
    for command in ["init", "show", "rotate"] {
        let refused = place.run(&["keyring", command]).await;
        let named =
            refused.stderr.contains("`svc-kms verify`") && refused.stderr.contains("`svc-kms rotate`");
        assert!(!refused.is_success && named, "{command}: {refused:?}");
    }
}

#[tokio::test]
async fn a_secret_that_is_given_nowhere_is_read_by_the_name_of_its_key() {
    let (place, kms) = Place::with_kms().await;
    place.write("secret", "canary-of-metrics\n");
    let file = place.folder.path().join("secret");
    kms.does(&format!("provision server.metrics_bearer_token --from-file {}", file.display()));
    let _sidecar = kms.serve().await;
    let checked = place.run(&["config", "check"]).await;
    let line = "metrics_bearer_token = \"[secret]\" # svc-kms";
    assert!(checked.is_success && checked.stdout.contains(line), "{checked:?}");
    assert!(!checked.stdout.contains("canary"), "{checked:?}");
    let service = place.serve().await;
    let told = |token: &'static str| {
        let bearer = format!("Bearer {token}");
        async move { request(service.address, "GET /metrics", &[("Authorization", &bearer)], "").await.unwrap() }
    };
    let _ = told("canary-of-metrics").await.expect(200);
    assert_ne!(told("another").await.status, 200);
}

#[tokio::test]
async fn a_secret_that_a_rule_needs_is_read_also_from_a_repeated_section() {
    let (mut place, kms) = Place::with_kms().await;
    place.set("SVC_CHAINS", r#"[{"name": "ethereum", "chain_id": 1}]"#);
    place.set("SVC_SOCIAL__GOOGLE__CLIENT_ID", "svc");
    let _sidecar = kms.serve().await;
    let checked = place.run(&["config", "check"]).await;
    let missing = checked.stderr.contains("chains[0].rpc_url: is missing");
    assert!(!checked.is_success && missing, "{checked:?}");
    assert!(!checked.stderr.contains("could not be asked"), "{checked:?}");
    place.set("SVC_SERVER__SHUTDOWN_DEADLINE_SECS", "soon");
    let refused = place.run(&[]).await;
    assert!(!refused.is_success && refused.stderr.contains("server.shutdown_deadline_secs"), "{refused:?}");
    assert!(!refused.stderr.contains("could not be asked"), "{refused:?}");
    place.set("SVC_SERVER__SHUTDOWN_DEADLINE_SECS", "");
    place.write("secret", "https://node.example/canary\n");
    let file = place.folder.path().join("secret");
    for name in ["chains.0.rpc_url", "social.google.client_secret"] {
        kms.does(&format!("provision {name} --from-file {}", file.display()));
    }
    let lines = ["rpc_url = \"[secret]\" # svc-kms", "client_secret = \"[secret]\" # svc-kms"];
    super::super::eventually("svc-kms has taken the secrets in", || async {
        let checked = place.run(&["config", "check"]).await;
        assert!(!checked.stdout.contains("canary"), "{checked:?}");
        checked.is_success && lines.iter().all(|line| checked.stdout.contains(line))
    })
    .await;
}

#[tokio::test]
async fn a_command_that_needs_a_key_says_how_svc_kms_is_started() {
    let (place, kms) = Place::with_kms().await;
    let refused = place.run(&["keys", "rotate"]).await;
    let command = format!("start it before svc-runtime: `svc-kms serve --dir {} ", kms.folder.display());
    assert!(!refused.is_success && refused.stderr.contains("svc-kms is not reachable at "), "{refused:?}");
    assert!(refused.stderr.contains(&command), "{refused:?}");
}
