//! The next entries of a stream, which one worker at a time takes.

use svc_core::{AuditStreamId, OrInternal as _, Result, Secret, TenantId, Timestamp};
use svc_db::{Row, System, Tx, args, quiet_system_sql, system_sql};
use svc_keys::keyring::{Sealed, Sealer};

use super::destination::Destination;
use super::store::{Configuration, place};
use super::{CLAIM, MOST_BYTES, MOST_ENTRIES};
use crate::document;
use crate::log::audit::{AuditEntry, entry};
use crate::tenancy::tenants;

/// Entries for one stream, in order.
pub struct Batch {
    /// Whose log it is.
    pub tenant: TenantId,
    /// The stream.
    pub stream: AuditStreamId,
    /// Where to.
    pub destination: Destination,
    /// The entries, at least one.
    pub entries: Vec<AuditEntry>,
    /// The positions of the first and the last of them.
    pub range: (i64, i64),
    /// Whether more waits than a batch holds.
    pub is_full: bool,
    /// Until when its worker has the stream: the claim by which it settles.
    pub(super) claimed_until: Timestamp,
    secret: Sealed<String>,
}

/// How far streams are behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lag {
    /// Entries that a stream has not got, counted for each.
    pub entries: i64,
    /// When the oldest of them happened.
    pub oldest: Option<Timestamp>,
}

/// Claims the batches of up to `limit` streams that are due.
pub async fn claim(tx: &mut Tx<System>, now: Timestamp, limit: u32) -> Result<Vec<Batch>> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE audit_streams SET claimed_until = $2 WHERE active AND due_at <= $1 AND claimed_until <= $1 \
         AND (tenant_id, id) IN (SELECT s.tenant_id, s.id FROM audit_streams s JOIN audit_chains c \
         ON c.tenant_id = s.tenant_id WHERE s.active AND s.due_at <= $1 AND s.claimed_until <= $1 AND s.position < c.last \
         ORDER BY s.due_at LIMIT $3) RETURNING tenant_id, id, configuration, sealed_secret, position, batch_until"
    );
    let mut batches = Vec::new();
    for row in tx.all(update, args![now, now + CLAIM, limit]).await? {
        batches.extend(batch(tx, &row, now + CLAIM).await?);
    }
    Ok(batches)
}

async fn batch(tx: &mut Tx<System>, row: &Row, claimed_until: Timestamp) -> Result<Option<Batch>> {
    let Some(Configuration { destination, .. }) = document::known_whole(row, "configuration")? else {
        return Ok(None);
    };
    let (tenant, stream) = (tenants::of_row(row)?, row.parse("id")?);
    let (position, decided) = (row.int("position")?, row.maybe_int("batch_until")?);
    let mut entries = entries(tx, tenant, (position, decided.unwrap_or(i64::MAX))).await?;
    if decided.is_none() {
        entries.truncate(fitting(&entries, &destination)?);
    }
    let places = |entry: Option<&AuditEntry>| entry.and_then(|entry| entry.position);
    let Some(range) = places(entries.first()).zip(places(entries.last())) else {
        release(tx, (tenant, stream)).await?;
        return Ok(None);
    };
    let is_full = decide(tx, (tenant, stream), range.1).await?;
    let secret = Sealed::from_column(row.bytes("sealed_secret")?);
    Ok(Some(Batch { tenant, stream, destination, entries, range, is_full, claimed_until, secret }))
}

async fn entries(
    tx: &mut Tx<System>,
    tenant: TenantId,
    (after, until): (i64, i64),
) -> Result<Vec<AuditEntry>> {
    let select = system_sql!(
        "SELECT id, at, actor_kind, actor_id, action, target, outcome, request_id, client_ip, detail, position, hash \
         FROM audit_log WHERE tenant_id = $1 AND position > $2 AND position <= $3 ORDER BY position LIMIT $4"
    );
    let rows = tx.all(select, args![tenant, after, until, MOST_ENTRIES]).await?;
    rows.iter().map(entry).collect()
}

/// How many of the entries make a batch: as many as its bytes allow, and for storage, of one day.
fn fitting(entries: &[AuditEntry], destination: &Destination) -> Result<usize> {
    let day = |entry: &AuditEntry| entry.at.as_secs().div_euclid(86_400);
    let mut bytes = 0;
    for (count, entry) in entries.iter().enumerate() {
        bytes += serde_json::to_vec(entry).or_internal()?.len();
        let is_other_day = matches!(destination, Destination::S3(_))
            && entries.first().is_some_and(|first| day(first) != day(entry));
        if count > 0 && (bytes > MOST_BYTES || is_other_day) {
            return Ok(count);
        }
    }
    Ok(entries.len())
}

/// Writes down where the batch ends, before it is sent; returns whether more waits after it.
async fn decide(
    tx: &mut Tx<System>,
    (tenant, stream): (TenantId, AuditStreamId),
    until: i64,
) -> Result<bool> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE audit_streams SET batch_until = $3 WHERE tenant_id = $1 AND id = $2"
    );
    tx.later(update, args![tenant, stream, until]);
    let select = system_sql!("SELECT last FROM audit_chains WHERE tenant_id = $1");
    Ok(tx.one(select, args![tenant]).await?.int("last")? > until)
}

/// Lets go of a stream whose next entries have expired: it goes on with the first that is kept.
async fn release(tx: &mut Tx<System>, (tenant, stream): (TenantId, AuditStreamId)) -> Result<()> {
    let select = system_sql!("SELECT removed FROM audit_chains WHERE tenant_id = $1");
    let removed = tx.one(select, args![tenant]).await?.int("removed")?;
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE audit_streams SET position = CASE WHEN position < $3 THEN $3 ELSE position END, batch_until = NULL, \
         claimed_until = 0 WHERE tenant_id = $1 AND id = $2"
    );
    tx.later(update, args![tenant, stream, removed]);
    Ok(())
}

impl Batch {
    /// What signs it or proves the service to the receiver.
    pub fn secret(&self, sealer: &Sealer) -> Result<Secret> {
        place((self.tenant.reference(), self.stream)).open(&self.secret, sealer).map(Secret::new)
    }

    /// What it is called, the same each time that it is sent.
    pub fn name(&self) -> String {
        format!("{}-{}-{}", self.stream, self.range.0, self.range.1)
    }
}

/// How far the active streams of all tenants are behind.
pub async fn lag(tx: &mut Tx<System>) -> Result<Lag> {
    let select = system_sql!(
        "SELECT s.position, c.last, a.at FROM audit_streams s JOIN audit_chains c ON c.tenant_id = s.tenant_id \
         LEFT JOIN audit_log a ON a.tenant_id = s.tenant_id AND a.position = s.position + 1 \
         WHERE s.active AND s.position < c.last"
    );
    let mut lag = Lag::default();
    for row in tx.all(select, args![]).await? {
        lag.entries += row.int("last")? - row.int("position")?;
        lag.oldest = [lag.oldest, row.maybe_time("at")?].into_iter().flatten().min();
    }
    Ok(lag)
}
