//! Refused requests of applications, recorded so that neither strangers nor a client in a loop can fill the disk with them:
//! the first of an hour, the tenth, the hundredth and so on, each with the count so far.

use serde_json::json;
use svc_core::{Error, Result};
use svc_db::{Tenant, Tx};
use svc_domain::apps::App;
use svc_domain::log::{self, Action, Meaning};
use svc_http::{HostCx, recorded_count};

/// Logs why a client did not authenticate, and records it. A record that cannot be written changes nothing about the
/// answer.
pub async fn of_client(host: &HostCx, client_id: &str, cause: &Error) {
    let shown: String = client_id.chars().filter(|char| !char.is_control()).take(200).collect();
    tracing::info!(
        request_id = host.cx.request_id,
        client_id = shown,
        cause = cause.detail(),
        "a client did not authenticate"
    );
    if let Err(error) = record(host, client_id, cause).await {
        tracing::debug!(request_id = host.cx.request_id, ?error, "a refused client could not be recorded");
    }
}

async fn record(host: &HostCx, client_id: &str, cause: &Error) -> Result<()> {
    let app = host.app.services.apps.find(host.tenant.id, client_id).await?;
    // Names that do not exist are counted as one, so that a stranger cannot make up new ones.
    let target = app.map_or_else(|| "unknown".to_owned(), |app| app.id.to_string());
    let key = format!("client refused {} {target}", host.tenant.id);
    let Some(count) = recorded_count(&host.app, &key, host.cx.now).await else { return Ok(()) };
    let facts = json!({ "cause": cause.detail(), "count": count });
    let mut tx = host.begin().await?;
    log::record(&mut tx, &host.cx, Meaning::denied(Action::ClientRefused, target).with(facts));
    tx.commit().await
}

/// Records a refused token request that changed something, together with what it changed.
pub fn of_token_request(host: &HostCx, tx: &mut Tx<Tenant>, app: &App, refused: (&Error, Option<&str>)) {
    log::record(tx, &host.cx, refusal(app, refused, 1));
}

/// Counts a refused token request that changed nothing. Counting writes, so no transaction may be open here.
pub async fn without_effect(host: &HostCx, app: &App, refused: (&Error, Option<&str>)) -> Result<()> {
    let (error, grant_type) = refused;
    let (code, grant_type) = (error.class().code(), grant_type.unwrap_or_default());
    let key = format!("token refused {} {} {code} {grant_type}", host.tenant.id, app.id);
    let Some(count) = recorded_count(&host.app, &key, host.cx.now).await else { return Ok(()) };
    let mut tx = host.begin().await?;
    log::record(&mut tx, &host.cx, refusal(app, refused, count));
    tx.commit().await
}

fn refusal(app: &App, (error, grant_type): (&Error, Option<&str>), count: i64) -> Meaning {
    let facts = json!({ "error": error.class().code(), "grant_type": grant_type, "count": count });
    Meaning::denied(Action::TokenRefused, app.id).with(facts)
}
