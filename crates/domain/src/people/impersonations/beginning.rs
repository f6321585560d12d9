//! How an impersonation begins: by a link that works once, for a few minutes, and only in the browser whose session asked for it.

use svc_core::events::ImpersonationStarted;
use svc_core::{Cx, Digest, Error, Result, Seconds, SessionId, Timestamp};
use svc_db::{Tenant, Tx, args, change_sql, quiet_sql, sql};

use super::asking::check_people;
use super::{Impersonation, LINK, State, read};
use crate::document;
use crate::grants::grant::{Acting, Authentication};
use crate::log::{Action, change};
use crate::people::login_history::{self, NewLogin, Outcome};
use crate::people::sessions::Session;
use crate::people::tenant_users::Person;

/// The browser in which it begins.
pub struct Browser<'a> {
    /// The digest of the secret of the new session.
    pub digest: Digest,
    /// What it calls itself.
    pub user_agent: &'a str,
}

/// Gives the staff member a link; the one before no longer works.
pub async fn link(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    ready: &Impersonation,
    (session, digest): (SessionId, Digest),
) -> Result<()> {
    let update = change_sql!(
        "UPDATE impersonations SET link_digest = $3, link_expires_at = $4, staff_session_id = $5 \
         WHERE tenant_id = $1 AND id = $2 AND state = 'ready' AND expires_at > $6"
    );
    let arguments = args![ready.id, digest, cx.now + LINK, session, cx.now];
    if change(tx, cx, update, arguments, ready.meaning(Action::ImpersonationLinked)).await? > 0 {
        return Ok(());
    }
    Err(Error::conflict(match ready.state {
        State::Waiting => "the person has not approved yet",
        State::Refused => "the person has refused",
        State::Active => "it has begun already",
        State::Ready | State::Expired | State::Ended => "it is over; ask again",
    }))
}

/// The impersonation behind a link, as long as that works; nothing in another session than the one that it was made for.
pub async fn behind_link(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (digest, session): (Digest, SessionId),
) -> Result<Option<Impersonation>> {
    let select = sql!(
        "SELECT id, tenant_user_id, staff_id, app_id, reason, minutes, state, session_id, created_at, decided_at, \
         started_at, ended_at, expires_at FROM impersonations WHERE tenant_id = $1 AND link_digest = $2 AND staff_session_id = $3 AND state = 'ready' AND link_expires_at > $4 AND expires_at > $4"
    );
    let row = tx.optional(select, args![digest, session, cx.now]).await?;
    row.map(|row| read(&row, cx.now)).transpose()
}

/// Spends the link and begins the session: one statement spends it, so that of N at once one wins. Who may act for whom is judged
/// by what both people are now.
pub async fn begin(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    ready: &Impersonation,
    (person, staff): (&Person, &Person),
    browser: Browser<'_>,
) -> Result<Session> {
    check_people(tx, person, staff).await?;
    let id: SessionId = cx.id();
    let ends_at = cx.now + Seconds::from_mins(ready.minutes);
    let update = change_sql!(
        "UPDATE impersonations SET state = 'active', link_digest = NULL, session_id = $3, started_at = $4, expires_at = $5 \
         WHERE tenant_id = $1 AND id = $2 AND state = 'ready' AND link_digest IS NOT NULL AND link_expires_at > $4"
    );
    let begun = Impersonation { session: Some(id), ..ready.clone() };
    let arguments = args![ready.id, id, cx.now, ends_at];
    let meaning = begun.meaning(Action::ImpersonationStarted).telling(ImpersonationStarted {
        impersonation_id: begun.id,
        tenant_user_id: begun.person,
        staff_id: begun.staff,
    });
    if change(tx, cx, update, arguments, meaning).await? == 0 {
        return Err(Error::forbidden("this link has been used, or has expired; ask for another"));
    }
    let session = session(cx, ready, (person, staff), (id, ends_at));
    store(tx, cx, &session, &browser)?;
    let new = NewLogin {
        member: Some(person.id),
        outcome: Outcome::Impersonated,
        amr: &[],
        session: Some(id),
        user_agent: browser.user_agent,
        is_known_device: false,
        rating: None,
    };
    login_history::note(tx, cx, new)?;
    Ok(session)
}

/// The session in which the staff member acts for the person. No one has proven to be the person: `amr` and `acr` are empty.
fn session(
    cx: &Cx,
    ready: &Impersonation,
    (person, staff): (&Person, &Person),
    (id, ends_at): (SessionId, Timestamp),
) -> Session {
    let acting = Acting { id: ready.id, by: staff.subject.clone(), app: ready.app, ends_at };
    let authentication = Authentication {
        session: id,
        auth_time: cx.now,
        amr: Vec::new(),
        acr: String::new(),
        acting: Some(acting),
    };
    Session {
        id,
        person: person.clone(),
        authentication,
        began_at: cx.now,
        last_seen_at: cx.now,
        organization: None,
    }
}

fn store(tx: &mut Tx<Tenant>, cx: &Cx, session: &Session, browser: &Browser<'_>) -> Result<()> {
    let insert = quiet_sql!(
        "the impersonation that it is has been recorded",
        "INSERT INTO sessions (tenant_id, id, digest, tenant_user_id, auth_time, amr, acr, user_agent, client_ip, \
         created_at, last_seen_at, expires_at, impersonation_id) \
         VALUES ($1, $2, $3, $4, $5, $6, '', $7, $8, $5, $5, $9, $10)"
    );
    let address = cx.client_ip.map(|ip| ip.to_string()).unwrap_or_default();
    let user_agent: String = browser.user_agent.chars().filter(|c| !c.is_control()).take(200).collect();
    let acting = session.authentication.acting.as_ref();
    let (id, ends_at) = (acting.map(|acting| acting.id), acting.map(|acting| acting.ends_at));
    let methods = document::store(&session.authentication.amr)?;
    tx.later(
        insert,
        args![
            session.id,
            browser.digest,
            session.person.id,
            cx.now,
            methods,
            user_agent,
            address,
            ends_at,
            id
        ],
    );
    Ok(())
}
