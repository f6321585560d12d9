//! What holds on every store: counters and leases.

use svc_core::{Expired, Seconds};
use svc_db::coordination::Count;
use svc_db::system_sql;

use super::{MINUTE, NOW, Store, once};

#[tokio::test]
async fn a_window_ends_on_time_and_another_key_has_its_own() {
    for Store { port, name, .. } in Store::all().await {
        assert_eq!(port.count("k", MINUTE, NOW).await.count, 0, "{name}");
        let first = Count { count: 1, resets_at: NOW + MINUTE };
        assert_eq!(port.incr("k", MINUTE, NOW).await, first, "{name}");
        assert_eq!(port.incr("k", MINUTE, NOW + Seconds(59)).await.count, 2, "{name}");
        assert_eq!(port.incr("other key", MINUTE, NOW).await.count, 1, "{name}");
        let standing = Count { count: 2, resets_at: NOW + MINUTE };
        assert_eq!(port.count("k", MINUTE, NOW + Seconds(59)).await, standing, "{name}");
        assert_eq!(port.count("k", MINUTE, NOW + MINUTE).await.count, 0, "{name}");
        assert_eq!(port.incr("k", MINUTE, NOW + MINUTE).await.count, 1, "{name}");
    }
}

#[tokio::test]
async fn a_count_that_is_given_back_makes_room_in_its_own_window_only() {
    for Store { port, name, .. } in Store::all().await {
        port.give_back("k", MINUTE, NOW).await;
        for _ in 0..2 {
            port.incr("k", MINUTE, NOW).await;
        }
        port.give_back("k", MINUTE, NOW + Seconds(1)).await;
        assert_eq!(port.incr("k", MINUTE, NOW + Seconds(2)).await.count, 2, "{name}");
        port.give_back("k", MINUTE, NOW + MINUTE).await;
        let next = Count { count: 1, resets_at: NOW + MINUTE + MINUTE };
        assert_eq!(port.incr("k", MINUTE, NOW + MINUTE).await, next, "{name}");
    }
}

#[tokio::test]
async fn a_count_together_with_a_transaction_is_taken_once_and_all_see_it() {
    for Store { port, name, database, .. } in Store::all().await {
        for expected in 1..=3 {
            let counting = port.counting("k", MINUTE, NOW).await;
            let mut tx = database.db.begin_system().await.unwrap();
            let other = tx.call(system_sql!("SELECT CAST(7 AS BIGINT) AS seven"), &[]);
            let (count, rows) = counting.within(&mut tx, vec![other]).await.unwrap();
            tx.commit().await.unwrap();
            assert_eq!((count.count, rows[0][0].int("seven").unwrap()), (expected, 7), "{name}");
        }
        let mut tx = database.db.begin_system().await.unwrap();
        port.give_back_within(&mut tx, "k", MINUTE, NOW);
        tx.commit().await.unwrap();
        super::eventually("it is given back", || async { port.count("k", MINUTE, NOW).await.count == 2 })
            .await;
    }
}

#[tokio::test]
async fn nodes_count_together() {
    for store in Store::all().await.into_iter().filter(|store| store.name != "memory") {
        let nodes = [store.port.clone(), store.another_node().await];
        let tasks = (0..40).map(|n| {
            let node = nodes[n % 2].clone();
            tokio::spawn(async move { node.incr("k", MINUTE, NOW).await.count })
        });
        let mut counts = Vec::new();
        for task in tasks.collect::<Vec<_>>() {
            counts.push(task.await.unwrap());
        }
        counts.sort_unstable();
        assert_eq!(counts, (1..=40).collect::<Vec<_>>(), "{}", store.name);
    }
}

#[tokio::test]
async fn a_lease_is_renewed_by_its_holder_and_taken_over_after_its_end() {
    for store in Store::all().await.into_iter().filter(|store| store.name != "memory") {
        let (a, b, name) = (&store.port, &store.another_node().await, store.name);
        assert!(a.lease("rotate", MINUTE, NOW).await.unwrap(), "{name}");
        assert!(!b.lease("rotate", MINUTE, NOW + Seconds(30)).await.unwrap(), "{name}");
        assert!(a.lease("rotate", MINUTE, NOW + Seconds(30)).await.unwrap(), "{name}");
        assert!(!b.lease("rotate", MINUTE, NOW + Seconds(89)).await.unwrap(), "{name}");
        assert!(b.lease("rotate", MINUTE, NOW + Seconds(90)).await.unwrap(), "{name}");
    }
}

#[tokio::test]
async fn a_lease_that_was_taken_by_a_clock_that_was_ahead_does_not_outlast_it() {
    for store in Store::all().await.into_iter().filter(|store| store.name != "memory") {
        let (a, b) = (&store.port, &store.another_node().await);
        assert!(a.lease("rotate", MINUTE, NOW + Seconds(86_400)).await.unwrap(), "{}", store.name);
        assert!(b.lease("rotate", MINUTE, NOW).await.unwrap(), "{}", store.name);
        assert!(!a.lease("rotate", MINUTE, NOW).await.unwrap(), "{}", store.name);
    }
}

#[tokio::test]
async fn of_many_nodes_one_gets_the_lease() {
    for store in Store::all().await.into_iter().filter(|store| store.name != "memory") {
        let mut nodes = Vec::new();
        for _ in 0..5 {
            nodes.push(store.another_node().await);
        }
        let tasks = nodes.iter().map(|node| node.lease("rotate", MINUTE, NOW));
        let held = futures_util::future::join_all(tasks).await;
        assert_eq!(held.into_iter().filter(|held| *held.as_ref().unwrap()).count(), 1, "{}", store.name);
    }
}

#[tokio::test]
async fn a_sweep_removes_only_what_has_expired() {
    for Store { port, name, .. } in Store::all().await.into_iter().filter(|store| store.name != "redis") {
        port.note(&once("old", NOW - MINUTE), NOW - Seconds(1)).await.unwrap();
        port.note(&once("new", NOW), NOW).await.unwrap();
        assert_eq!(port.sweep(Expired::at(NOW)).await.unwrap(), 1, "{name}");
        assert!(!port.note(&once("new", NOW), NOW).await.unwrap(), "{name}");
    }
}
