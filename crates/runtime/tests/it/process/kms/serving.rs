//! Starting, serving and restarting over `svc-kms`, and what keeps the service from starting over it.

use std::collections::BTreeSet;
use std::net::SocketAddr;

use svc_db::SystemSql;
use svc_testkit::hang;

use super::super::person::refresh_token_of;
use super::super::{Place, get};
use super::Kms;

async fn published(address: SocketAddr) -> BTreeSet<String> {
    let jwks = get(address, "/.well-known/jwks.json").await.unwrap().expect(200).json();
    jwks["keys"].as_array().unwrap().iter().map(|key| key["kid"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn sessions_pages_and_tokens_live_on_through_restarts_of_both_processes() {
    let (place, kms) = Place::with_kms().await;
    let mut sidecar = kms.serve().await;
    let mut service = place.serve().await;
    assert!(service.log().contains("svc-kms at"), "{}", service.log());
    let keys = published(service.address).await;
    let mut ada = place.visitor(service.address).await;
    let page = ada.sign_in_page().await;
    service.kill().await;
    sidecar.kill();
    let mut sidecar = kms.serve().await;
    let mut service = place.serve().await;
    ada.sign_in(&page).await;
    let token = ada.refresh_token().await;
    service.kill().await;
    sidecar.kill();
    let _sidecar = kms.serve().await;
    let service = place.serve().await;
    let _ = refresh_token_of(&ada.refresh(&token).await.unwrap().expect(200));
    assert_eq!(published(service.address).await, keys, "a start makes no keys");
    let beside = place.keyring();
    assert!(!place.database.url.starts_with("sqlite") || !beside.exists(), "the root is in no keyring");
}

#[tokio::test]
async fn what_cannot_be_used_is_refused_at_the_start_by_the_key_that_names_it() {
    let (mut place, kms) = Place::with_kms().await;
    let other = Kms::made(&place.folder.path().join("other"));
    let ended = place.refuses(&[], "svc-kms is not reachable at ").await;
    let (dir, passphrase) = (kms.folder.display(), kms.passphrase());
    let command = format!("`svc-kms serve --dir {dir} --passphrase-file {}`", passphrase.display());
    assert!(ended.stderr.contains(&command), "{ended:?}");
    let _sidecar = kms.serve().await;
    let named = |name: &str, folder: &Kms, file: &str| {
        (format!("SVC_KMS__{name}"), folder.folder.join(file).to_str().unwrap().to_owned())
    };
    let rows = [
        (
            "SERVER_PUBLIC_KEY_PATH",
            "server.pub",
            "kms.server_public_key_path: what answers as svc-kms has another key than",
        ),
        (
            "CLIENT_PRIVATE_KEY_PATH",
            "client.key",
            "kms.client_private_key_path: svc-kms does not know the key",
        ),
        ("SERVER_PUBLIC_KEY_PATH", "none", "kms.server_public_key_path: "),
        ("CLIENT_PRIVATE_KEY_PATH", "none", "kms.client_private_key_path: "),
    ];
    for (name, file, says) in rows {
        let (variable, path) = named(name, &other, file);
        place.set(&variable, &path);
        let ended = place.refuses(&[], says).await;
        assert!(ended.stderr.contains(&path) && ended.stderr.contains("svc-kms"), "{ended:?}");
        place.use_kms(&kms);
    }
    place.serve().await;
}

#[tokio::test]
async fn what_is_refused_whatever_svc_kms_answers_is_told_without_waiting_for_it() {
    let (mut place, _kms) = Place::with_kms().await;
    place.set("SVC_KMS__START_TIMEOUT_SECS", "300");
    for (name, value, says) in [
        ("SVC_SERVER__HOST", "0.0.0.0", "security.production must be true"),
        ("SVC_API_KEYS__MAX_LIFETIME_DAYS", "1", "1 is less than api_keys.default_lifetime_days"),
        ("SVC_SERVER__TEMPLATES_DIR", "none-such", "there is no folder none-such"),
    ] {
        place.set(name, value);
        let ended = place.run(&[]).await;
        assert!(!ended.is_success && ended.stderr.contains(says), "{says}: {ended:?}");
        place.set(name, "");
    }
}

#[tokio::test]
async fn a_migration_waits_for_no_secret_that_svc_kms_may_hold() {
    let (mut place, kms) = Place::with_kms().await;
    place.set("SVC_SOCIAL__ENABLED", "true");
    place.set("SVC_SOCIAL__GITHUB__CLIENT_ID", "svc");
    // As in a pod, whose containers start when the migration has ended.
    let migrated = place.run(&["--migrate-only"]).await;
    assert!(migrated.is_success, "{migrated:?}");
    place.refuses(&[], "social.github.client_secret: ").await;
    let found = place.run(&["doctor"]).await;
    assert!(found.stdout.contains("FAULT    keys ") && !found.stdout.contains("social.github"), "{found:?}");
    let _sidecar = kms.serve().await;
    let refused = place.run(&["--migrate-only"]).await;
    assert!(!refused.is_success, "it was asked, and holds none: {refused:?}");
    assert!(refused.stderr.contains("social.github.client_secret: "), "{refused:?}");
}

#[tokio::test]
async fn svc_kms_is_not_ended_by_sighup() {
    let place = Place::migrated().await;
    let kms = Kms::made(&place.folder.path().join("kms"));
    let mut sidecar = kms.serve().await;
    hang::signal("-HUP", &[sidecar.process.id()]);
    assert!(kms.does("health").contains("is well"), "{}", kms.log());
    assert!(sidecar.process.try_wait().unwrap().is_none(), "{}", kms.log());
}

#[tokio::test]
async fn the_root_of_another_deployment_is_refused() {
    let (mut place, kms) = Place::with_kms().await;
    let mut sidecar = kms.serve().await;
    place.serve().await.kill().await;
    sidecar.kill();
    let other = Kms::made(&place.folder.path().join("other"));
    let _sidecar = other.serve().await;
    place.use_kms(&other);
    let ended = place.refuses(&[], "its version 1 is not the one that this database was sealed with").await;
    assert!(ended.stderr.contains("svc-kms adopt --keyring FILE"), "{ended:?}");
    let found = place.run(&["doctor"]).await;
    let fault = found.stdout.lines().find(|line| line.starts_with("FAULT    keys "));
    let says = "its version 1 is not the one that this database was sealed with";
    assert!(!found.is_success && fault.is_some_and(|line| line.contains(says)), "{found:?}");
}

#[tokio::test]
async fn a_wrapped_key_that_was_copied_to_another_row_does_not_open() {
    let (place, kms) = Place::with_kms().await;
    let _sidecar = kms.serve().await;
    place.serve().await.kill().await;
    let mut tx = place.database.db.begin_system().await.unwrap();
    let swap = SystemSql::new(
        "UPDATE signing_keys SET wrapped_key = (SELECT wrapped_key FROM signing_keys WHERE algorithm = 'EdDSA') \
         WHERE algorithm = 'ES256' RETURNING kid",
    );
    let kid = tx.one(swap, &[]).await.unwrap().text("kid").unwrap();
    tx.commit().await.unwrap();
    let says = format!("deployment/{kid} does not open with keyring version 1");
    place.refuses(&[], &says).await;
}
