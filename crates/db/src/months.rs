//! Tables that PostgreSQL keeps in one part for each month: makes the parts ahead, and drops those that are over.
//!
//! Both are functions of the schema, which run with the rights of the tables' owner: the role of maintenance owns none.

use svc_core::{Result, Timestamp};

use crate::engine::{Db, Store};
use crate::error::OrPg as _;

/// What went with the months that are over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Parts, each with all of its rows.
    pub months: u64,
    /// Rows that stood apart from the months.
    pub rows: u64,
}

impl Db {
    /// Makes the parts for the month of `now` and for the next one where they are missing; returns how many. A table that is in
    /// use is left for the next time. SQLite has no parts.
    pub async fn make_months(&self, now: Timestamp) -> Result<u64> {
        let Store::Pg(pool) = &self.store else { return Ok(0) };
        let client = pool.apart().await?;
        let made = client.query_one("SELECT make_months($1)", &[&now.as_micros()]).await;
        made.and_then(|row| row.try_get(0)).map(i64::unsigned_abs).or_pg()
    }

    /// Drops the parts of `table` whose months ended at `until` or before, and removes up to `most` rows of that age that stand apart
    /// from the months.
    pub async fn drop_months(&self, table: &str, until: Timestamp, most: u32) -> Result<Dropped> {
        let Store::Pg(pool) = &self.store else { return Ok(Dropped::default()) };
        let client = pool.apart().await?;
        let most = i32::try_from(most).unwrap_or(i32::MAX);
        let call = "SELECT dropped, removed FROM drop_months($1, $2, $3)";
        let row = client.query_one(call, &[&table, &until.as_micros(), &most]).await.or_pg()?;
        let count = |column| row.try_get(column).map(i64::unsigned_abs);
        Ok(Dropped { months: count("dropped").or_pg()?, rows: count("removed").or_pg()? })
    }

    /// Drops the parts of the audit log whose months ended at `until` or before, and whose entries are all marked as removed in
    /// the chains of their tenants; returns how many.
    pub async fn drop_audit_months(&self, until: Timestamp) -> Result<u64> {
        let Store::Pg(pool) = &self.store else { return Ok(0) };
        let client = pool.apart().await?;
        let dropped = client.query_one("SELECT drop_audit_months($1)", &[&until.as_micros()]).await;
        dropped.and_then(|row| row.try_get(0)).map(i64::unsigned_abs).or_pg()
    }
}
