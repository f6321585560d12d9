//! Events, written in the transaction of the operation that caused them and delivered from here.

use serde::Serialize;
use serde_json::{Value, json};
use svc_core::events::EventType;
use svc_core::{Cx, EventId, OrInternal as _, Result, TenantId, Timestamp};
use svc_db::{Tenant, Tx, args, sql};

/// The body that receivers get; `id` is stable over retries and receivers.
#[derive(Serialize)]
struct Envelope<'a> {
    id: EventId,
    #[serde(rename = "type")]
    event_type: &'a str,
    api_version: &'a str,
    created_at: Timestamp,
    tenant_id: TenantId,
    data: Value,
}

/// Writes an event; `data` carries ids and facts, never secrets or tokens.
pub async fn emit(tx: &mut Tx<Tenant>, cx: &Cx, event: EventType, data: Value) -> Result<()> {
    let id: EventId = cx.id();
    let envelope = Envelope {
        id,
        event_type: event.name(),
        api_version: "v1",
        created_at: cx.now,
        tenant_id: tx.tenant(),
        data,
    };
    let payload = serde_json::to_string(&json!(envelope)).or_internal()?;
    let insert =
        sql!("INSERT INTO outbox (tenant_id, id, type, payload, created_at) VALUES ($1, $2, $3, $4, $5)");
    tx.execute(insert, args![id, event.name(), payload, cx.now]).await.map(|_| ())
}
