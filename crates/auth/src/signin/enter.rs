//! The end of every sign-in: one transaction takes note of the proof, begins the session, and goes as far as the way leads.

use svc_core::{Cx, Error, Result};
use svc_db::{Tenant, Tx};
use svc_domain::federation::connectors;
use svc_domain::federation::sso::Connection;
use svc_domain::people::changes;
use svc_domain::people::sessions::Session;
use svc_domain::people::tenant_users::Person;
use svc_http::{IntoResponse, Response, SetCookie};

use super::attempt::Attempt;
use super::ceremony::{SignIn, Way};
use super::history;
use super::notice::{self, Subject};
use super::progress::Progress;
use super::session::{go_on, start};
use super::sso;
use crate::hosted::{Device, SessionCookies, Visit, trusted};
use crate::pages::{MessageKey, Topic};

/// Begins the session of a person who has proven enough, and goes on.
pub async fn enter(
    mut tx: Tx<Tenant>,
    mut way: Way<'_>,
    person: &Person,
    progress: &Progress,
) -> Result<Response> {
    let visit = way.visit();
    if way.recovers() {
        // What lets a person choose a new password is less than what a session may have to begin with.
        return Err(Error::forbidden("a recovery begins no session; sign in with the new password"));
    }
    if let Some(connection) = demanded(visit, &mut tx, person, progress).await? {
        // What was proven stands; only the session does not begin.
        tx.commit().await?;
        return SignIn::new(way).offering(&connection, person.email.as_deref()).await;
    }
    if Box::pin(is_withdrawn(visit, &mut tx, person, progress)).await? {
        // A code that was used stays so.
        tx.commit().await?;
        let attempt = Attempt { error: Some(MessageKey::SignInAgain), ..Attempt::default() };
        return SignIn::new(way).page(&attempt);
    }
    let (session, cookies) = start(visit, &mut tx, person, progress).await?;
    vouch(visit, &mut tx, (person, &session), progress).await?;
    // What is bound counts in every tenant, as what a person adds in the account centre does.
    if changes::may_change_credentials(&mut tx, person.account_id, &progress.amr()).await? {
        way.link(&mut tx, person).await?;
    }
    history::entered(&mut tx, visit, (&session, progress))?;
    if progress.rated().is_some_and(|rated| rated.tells) {
        tell_of_device(visit, &mut tx, (person, &session)).await?;
    }
    // A browser of guests alone is none in which people have signed in.
    let device = if person.is_guest() {
        None
    } else {
        Some(Device::remember(visit, person.account_id, visit.cx().now)?)
    };
    let trusted =
        if progress.earns_trust() { trusted::remember(visit, &mut tx, person).await? } else { None };
    let next = way.advance(&mut tx, &session).await?;
    tx.commit().await?;
    Ok((cookies, device, trusted, way.show(next, &session).await?).into_response())
}

/// The connection that the person's organization demands, unless it has vouched for them.
async fn demanded(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    person: &Person,
    progress: &Progress,
) -> Result<Option<Connection>> {
    let demanded = sso::demanded_of(&visit.host, tx, person.email.as_deref()).await?;
    let has_vouched = |found: &Connection| progress.vouched().is_some_and(|by| by.connection == found.id);
    Ok(demanded.filter(|found| !has_vouched(found)))
}

/// Ties the session to the provider that has vouched for the person.
async fn vouch(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    (person, session): (&Person, &Session),
    progress: &Progress,
) -> Result<()> {
    if let Some(vouched) = progress.vouched() {
        sso::entered(visit, tx, (person, session.id), vouched).await?;
    }
    if let Some(connector) = progress.connector() {
        connectors::vouch(tx, session.id, connector);
    }
    Ok(())
}

async fn tell_of_device(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    (person, session): (&Person, &Session),
) -> Result<()> {
    let subject = Subject::of(visit, Some(session.id));
    if let Some(notice) = notice::written(visit, person, (Topic::NewDevice, &subject))? {
        notice.send(visit, tx).await?;
    }
    Ok(())
}

/// Whether the provider that has vouched for a person does so no more, before the session has begun.
async fn is_withdrawn(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    person: &Person,
    progress: &Progress,
) -> Result<bool> {
    if let (Some(vouched), Some(since)) = (progress.vouched(), progress.since())
        && sso::is_withdrawn(visit, tx, person, (vouched, since)).await?
    {
        return Ok(true);
    }
    match progress.connector() {
        Some(connector) => Ok(!connectors::serves(tx, connector).await?),
        None => Ok(false),
    }
}

/// Begins a session in place of the present one, which a change of the person's own has ended: at the same instant as that.
pub async fn renewed(
    visit: &Visit,
    cx: &Cx,
    tx: &mut Tx<Tenant>,
    session: &Session,
) -> Result<(SessionCookies, SetCookie)> {
    let (_, cookies) = go_on(visit, cx, tx, session).await?;
    Ok((cookies, Device::remember(visit, session.person.account_id, cx.now)?))
}
