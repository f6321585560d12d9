//! What nodes agree on in passing: counters, things seen once, leases. Losing it degrades, and never opens a door.

mod batch;
mod database;
mod memory;

use std::sync::Arc;

use svc_core::{Expired, Result, Seconds, Timestamp};

use self::batch::Note;
use self::database::Database;
use self::memory::Memory;
use crate::{Call, Db, Row, Tx};

/// The coordination port.
///
/// Counters fall back to this node's memory when the shared store is out of reach (a limit per node is better than
/// none). `put_if_absent` and `lease` fail instead: without the store it is unknown whether something is new.
#[derive(Clone)]
pub struct Coordination {
    here: Arc<Memory>,
    shared: Option<Arc<Database>>,
}

/// Something that counts once: what is noted of it, and until when it could come again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Once {
    /// Its name.
    pub key: String,
    /// When it has expired.
    pub until: Timestamp,
}

/// Where a counter stands after counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// How often the key was counted in the present window, this time included.
    pub count: i64,
    /// When the window ends and counting starts again.
    pub resets_at: Timestamp,
}

impl Coordination {
    /// Everything in this process's memory; forgotten at its end.
    pub fn memory() -> Self {
        Self { here: Arc::default(), shared: None }
    }

    /// Shared through the database, so that it holds for every node and survives restarts.
    pub fn database(db: Db) -> Self {
        Self { here: Arc::default(), shared: Some(Arc::new(Database::new(db))) }
    }

    /// Counts `key` in a window that starts with its first count; one count for all nodes.
    pub async fn incr(&self, key: &str, window: Seconds, now: Timestamp) -> Count {
        if let Some(shared) = &self.shared
            && let Ok(count) = shared.incr(key, window, now).await
        {
            return count;
        }
        self.here.incr(key, window, now)
    }

    /// Counts `key` as a part of a transaction, in one flight with another statement, whose rows are returned: one count for
    /// all nodes, which stands if the transaction does.
    pub async fn incr_within<S>(
        &self,
        tx: &mut Tx<S>,
        (key, window, now): (&str, Seconds, Timestamp),
        other: Call,
    ) -> Result<(Count, Vec<Row>)> {
        if self.shared.is_none() {
            let [rows] = tx.batch([other]).await?;
            return Ok((self.here.incr(key, window, now), rows));
        }
        let [counted, rows] = tx.batch([Database::counting(key, window, now), other]).await?;
        Ok((Database::counted(&counted)?, rows))
    }

    /// Counts `key` on this node only: for limits that every request passes, where a write per request costs too much.
    pub fn incr_here(&self, key: &str, window: Seconds, now: Timestamp) -> Count {
        self.here.incr(key, window, now)
    }

    /// Takes one count back, for what turned out not to be what the counter is about.
    pub async fn give_back(&self, key: &str, now: Timestamp) {
        if let Some(shared) = &self.shared
            && shared.give_back(key, now).await.is_ok()
        {
            return;
        }
        self.here.give_back(key, now);
    }

    /// The same together with what a transaction writes.
    pub fn give_back_within<S>(&self, tx: &mut Tx<S>, key: &str, now: Timestamp) {
        match self.shared {
            Some(_) => tx.keep(Database::giving_back(key, now)),
            None => self.here.give_back(key, now),
        }
    }

    /// Forgets a counter, for example after a success.
    pub async fn reset(&self, key: &str) -> Result<()> {
        self.here.remove(key);
        match &self.shared {
            Some(shared) => shared.remove(key).await,
            None => Ok(()),
        }
    }

    /// Stores `value` unless `key` is already there; returns whether it was stored. One caller wins.
    pub async fn put_if_absent(&self, key: &str, value: &str, ttl: Seconds, now: Timestamp) -> Result<bool> {
        match &self.shared {
            Some(shared) => shared.put_if_absent(key, value, ttl, now).await,
            None => self.here.put_if_absent(key, value, ttl, now),
        }
    }

    /// Notes what counts once; returns whether it is new.
    pub async fn note(&self, once: &Once, now: Timestamp) -> Result<bool> {
        self.put_if_absent(&once.key, "", once.until - now, now).await
    }

    /// The same as a part of a transaction, in one flight; returns for each whether it is new. The notes stand if the
    /// transaction does; until then another that brings one of them waits.
    pub async fn note_within<S>(&self, tx: &mut Tx<S>, notes: &[Once], now: Timestamp) -> Result<Vec<bool>> {
        if self.shared.is_none() {
            let here = |once: &Once| self.here.put_if_absent(&once.key, "", once.until - now, now);
            return notes.iter().map(here).collect();
        }
        // Rows are locked in one order everywhere, so that two transactions never wait for each other in a circle.
        let mut order: Vec<_> = notes.iter().enumerate().collect();
        order.sort_by(|(_, one), (_, other)| one.key.cmp(&other.key));
        let calls = order.iter().map(|(_, once)| {
            let (key, expires_at) = (once.key.clone(), once.until);
            Note { key, value: String::new(), expires_at, now }.call()
        });
        let stored = tx.changed(calls.collect()).await?;
        let mut news: Vec<_> = order.iter().map(|(place, _)| *place).zip(stored).collect();
        news.sort_unstable();
        Ok(news.into_iter().map(|(_, rows)| rows == 1).collect())
    }

    /// The live value of `key`.
    pub async fn get(&self, key: &str, now: Timestamp) -> Result<Option<String>> {
        match &self.shared {
            Some(shared) => shared.get(key, now).await,
            None => Ok(self.here.get(key, now)),
        }
    }

    /// Takes or renews the lease `key` for `holder`; returns whether it holds it until `now + ttl`.
    pub async fn lease(&self, key: &str, holder: &str, ttl: Seconds, now: Timestamp) -> Result<bool> {
        match &self.shared {
            Some(shared) => shared.lease(key, holder, ttl, now).await,
            None => self.here.lease(key, holder, ttl, now),
        }
    }

    /// Removes what has expired; returns how many entries went.
    pub async fn sweep(&self, expired: Expired) -> Result<u64> {
        let here = self.here.sweep(expired);
        match &self.shared {
            Some(shared) => shared.sweep(expired).await,
            None => Ok(here),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Migration, PoolSettings};

    const TABLE: Migration = Migration {
        version: 2,
        name: "coordination",
        sql: include_str!("../../../domain/migrations/0002_coordination.sql"),
        pg: "",
    };
    const NOW: Timestamp = Timestamp::from_secs(1_000);
    const MINUTE: Seconds = Seconds(60);

    async fn both(folder: &tempfile::TempDir) -> [Coordination; 2] {
        let url = format!("sqlite:{}", folder.path().join("coordination.db").display());
        let db = Db::open(&url, &PoolSettings::default()).unwrap();
        db.migrate(&[TABLE]).await.unwrap();
        [Coordination::memory(), Coordination::database(db)]
    }

    #[tokio::test]
    async fn a_window_starts_with_its_first_count_and_ends_on_time() {
        let folder = tempfile::tempdir().unwrap();
        for port in both(&folder).await {
            assert_eq!(port.incr("k", MINUTE, NOW).await, Count { count: 1, resets_at: NOW + MINUTE });
            assert_eq!(port.incr("k", MINUTE, NOW + Seconds(59)).await.count, 2);
            assert_eq!(port.incr("other", MINUTE, NOW).await.count, 1);
            assert_eq!(port.incr("k", MINUTE, NOW + MINUTE).await.count, 1);
            port.reset("k").await.unwrap();
            assert_eq!(port.incr("k", MINUTE, NOW + MINUTE).await.count, 1);
        }
    }

    #[tokio::test]
    async fn a_count_that_is_given_back_makes_room_in_its_own_window_only() {
        let folder = tempfile::tempdir().unwrap();
        for port in both(&folder).await {
            port.give_back("k", NOW).await;
            for _ in 0..2 {
                port.incr("k", MINUTE, NOW).await;
            }
            port.give_back("k", NOW + Seconds(1)).await;
            assert_eq!(port.incr("k", MINUTE, NOW + Seconds(2)).await.count, 2);
            port.give_back("k", NOW + MINUTE).await;
            assert_eq!(
                port.incr("k", MINUTE, NOW + MINUTE).await,
                Count { count: 1, resets_at: NOW + MINUTE + MINUTE }
            );
        }
    }

    #[tokio::test]
    async fn what_a_transaction_notes_stands_with_it_and_falls_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let [_, port] = both(&folder).await;
        let db = &port.shared.as_ref().unwrap().db;
        let [b, a, c] = ["b", "a", "c"].map(|key| Once { key: key.to_owned(), until: NOW + MINUTE });
        let mut tx = db.begin_system().await.unwrap();
        assert_eq!(port.note_within(&mut tx, &[b.clone(), a.clone()], NOW).await.unwrap(), [true, true]);
        tx.rollback().await.unwrap();
        assert!(port.note(&a, NOW).await.unwrap());
        let mut tx = db.begin_system().await.unwrap();
        let all = [b.clone(), a.clone(), c.clone()];
        assert_eq!(port.note_within(&mut tx, &all, NOW).await.unwrap(), [true, false, true]);
        tx.commit().await.unwrap();
        for once in &all {
            assert!(!port.note(once, NOW).await.unwrap());
            assert!(port.note(once, NOW + MINUTE).await.unwrap());
        }
    }

    #[tokio::test]
    async fn what_was_seen_is_new_again_only_after_its_time() {
        let folder = tempfile::tempdir().unwrap();
        for port in both(&folder).await {
            assert!(port.put_if_absent("jti", "1", MINUTE, NOW).await.unwrap());
            assert!(!port.put_if_absent("jti", "2", MINUTE, NOW + Seconds(59)).await.unwrap());
            assert_eq!(port.get("jti", NOW).await.unwrap().as_deref(), Some("1"));
            assert_eq!(port.get("jti", NOW + MINUTE).await.unwrap(), None);
            assert!(port.put_if_absent("jti", "3", MINUTE, NOW + MINUTE).await.unwrap());
        }
    }

    #[tokio::test]
    async fn a_lease_is_renewed_by_its_holder_and_taken_over_after_its_end() {
        let folder = tempfile::tempdir().unwrap();
        for port in both(&folder).await {
            assert!(port.lease("rotate", "a", MINUTE, NOW).await.unwrap());
            assert!(!port.lease("rotate", "b", MINUTE, NOW + Seconds(30)).await.unwrap());
            assert!(port.lease("rotate", "a", MINUTE, NOW + Seconds(30)).await.unwrap());
            assert!(!port.lease("rotate", "b", MINUTE, NOW + Seconds(89)).await.unwrap());
            assert!(port.lease("rotate", "b", MINUTE, NOW + Seconds(90)).await.unwrap());
        }
    }

    #[tokio::test]
    async fn a_sweep_removes_only_what_has_expired() {
        let folder = tempfile::tempdir().unwrap();
        for port in both(&folder).await {
            port.put_if_absent("old", "", Seconds(1), NOW).await.unwrap();
            port.put_if_absent("new", "", MINUTE, NOW).await.unwrap();
            assert_eq!(port.sweep(Expired::at(NOW + Seconds(1))).await.unwrap(), 1);
            assert!(port.get("new", NOW).await.unwrap().is_some());
        }
    }

    #[tokio::test]
    async fn of_many_at_once_one_wins() {
        let folder = tempfile::tempdir().unwrap();
        for port in both(&folder).await {
            let tasks = (0..20).map(|_| {
                let port = port.clone();
                tokio::spawn(async move { port.put_if_absent("race", "", MINUTE, NOW).await.unwrap() })
            });
            let mut winners = 0;
            for task in tasks.collect::<Vec<_>>() {
                winners += i32::from(task.await.unwrap());
            }
            assert_eq!(winners, 1);
        }
    }

    #[tokio::test]
    async fn what_is_noted_at_the_same_time_is_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        for port in both(&folder).await {
            let tasks = (0..100).map(|n: u32| {
                let port = port.clone();
                let key = format!("{}", n % 50);
                tokio::spawn(async move { port.put_if_absent(&key, "", MINUTE, NOW).await.unwrap() })
            });
            let mut new = 0;
            for task in tasks.collect::<Vec<_>>() {
                new += i32::from(task.await.unwrap());
            }
            assert_eq!(new, 50);
        }
    }

    #[tokio::test]
    async fn whoever_hangs_up_takes_nobody_along() {
        let folder = tempfile::tempdir().unwrap();
        let [_, port] = both(&folder).await;
        let first = port.clone();
        let first = tokio::spawn(async move { first.put_if_absent("first", "", MINUTE, NOW).await });
        tokio::task::yield_now().await;
        first.abort();
        assert!(port.put_if_absent("second", "", MINUTE, NOW).await.unwrap());
    }

    #[tokio::test]
    async fn without_its_store_a_replay_check_fails_closed_and_a_limit_holds_per_node() {
        let nowhere = Db::open("sqlite:/nonexistent/folder/x.db", &PoolSettings::default()).unwrap();
        let port = Coordination::database(nowhere);
        assert!(port.put_if_absent("jti", "", MINUTE, NOW).await.is_err());
        assert_eq!(port.incr("k", MINUTE, NOW).await.count, 1);
        assert_eq!(port.incr("k", MINUTE, NOW).await.count, 2);
    }
}
