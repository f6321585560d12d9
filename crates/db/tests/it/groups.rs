//! Transactions of SQLite that come together share a commit, and nothing else.

use std::sync::Arc;

use svc_core::Class;
use svc_db::{PoolSettings, args, quiet_sql, sql};

use crate::place::{Place, tenant};

#[tokio::test]
async fn transactions_that_wait_share_a_commit_and_a_failed_one_loses_only_its_own() {
    let place = Arc::new(Place::on_sqlite(PoolSettings::default()).await);
    place.add("taken").await.unwrap();
    let before = place.db.counts().commits;
    // All ask for their turn before the first has it: on this runtime tasks run when the test waits.
    let tasks: Vec<_> = (0..20)
        .map(|number| {
            let place = Arc::clone(&place);
            tokio::spawn(async move {
                let id = if number % 5 == 4 { "taken".to_owned() } else { format!("{number:02}") };
                place.add(&id).await
            })
        })
        .collect();
    let mut outcomes = Vec::new();
    for task in tasks {
        outcomes.push(task.await.unwrap().map_err(|error| error.class()));
    }
    let expected: Vec<_> =
        (0..20).map(|number| if number % 5 == 4 { Err(Class::Conflict) } else { Ok(()) }).collect();
    assert_eq!(outcomes, expected);
    assert_eq!(place.ids().await.len(), 17);
    let commits = place.db.counts().commits - before;
    assert!(commits <= 3, "16 transactions that came together took {commits} commits");
}

#[tokio::test]
async fn no_reader_sees_what_is_not_committed() {
    let place = Place::on_sqlite(PoolSettings::default()).await;
    let mut tx = place.db.begin(tenant()).await.unwrap();
    tx.execute(quiet_sql!("a test", "INSERT INTO things (tenant_id, id) VALUES ($1, $2)"), args!["a"])
        .await
        .unwrap();
    assert_eq!(place.ids().await, [""; 0]);
    tx.commit().await.unwrap();
    assert_eq!(place.ids().await, ["a"]);
}

#[tokio::test]
async fn a_caller_that_goes_away_while_it_waits_takes_no_other_commit_along() {
    let place = Arc::new(Place::on_sqlite(PoolSettings::default()).await);
    let first = Arc::clone(&place);
    let first = tokio::spawn(async move { first.add("first").await });
    tokio::task::yield_now().await;
    let second = Arc::clone(&place);
    let second = tokio::spawn(async move { second.add("second").await });
    tokio::task::yield_now().await;
    first.abort();
    second.await.unwrap().unwrap();
    assert!(place.ids().await.contains(&"second".to_owned()));
    place.add("third").await.unwrap();
}

#[tokio::test]
async fn another_process_that_writes_is_waited_for() {
    let place = Place::on_sqlite(PoolSettings::default()).await;
    let other = place.another();
    let mut tx = other.begin(tenant()).await.unwrap();
    tx.execute(quiet_sql!("a test", "INSERT INTO things (tenant_id, id) VALUES ($1, $2)"), args!["other"])
        .await
        .unwrap();
    let (ours, ()) = tokio::join!(place.add("ours"), async {
        tokio::task::yield_now().await;
        tx.commit().await.unwrap();
    });
    ours.unwrap();
    assert_eq!(place.ids().await, ["other", "ours"]);
}

#[tokio::test]
async fn a_conflict_with_a_row_of_the_group_is_told_when_that_row_can_be_read() {
    let place = Arc::new(Place::on_sqlite(PoolSettings::default()).await);
    let first = Arc::clone(&place);
    let first = tokio::spawn(async move { first.add("taken").await });
    let second = Arc::clone(&place);
    let second = tokio::spawn(async move {
        let told = second.add("taken").await.map_err(|error| error.class());
        (told, second.ids().await)
    });
    // Both wait for their turn before the first commits: on this runtime tasks run when the test waits.
    let (told, read) = second.await.unwrap();
    assert_eq!((told, read), (Err(Class::Conflict), vec!["taken".to_owned()]));
    first.await.unwrap().unwrap();
}

#[tokio::test]
async fn who_gives_up_after_reading_from_the_group_goes_on_when_that_is_durable() {
    let place = Arc::new(Place::on_sqlite(PoolSettings::default()).await);
    let first = Arc::clone(&place);
    let first = tokio::spawn(async move { first.add("a").await });
    let second = Arc::clone(&place);
    let second = tokio::spawn(async move {
        let mut tx = second.db.begin(tenant()).await.unwrap();
        let count = sql!("SELECT COUNT(*) AS things FROM things WHERE tenant_id = $1");
        let seen = tx.one(count, args![]).await.unwrap().int("things").unwrap();
        tx.execute(quiet_sql!("a test", "INSERT INTO things (tenant_id, id) VALUES ($1, $2)"), args!["b"])
            .await
            .unwrap();
        tx.rollback().await.unwrap();
        (seen, second.ids().await)
    });
    assert_eq!(second.await.unwrap(), (1, vec!["a".to_owned()]));
    first.await.unwrap().unwrap();
}
