//! What happened: every operation writes its audit entry and its event in its own transaction.

use serde::Serialize;
use serde_json::{Value, json};
use svc_core::{AuditId, Cx, Result, Timestamp};
use svc_db::{Row, Tenant, Tx, args, before, sql};
use utoipa::ToSchema;

/// How an operation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was done.
    Success,
    /// It was refused.
    Denied,
}

/// One entry to write: `action` in dotted words, `target` an id, `detail` without secrets.
pub struct Entry<'a> {
    /// What was done, for example `application.created`.
    pub action: &'static str,
    /// What it was done to.
    pub target: &'a str,
    /// Whether it was allowed.
    pub outcome: Outcome,
    /// Facts for an investigator.
    pub detail: Value,
}

impl<'a> Entry<'a> {
    /// A success without further facts.
    pub fn done(action: &'static str, target: &'a str) -> Self {
        Self { action, target, outcome: Outcome::Success, detail: json!({}) }
    }

    /// A refusal without further facts.
    pub fn denied(action: &'static str, target: &'a str) -> Self {
        Self { outcome: Outcome::Denied, ..Self::done(action, target) }
    }

    /// Adds facts.
    #[must_use]
    pub fn with(self, detail: Value) -> Self {
        Self { detail, ..self }
    }
}

/// Writes an audit entry.
pub async fn record(tx: &mut Tx<Tenant>, cx: &Cx, entry: Entry<'_>) -> Result<()> {
    let outcome = if entry.outcome == Outcome::Success { "success" } else { "denied" };
    let insert = sql!(
        "INSERT INTO audit_log (tenant_id, id, at, actor_kind, actor_id, action, target, outcome, request_id, client_ip, \
         detail) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
    );
    let id: AuditId = cx.id();
    let address = cx.client_ip.map(|ip| ip.to_string()).unwrap_or_default();
    let arguments = args![
        id,
        cx.now,
        cx.actor.kind(),
        cx.actor.id(),
        entry.action,
        entry.target,
        outcome,
        &cx.request_id,
        address,
        entry.detail.to_string()
    ];
    tx.execute(insert, arguments).await.map(|_| ())
}

/// An entry as the audit API shows it.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditEntry {
    /// The entry's id; entries sort by it.
    #[schema(value_type = String)]
    pub id: AuditId,
    /// When it happened.
    #[schema(value_type = String, format = "date-time")]
    pub at: Timestamp,
    /// `user`, `application`, `operator`, `system` or `anonymous`.
    pub actor_kind: String,
    /// The actor's `sub` or `client_id`.
    pub actor_id: String,
    /// What was done, in dotted words.
    pub action: String,
    /// The id of what it was done to.
    pub target: String,
    /// `success` or `denied`.
    pub outcome: String,
    /// The request that did it.
    pub request_id: String,
    /// The address it came from.
    pub client_ip: String,
    /// Further facts.
    #[schema(value_type = Object)]
    pub detail: Value,
}

/// A page of the audit log, newest first: entries before `cursor`.
pub async fn list(tx: &mut Tx<Tenant>, cursor: Option<AuditId>, limit: u32) -> Result<Vec<AuditEntry>> {
    let select = sql!(
        "SELECT id, at, actor_kind, actor_id, action, target, outcome, request_id, client_ip, detail FROM audit_log \
         WHERE tenant_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3"
    );
    tx.all(select, args![before(cursor), limit]).await?.iter().map(entry).collect()
}

fn entry(row: &Row) -> Result<AuditEntry> {
    Ok(AuditEntry {
        id: row.parse("id")?,
        at: row.time("at")?,
        actor_kind: row.text("actor_kind")?,
        actor_id: row.text("actor_id")?,
        action: row.text("action")?,
        target: row.text("target")?,
        outcome: row.text("outcome")?,
        request_id: row.text("request_id")?,
        client_ip: row.text("client_ip")?,
        detail: crate::document::load(row, "detail")?,
    })
}
