//! Back-channel logout (OpenID Connect Back-Channel Logout 1.0): who is to be told of a session's end, and the telling.
//!
//! An application is noted when an ID token tells it of the session. When the session ends, its notes become deliveries in
//! the same transaction, and a worker sends those.

use svc_core::{AppId, Cx, DeliveryId, Result, Seconds, SessionId, TenantId, Timestamp};
use svc_db::{Row, System, Tenant, Tx, args, quiet_sql, quiet_system_sql};

use crate::delivery::retries::{self, Outcome};
use crate::tenancy::tenants;

/// A delivery that a worker has taken.
#[derive(Clone, Debug)]
pub struct DueLogout {
    /// The tenant whose session ended.
    pub tenant: TenantId,
    /// The delivery: the same in every attempt, so that receivers recognise what comes twice.
    pub id: DeliveryId,
    /// Who is told.
    pub app: AppId,
    /// The session as the application knows it.
    pub sid: String,
    /// The person as the application knows them.
    pub subject: String,
    /// How often it failed before.
    pub failures: i64,
}

/// Notes that an application knows of a live session, and by which subject.
///
/// The session is held until the transaction ends: whoever ends it sees the note.
pub async fn note(tx: &mut Tx<Tenant>, session: SessionId, app: AppId, subject: &str) -> Result<()> {
    let hold = quiet_sql!(
        "holds a row",
        "UPDATE sessions SET last_seen_at = last_seen_at WHERE tenant_id = $1 AND id = $2 AND ended_at IS NULL \
         RETURNING id"
    );
    if tx.optional(hold, args![session]).await?.is_none() {
        return Ok(());
    }
    let insert = quiet_sql!(
        "notes who is to be told of the end of a session",
        "INSERT INTO session_clients (tenant_id, session_id, app_id, sid, subject) VALUES ($1, $2, $3, $2, $4) \
         ON CONFLICT (tenant_id, session_id, app_id, sid) DO UPDATE SET subject = excluded.subject"
    );
    tx.execute(insert, args![session, app, subject]).await.map(|_| ())
}

/// Moves the notes of a session to the one that takes its place.
pub(crate) fn carry_over(tx: &mut Tx<Tenant>, from: SessionId, to: SessionId) {
    let update = quiet_sql!(
        "notes who is to be told of the end of a session",
        "UPDATE session_clients SET session_id = $3 WHERE tenant_id = $1 AND session_id = $2"
    );
    tx.later(update, args![from, to]);
}

/// Turns the notes of a session that has just ended into deliveries.
pub(crate) async fn enqueue(tx: &mut Tx<Tenant>, cx: &Cx, session: SessionId) -> Result<()> {
    let delete = quiet_sql!(
        "notes who is to be told of the end of a session",
        "DELETE FROM session_clients WHERE tenant_id = $1 AND session_id = $2 RETURNING app_id, sid, subject"
    );
    for row in tx.all(delete, args![session]).await? {
        let (id, app): (DeliveryId, AppId) = (cx.id(), row.parse("app_id")?);
        let insert = quiet_sql!(
            "delivers what was recorded",
            "INSERT INTO logout_deliveries (tenant_id, id, app_id, sid, subject, state, failures, due_at, created_at) \
             VALUES ($1, $2, $3, $4, $5, 'due', 0, $6, $6)"
        );
        tx.later(insert, args![id, app, row.text("sid")?, row.text("subject")?, cx.now]);
    }
    Ok(())
}

/// Longer than one attempt may take.
const LEASE: Seconds = Seconds(60);

/// Takes up to `limit` due deliveries; those of a worker that dies are taken again when the lease is over.
pub async fn take_due(tx: &mut Tx<System>, now: Timestamp, limit: u32) -> Result<Vec<DueLogout>> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE logout_deliveries SET due_at = $2 WHERE state = 'due' AND due_at <= $1 AND id IN \
         (SELECT id FROM logout_deliveries WHERE state = 'due' AND due_at <= $1 ORDER BY due_at LIMIT $3) \
         RETURNING tenant_id, id, app_id, sid, subject, failures"
    );
    tx.all(update, args![now, now + LEASE, limit]).await?.iter().map(due).collect()
}

/// Notes what came of an attempt.
pub async fn settle(tx: &mut Tx<System>, cx: &Cx, logout: &DueLogout, outcome: Outcome) -> Result<()> {
    let asked = match outcome {
        Outcome::Taken => return end(tx, logout, "sent").await,
        Outcome::Over => return end(tx, logout, "failed").await,
        Outcome::Busy(asked) => asked,
        Outcome::Silent => None,
    };
    let failures = logout.failures + 1;
    let Some(wait) = retries::wait(failures, asked, &*cx.entropy) else {
        return end(tx, logout, "failed").await;
    };
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE logout_deliveries SET failures = $3, due_at = $4 WHERE tenant_id = $1 AND id = $2"
    );
    tx.execute(update, args![logout.tenant, logout.id, failures, cx.now + wait]).await?;
    if outcome == Outcome::Silent {
        hold_back(tx, cx, logout, wait).await?;
    }
    Ok(())
}

/// What else waits for a receiver that does not answer waits too: it must not occupy the workers.
async fn hold_back(tx: &mut Tx<System>, cx: &Cx, logout: &DueLogout, wait: Seconds) -> Result<()> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE logout_deliveries SET due_at = $4 WHERE tenant_id = $1 AND app_id = $2 AND state = 'due' \
         AND due_at <= $3"
    );
    tx.execute(update, args![logout.tenant, logout.app, cx.now, cx.now + wait]).await.map(|_| ())
}

async fn end(tx: &mut Tx<System>, logout: &DueLogout, state: &str) -> Result<()> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE logout_deliveries SET state = $3 WHERE tenant_id = $1 AND id = $2"
    );
    tx.execute(update, args![logout.tenant, logout.id, state]).await.map(|_| ())
}

fn due(row: &Row) -> Result<DueLogout> {
    Ok(DueLogout {
        tenant: tenants::of_row(row)?,
        id: row.parse("id")?,
        app: row.parse("app_id")?,
        sid: row.text("sid")?,
        subject: row.text("subject")?,
        failures: row.int("failures")?,
    })
}
