//! What the log and the session keep of the word of a provider.

use serde_json::json;
use svc_core::events::{SsoLoginFailed, SsoLoginSucceeded};
use svc_core::{Error, Result, SessionId, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::federation::sso::{self as records, Connection, Identity};
use svc_domain::log::{Action, Meaning, record};
use svc_domain::organizations;
use svc_domain::people::tenant_users::Person;

use super::claims::Vouched;
use crate::hosted::Visit;

/// Notes that a session began with the word of a provider.
pub async fn entered(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    (person, session_id): (&Person, SessionId),
    vouched: &Vouched,
) -> Result<()> {
    let Some(connection) = records::find_by_id(tx, vouched.connection).await? else {
        return Err(Error::forbidden("the connection is not offered any more; start again"));
    };
    records::vouch(tx, session_id, &vouched.identity(), vouched.sid.as_deref());
    let event = SsoLoginSucceeded {
        organization_id: connection.organization_id,
        connection_id: connection.id,
        tenant_user_id: person.id,
        session_id,
    };
    let facts = json!({ "connection_id": connection.id, "session_id": session_id });
    record(tx, visit.cx(), Meaning::done(Action::SsoSignedIn, person.id).with(facts).telling(event));
    Ok(())
}

/// Whether the provider that has vouched for a person at `since` does so no more, before the session has begun: it has called its own
/// session over, or speaks for the person no longer. That is recorded.
pub async fn is_withdrawn(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    person: &Person,
    (vouched, since): (&Vouched, Timestamp),
) -> Result<bool> {
    let identity = vouched.identity();
    let connection = records::find_by_id(tx, vouched.connection).await?;
    if let Some(connection) = &connection {
        organizations::keep_members(tx, connection.organization_id);
    }
    let reason = if records::is_over(tx, (&identity, vouched.sid.as_deref()), since).await? {
        "the provider has ended its session meanwhile"
    } else if records::person(tx, &identity).await? != Some(person.id) {
        "the provider does not speak for the person any more"
    } else {
        return Ok(false);
    };
    if let Some(connection) = connection {
        note_failure(visit, tx, &connection, reason.to_owned());
    }
    Ok(true)
}

/// The provider that vouched for a session.
pub async fn behind(tx: &mut Tx<Tenant>, session: SessionId) -> Result<Option<Vouched>> {
    let found = records::of_session(tx, session).await?;
    Ok(found.map(|(identity, sid)| {
        let Identity { connection, issuer, subject } = identity;
        Vouched { connection, issuer, subject, sid, is_strong: false }
    }))
}

/// Records that a sign-in through a provider failed: administrators read why, the person does not.
pub async fn failed(visit: &Visit, connection: &Connection, error: &Error) -> Result<()> {
    let reason = error.detail().to_owned();
    tracing::info!(request_id = visit.cx().request_id, connection = %connection.id, ?error, "single sign-on failed");
    let mut tx = visit.host.begin().await?;
    note_failure(visit, &mut tx, connection, reason);
    tx.commit().await
}

fn note_failure(visit: &Visit, tx: &mut Tx<Tenant>, connection: &Connection, reason: String) {
    let facts = json!({ "organization_id": connection.organization_id, "reason": reason });
    let (organization_id, connection_id) = (connection.organization_id, connection.id);
    let event = SsoLoginFailed { organization_id, connection_id, reason };
    let meaning = Meaning::denied(Action::SsoSignInFailed, connection.id).with(facts).telling(event);
    record(tx, visit.cx(), meaning);
}
