//! The session behind a browser's cookie (OpenID Connect Core §3.1.2.3): found, or begun with every sign-in.

use svc_core::capability::Capability;
use svc_core::{Actor, Error, Result};
use svc_db::{Tenant, Tx};
use svc_domain::claims::assurance::Level;
use svc_domain::people::impersonations;
use svc_domain::people::sessions::{self, NewSession, Session};
use svc_domain::people::tenant_users::{self, Person};
use svc_http::{SetCookie, TenantCx};
use svc_keys::{digest, token};

use super::progress::{Factor, Progress};
use crate::hosted::Visit;

/// The live session of the person at this browser. While support staff act here for another person, they decide nothing: that is
/// refused unless [`current_or_acting`] asks.
pub async fn current(visit: &Visit, tx: &mut Tx<Tenant>) -> Result<Option<Session>> {
    let session = current_or_acting(visit, tx).await?;
    if session.as_ref().is_some_and(Session::is_acting) { Err(not_while_acting()) } else { Ok(session) }
}

/// The live session of this browser, also one in which support staff act for a person. When that is over, the staff member's own
/// session is back.
pub async fn current_or_acting(visit: &Visit, tx: &mut Tx<Tenant>) -> Result<Option<Session>> {
    if let Some(cookie) = visit.acting() {
        let is_offered = visit.host.tenant.offers(visit.config(), &Capability::IMPERSONATION);
        let digest = Some(cookie.digest()).filter(|_| is_offered);
        if let Some(digest) = digest
            && let Some(session) = impersonations::session(tx, digest, visit.cx().now).await?
        {
            return Ok(Some(session));
        }
        visit.note_acting_is_over();
    }
    own(visit, tx).await
}

/// The refusal of what the person alone does.
pub fn not_while_acting() -> Error {
    Error::forbidden("support staff who act for a person cannot do this; end that first")
}

async fn own(visit: &Visit, tx: &mut Tx<Tenant>) -> Result<Option<Session>> {
    match visit.browser.session() {
        Some(cookie) => sessions::find(tx, cookie, visit.cx().now, visit.lifetimes()).await,
        None => Ok(None),
    }
}

/// The guest whose session this browser has.
pub async fn guest(visit: &Visit) -> Result<Option<Person>> {
    if !visit.has_session() {
        return Ok(None);
    }
    guest_in(visit, &mut visit.host.read().await?).await
}

/// The same in a transaction.
pub async fn guest_in(visit: &Visit, tx: &mut Tx<Tenant>) -> Result<Option<Person>> {
    let session = current(visit, tx).await?;
    Ok(session.map(|session| session.person).filter(Person::is_guest))
}

/// The person whom an access token is about, as they are now; a token of a removed person finds nothing.
pub async fn person_of_token(caller: &TenantCx, tx: &mut Tx<Tenant>) -> Result<Person> {
    if caller.claims.is_of_api_key() {
        return Err(Error::forbidden("an API key decides nothing for its owner; use an access token"));
    }
    let person = tenant_users::find_by_subject(tx, &caller.claims.sub).await?;
    person.filter(Person::may_sign_in).ok_or_else(|| Error::not_found("no record has this id"))
}

/// Begins a session under a new cookie; the one that the browser had before ends, also another person's.
pub async fn start(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    person: &Person,
    progress: &Progress,
) -> Result<(Session, SetCookie)> {
    let old = current(visit, tx).await?;
    let cx = visit.cx().acting_as(Actor::User(person.subject.clone()));
    let secret = token(&*cx.entropy);
    let amr = progress.amr();
    let amr: Vec<&str> = amr.iter().map(String::as_str).collect();
    let acr = progress.level().map(Level::acr).unwrap_or_default();
    let new = NewSession { digest: digest(&secret), amr: &amr, acr, user_agent: &visit.user_agent };
    let lifetimes = visit.lifetimes();
    let session = sessions::create(tx, &cx, person, new, lifetimes)?;
    if let Some(old) = old {
        let cx = visit.cx().acting_as(Actor::User(old.person.subject.clone()));
        sessions::replace(tx, &cx, &old, &session).await?;
        if let Some(organization) = old.organization.filter(|_| old.person.id == session.person.id) {
            sessions::choose(tx, &session, organization);
        }
    }
    tracing::info!(
        target: "svc::sign_in", request_id = cx.request_id, tenant_user = %person.id, ?amr, "signed in"
    );
    let factor = progress.first().map_or("none", Factor::label);
    visit.host.app.metrics.count_one("sign_ins_total", &[("factor", factor), ("outcome", "success")]);
    Ok((session, visit.browser.session_cookie(&secret, lifetimes.absolute)?))
}
