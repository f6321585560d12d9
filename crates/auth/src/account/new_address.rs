//! Another e-mail address for an account: it takes effect once its owner has signed in again and opened the link that was mailed
//! to it. The former address gets a mail, with a link that takes the change back.
//!
//! The link is good for the account that asked for it and for no other, so that a stranger whose address was typed can confirm
//! nothing by following it.

use serde::{Deserialize, Serialize};
use svc_core::{AccountId, Class, Result, Seconds};
use svc_db::{Tenant, Tx};
use svc_domain::log::{Action, Meaning, record};
use svc_domain::people::accounts::{self, Email};
use svc_domain::people::changes;
use svc_domain::people::links::{self, LinkKind, NewLink};
use svc_domain::people::sessions::Session;
use svc_domain::people::tenant_users::Person;
use svc_http::{HostCx, Params, Response, Route, Routes};
use svc_keys::{digest, token};

use super::former_address::tell;
use super::mailed;
use super::own::owner::Own;
use super::purpose::{Purpose, wrong_form};
use super::undo_address;
use super::written::Sender;
use crate::hosted::Visit;
use crate::hosted::mail::asker_waits;
use crate::hosted::paths::{ACCOUNT, NEW_ADDRESS, START};
use crate::pages::{Form, Mail, MessageKey, NewAddress, Outcome, Topic};
use crate::signin::{Accounts, Attempt, Errand, account_of, demanded_of};

/// How long a link may be followed.
const LIFETIME: Seconds = Seconds(60 * 60);
/// Most links that one account asks for in an hour.
const MOST: i64 = 5;

/// What the link in the mail stands for.
#[derive(Serialize, Deserialize)]
struct Pending {
    /// The address that the account had; when that has changed, the link changes nothing.
    before: Option<String>,
    /// The address that the link proves.
    after: String,
}

/// The result of asking for another address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskOutcome {
    /// A mail is on its way.
    Mailed,
    /// The account has this address already.
    Same,
    /// An organization decides how the owner of the present address signs in, and goes by that address.
    Enforced,
    /// Too many links were asked for; in so long there may be another.
    TooMany(Seconds),
}

/// The page behind the link and its form.
pub fn routes() -> Routes {
    Routes::new([
        Route::get(NEW_ADDRESS).page("the link of a mail to an address that an account is to have", show),
        Route::post(NEW_ADDRESS).form("gives the account of the session another address", submit),
    ])
}

/// Mails a link to the new address. Where another account has the address, the mail says that instead; the person who asks does
/// not learn of it.
pub async fn ask(own: &Own, after: &Email) -> Result<AskOutcome> {
    let (person, sender) = (&own.person, Sender::from(&own.host));
    if person.email_verified && person.email.as_deref() == Some(after.as_str()) {
        return Ok(AskOutcome::Same);
    }
    if is_enforced(&own.host, person).await? {
        return Ok(AskOutcome::Enforced);
    }
    let asker = (person.account_id.to_string(), MOST);
    if let Some(wait) = asker_waits(&own.host, "new address", asker, after).await {
        return Ok(AskOutcome::TooMany(wait));
    }
    let cx = own.cx();
    let secret = token(&*cx.entropy);
    let payload = Pending { before: person.email.clone(), after: after.as_str().to_owned() };
    let (kind, account) = (LinkKind::ChangeAddress, Some(person.account_id));
    let new = NewLink { digest: digest(&secret), kind, account, payload: &payload, lifetime: LIFETIME };
    let mut tx = own.host.begin().await?;
    let is_free = is_free(&mut tx, person.account_id, after).await?;
    links::create(&mut tx, cx, new).await?;
    record(&mut tx, cx, Meaning::done(Action::AddressChangeRequested, person.id));
    let url = if is_free { sender.link(NEW_ADDRESS, &secret) } else { sender.tenant.issuer.clone() };
    let topic = if is_free { Topic::NewAddress } else { Topic::AddressTaken };
    let mail = Mail { topic, name: None, organization: None, url: &url, code: None, time: Some(LIFETIME) };
    sender.queue_to(&mut tx, (after.as_str(), own.language.as_deref()), &mail)?;
    tx.commit().await?;
    Ok(AskOutcome::Mailed)
}

/// Whether people with the present address sign in at the provider of their organization alone: another address would free them of it.
async fn is_enforced(host: &HostCx, person: &Person) -> Result<bool> {
    let demanded = demanded_of(host, &mut host.read().await?, person.email.as_deref()).await?;
    Ok(demanded.is_some())
}

/// Whether no other account has the address.
async fn is_free(tx: &mut Tx<Tenant>, account: AccountId, email: &Email) -> Result<bool> {
    let found = accounts::find_by_email(tx, email).await?;
    Ok(found.is_none_or(|found| found.id == account))
}

/// Shows the form that changes the address; opening the link changes nothing.
async fn show(visit: &mut Visit, query: Params) -> Result<Response> {
    let secret = query.one("token").unwrap_or_default();
    match opened(visit, secret).await? {
        Opened::Dead => mailed::dead_link(visit, START),
        Opened::Strange(notice) => sign_in(visit, secret, notice),
        Opened::Ready(session, pending) => page(visit, secret, (&session.person, &pending)),
    }
}

/// What a link leads to.
enum Opened {
    /// Nowhere: it was followed, is too old, or never was one.
    Dead,
    /// The person who asked for it is not signed in here; another one learns why they are asked to sign in.
    Strange(Option<MessageKey>),
    /// The person is here.
    Ready(Box<Session>, Pending),
}

async fn opened(visit: &mut Visit, secret: &str) -> Result<Opened> {
    let Some(link) = mailed::peek::<Pending>(visit, secret, LinkKind::ChangeAddress).await? else {
        return Ok(Opened::Dead);
    };
    let accounts = Accounts::of(visit, &mut visit.host.read().await?).await?;
    let is_owner = |session: &&Session| Some(session.person.account_id) == link.account;
    // Who asked may be the one from whom the owner has taken the account back since.
    let counts = |person: &Person| {
        person.email == link.payload.before && person.credentials_changed_at <= link.created_at
    };
    Ok(match accounts.sessions().find(is_owner).cloned() {
        Some(session) if counts(&session.person) => {
            visit.speak_as(&session.person)?;
            Opened::Ready(Box::new(session), link.payload)
        }
        Some(_) => Opened::Dead,
        None => Opened::Strange(accounts.present().map(|_| MessageKey::LinkOfAnother)),
    })
}

fn sign_in(visit: &Visit, secret: &str, notice: Option<MessageKey>) -> Result<Response> {
    Errand::NewAddress(secret.to_owned()).sign_in_page(visit, &Attempt { notice, ..Attempt::default() })
}

fn page(visit: &Visit, secret: &str, (person, pending): (&Person, &Pending)) -> Result<Response> {
    let flow = visit.seal(&Purpose::ChangeAddress(secret.to_owned()))?;
    visit.page(&NewAddress {
        form: Form::new(NEW_ADDRESS, flow),
        account: account_of(person).into(),
        switch_url: Some(Errand::NewAddress(secret.to_owned()).switch_url(visit)?.into()),
        email: pending.after.as_str().into(),
    })
}

async fn submit(visit: &mut Visit, form: Params) -> Result<Response> {
    let Purpose::ChangeAddress(secret) = visit.open(form.one("flow"))? else { return Err(wrong_form()) };
    let session = match opened(visit, &secret).await? {
        Opened::Dead => return mailed::dead_link(visit, START),
        Opened::Strange(notice) => return sign_in(visit, &secret, notice),
        Opened::Ready(session, _) => session,
    };
    if is_enforced(&visit.host, &session.person).await? {
        return mailed::dead_link(visit, START);
    }
    let mut tx = visit.host.begin().await?;
    if changed(visit, &mut tx, (&secret, &session)).await? {
        tx.commit().await?;
        return mailed::done_at(visit, Outcome::AddressChanged, ACCOUNT);
    }
    tx.rollback().await?;
    mailed::dead_link(visit, START)
}

/// Spends the link and changes the address, or nothing at all.
async fn changed(visit: &Visit, tx: &mut Tx<Tenant>, (secret, session): (&str, &Session)) -> Result<bool> {
    let person = &session.person;
    let cx = visit.cx().acting_as(person.actor());
    let link = links::spend::<Pending>(tx, &cx, digest(secret), LinkKind::ChangeAddress).await?;
    let Some(link) = link.filter(|link| link.account == Some(person.account_id)) else { return Ok(false) };
    let (Pending { before, after }, asked_at) = (link.payload, link.created_at);
    let after = Email::parse(&after)?;
    if !is_free(tx, person.account_id, &after).await? {
        return Ok(false);
    }
    let former = before.as_deref().filter(|before| *before != after.as_str());
    let is_other = former.is_some_and(|former| !former.eq_ignore_ascii_case(after.as_str()));
    let undo = if is_other {
        let since = session.authentication.auth_time.min(asked_at);
        undo_address::offer(visit, tx, &cx, (person, since)).await?
    } else {
        None
    };
    match changes::set_address(tx, &cx, person, (before.as_deref(), &after)).await {
        Ok(true) => {}
        Ok(false) => return Ok(false),
        Err(error) if error.class() == Class::Conflict => return Ok(false),
        Err(error) => return Err(error),
    }
    if let Some(former) = former {
        tell(visit, tx, (former, person.profile.locale.as_deref()), undo.as_deref())?;
    }
    Ok(true)
}
