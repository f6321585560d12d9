//! A store that is lost: replay checks refuse, limits hold per node, leases are not taken, and nothing has to be restarted.

use std::time::{Duration, Instant};

use svc_core::Class;
use svc_db::coordination::Coordination;
use svc_db::{Db, PoolSettings};
use svc_testkit::servers::Kind;

use super::{MINUTE, NOW, Store, eventually, once};

/// Longer than a command may take, and than a busy machine needs for it.
const BOUND: Duration = Duration::from_secs(10);

#[tokio::test]
async fn without_its_database_a_replay_check_fails_closed_and_a_limit_holds_per_node() {
    let nowhere = Db::open("sqlite:/nonexistent/folder/x.db", &PoolSettings::default()).unwrap();
    let port = Coordination::database(nowhere);
    assert!(port.note(&once("jti", NOW), NOW).await.is_err());
    assert_eq!(port.incr("k", MINUTE, NOW).await.count, 1);
    assert_eq!(port.incr("k", MINUTE, NOW).await.count, 2);
}

async fn is_lost(port: &Coordination, name: &str) {
    assert!(port.lease("rotate", MINUTE, NOW).await.is_err(), "{name}");
    let counted = port.incr("k", MINUTE, NOW).await.count;
    assert_eq!(port.incr("k", MINUTE, NOW).await.count, counted + 1, "{name}: counted here");
    let refused = port.note(&once("a new one", NOW), NOW).await;
    match name {
        "redis" => assert_eq!(refused.unwrap_err().class(), Class::TemporarilyUnavailable),
        _ => assert!(refused.is_ok(), "its notes are the database's"),
    }
    assert!(!port.store().unwrap().1, "{name}");
}

#[tokio::test]
async fn a_store_that_is_stopped_and_started_is_used_again() {
    for mut store in stores().await {
        let (port, name) = (store.port.clone(), store.name);
        for _ in 0..5 {
            port.incr("k", MINUTE, NOW).await;
        }
        store.server().kill();
        // The first to notice may still be answered by what was on its way.
        eventually("the loss is seen", || async { port.lease("rotate", MINUTE, NOW).await.is_err() }).await;
        is_lost(&port, name).await;
        store.server().start_again();
        eventually("it is used again", || async { port.store().unwrap().1 }).await;
        assert!(port.lease("rotate", MINUTE, NOW).await.unwrap(), "{name}");
        assert_eq!(port.count("k", MINUTE, NOW).await.count, 0, "{name}: a limit begins again");
    }
}

#[tokio::test]
async fn a_store_that_hangs_costs_one_bounded_wait_and_then_none() {
    for mut store in stores().await {
        let (port, name) = (store.port.clone(), store.name);
        assert!(port.lease("before", MINUTE, NOW).await.unwrap(), "{name}");
        store.server().pause();
        let begun = Instant::now();
        let waiting = (0..200).map(|_| port.incr("k", MINUTE, NOW));
        let counts = futures_util::future::join_all(waiting).await;
        assert!(begun.elapsed() < BOUND, "{name}: {:?}", begun.elapsed());
        assert_eq!(counts.iter().map(|count| count.count).max(), Some(200), "{name}: counted here");
        is_lost(&port, name).await;
        store.server().go_on();
        eventually("it is used again", || async { port.store().unwrap().1 }).await;
        assert!(port.lease("after", MINUTE, NOW).await.unwrap(), "{name}");
    }
}

#[tokio::test]
async fn a_store_that_is_away_at_the_start_is_used_as_soon_as_it_is_there() {
    for mut store in stores().await {
        store.server().kill();
        let late = store.another_node().await;
        is_lost(&late, store.name).await;
        store.server().start_again();
        eventually("it is used", || async { late.store().unwrap().1 }).await;
        assert!(late.lease("rotate", MINUTE, NOW).await.unwrap(), "{}", store.name);
    }
}

#[tokio::test]
async fn memcached_that_is_emptied_begins_its_limits_again_and_keeps_no_note() {
    if !Kind::Memcached.is_installed() {
        return;
    }
    let mut store = Store::memcached().await;
    let jti = once("jti", NOW);
    assert!(store.port.note(&jti, NOW).await.unwrap());
    assert_eq!(store.port.incr("k", MINUTE, NOW).await.count, 1);
    assert_eq!(store.server().tell("flush_all"), "OK\r\n");
    assert_eq!(store.port.incr("k", MINUTE, NOW).await.count, 1);
    assert!(!store.port.note(&jti, NOW).await.unwrap(), "it is noted in the database");
    store.server().kill();
    assert!(!store.port.note(&jti, NOW).await.unwrap());
}

async fn stores() -> Vec<Store> {
    Store::all().await.into_iter().filter(|store| store.server.is_some()).collect()
}
