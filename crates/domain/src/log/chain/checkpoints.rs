//! Checkpoints: signed statements of what the chain of a tenant was at a position, so that an attacker who can write to the database cannot make
//! another chain of it, and a chain whose beginning has expired can still be proven.

use serde::{Deserialize, Serialize};
use svc_core::{OrInternal as _, Result, Seconds, TenantRef, Timestamp};
use svc_db::{Db, Row, System, Tenant, Tx, args, quiet_system_sql, sql, system_sql};
use svc_keys::jose::{Algorithm, Jws, KeyRing};
use svc_keys::{Signer as _, Typ, hex};
use utoipa::ToSchema;

use super::{ChainHash, Head, entry, verify};

/// How old a checkpoint grows before it is signed again, though nothing happened: a key that signs no more stays published for a day.
const RENEWED_AFTER: Seconds = Seconds(12 * 3_600);
/// Most chains that one run signs.
const BATCH: u32 = 200;

/// What a checkpoint says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// The issuer of the tenant.
    pub iss: String,
    /// When it was signed.
    pub iat: i64,
    /// The tenant.
    pub tenant_id: TenantRef,
    /// The position of the latest entry.
    pub position: i64,
    /// Its hash, in hexadecimal digits.
    pub hash: String,
    /// Entries up to this position had outlived their retention.
    pub removed: i64,
}

/// A checkpoint as the audit API shows it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Checkpoint {
    /// The position of the latest entry that it covers.
    pub position: i64,
    /// When it was signed.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// A JWS of the type `audit-checkpoint+jwt`, signed with a key of the tenant's key set.
    pub jws: String,
}

/// A chain as it stands, to be signed.
#[derive(Clone, Debug)]
pub struct Due {
    /// Whose it is.
    pub tenant: TenantRef,
    /// Where it ends.
    pub head: Head,
    /// Up to where it has been removed.
    pub removed: i64,
}

/// Chains that have grown since their checkpoint, which is older than `interval`, and those whose checkpoint is to be renewed.
pub async fn due(tx: &mut Tx<System>, now: Timestamp, interval: Seconds) -> Result<Vec<Due>> {
    let select = system_sql!(
        "SELECT tenant_id, last, last_hash, removed FROM audit_chains \
         WHERE (signed < last AND signed_at <= $1) OR signed_at <= $2 ORDER BY signed_at, tenant_id LIMIT $3"
    );
    let rows = tx.all(select, args![now - interval, now - RENEWED_AFTER, BATCH]).await?;
    rows.iter().map(read_due).collect()
}

fn read_due(row: &Row) -> Result<Due> {
    let head = Head { position: row.int("last")?, hash: entry::hash(row, "last_hash")? };
    Ok(Due { tenant: row.parse("tenant_id")?, head, removed: row.int("removed")? })
}

/// Whether what was added since the latest checkpoint follows from it: what does not is not signed.
pub async fn follows(db: &Db, ring: &KeyRing, due: &Due) -> Result<bool> {
    let mut tx = db.read_system().await?;
    let Some(from) = latest_head(&mut tx, ring, due.tenant).await? else { return Ok(true) };
    let from = if from.position < due.removed { removed(&mut tx, due.tenant).await? } else { from };
    let fault = verify::segment(&mut tx, due.tenant, (from, due.head)).await?;
    if let Some(fault) = &fault {
        tracing::error!(tenant = %due.tenant, position = fault.position, reason = %fault.reason,
            "the audit log was changed; it gets no checkpoint until this is settled (svc-runtime audit verify)");
    }
    Ok(fault.is_none())
}

async fn removed(tx: &mut Tx<System>, tenant: TenantRef) -> Result<Head> {
    let select = system_sql!("SELECT removed, removed_hash FROM audit_chains WHERE tenant_id = $1");
    let row = tx.one(select, args![tenant]).await?;
    Ok(Head { position: row.int("removed")?, hash: entry::hash(&row, "removed_hash")? })
}

/// What the latest checkpoint says. Its key may have been withdrawn.
async fn latest_head(tx: &mut Tx<System>, ring: &KeyRing, tenant: TenantRef) -> Result<Option<Head>> {
    let select = system_sql!(
        "SELECT position, jws FROM audit_checkpoints WHERE tenant_id = $1 ORDER BY position DESC LIMIT 1"
    );
    let Some(row) = tx.optional(select, args![tenant]).await? else { return Ok(None) };
    let jws = row.text("jws")?;
    let claims = read(ring, &jws).or_else(|error| {
        tracing::warn!(%tenant, error = ?error, "the latest checkpoint of the audit log is not signed with a published key");
        unverified(&jws)
    });
    Ok(claims.ok().and_then(|claims| Some(Head { position: claims.position, hash: digits(&claims.hash)? })))
}

/// What a checkpoint says that is trusted for another reason than its signature: its key may not be published any more.
pub fn unverified(jws: &str) -> Result<Claims> {
    Jws::parse(jws, Typ::AuditCheckpoint.algorithms())?.unverified_claims()?.read()
}

/// Signs a chain as it stands.
pub async fn sign(
    (ring, algorithm): (&KeyRing, Algorithm),
    issuer: &str,
    now: Timestamp,
    due: &Due,
) -> Result<String> {
    let claims = Claims {
        iss: issuer.to_owned(),
        iat: now.as_secs(),
        tenant_id: due.tenant,
        position: due.head.position,
        hash: hex(due.head.hash),
        removed: due.removed,
    };
    ring.sign(algorithm, Typ::AuditCheckpoint, &serde_json::to_vec(&claims).or_internal()?).await
}

/// Keeps a signed checkpoint; one of the same position is replaced.
pub async fn keep(tx: &mut Tx<System>, due: &Due, now: Timestamp, jws: &str) -> Result<()> {
    let insert = quiet_system_sql!(
        "signs what was recorded",
        "INSERT INTO audit_checkpoints (tenant_id, position, created_at, jws) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (tenant_id, position) DO UPDATE SET created_at = excluded.created_at, jws = excluded.jws"
    );
    let note = quiet_system_sql!(
        "signs what was recorded",
        "UPDATE audit_chains SET signed = $2, signed_at = $3 WHERE tenant_id = $1 AND signed <= $2"
    );
    tx.execute(insert, args![due.tenant, due.head.position, now, jws]).await?;
    tx.execute(note, args![due.tenant, due.head.position, now]).await.map(|_| ())
}

/// Lets every chain be signed again: a key that may have signed it is not published any more.
pub fn renew_all(tx: &mut Tx<System>) {
    let update = quiet_system_sql!("signs what was recorded", "UPDATE audit_chains SET signed_at = 0");
    tx.later(update, args![]);
}

/// A page of a tenant's checkpoints, newest first.
pub async fn list(tx: &mut Tx<Tenant>, cursor: Option<i64>, limit: u32) -> Result<Vec<Checkpoint>> {
    let select = sql!(
        "SELECT position, created_at, jws FROM audit_checkpoints WHERE tenant_id = $1 AND position < $2 \
         ORDER BY position DESC LIMIT $3"
    );
    tx.all(select, args![cursor.unwrap_or(i64::MAX), limit]).await?.iter().map(checkpoint).collect()
}

fn checkpoint(row: &Row) -> Result<Checkpoint> {
    Ok(Checkpoint {
        position: row.int("position")?,
        created_at: row.time("created_at")?,
        jws: row.text("jws")?,
    })
}

/// What a signed checkpoint says, if a published key of the tenant signed it.
pub fn read(ring: &KeyRing, jws: &str) -> Result<Claims> {
    ring.verify_at_any_time(jws, Typ::AuditCheckpoint)?.read()
}

/// The hash of hexadecimal digits.
fn digits(text: &str) -> Option<ChainHash> {
    let pairs: Option<Vec<u8>> = (0..text.len())
        .step_by(2)
        .map(|at| text.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok()))
        .collect();
    pairs?.try_into().ok()
}
