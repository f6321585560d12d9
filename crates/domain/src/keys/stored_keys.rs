//! Signing keys as they are stored: whose each is, when it signs, and which it follows.

use serde_json::Value;
use svc_core::events::{Event, SigningKeyBroughtForward, SigningKeyCreated};
use svc_core::{Cx, Error, Result, Seconds, TenantRef, Timestamp};
use svc_db::{Db, Row, System, Tx, args, change_system_sql, quiet_system_sql, system_sql};
use svc_keys::jose::Algorithm;
use svc_keys::management::Created;
use svc_keys::{KeyUse, Purpose};

use crate::log::{Action, Log, Meaning, change_across};

/// Keys of which one follows the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The tenant that they sign for; every tenant without keys of its own, where there is none.
    pub tenant: Option<TenantRef>,
    /// What they sign with.
    pub algorithm: Algorithm,
}

/// A key as it is stored.
#[derive(Clone, Debug)]
pub struct StoredKey {
    /// Its id.
    pub kid: String,
    /// The line that it stands in.
    pub line: Line,
    /// When it begins to sign.
    pub signs_from: Timestamp,
    /// When it leaves the key set, if that is known.
    pub expires_at: Option<Timestamp>,
    pub(super) public_jwk: Value,
    /// Absent where a process of an earlier version kept it to itself.
    pub(super) wrapped: Option<Vec<u8>>,
    /// Whether another key of its line came before it, which may have been withdrawn.
    pub(super) follows: bool,
}

/// A change of the key that signs, asked for by an operator.
#[derive(Clone, Copy, Debug)]
pub struct Rotation {
    /// When the new key signs; until then every node and verifier has to learn of it.
    pub signs_from: Timestamp,
    /// Whether the old key leaves the key set at that time, which ends what it has signed.
    pub withdraws: bool,
}

impl Line {
    /// The use that its keys are wrapped for.
    pub(super) fn usage(self) -> KeyUse {
        KeyUse { purpose: Purpose::SigningKeys, tenant: self.tenant }
    }

    /// What the first key of the line follows.
    pub(super) fn root(self) -> String {
        self.tenant.map(|tenant| tenant.to_string()).unwrap_or_default()
    }
}

/// The keys that are published at `now`, oldest first.
pub async fn stored(db: &Db, now: Timestamp) -> Result<Vec<StoredKey>> {
    let select = system_sql!(
        "SELECT kid, algorithm, of_tenant, public_jwk, wrapped_key, created_at, signs_from, expires_at, predecessor FROM signing_keys \
         WHERE expires_at IS NULL OR expires_at > $1 ORDER BY created_at, kid"
    );
    let mut tx = db.read_system().await?;
    let rows = tx.all(select, args![now]).await?;
    rows.iter().map(stored_key).collect()
}

pub(super) fn stored_key(row: &Row) -> Result<StoredKey> {
    let algorithm = Algorithm::from_name(&row.text("algorithm")?);
    let algorithm = algorithm.ok_or_else(|| Error::internal("a stored key of unknown algorithm"))?;
    let line = Line { tenant: owner(row)?, algorithm };
    Ok(StoredKey {
        kid: row.text("kid")?,
        line,
        signs_from: row.maybe_time("signs_from")?.unwrap_or(row.time("created_at")?),
        expires_at: row.maybe_time("expires_at")?,
        public_jwk: crate::document::load(row, "public_jwk")?,
        wrapped: row.maybe_bytes("wrapped_key")?,
        follows: row.maybe_text("predecessor")?.is_some_and(|before| before != line.root()),
    })
}

/// Whose key a row is.
fn owner(row: &Row) -> Result<Option<TenantRef>> {
    row.maybe_text("of_tenant")?.map(|tenant| tenant.parse()).transpose()
}

/// What happens to a signing key concerns its tenant, or every one: all of them publish it.
pub(super) fn told(row: &Row, action: Action, event: impl Into<Event>) -> Result<(Log, Meaning)> {
    let log = owner(row)?.map_or(Log::OfAll, Log::Of);
    Ok((log, Meaning::done(action, row.text("kid")?).with_event(event)))
}

/// Stores the key that follows `predecessor`; returns whether no other node has stored one: of two that follow the same key one wins.
pub(super) async fn insert(
    tx: &mut Tx<System>,
    cx: &Cx,
    (line, made): (Line, &Created),
    (predecessor, signs_from): (&str, Timestamp),
) -> Result<bool> {
    let insert = change_system_sql!(
        "INSERT INTO signing_keys (kid, algorithm, state, public_jwk, wrapped_key, created_at, seen_at, signs_from, \
         predecessor, of_tenant) VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9) ON CONFLICT DO NOTHING \
         RETURNING kid, of_tenant"
    );
    let (key, algorithm) = (&made.key, made.key.algorithm());
    let state = if signs_from > cx.now { "next" } else { "active" };
    let jwk = crate::document::store(&key.public_jwk())?;
    let (kid, name, wrapped) = (key.kid(), algorithm.name(), made.wrapped.clone());
    let arguments = args![kid, name, state, jwk, wrapped, cx.now, signs_from, predecessor, line.tenant];
    let stored = change_across(tx, cx, insert, arguments, |row| {
        let (kid, algorithm) = (row.text("kid")?, algorithm.name().to_owned());
        told(row, Action::SigningKeyCreated, SigningKeyCreated { kid, algorithm, signs_from })
    });
    let is_ours = !stored.await?.is_empty();
    if is_ours {
        let tenant = line.tenant.map(tracing::field::display);
        tracing::info!(kid, %algorithm, %signs_from, tenant, "a signing key was made");
    }
    Ok(is_ours)
}

/// Gives up the place of the first key of a line, where that key has left the key set and another one begins.
pub(super) async fn vacate(tx: &mut Tx<System>, cx: &Cx, line: Line) -> Result<()> {
    let update = quiet_system_sql!(
        "goes with the key that follows, which is recorded",
        "UPDATE signing_keys SET predecessor = NULL WHERE algorithm = $1 AND predecessor = $2 AND expires_at <= $3"
    );
    tx.execute(update, args![line.algorithm.name(), line.root(), cx.now]).await.map(|_| ())
}

/// Decides when a key that has a successor leaves the key set; false where none with this id is in it: what was withdrawn meanwhile stays
/// so.
pub(super) async fn end(
    tx: &mut Tx<System>,
    cx: &Cx,
    kid: &str,
    (rotation, overlap): (Rotation, Seconds),
) -> Result<bool> {
    let overlap = if rotation.withdraws { Seconds(0) } else { overlap };
    let update = quiet_system_sql!(
        "goes with the key that follows, which is recorded",
        "UPDATE signing_keys SET expires_at = $2 WHERE kid = $1 AND (expires_at IS NULL OR expires_at > $3)"
    );
    Ok(tx.execute(update, args![kid, rotation.signs_from + overlap, cx.now]).await? > 0)
}

/// Decides when the keys of tenants leave the key set that do not want keys of their own any more.
pub(super) async fn end_unwanted(tx: &mut Tx<System>, expires_at: Timestamp) -> Result<()> {
    let update = quiet_system_sql!(
        "goes with the tenant's settings, whose change is recorded",
        "UPDATE signing_keys SET expires_at = $1 WHERE expires_at IS NULL AND EXISTS \
         (SELECT 1 FROM tenants WHERE tenants.id = signing_keys.of_tenant AND tenants.own_keys_wanted_at IS NULL)"
    );
    tx.execute(update, args![expires_at]).await.map(|_| ())
}

/// How often it is noted that an algorithm is that of access tokens.
pub(super) const DEFAULT_NOTED: Seconds = Seconds(43_200);

/// Notes that the algorithm is that of access tokens, where its key leaves the key set soon after it signs no more.
pub(super) async fn note_default(
    tx: &mut Tx<System>,
    (algorithm, now): (Algorithm, Timestamp),
) -> Result<()> {
    if algorithm != Algorithm::EdDsa {
        return Ok(());
    }
    let update = quiet_system_sql!(
        "follows the configuration",
        "UPDATE signing_keys SET default_at = $2 WHERE algorithm = $1 AND expires_at IS NULL AND (default_at IS NULL OR default_at <= $3)"
    );
    tx.execute(update, args![algorithm.name(), now, now - DEFAULT_NOTED]).await.map(|_| ())
}

/// Lets an announced key sign from another time on; returns the id of the key before it. `conflict` where it signs from another time by
/// now, or was withdrawn.
pub(super) async fn set_start(
    tx: &mut Tx<System>,
    cx: &Cx,
    announced: &StoredKey,
    signs_from: Timestamp,
) -> Result<String> {
    let update = change_system_sql!(
        "UPDATE signing_keys SET signs_from = $2 WHERE kid = $1 AND signs_from = $3 \
         AND (expires_at IS NULL OR expires_at > $4) RETURNING kid, of_tenant, predecessor"
    );
    let arguments = args![&announced.kid, signs_from, announced.signs_from, cx.now];
    let changed = change_across(tx, cx, update, arguments, |row| {
        let event = SigningKeyBroughtForward { kid: row.text("kid")?, signs_from };
        told(row, Action::SigningKeyBroughtForward, event)
    });
    changed.await?.first().ok_or_else(replaced)?.text("predecessor")
}

/// What another node, or another operator, did in the meantime.
pub(super) fn replaced() -> Error {
    Error::conflict("the key was replaced meanwhile; look at it again")
}
