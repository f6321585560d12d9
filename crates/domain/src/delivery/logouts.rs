//! Back-channel logout (OpenID Connect Back-Channel Logout 1.0): who is to be told of a session's end, and the telling.
//!
//! An application is noted when an ID token tells it of the session. When the session ends, its notes become deliveries in
//! the same transaction, and a worker sends those.

use serde::{Deserialize, Serialize};
use svc_core::{AppId, Cx, DeliveryKind, Digest, Result, SessionId, TenantUserId};
use svc_db::{Row, Tenant, Tx, args, quiet_sql};

use super::queue::{self, New, Order, Queue};
use super::schedule::Schedule;
use crate::people::sessions;

/// A session has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Logout {
    /// The application that gets the token.
    pub app: AppId,
    /// The session as the application knows it.
    pub sid: String,
    /// The person as the application knows them.
    pub subject: String,
}

impl Queue for Logout {
    type Kind = DeliveryKind;
    const QUEUE: &'static str = "logouts";
    const SCHEDULE: Schedule = Schedule::DAYS;
    const ORDER: Order = Order::AsDue;
}

/// Notes that an application knows of a live session, and by which subject.
///
/// The session is held until the transaction ends: the transaction that ends it sees the note. Where another has taken its place since the
/// person allowed what is redeemed now, the application learns of the end of that one.
pub async fn note(tx: &mut Tx<Tenant>, session: SessionId, app: AppId, subject: &str) -> Result<()> {
    let Some(held) = hold_present(tx, session).await? else { return Ok(()) };
    let insert = quiet_sql!(
        "notes who is to be told of the end of a session",
        "INSERT INTO session_clients (tenant_id, session_id, app_id, sid, subject) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (tenant_id, session_id, app_id, sid) DO UPDATE SET subject = excluded.subject"
    );
    tx.execute(insert, args![held, app, session, subject]).await.map(|_| ())
}

/// Holds a live session, or the one in its place.
async fn hold_present(tx: &mut Tx<Tenant>, session: SessionId) -> Result<Option<SessionId>> {
    if hold(tx, session).await? {
        return Ok(Some(session));
    }
    let next = sessions::present(tx, session).await?;
    Ok((next != session && hold(tx, next).await?).then_some(next))
}

async fn hold(tx: &mut Tx<Tenant>, session: SessionId) -> Result<bool> {
    let hold = quiet_sql!(
        "holds a row",
        "UPDATE sessions SET last_seen_at = last_seen_at WHERE tenant_id = $1 AND id = $2 AND ended_at IS NULL \
         RETURNING id"
    );
    Ok(tx.optional(hold, args![session]).await?.is_some())
}

/// Moves the notes of a session to the one that takes its place.
pub(crate) fn carry_over(tx: &mut Tx<Tenant>, from: SessionId, to: SessionId) {
    let update = quiet_sql!(
        "notes who is to be told of the end of a session",
        "UPDATE session_clients SET session_id = $3 WHERE tenant_id = $1 AND session_id = $2"
    );
    tx.later(update, args![from, to]);
}

/// Does the same for a session of `person` that has run out of time and whose secret the browser still brought: nothing else tells its
/// applications of an end.
pub fn take_over(tx: &mut Tx<Tenant>, overdue: Digest, (person, to): (TenantUserId, SessionId)) {
    let update = quiet_sql!(
        "notes who is to be told of the end of a session",
        "UPDATE session_clients SET session_id = $4 WHERE tenant_id = $1 AND session_id = (SELECT id FROM sessions \
         WHERE tenant_id = $1 AND digest = $2 AND tenant_user_id = $3 AND ended_at IS NULL)"
    );
    tx.later(update, args![overdue, person, to]);
}

/// Turns the notes of a session that has just ended into deliveries.
pub(crate) async fn enqueue(tx: &mut Tx<Tenant>, cx: &Cx, session: SessionId) -> Result<()> {
    let delete = quiet_sql!(
        "notes who is to be told of the end of a session",
        "DELETE FROM session_clients WHERE tenant_id = $1 AND session_id = $2 RETURNING app_id, sid, subject"
    );
    let notes = tx.all(delete, args![session]).await?;
    put_all(tx, cx, &notes)
}

/// Does so for one application and every session of a person; for other applications the sessions go on.
pub(crate) async fn end_for(tx: &mut Tx<Tenant>, cx: &Cx, person: TenantUserId, app: AppId) -> Result<()> {
    let delete = quiet_sql!(
        "notes who is to be told of the end of a session",
        "DELETE FROM session_clients WHERE tenant_id = $1 AND app_id = $2 AND session_id IN (SELECT id FROM sessions \
         WHERE tenant_id = $1 AND tenant_user_id = $3) RETURNING app_id, sid, subject"
    );
    let notes = tx.all(delete, args![app, person]).await?;
    put_all(tx, cx, &notes)
}

fn put_all(tx: &mut Tx<Tenant>, cx: &Cx, notes: &[Row]) -> Result<()> {
    for row in notes {
        let logout =
            Logout { app: row.parse("app_id")?, sid: row.text("sid")?, subject: row.text("subject")? };
        put(tx, New::of(cx, cx.id(), logout))?;
    }
    Ok(())
}

/// Queues a delivery, which goes with its application.
pub(super) fn put(tx: &mut Tx<Tenant>, new: New<Logout>) -> Result<()> {
    let app = new.payload.app;
    queue::enqueue(tx, &New { app: Some(app), receiver: app.to_string(), ..new })
}
