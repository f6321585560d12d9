//! Verification of a chain: what was altered, removed, put in or put elsewhere is found, with the first position where that shows.

use std::collections::BTreeMap;

use serde::Serialize;
use svc_core::{Result, Seconds, TenantRef, Timestamp};
use svc_db::{Row, System, Tx, args, system_sql};
use svc_keys::Typ;
use svc_keys::hex;
use svc_keys::jose::{Jws, KeyRing};

use super::entry::Chained;
use super::{Head, checkpoints, entry};

/// Positions that are read at once.
const PAGE: i64 = 1_000;
/// How long entries may be without a checkpoint.
const UNSIGNED_AT_MOST: Seconds = Seconds(86_400);

/// What is wrong with a chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The first position where it shows.
    pub position: i64,
    /// What is wrong there.
    pub reason: String,
}

/// The outcome of the verification of a tenant's chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Whose it is.
    pub tenant_id: TenantRef,
    /// Entries up to this position have outlived their retention.
    pub removed: i64,
    /// The position of the latest entry.
    pub last: i64,
    /// Entries that were written and have no position yet.
    pub waiting: i64,
    /// Checkpoints that are kept.
    pub checkpoints: usize,
    /// The latest position with a checkpoint that a published key signed.
    pub signed_until: Option<i64>,
    /// Nothing, where all is well.
    pub fault: Option<Fault>,
}

/// The chain as its own record has it.
struct Bounds {
    removed: Head,
    last: Head,
    signed: i64,
}

/// What checkpoints say, by position: the hash, and up to where the log had been removed.
#[derive(Default)]
struct Promises {
    hashes: BTreeMap<i64, String>,
    removed: i64,
    known: usize,
    signed_until: Option<i64>,
    fault: Option<Fault>,
}

fn fault(position: i64, reason: &str) -> Fault {
    Fault { position, reason: reason.to_owned() }
}

/// Verifies the chain of a tenant with the checkpoints that are stored, and with one that was kept elsewhere.
pub async fn chain(
    tx: &mut Tx<System>,
    ring: &KeyRing,
    (tenant, now): (TenantRef, Timestamp),
    kept: Option<&checkpoints::Claims>,
) -> Result<Report> {
    let bounds = bounds(tx, tenant).await?;
    let mut promises = promises(tx, ring, tenant, &bounds).await?;
    if let Some(kept) =
        kept.filter(|kept| kept.tenant_id == tenant && kept.position > bounds.removed.position)
    {
        let own = promises.hashes.entry(kept.position).or_insert_with(|| kept.hash.clone());
        if kept.position > bounds.last.position {
            let reason = "the entries from here on are missing: the checkpoint that was kept covers them";
            promises.fault.get_or_insert(fault(bounds.last.position + 1, reason));
        } else if *own != kept.hash {
            promises
                .fault
                .get_or_insert(fault(kept.position, "the checkpoint that was kept has another hash"));
        }
    }
    let fault = match promises.fault.clone() {
        Some(fault) => Some(fault),
        None => whole(tx, (tenant, now), &bounds, &promises).await?,
    };
    Ok(Report {
        tenant_id: tenant,
        removed: bounds.removed.position,
        last: bounds.last.position,
        waiting: count_waiting(tx, tenant).await?,
        checkpoints: promises.known,
        signed_until: promises.signed_until,
        fault,
    })
}

async fn bounds(tx: &mut Tx<System>, tenant: TenantRef) -> Result<Bounds> {
    let select = system_sql!(
        "SELECT last, last_hash, removed, removed_hash, signed FROM audit_chains WHERE tenant_id = $1"
    );
    let Some(row) = tx.optional(select, args![tenant]).await? else {
        return Ok(Bounds { removed: Head::BEGINNING, last: Head::BEGINNING, signed: 0 });
    };
    Ok(Bounds {
        removed: Head { position: row.int("removed")?, hash: entry::hash(&row, "removed_hash")? },
        last: Head { position: row.int("last")?, hash: entry::hash(&row, "last_hash")? },
        signed: row.int("signed")?,
    })
}

async fn promises(
    tx: &mut Tx<System>,
    ring: &KeyRing,
    tenant: TenantRef,
    bounds: &Bounds,
) -> Result<Promises> {
    let select = system_sql!(
        "SELECT position, jws FROM audit_checkpoints WHERE tenant_id = $1 AND position >= $2 ORDER BY position"
    );
    let rows = tx.all(select, args![tenant, bounds.removed.position]).await?;
    let mut promises = Promises { known: rows.len(), ..Promises::default() };
    for row in &rows {
        promises.add(ring, tenant, (row.int("position")?, &row.text("jws")?));
    }
    let newest = rows.last().map_or(Ok(0), |row| row.int("position"))?;
    promises.check(newest, bounds);
    Ok(promises)
}

impl Promises {
    fn add(&mut self, ring: &KeyRing, tenant: TenantRef, (position, jws): (i64, &str)) {
        let parsed = Jws::parse(jws, Typ::AuditCheckpoint.algorithms());
        let is_published = |jws: &Jws<'_>| jws.kid().is_some_and(|kid| ring.find(kid).is_some());
        if parsed.is_ok_and(|jws| !is_published(&jws)) {
            // Signed with a key that has ended since. A later checkpoint proves what this one did.
            return;
        }
        let claims = checkpoints::read(ring, jws).ok();
        match claims.filter(|claims| claims.tenant_id == tenant && claims.position == position) {
            Some(claims) => {
                self.hashes.insert(position, claims.hash);
                self.removed = self.removed.max(claims.removed);
                self.signed_until = Some(position);
            }
            None => {
                self.fault.get_or_insert(fault(position, "the checkpoint of this position is forged"));
            }
        }
    }

    /// Holds the checkpoints against what the chain says of them.
    fn check(&mut self, newest: i64, bounds: &Bounds) {
        let (removed, last) = (bounds.removed.position, bounds.last.position);
        let found = if newest > last {
            Some(fault(last + 1, "the entries from here on are missing: a checkpoint covers them"))
        } else if newest < bounds.signed {
            Some(fault(bounds.signed, "the checkpoint of this position is missing"))
        } else if newest > 0 && self.signed_until != Some(newest) {
            Some(fault(newest, "the latest checkpoint is signed with no published key"))
        } else if removed > self.removed {
            Some(fault(removed, "the entries up to here were removed without a checkpoint"))
        } else {
            None
        };
        self.fault = self.fault.take().or(found);
    }
}

/// Looks through all entries that are kept.
async fn whole(
    tx: &mut Tx<System>,
    (tenant, now): (TenantRef, Timestamp),
    bounds: &Bounds,
    promises: &Promises,
) -> Result<Option<Fault>> {
    let mut walk = Walk {
        tenant,
        at: bounds.removed,
        hashes: Some(&promises.hashes),
        unsigned_since: (promises.signed_until.unwrap_or(0).max(bounds.removed.position), None),
    };
    if let Some(found) = walk.to(tx, bounds.last).await? {
        return Ok(Some(found));
    }
    if let Some(position) = stray(tx, tenant).await? {
        return Ok(Some(fault(position, "an entry was inserted outside the chain")));
    }
    let (signed, since) = walk.unsigned_since;
    let is_late = since.is_some_and(|since| since <= now - UNSIGNED_AT_MOST);
    Ok(is_late
        .then(|| fault(signed + 1, "the entries from here on have no checkpoint since more than a day")))
}

/// Verifies that the entries between two places follow from each other.
pub(super) async fn segment(
    tx: &mut Tx<System>,
    tenant: TenantRef,
    (from, to): (Head, Head),
) -> Result<Option<Fault>> {
    Walk { tenant, at: from, hashes: None, unsigned_since: (0, None) }.to(tx, to).await
}

/// A way along a chain, entry by entry.
struct Walk<'a> {
    tenant: TenantRef,
    at: Head,
    hashes: Option<&'a BTreeMap<i64, String>>,
    /// A position, and when the entry after it was written.
    unsigned_since: (i64, Option<Timestamp>),
}

impl Walk<'_> {
    async fn to(&mut self, tx: &mut Tx<System>, end: Head) -> Result<Option<Fault>> {
        let mut read_until = self.at.position;
        while read_until < end.position {
            let until = end.position.min(read_until + PAGE);
            for row in &page(tx, self.tenant, (read_until, until)).await? {
                if let Some(fault) = self.step(row)? {
                    return Ok(Some(fault));
                }
            }
            if self.at.position < until {
                return Ok(Some(fault(self.at.position + 1, MISSING)));
            }
            read_until = until;
        }
        let is_whole = self.at == end;
        Ok((!is_whole).then(|| fault(end.position, "the chain is recorded to end with another hash")))
    }

    fn step(&mut self, row: &Row) -> Result<Option<Fault>> {
        let position = row.int("position")?;
        let next = self.at.followed_by(&Chained::read(row)?);
        if position < next.position {
            return Ok(Some(fault(position, "two entries have this position: one of them was inserted")));
        }
        if position > next.position {
            return Ok(Some(fault(next.position, MISSING)));
        }
        if row.maybe_bytes("hash")?.as_deref() != Some(&next.hash[..]) {
            let reason =
                "the entry does not follow from the one before it: it was altered, inserted or put elsewhere";
            return Ok(Some(fault(position, reason)));
        }
        if self.hashes.and_then(|hashes| hashes.get(&position)).is_some_and(|hash| *hash != hex(next.hash)) {
            let reason =
                "the chain has another hash here than its checkpoint: an entry up to here was altered";
            return Ok(Some(fault(position, reason)));
        }
        if position == self.unsigned_since.0 + 1 {
            self.unsigned_since.1 = Some(row.time("at")?);
        }
        self.at = next;
        Ok(None)
    }
}

const MISSING: &str = "the entry of this position is missing";

async fn page(tx: &mut Tx<System>, tenant: TenantRef, (after, until): (i64, i64)) -> Result<Vec<Row>> {
    let select = system_sql!(
        "SELECT tenant_id, id, at, actor_kind, actor_id, action, target, outcome, request_id, client_ip, detail, position, \
         hash FROM audit_log WHERE tenant_id = $1 AND position > $2 AND position <= $3 ORDER BY position, id"
    );
    tx.all(select, args![tenant, after, until]).await
}

/// The position of an entry that stands before the first place or after the last one.
async fn stray(tx: &mut Tx<System>, tenant: TenantRef) -> Result<Option<i64>> {
    let select = system_sql!(
        "SELECT MIN(a.position) AS position FROM audit_log a LEFT JOIN audit_chains c ON c.tenant_id = a.tenant_id \
         WHERE a.tenant_id = $1 AND (a.position < 1 OR a.position > COALESCE(c.last, 0))"
    );
    tx.one(select, args![tenant]).await?.maybe_int("position")
}

async fn count_waiting(tx: &mut Tx<System>, tenant: TenantRef) -> Result<i64> {
    let select =
        system_sql!("SELECT COUNT(*) AS number FROM audit_log WHERE tenant_id = $1 AND position IS NULL");
    tx.one(select, args![tenant]).await?.int("number")
}

/// Every tenant with its slug.
pub async fn tenants(tx: &mut Tx<System>) -> Result<Vec<(TenantRef, String)>> {
    let rows = tx.all(system_sql!("SELECT id, slug FROM tenants ORDER BY id"), args![]).await?;
    rows.iter().map(|row| Ok((row.parse("id")?, row.text("slug")?))).collect()
}
