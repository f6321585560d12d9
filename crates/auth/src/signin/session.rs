//! The session of the account that acts in a browser (OpenID Connect Core §3.1.2.3): found, or begun with every sign-in.

use svc_core::{Cx, Error, Result, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::claims::assurance::Level;
use svc_domain::coordination::attempts;
use svc_domain::federation::{connectors, sso};
use svc_domain::grants::grant::Authentication;
use svc_domain::people::sessions::{self, NewSession, Session};
use svc_domain::people::tenant_users::{self, Person};
use svc_http::TenantCx;
use svc_keys::{digest, token};

use super::accounts::Accounts;
use super::acting_session::acting;
use super::progress::{Factor, Progress};
use crate::hosted::{SessionCookies, Visit};

/// The live session of the account that is used at this browser: where that is over, of the one before it. While support staff act
/// here for another person, they decide nothing: that is refused unless [`current_or_acting`] asks.
pub async fn current(visit: &Visit, tx: &mut Tx<Tenant>) -> Result<Option<Session>> {
    let session = current_or_acting(visit, tx).await?;
    if session.as_ref().is_some_and(Session::is_acting) { Err(not_while_acting()) } else { Ok(session) }
}

/// The same, or the live session in which support staff act for a person. When that is over, the staff member's own session is
/// back.
pub async fn current_or_acting(visit: &Visit, tx: &mut Tx<Tenant>) -> Result<Option<Session>> {
    match acting(visit, tx).await? {
        Some(session) => Ok(Some(session)),
        None => own(visit, tx).await,
    }
}

/// The refusal of what the person alone does.
pub fn not_while_acting() -> Error {
    Error::forbidden("support staff who act for a person cannot do this; end that first")
}

/// Refuses what a person decides while their account is locked: an attacker who guesses a password must not gain from a session
/// that is still open.
pub async fn must_not_be_locked(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person) -> Result<()> {
    if attempts::is_locked(tx, cx, attempts::subject_of(person.account_id)).await? {
        return Err(Error::forbidden("this account is locked for a while; nothing can be decided with it"));
    }
    Ok(())
}

async fn own(visit: &Visit, tx: &mut Tx<Tenant>) -> Result<Option<Session>> {
    let signed_in = &visit.browser.signed_in;
    if signed_in.has_others() {
        return Ok(Accounts::of(visit, tx).await?.present().cloned());
    }
    match signed_in.present() {
        Some(cookie) => sessions::find(tx, cookie, visit.cx().now, visit.lifetimes()).await,
        None => Ok(None),
    }
}

/// The guest who acts in this browser.
pub async fn guest(visit: &Visit) -> Result<Option<Person>> {
    if !visit.has_session() {
        return Ok(None);
    }
    guest_in(visit, &mut visit.host.read().await?).await
}

/// The guest whose session this browser has, also where another account acts.
pub async fn any_guest(visit: &Visit) -> Result<Option<Person>> {
    if !visit.browser.has_session() {
        return Ok(None);
    }
    let accounts = Accounts::of(visit, &mut visit.host.read().await?).await?;
    Ok(accounts.sessions().map(|session| &session.person).find(|person| person.is_guest()).cloned())
}

/// The same in a transaction.
pub async fn guest_in(visit: &Visit, tx: &mut Tx<Tenant>) -> Result<Option<Person>> {
    let session = current(visit, tx).await?;
    Ok(session.map(|session| session.person).filter(Person::is_guest))
}

/// Whether an application of others calls. The tokens of one that is gone have ended with it.
pub async fn is_of_others(caller: &TenantCx) -> Result<bool> {
    let app = caller.app.services.apps.find(caller.tenant.id, &caller.claims.client_id).await?;
    Ok(app.is_some_and(|app| !app.configuration.first_party))
}

/// The person whom an access token is about, as they are now; a token of a removed person finds nothing.
pub async fn person_of_token(caller: &TenantCx, tx: &mut Tx<Tenant>) -> Result<Person> {
    if caller.claims.is_of_api_key() {
        return Err(Error::forbidden("an API key decides nothing for its owner; use an access token"));
    }
    let person = tenant_users::find_by_subject(tx, &caller.claims.sub).await?;
    person.filter(Person::may_sign_in).ok_or_else(|| Error::unknown_id())
}

/// Begins the session of a person who has just signed in.
pub async fn start(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    person: &Person,
    progress: &Progress,
) -> Result<(Session, SessionCookies)> {
    let amr = progress.amr();
    let acr = progress.level().map(Level::acr).unwrap_or_default();
    let auth_time = progress.auth_time(visit.cx().now);
    let begun = begin(visit, visit.cx(), tx, person, (&amr, acr, auth_time)).await?;
    let (request_id, tenant_user) = (&visit.cx().request_id, person.id);
    tracing::info!(target: "svc::sign_in", request_id, %tenant_user, amr = amr.join(" "), "signed in");
    let factor = progress.first().map_or("none", Factor::label);
    visit.host.app.metrics.count_one("sign_ins_total", &[("factor", factor), ("outcome", "success")]);
    Ok(begun)
}

/// Begins a session in place of one that a change of the person's own has ended: what it has proven, and when, stays, and who vouched
/// for it.
pub async fn go_on(
    visit: &Visit,
    cx: &Cx,
    tx: &mut Tx<Tenant>,
    ended: &Session,
) -> Result<(Session, SessionCookies)> {
    let Authentication { amr, acr, auth_time, .. } = &ended.authentication;
    let begun = begin(visit, cx, tx, &ended.person, (amr, acr, *auth_time)).await?;
    if let Some((identity, sid)) = sso::of_session(tx, ended.id).await? {
        sso::vouch(tx, begun.0.id, &identity, sid.as_deref());
    }
    if let Some(connector) = connectors::of_session(tx, ended.id).await? {
        connectors::vouch(tx, begun.0.id, connector);
    }
    Ok(begun)
}

/// Begins a session under a new secret, whose account acts from now on. What the browser had of the same person before ends.
async fn begin(
    visit: &Visit,
    cx: &Cx,
    tx: &mut Tx<Tenant>,
    person: &Person,
    (amr, acr, auth_time): (&[String], &str, Timestamp),
) -> Result<(Session, SessionCookies)> {
    let accounts = Accounts::of(visit, tx).await?;
    let cx = cx.acting_as(person.actor());
    let secret = token(&*cx.entropy);
    let amr: Vec<&str> = amr.iter().map(String::as_str).collect();
    let new =
        NewSession { digest: digest(&secret), amr: &amr, acr, auth_time, user_agent: &visit.user_agent };
    let session = sessions::create(tx, &cx, person, new, visit.lifetimes())?;
    let accounts = accounts.with_new(visit, tx, (secret, &session)).await?;
    Ok((session, accounts.cookies(visit)?))
}
