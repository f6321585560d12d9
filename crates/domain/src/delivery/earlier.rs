//! What waits in the tables of earlier versions: it is moved to the one queue, for as long as such a version may be running.
//!
//! A row that a process of an earlier version is sending just now is sent a second time, with the same id.

use svc_core::{Cx, Result, TenantId, Timestamp};
use svc_db::{Row, System, Tenant, Tx, args, quiet_sql, system_sql};
use svc_keys::keyring::{Sealed, Sealer};

use super::logouts::{self, Logout};
use super::mails::{self, Content, Mail, Written};
use super::queue::{New, enqueue};
use super::signals::{self, SecurityEvent};
use crate::document;
use crate::tenancy::tenants;

/// Most rows of each table that one transaction moves.
const BATCH: u32 = 100;

/// The tenants for whom something waits in those tables.
pub async fn tenants_with_earlier(tx: &mut Tx<System>) -> Result<Vec<TenantId>> {
    let select = system_sql!(
        "SELECT tenant_id FROM mails WHERE state = 'due' UNION SELECT tenant_id FROM logout_deliveries \
         WHERE state = 'due' UNION SELECT tenant_id FROM signal_events WHERE state = 'due'"
    );
    tx.all(select, args![]).await?.iter().map(tenants::of_row).collect()
}

/// Moves what waits for the tenant, oldest first; returns how much.
pub async fn adopt(tx: &mut Tx<Tenant>, cx: &Cx, sealer: &Sealer) -> Result<usize> {
    Ok(adopt_mails(tx, cx, sealer).await? + adopt_logouts(tx, cx).await? + adopt_events(tx, cx).await?)
}

async fn adopt_mails(tx: &mut Tx<Tenant>, cx: &Cx, sealer: &Sealer) -> Result<usize> {
    let delete = quiet_sql!(
        "delivers what was recorded",
        "DELETE FROM mails WHERE tenant_id = $1 AND state = 'due' AND id IN (SELECT id FROM mails \
         WHERE tenant_id = $1 AND state = 'due' ORDER BY id LIMIT $2) \
         RETURNING id, recipient, subject, body_text, body_html, content, due_at, created_at"
    );
    let rows = tx.all(delete, args![BATCH]).await?;
    for row in &rows {
        let id = row.parse("id")?;
        let content = if let Some(stored) = row.maybe_bytes("content")? {
            Sealed::from_column(stored)
        } else {
            let content =
                Content { text: row.text("body_text")?, html: row.text("body_html")?, sender_name: None };
            mails::seal(&content, (&tx.tenant().to_string(), id), sealer, cx)?
        };
        let mail =
            Mail::Written(Written { to: row.text("recipient")?, subject: row.text("subject")?, content });
        let (made, due_at) = times(row)?;
        enqueue(tx, &New { created_at: made, happened_at: made, due_at, ..New::of(cx, id, mail) })?;
    }
    Ok(rows.len())
}

async fn adopt_logouts(tx: &mut Tx<Tenant>, cx: &Cx) -> Result<usize> {
    let delete = quiet_sql!(
        "delivers what was recorded",
        "DELETE FROM logout_deliveries WHERE tenant_id = $1 AND state = 'due' AND id IN (SELECT id FROM \
         logout_deliveries WHERE tenant_id = $1 AND state = 'due' ORDER BY id LIMIT $2) \
         RETURNING id, app_id, sid, subject, due_at, created_at"
    );
    let rows = tx.all(delete, args![BATCH]).await?;
    for row in &rows {
        let logout =
            Logout { app: row.parse("app_id")?, sid: row.text("sid")?, subject: row.text("subject")? };
        let (made, due_at) = times(row)?;
        let new = New::of(cx, row.parse("id")?, logout);
        logouts::put(tx, New { created_at: made, happened_at: made, due_at, ..new })?;
    }
    Ok(rows.len())
}

async fn adopt_events(tx: &mut Tx<Tenant>, cx: &Cx) -> Result<usize> {
    let delete = quiet_sql!(
        "delivers what was recorded",
        "DELETE FROM signal_events WHERE tenant_id = $1 AND state = 'due' AND id IN (SELECT id FROM signal_events \
         WHERE tenant_id = $1 AND state = 'due' ORDER BY happened_at, id LIMIT $2) \
         RETURNING id, stream_id, about, payload, is_notice, happened_at, created_at"
    );
    let rows = tx.all(delete, args![BATCH]).await?;
    for row in &rows {
        let Some(stream) = signals::any(tx, row.parse("stream_id")?).await? else { continue };
        let event = SecurityEvent(document::load(row, "payload")?);
        let new = New {
            topic: row.text("about")?,
            is_notice: row.flag("is_notice")?,
            happened_at: row.time("happened_at")?,
            created_at: row.time("created_at")?,
            ..New::of(cx, row.parse("id")?, event)
        };
        signals::enqueue(tx, &stream, new, cx.now)?;
    }
    Ok(rows.len())
}

fn times(row: &Row) -> Result<(Timestamp, Option<Timestamp>)> {
    Ok((row.time("created_at")?, row.maybe_time("due_at")?))
}
