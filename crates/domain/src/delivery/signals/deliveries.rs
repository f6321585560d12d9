//! Events that are pushed (RFC 8935): taken when they are due, one after another for each stream.

use svc_core::{AppId, Cx, Result, Seconds, Secret, StreamId, TenantId, Timestamp};
use svc_db::{Row, System, Tenant, Tx, args, quiet_system_sql};

use super::events::{self, Waiting};
use super::streams::{self, Delivery, Status};
use crate::delivery::retries::{self, Outcome};
use crate::tenancy::tenants;

/// An event that a worker has taken.
#[derive(Clone, Debug)]
pub struct DueEvent {
    /// The tenant of the stream.
    pub tenant: TenantId,
    /// The stream.
    pub stream: StreamId,
    /// The event.
    pub event: Waiting,
    /// How often it failed before.
    pub failures: i64,
    is_notice: bool,
}

/// Whom a stream pushes to.
#[derive(Debug)]
pub struct Receiver {
    /// The application.
    pub app: AppId,
    /// The address.
    pub endpoint_url: String,
    /// What the application wants to see in `Authorization`.
    pub authorization_header: Option<Secret>,
}

/// Where an event goes at this moment; nothing where its stream is not pushed to, or holds what waits.
pub async fn receiver(tx: &mut Tx<Tenant>, due: &DueEvent) -> Result<Option<Receiver>> {
    let Some(stream) = streams::any(tx, due.stream).await? else { return Ok(None) };
    let flows = stream.status == Status::Enabled || due.is_notice;
    match stream.wanted.delivery {
        Delivery::Push { endpoint_url, authorization_header } if flows => {
            Ok(Some(Receiver { app: stream.app, endpoint_url, authorization_header }))
        }
        _ => Ok(None),
    }
}

/// Longer than one attempt may take.
const LEASE: Seconds = Seconds(60);

/// Takes up to `limit` due events; those of a worker that dies are taken again when the lease is over.
///
/// What is about one person goes out in the order in which it happened, and of each stream only the oldest event that has
/// not failed nor waits for one that has: a receiver that dawdles occupies one place, and one event that it cannot take
/// does not stop what is about others.
pub async fn take_due(tx: &mut Tx<System>, now: Timestamp, limit: u32) -> Result<Vec<DueEvent>> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE signal_events SET due_at = $2 WHERE state = 'due' AND due_at <= $1 AND (tenant_id, id) IN \
         (SELECT e.tenant_id, e.id FROM signal_events e WHERE e.state = 'due' AND e.due_at <= $1 AND NOT EXISTS \
         (SELECT 1 FROM signal_events o WHERE o.tenant_id = e.tenant_id AND o.stream_id = e.stream_id \
         AND o.about = e.about AND o.state = 'due' AND o.due_at IS NOT NULL \
         AND (o.happened_at, o.id) < (e.happened_at, e.id)) AND (e.failures > 0 OR NOT EXISTS \
         (SELECT 1 FROM signal_events o WHERE o.tenant_id = e.tenant_id AND o.stream_id = e.stream_id \
         AND o.failures = 0 AND o.state = 'due' AND o.due_at IS NOT NULL \
         AND (o.happened_at, o.id) < (e.happened_at, e.id) AND NOT EXISTS (SELECT 1 FROM signal_events f \
         WHERE f.tenant_id = o.tenant_id AND f.stream_id = o.stream_id AND f.about = o.about AND f.state = 'due' \
         AND f.failures > 0 AND f.due_at IS NOT NULL AND (f.happened_at, f.id) < (o.happened_at, o.id)))) \
         ORDER BY e.due_at LIMIT $3) \
         RETURNING tenant_id, id, stream_id, payload, is_notice, failures, created_at"
    );
    tx.all(update, args![now, now + LEASE, limit]).await?.iter().map(due).collect()
}

/// Notes what came of an attempt.
pub async fn settle(tx: &mut Tx<System>, cx: &Cx, due: &DueEvent, outcome: Outcome) -> Result<()> {
    let asked = match outcome {
        Outcome::Taken => return end(tx, due, "taken").await,
        Outcome::Over => return end(tx, due, "failed").await,
        Outcome::Busy(asked) => asked,
        Outcome::Silent => None,
    };
    let failures = due.failures + 1;
    let Some(wait) = retries::wait(failures, asked, &*cx.entropy) else {
        return end(tx, due, "failed").await;
    };
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE signal_events SET failures = $3, due_at = $4 WHERE tenant_id = $1 AND id = $2 AND state = 'due' \
         AND due_at IS NOT NULL"
    );
    tx.execute(update, args![due.tenant, due.event.id, failures, cx.now + wait]).await?;
    if outcome == Outcome::Silent {
        hold_back(tx, cx, due, wait).await?;
    }
    Ok(())
}

/// What else waits for a receiver that does not answer waits too.
async fn hold_back(tx: &mut Tx<System>, cx: &Cx, due: &DueEvent, wait: Seconds) -> Result<()> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE signal_events SET due_at = $4 WHERE tenant_id = $1 AND stream_id = $2 AND state = 'due' AND due_at <= $3"
    );
    tx.execute(update, args![due.tenant, due.stream, cx.now, cx.now + wait]).await.map(|_| ())
}

async fn end(tx: &mut Tx<System>, due: &DueEvent, state: &str) -> Result<()> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE signal_events SET state = $3, payload = '', due_at = NULL WHERE tenant_id = $1 AND id = $2 \
         AND state = 'due'"
    );
    tx.execute(update, args![due.tenant, due.event.id, state]).await.map(|_| ())
}

fn due(row: &Row) -> Result<DueEvent> {
    Ok(DueEvent {
        tenant: tenants::of_row(row)?,
        stream: row.parse("stream_id")?,
        event: events::of_row(row)?,
        failures: row.int("failures")?,
        is_notice: row.flag("is_notice")?,
    })
}
