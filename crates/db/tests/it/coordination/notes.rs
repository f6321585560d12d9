//! What holds on every store: what counts once.

use super::{MINUTE, NOW, Store, once};

#[tokio::test]
async fn what_was_noted_is_new_again_only_after_its_time() {
    for Store { port, name, .. } in Store::all().await {
        let jti = once("jti", NOW);
        assert!(port.note(&jti, NOW).await.unwrap(), "{name}");
        assert!(!port.note(&jti, NOW + svc_core::Seconds(59)).await.unwrap(), "{name}");
        assert!(port.note(&once("other jti", NOW), NOW).await.unwrap(), "{name}");
        assert!(port.note(&once("jti", NOW + MINUTE), NOW + MINUTE).await.unwrap(), "{name}");
    }
}

#[tokio::test]
async fn of_many_nodes_at_once_one_notes_it() {
    for store in Store::all().await.into_iter().filter(|store| store.name != "memory") {
        let nodes = [store.port.clone(), store.another_node().await];
        let tasks = (0..100).map(|n| {
            let node = nodes[n % 2].clone();
            let jti = once(&format!("jti {}", n % 50), NOW);
            tokio::spawn(async move { node.note(&jti, NOW).await.unwrap() })
        });
        let mut new = 0;
        for task in tasks.collect::<Vec<_>>() {
            new += i32::from(task.await.unwrap());
        }
        assert_eq!(new, 50, "{}", store.name);
    }
}

#[tokio::test]
async fn what_a_transaction_notes_stands_with_it_and_falls_with_it() {
    let Store { port, database, .. } = Store::database().await;
    let [b, a, c] = ["b", "a", "c"].map(|key| once(key, NOW));
    let mut tx = database.db.begin_system().await.unwrap();
    assert_eq!(port.note_within(&mut tx, &[b.clone(), a.clone()], NOW).await.unwrap(), [true, true]);
    tx.rollback().await.unwrap();
    assert!(port.note(&a, NOW).await.unwrap());
    let mut tx = database.db.begin_system().await.unwrap();
    let all = [b, a, c];
    assert_eq!(port.note_within(&mut tx, &all, NOW).await.unwrap(), [true, false, true]);
    tx.commit().await.unwrap();
    for once in &all {
        assert!(!port.note(once, NOW).await.unwrap());
        assert!(port.note(once, NOW + MINUTE).await.unwrap());
    }
}

#[tokio::test]
async fn a_caller_that_hangs_up_does_not_take_the_others_answers_along() {
    for Store { port, .. } in Store::all().await {
        let first = port.clone();
        let first = tokio::spawn(async move { first.note(&once("first", NOW), NOW).await });
        tokio::task::yield_now().await;
        first.abort();
        assert!(port.note(&once("second", NOW), NOW).await.unwrap());
    }
}

#[tokio::test]
async fn only_the_database_notes_with_a_transaction() {
    for Store { port, name, .. } in Store::all().await {
        assert_eq!(port.notes_with_transactions(), ["database", "memcached"].contains(&name), "{name}");
    }
}
