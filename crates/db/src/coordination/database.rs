//! Coordination through the table `coordination_entries`: each step is one statement, so that of many callers one wins.

use std::sync::Arc;

use svc_core::{Error, Expired, Result, Seconds, Timestamp};

use super::batch::{Batch, Note};
use super::{Count, NODE_SKEW, Once};
use crate::call::Call;
use crate::row::Row;
use crate::sql::{Statement, SystemSql};
use crate::tx::System;
use crate::value::Value;
use crate::{Db, args, quiet_system_sql, system_sql};

pub(super) struct Database {
    db: Db,
    notes: Arc<Batch>,
}

impl Database {
    pub(super) fn new(db: Db) -> Self {
        Self { notes: Arc::new(Batch::new(db.clone())), db }
    }

    /// Counts a key.
    pub(super) fn counting(key: &str, window: Seconds, now: Timestamp) -> Call {
        let upsert = quiet_system_sql!(
            "coordination of nodes is no tenant's business",
            "INSERT INTO coordination_entries (key, value, count, expires_at) VALUES ($1, '', 1, $2) \
             ON CONFLICT (key) DO UPDATE SET \
             count = CASE WHEN coordination_entries.expires_at <= $3 THEN 1 ELSE coordination_entries.count + 1 END, \
             expires_at = CASE WHEN coordination_entries.expires_at <= $3 THEN excluded.expires_at \
             ELSE coordination_entries.expires_at END RETURNING count, expires_at"
        );
        call(upsert, args![key, now + window, now])
    }

    /// Where the counter stands, of which `rows` were yielded.
    pub(super) fn counted(rows: &[Row]) -> Result<Count> {
        let row = rows.first().ok_or_else(|| Error::internal("a counter yielded no row"))?;
        Ok(Count { count: row.int("count")?, resets_at: row.time("expires_at")? })
    }

    pub(super) async fn incr(&self, key: &str, window: Seconds, now: Timestamp) -> Result<Count> {
        let tx = self.db.begin_system().await?;
        let [rows] = tx.commit_after_batch([Self::counting(key, window, now)]).await?;
        Self::counted(&rows)
    }

    /// Takes one count back.
    pub(super) fn giving_back(key: &str, now: Timestamp) -> Call {
        let update = quiet_system_sql!(
            "coordination of nodes is no tenant's business",
            "UPDATE coordination_entries SET count = count - 1 WHERE key = $1 AND count > 0 AND expires_at > $2"
        );
        call(update, args![key, now])
    }

    pub(super) async fn give_back(&self, key: &str, now: Timestamp) -> Result<()> {
        let tx = self.db.begin_system().await?;
        tx.commit_after_all(vec![Self::giving_back(key, now)]).await.map(drop)
    }

    /// Where the counter stands.
    pub(super) async fn count(&self, key: &str, now: Timestamp) -> Result<Count> {
        let select = system_sql!(
            "SELECT count, expires_at FROM coordination_entries WHERE key = $1 AND expires_at > $2"
        );
        let mut tx = self.db.read_system().await?;
        let row = tx.optional(select, args![key, now]).await?;
        row.map_or(Ok(Count { count: 0, resets_at: now }), |row| Self::counted(&[row]))
    }

    pub(super) async fn note(&self, once: &Once, now: Timestamp) -> Result<bool> {
        self.notes.put(Note::of(once, now)).await
    }

    pub(super) async fn lease(&self, key: &str, holder: &str, ttl: Seconds, now: Timestamp) -> Result<bool> {
        let upsert = quiet_system_sql!(
            "coordination of nodes is no tenant's business",
            "INSERT INTO coordination_entries (key, value, count, expires_at) VALUES ($1, $2, 0, $3) \
             ON CONFLICT (key) DO UPDATE SET value = excluded.value, count = 0, expires_at = excluded.expires_at \
             WHERE coordination_entries.expires_at <= $4 OR coordination_entries.expires_at > $5 \
             OR coordination_entries.value = $2"
        );
        let tx = self.db.begin_system().await?;
        // What ends later than any lease does was taken by a clock that was ahead.
        let latest = now + ttl + NODE_SKEW;
        let held = tx.commit_after(upsert, args![key, holder, now + ttl, now, latest]).await?;
        Ok(held == 1)
    }

    pub(super) async fn sweep(&self, expired: Expired) -> Result<u64> {
        let delete = quiet_system_sql!(
            "coordination of nodes is no tenant's business",
            "DELETE FROM coordination_entries WHERE expires_at <= $1 OR (expires_at > $2 AND expires_at <= $3)"
        );
        self.db
            .begin_system()
            .await?
            .commit_after(delete, args![expired.settled, expired.landed, expired.now])
            .await
    }
}

/// A statement on what no tenant owns, for a transaction of any space.
pub(super) fn call(statement: SystemSql, args: &[Value]) -> Call {
    Call { text: Statement::<System>::text(&statement), args: args.to_vec() }
}
