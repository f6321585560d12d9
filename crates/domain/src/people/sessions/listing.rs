//! Sessions as people and administrators see them.

use serde::Serialize;
use svc_core::{Result, SessionId, Timestamp};
use svc_db::{Row, Tenant, Tx, args, before, sql};
use utoipa::ToSchema;

use super::Lifetimes;
use crate::document;
use crate::people::tenant_users::Person;

/// A session as administrators see it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Session)]
pub struct Overview {
    /// The session; its text form is the `sid` claim.
    #[schema(value_type = String)]
    pub id: SessionId,
    /// The methods that were used (RFC 8176).
    pub amr: Vec<String>,
    /// The strength that was reached.
    pub acr: String,
    /// The browser, as it calls itself.
    pub user_agent: String,
    /// The address that signed in.
    pub client_ip: String,
    /// When the person signed in.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// When the browser was last seen, to the minute.
    #[schema(value_type = String, format = "date-time")]
    pub last_seen_at: Timestamp,
    /// When it ends at the latest.
    #[schema(value_type = String, format = "date-time")]
    pub expires_at: Timestamp,
}

/// Which of a person's sessions a list asks for.
pub struct Page {
    /// How long sessions live: older ones are over.
    pub lifetimes: Lifetimes,
    /// Before which session.
    pub cursor: Option<SessionId>,
    /// How many.
    pub limit: u32,
}

/// A page of a person's live sessions, newest first.
pub async fn list(
    tx: &mut Tx<Tenant>,
    person: &Person,
    now: Timestamp,
    page: &Page,
) -> Result<Vec<Overview>> {
    let select = sql!(
        "SELECT id, amr, acr, user_agent, client_ip, created_at, last_seen_at, expires_at FROM sessions \
         WHERE tenant_id = $1 AND tenant_user_id = $2 AND ended_at IS NULL AND expires_at > $3 AND last_seen_at > $4 \
         AND created_at >= $5 AND created_at > $8 AND id < $6 ORDER BY id DESC LIMIT $7"
    );
    let arguments = args![
        person.id,
        now,
        now - page.lifetimes.idle,
        person.credentials_changed_at,
        before(page.cursor),
        page.limit,
        now - page.lifetimes.absolute
    ];
    tx.all(select, arguments).await?.iter().map(|row| overview(row, page.lifetimes)).collect()
}

fn overview(row: &Row, lifetimes: Lifetimes) -> Result<Overview> {
    let created_at = row.time("created_at")?;
    Ok(Overview {
        id: row.parse("id")?,
        amr: document::load(row, "amr")?,
        acr: row.text("acr")?,
        user_agent: row.text("user_agent")?,
        client_ip: row.text("client_ip")?,
        created_at,
        last_seen_at: row.time("last_seen_at")?,
        expires_at: row.time("expires_at")?.min(created_at + lifetimes.absolute),
    })
}
