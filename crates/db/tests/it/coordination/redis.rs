//! Redis alone: what it loses is not called new, what it must not be is refused, and nodes tell each other of changes.

use std::time::Duration;

use svc_core::{Class, Seconds};
use svc_db::coordination::{Coordination, Once, RedisSettings};
use svc_testkit::Database;
use svc_testkit::servers::{Kind, Server};

use super::{MINUTE, NOW, Store, eventually, once, redis};

/// What was noted is refused, and what could have been is refused too; what came after the loss is new, once.
async fn a_loss_is_seen(port: &Coordination, noted: &Once) {
    let later = NOW + Seconds(5);
    for proof in [noted, &once("made before the loss", NOW)] {
        let refused = port.note(proof, later).await.unwrap_err();
        assert_eq!(refused.class(), Class::TemporarilyUnavailable, "{refused:?}");
        assert_eq!(refused.wait(), Some(5), "{refused:?}");
    }
    let fresh = once("made after the loss", later + Seconds(1));
    assert!(port.note(&fresh, later + Seconds(1)).await.unwrap());
    assert!(!port.note(&fresh, later + Seconds(1)).await.unwrap());
    assert!(port.note(noted, later + Seconds(1)).await.is_err());
}

async fn with_a_note() -> Option<(Store, Once)> {
    if !Kind::Redis.is_installed() {
        return None;
    }
    let store = Store::redis().await;
    let noted = once("jti", NOW);
    assert!(store.port.note(&noted, NOW).await.unwrap());
    assert!(!store.port.note(&noted, NOW).await.unwrap());
    Some((store, noted))
}

#[tokio::test]
async fn a_proof_from_before_the_store_was_emptied_is_not_called_new() {
    for command in ["FLUSHALL", "FLUSHDB"] {
        let Some((mut store, noted)) = with_a_note().await else { return };
        assert_eq!(store.server().tell(command), "+OK\r\n");
        a_loss_is_seen(&store.port, &noted).await;
    }
}

#[tokio::test]
async fn a_proof_from_before_a_restart_is_not_called_new_even_if_an_older_state_comes_back() {
    let Some((mut store, _)) = with_a_note().await else { return };
    assert_eq!(store.server().tell("SAVE"), "+OK\r\n");
    let noted = once("noted after the snapshot", NOW);
    assert!(store.port.note(&noted, NOW).await.unwrap());
    store.server().start_again();
    assert_eq!(store.server().tell("DBSIZE"), ":2\r\n", "the snapshot has come back, without the last note");
    eventually("it is used again", || async { store.port.lease("up", MINUTE, NOW).await.is_ok() }).await;
    a_loss_is_seen(&store.port, &noted).await;
}

#[tokio::test]
async fn a_proof_from_before_a_failover_is_not_called_new_by_the_replica() {
    let Some((mut store, noted)) = with_a_note().await else { return };
    let port = store.server().port().to_string();
    let replica = Server::start(Kind::Redis, &["--replicaof", "127.0.0.1", &port]);
    eventually("the replica is in step", || async {
        replica.tell("INFO replication").contains("master_link_status:up")
    })
    .await;
    let refused = redis(&replica.url(), &store.database).await.unwrap();
    assert!(refused.lease("rotate", MINUTE, NOW).await.is_err(), "a replica is not written to");
    store.server().kill();
    assert_eq!(replica.tell("REPLICAOF NO ONE"), "+OK\r\n");
    eventually("the new primary is used", || async { refused.store().unwrap().1 }).await;
    // The note has reached the replica, but nothing says that the last ones did.
    assert!(!refused.note(&noted, NOW + Seconds(5)).await.unwrap());
    let unknown = refused.note(&once("not replicated", NOW), NOW + Seconds(5)).await;
    assert_eq!(unknown.unwrap_err().class(), Class::TemporarilyUnavailable);
}

#[tokio::test]
async fn an_eviction_counts_as_a_loss() {
    let Some((mut store, noted)) = with_a_note().await else { return };
    // Keys go one after the other while the limit is below what is used; then the limit is taken away again.
    for setting in ["maxmemory-policy allkeys-random", "maxmemory 1", "maxmemory 0"] {
        assert_eq!(store.server().tell(&format!("CONFIG SET {setting}")), "+OK\r\n");
    }
    assert!(!store.server().tell("INFO stats").contains("evicted_keys:0\r\n"));
    eventually("it is used again", || async { store.port.store().unwrap().1 }).await;
    a_loss_is_seen(&store.port, &noted).await;
}

#[tokio::test]
async fn a_redis_that_would_forget_is_refused_at_the_start_and_given_up_later() {
    if !Kind::Redis.is_installed() {
        return;
    }
    let database = Database::fresh().await;
    let evicting = ["--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"];
    let server = Server::start(Kind::Redis, &evicting);
    let refused = redis(&server.url(), &database).await.err().unwrap();
    assert_eq!(refused.class(), Class::BadRequest);
    assert!(refused.to_string().contains("maxmemory-policy noeviction"), "{refused}");
    assert_eq!(server.tell("CONFIG SET maxmemory-policy noeviction"), "+OK\r\n");
    let port = redis(&server.url(), &database).await.unwrap();
    assert!(port.lease("rotate", MINUTE, NOW).await.unwrap());
    assert_eq!(server.tell("CONFIG SET maxmemory-policy volatile-ttl"), "+OK\r\n");
    eventually("it is given up", || async { !port.store().unwrap().1 }).await;
    assert_eq!(server.tell("CONFIG SET maxmemory-policy noeviction"), "+OK\r\n");
    eventually("it is used again", || async { port.store().unwrap().1 }).await;
}

#[tokio::test]
async fn a_password_opens_and_is_never_shown() {
    if !Kind::Redis.is_installed() {
        return;
    }
    let server = Server::start(Kind::Redis, &["--requirepass", "hunter2"]);
    let database = Database::fresh().await;
    let with = |password: &str| format!("redis://:{password}@127.0.0.1:{}/1", server.port());
    let port = redis(&with("hunter2"), &database).await.unwrap();
    assert!(port.lease("rotate", MINUTE, NOW).await.unwrap());
    let port = redis(&with("hunter3"), &database).await.unwrap();
    let refused = port.note(&once("jti", NOW), NOW).await.unwrap_err();
    assert!(!format!("{refused:?}").contains("hunter"), "{refused:?}");
}

/// The user that docs/reference/operations.md makes.
fn documented_user() -> String {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/operations.md");
    let text = std::fs::read_to_string(page).unwrap();
    let line = text.lines().find(|line| line.starts_with("ACL SETUSER svc ")).unwrap();
    line.replace("PASSWORD", "hunter2")
}

#[tokio::test]
async fn the_documented_user_may_do_all_that_is_needed() {
    if !Kind::Redis.is_installed() {
        return;
    }
    let server = Server::start(Kind::Redis, &[]);
    assert_eq!(server.tell(&documented_user()), "+OK\r\n");
    let database = Database::fresh().await;
    let url = format!("redis://svc:hunter2@127.0.0.1:{}", server.port());
    let (port, other) = (redis(&url, &database).await.unwrap(), redis(&url, &database).await.unwrap());
    assert!(port.note(&once("first", NOW), NOW).await.is_err(), "it has held notes for no time yet");
    assert!(port.note(&once("second", NOW + MINUTE), NOW + MINUTE).await.unwrap());
    assert!(port.lease("rotate", MINUTE, NOW).await.unwrap());
    assert_eq!(port.incr("k", MINUTE, NOW).await.count, 1);
    assert_eq!(other.incr("k", MINUTE, NOW).await.count, 2);
    port.give_back("k", MINUTE, NOW).await;
    assert_eq!(other.count("k", MINUTE, NOW).await.count, 1);
    other.heard().await;
    port.announce();
    other.heard().await;
    assert!(port.store().unwrap().1 && other.store().unwrap().1);
}

#[tokio::test]
async fn under_tls_the_server_is_who_the_authorities_say() {
    if !Kind::Redis.is_installed() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let (certificate, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
    std::fs::write(&certificate, made.cert.pem()).unwrap();
    std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    let tls_port =
        std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let [certificate_text, key_text] = [&certificate, &key].map(|path| path.to_str().unwrap());
    let server = Server::start(
        Kind::Redis,
        &["--tls-port", &tls_port, "--tls-cert-file", certificate_text, "--tls-key-file", key_text]
            .into_iter()
            .chain(["--tls-ca-cert-file", certificate_text, "--tls-auth-clients", "no"])
            .collect::<Vec<_>>(),
    );
    let database = Database::fresh().await;
    let url = format!("rediss://localhost:{tls_port}");
    let open = async |authorities| {
        let settings = RedisSettings { url: &url, authorities, pool_size: 1 };
        Coordination::redis(settings, database.db.clone(), "one").await.unwrap()
    };
    assert!(open(Some(certificate.as_path())).await.lease("rotate", MINUTE, NOW).await.unwrap());
    assert!(open(None).await.lease("rotate", MINUTE, NOW).await.is_err(), "{}", server.port());
}

#[tokio::test]
async fn a_node_hears_of_what_others_change_and_not_of_its_own() {
    if !Kind::Redis.is_installed() {
        return;
    }
    let mut store = Store::redis().await;
    let other = store.another_node().await;
    // A subscription begins with a look, because what was said before it is not known.
    for node in [&store.port, &other] {
        node.heard().await;
    }
    let own = {
        let node = store.port.clone();
        tokio::spawn(async move { node.heard().await })
    };
    store.port.announce();
    other.heard().await;
    assert!(!own.is_finished());
    other.announce();
    own.await.unwrap();
    // After an outage it looks again, and hears on.
    store.server().start_again();
    other.heard().await;
    store.port.heard().await;
    eventually("it hears on", || async {
        store.port.announce();
        tokio::time::timeout(Duration::from_millis(100), other.heard()).await.is_ok()
    })
    .await;
}

#[tokio::test]
async fn deployments_in_one_redis_do_not_meet() {
    if !Kind::Redis.is_installed() {
        return;
    }
    let store = Store::redis().await;
    let url = store.server.as_ref().unwrap().url();
    let settings = RedisSettings { url: &url, authorities: None, pool_size: 1 };
    let other = Coordination::redis(settings, store.database.db.clone(), "other").await.unwrap();
    assert_eq!(store.port.incr("k", MINUTE, NOW).await.count, 1);
    assert_eq!(other.incr("k", MINUTE, NOW).await.count, 1);
}
