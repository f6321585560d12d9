//! Sends entries as syslog messages (RFC 5424) over TLS (RFC 5425), each with its length before it.

use std::fmt::Write as _;

use svc_core::{OrInternal as _, Result, Secret};
use svc_domain::delivery::audit_streams::{Batch, Sent, Syslog};
use svc_domain::log::audit::AuditEntry;
use svc_http::{App, TlsPeer};

/// Of the facility "log audit" (13), of the severities "informational" (6) and "warning" (4).
const DONE: u8 = 13 * 8 + 6;
const REFUSED: u8 = 13 * 8 + 4;

pub(super) async fn send(app: &App, batch: &Batch, to: &Syslog, secret: &Secret) -> Result<Sent> {
    let tenant = app.services.tenants.find(batch.tenant).await?;
    let host = tenant.map(|tenant| tenant.issuer.clone()).unwrap_or_default();
    let from = From {
        host: host.trim_start_matches("https://").trim_start_matches("http://"),
        tenant: &batch.tenant.to_string(),
        enterprise: to.enterprise_number,
    };
    let mut bytes = Vec::new();
    for entry in &batch.entries {
        let message = from.message(entry)?;
        bytes.extend_from_slice(format!("{} {message}", message.len()).as_bytes());
    }
    let identity = to.client_certificate_pem.as_deref().map(|chain| (chain, secret));
    let peer = TlsPeer { host: &to.host, port: to.port, ca_pem: to.ca_pem.as_deref(), identity };
    let time = app.config.audit_log.stream_timeout_secs;
    Ok(match app.outbound.send_over_tls(&peer, &bytes, time).await {
        Ok(()) => Sent::Taken,
        Err(error) => {
            tracing::warn!(stream = %batch.stream, error = ?error, "a syslog receiver did not take a batch");
            Sent::failed(error.detail())
        }
    })
}

/// Who sends.
struct From<'a> {
    host: &'a str,
    tenant: &'a str,
    enterprise: u32,
}

impl From<'_> {
    /// `<PRI>1 TIMESTAMP HOSTNAME APP-NAME PROCID MSGID [STRUCTURED-DATA] MSG`: the facts as structured data, the whole entry as JSON.
    fn message(&self, entry: &AuditEntry) -> Result<String> {
        let priority = if entry.outcome == "success" { DONE } else { REFUSED };
        let (host, action) = (word(self.host, 255), word(&entry.action, 32));
        let mut message = format!("<{priority}>1 {} {host} svc - {action} ", entry.at);
        write!(message, "[audit@{}", self.enterprise).or_internal()?;
        let position = entry.position.unwrap_or_default().to_string();
        for (name, value) in [
            ("tenant", self.tenant),
            ("position", &position),
            ("id", &entry.id.to_string()),
            ("actor_kind", &entry.actor_kind),
            ("actor_id", &entry.actor_id),
            ("action", &entry.action),
            ("target", &entry.target),
            ("outcome", &entry.outcome),
            ("request_id", &entry.request_id),
            ("client_ip", &entry.client_ip),
            ("hash", entry.hash.as_deref().unwrap_or_default()),
        ] {
            write!(message, " {name}=\"{}\"", escaped(value)).or_internal()?;
        }
        message.push_str("] ");
        message.push_str(&serde_json::to_string(entry).or_internal()?);
        Ok(message)
    }
}

/// A field of the header: printable ASCII without spaces, `-` where there is nothing (RFC 5424 §6).
fn word(text: &str, most: usize) -> String {
    let word: String = text.chars().filter(char::is_ascii_graphic).take(most).collect();
    if word.is_empty() { "-".to_owned() } else { word }
}

/// A value of structured data (RFC 5424 §6.3.3), without line ends that would part it for receivers of lines.
fn escaped(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for character in value.chars() {
        match character {
            '"' | '\\' | ']' => escaped.extend(['\\', character]),
            _ if character.is_control() => escaped.push(' '),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use svc_core::{AuditId, SeededEntropy, Timestamp};

    use super::*;

    #[test]
    fn an_entry_is_a_message_whose_facts_cannot_end_the_structured_data() {
        let at = Timestamp::from_micros(1_800_000_000_123_456);
        let text = |text: &str| text.to_owned();
        let entry = AuditEntry {
            id: AuditId::new(at, &SeededEntropy::new(1)),
            at,
            actor_kind: text("user"),
            actor_id: text("a\"] evil=\"\\\n"),
            action: text("a.very_long_action.that_is_longer_than_32"),
            target: text("Zo\u{eb}"),
            outcome: text("denied"),
            request_id: text("req"),
            client_ip: String::new(),
            detail: json!({ "line": "one\ntwo" }),
            position: Some(7),
            hash: Some(text("ab")),
        };
        let from = From { host: "id.example", tenant: "tnt_1", enterprise: 32_473 };
        let message = from.message(&entry).unwrap();
        let id = entry.id;
        let beginning = format!(
            "<108>1 2027-01-15T08:00:00.123456Z id.example svc - a.very_long_action.that_is_longe \
             [audit@32473 tenant=\"tnt_1\" position=\"7\" id=\"{id}\" actor_kind=\"user\" \
             actor_id=\"a\\\"\\] evil=\\\"\\\\ \" action=\"a.very_long_action.that_is_longer_than_32\" target=\"Zo\u{eb}\" \
             outcome=\"denied\" request_id=\"req\" client_ip=\"\" hash=\"ab\"] {{"
        );
        assert!(message.starts_with(&beginning), "{message}\n{beginning}");
        assert!(!message.contains('\n'));
        let success = AuditEntry { outcome: text("success"), ..entry };
        assert!(from.message(&success).unwrap().starts_with("<110>1 "));
    }
}
