//! Events, written in the transaction of the operation that caused them; from here they get their [positions](super::positions).

use serde_json::json;
use svc_core::events::Event;
use svc_core::{Cx, EventId, TenantRef};
use svc_db::{System, Tenant, Tx, args, quiet_sql, quiet_system_sql};

use super::Log;

/// Writes an event together with the commit.
pub(super) fn write(tx: &mut Tx<Tenant>, cx: &Cx, event: Event) {
    let insert = quiet_sql!(
        "the record itself",
        "INSERT INTO outbox (tenant_id, id, type, payload, created_at) VALUES ($1, $2, $3, $4, $5)"
    );
    let (id, name) = (cx.id(), event.name);
    let payload = envelope(id, event, tx.tenant().reference(), cx);
    tx.at_commit(insert, args![id, name, payload, cx.now]);
}

/// Writes an event of one tenant, or the same event of every tenant.
pub(super) fn write_across(tx: &mut Tx<System>, cx: &Cx, log: Log, event: Event) {
    let (id, name): (EventId, _) = (cx.id(), event.name);
    match log {
        Log::Of(tenant) => {
            let insert = quiet_system_sql!(
                "the record itself",
                "INSERT INTO outbox (tenant_id, id, type, payload, created_at) VALUES ($1, $2, $3, $4, $5)"
            );
            let payload = envelope(id, event, tenant, cx);
            tx.at_commit(insert, args![tenant, id, name, payload, cx.now]);
        }
        Log::OfAll => {
            let insert = quiet_system_sql!(
                "the record itself",
                "INSERT INTO outbox (tenant_id, id, type, payload, created_at) \
                 SELECT id, $1, $2, $3 || id || $4, $5 FROM tenants"
            );
            let [before, after] = around_tenant(id, event, cx);
            tx.at_commit(insert, args![id, name, before, after, cx.now]);
        }
    }
}

/// The body that receivers get; `id` is stable over retries and receivers.
pub(crate) fn envelope(id: EventId, event: Event, tenant: TenantRef, cx: &Cx) -> String {
    let [before, after] = around_tenant(id, event, cx);
    format!("{before}{tenant}{after}")
}

/// What stands before and after the tenant's id, and is the same for every tenant.
fn around_tenant(id: EventId, event: Event, cx: &Cx) -> [String; 2] {
    let Event { name, data } = event;
    let after = json!({ "id": id, "type": name, "api_version": "v1", "created_at": cx.now, "data": data });
    let after = after.to_string().replacen('{', "\",", 1);
    [r#"{"tenant_id":""#.to_owned(), after]
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use svc_core::{Actor, SeededEntropy, Timestamp};

    use super::*;

    #[test]
    fn an_envelope_is_a_document_with_its_tenant_in_it() {
        let cx = Cx {
            now: Timestamp::from_secs(0),
            entropy: Arc::new(SeededEntropy::new(1)),
            actor: Actor::Anonymous,
            request_id: String::new(),
            client_ip: None,
        };
        let tenant: TenantRef = "tnt_00000000000000000000000001".parse().unwrap();
        let (id, event) = (cx.id(), Event { name: "a.b", data: json!({ "text": "{\"" }) });
        let envelope: serde_json::Value = serde_json::from_str(&envelope(id, event, tenant, &cx)).unwrap();
        let expected = json!({
            "id": id, "type": "a.b", "api_version": "v1", "created_at": "1970-01-01T00:00:00Z", "tenant_id": tenant,
            "data": { "text": "{\"" },
        });
        assert_eq!(envelope, expected);
    }
}
