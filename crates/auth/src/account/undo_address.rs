//! Takes back that an account got another e-mail address: the link of the mail to the address before, for whom a thief has locked out.
//!
//! The account has its former address again, everything under way in it ends in every tenant, what the thief may have added goes, and
//! the owner goes on to choose another password, whatever the present one is. Opening the link changes nothing.

use serde::{Deserialize, Serialize};
use svc_core::{AccountId, Class, Cx, Result, Seconds, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::log::{Action, Meaning, record};
use svc_domain::people::accounts::{self, Account, Email};
use svc_domain::people::address_changes::{self, LIFETIME};
use svc_domain::people::changes::{self, Candidate};
use svc_domain::people::credentials;
use svc_domain::people::links::{self, Link, LinkKind, NewLink};
use svc_domain::people::tenant_users::Person;
use svc_http::{Params, Response, Route, Routes, StatusCode};
use svc_keys::{digest, token};

use super::former_address::tell;
use super::purpose::{Purpose, wrong_form};
use super::taken_back::{self, Next};
use super::{mailed, recovery};
use crate::hosted::Visit;
use crate::hosted::paths::{START, UNDO_ADDRESS};
use crate::pages::{Done, Form, Outcome, UndoAddress};
use crate::signin::offers;

/// How long before the sign-in of the change a thief may have added something.
const MARGIN: Seconds = Seconds(86_400);

/// What the link stands for.
#[derive(Serialize, Deserialize)]
struct Former {
    /// The address that the account had.
    email: String,
    /// From when on what was added goes.
    since: Timestamp,
}

/// The page behind the link and its form.
pub fn routes() -> Routes {
    Routes::new([
        Route::get(UNDO_ADDRESS).page("the link of a mail to the address that an account had", show),
        Route::post(UNDO_ADDRESS).form("gives an account its former address again", submit),
    ])
}

/// Makes a link that takes back a change which follows in the same transaction; its address. Nothing where no one has proven the
/// address before: it may be a stranger's, who would get the account.
pub(super) async fn offer(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (person, since): (&Person, Timestamp),
) -> Result<Option<String>> {
    let Some(before) = person.email.clone().filter(|_| person.email_verified) else { return Ok(None) };
    let secret = token(&*cx.entropy);
    let payload = Former { email: before, since: since - MARGIN };
    let (kind, account) = (LinkKind::UndoAddress, Some(person.account_id));
    let new = NewLink { digest: digest(&secret), kind, account, payload: &payload, lifetime: LIFETIME };
    address_changes::note(tx, cx, (person.account_id, new.digest)).await?;
    links::create(tx, cx, new).await?;
    Ok(Some(mailed::link(visit, UNDO_ADDRESS, &secret)))
}

async fn show(visit: &mut Visit, query: Params) -> Result<Response> {
    let secret = query.one("token").unwrap_or_default();
    let Some(link) = live(visit, secret).await? else { return recovery::dead_link(visit) };
    let flow = visit.seal(&Purpose::UndoAddress(secret.to_owned()))?;
    visit.page(&UndoAddress {
        form: Form::new(UNDO_ADDRESS, flow),
        email: link.payload.email.as_str().into(),
        at: link.created_at.to_string().into(),
    })
}

/// The link where it can be followed; it stays unspent.
async fn live(visit: &Visit, secret: &str) -> Result<Option<Link<Former>>> {
    let Some(link) = mailed::peek::<Former>(visit, secret, LinkKind::UndoAddress).await? else {
        return Ok(None);
    };
    let Some(account) = link.account else { return Ok(None) };
    let mut tx = visit.host.read().await?;
    let stands = address_changes::stands(&mut tx, (account, digest(secret))).await?;
    Ok(stands.then_some(link))
}

async fn submit(visit: &mut Visit, form: Params) -> Result<Response> {
    let Purpose::UndoAddress(secret) = visit.open(form.one("flow"))? else { return Err(wrong_form()) };
    let hash = taken_back::unknown_password(visit).await?;
    let mut tx = visit.host.begin().await?;
    let undone = match spent(visit, &mut tx, &secret).await? {
        Some((candidate, former)) => undone(visit, &mut tx, (&candidate, &former), &hash).await?,
        None => Undone::Dead,
    };
    match undone {
        Undone::Done(next) => {
            tx.commit().await?;
            taken_back::go_on(visit, next).await
        }
        Undone::Dead => {
            tx.rollback().await?;
            recovery::dead_link(visit)
        }
        Undone::Occupied => {
            tx.rollback().await?;
            occupied(visit)
        }
    }
}

/// The page where another account has the address by now. The link goes on to work: that account may give it up.
fn occupied(visit: &Visit) -> Result<Response> {
    let way_on = offers::only_guardians(&visit.host).unwrap_or(START);
    let page = Done { outcome: Outcome::AddressOccupied, continue_url: way_on.into() };
    visit.page_as(StatusCode::BAD_REQUEST, &page, None)
}

/// What has become of the change.
enum Undone {
    /// It was taken back.
    Done(Next),
    /// The link is worth nothing.
    Dead,
    /// Another account has the address.
    Occupied,
}

/// Spends the link and those that came after it; the account with it, where that is active and its owner a member.
async fn spent(visit: &Visit, tx: &mut Tx<Tenant>, secret: &str) -> Result<Option<(Candidate, Former)>> {
    let digest = digest(secret);
    let link = links::spend::<Former>(tx, visit.cx(), digest, LinkKind::UndoAddress).await?;
    let Some((account, former)) = link.and_then(|link| Some((link.account?, link.payload))) else {
        return Ok(None);
    };
    credentials::hold(tx, account);
    if !address_changes::take_back(tx, visit.cx(), (account, digest)).await? {
        return Ok(None);
    }
    let candidate = changes::candidate(tx, account).await?;
    Ok(candidate.filter(|candidate| candidate.account.is_active).map(|candidate| (candidate, former)))
}

/// Gives the account its former address, ends everything under way, and takes back what a thief may have added.
async fn undone(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    (candidate, former): (&Candidate, &Former),
    hash: &str,
) -> Result<Undone> {
    let (account, Some(member)) = (&candidate.account, candidate.member.as_ref()) else {
        return Ok(Undone::Dead);
    };
    let (before, address) = (account.email.as_deref(), Email::parse(&former.email)?);
    if before == Some(address.as_str()) {
        return Ok(Undone::Dead);
    }
    let cx = visit.later().acting_as(member.actor());
    if !is_back(tx, &cx, (member, account.id), (before, &address)).await? {
        return Ok(Undone::Occupied);
    }
    taken_back::take_back(visit, tx, &cx, (candidate, former.since)).await?;
    if let Some(before) = before {
        tell(visit, tx, (before, member.profile.locale.as_deref()), None)?;
    }
    let email = Some(former.email.clone());
    let account = &Account { email, email_verified: true, ..account.clone() };
    let next = taken_back::ended(visit, tx, &cx, (account, hash, Outcome::AddressRestored)).await?;
    Ok(Undone::Done(next))
}

/// Whether the account has the address again: not where another one has it.
async fn is_back(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (member, account): (&Person, AccountId),
    (before, address): (Option<&str>, &Email),
) -> Result<bool> {
    let holder = accounts::find_by_email(tx, address).await?;
    if holder.is_some_and(|holder| holder.id != account) {
        return Ok(false);
    }
    record(tx, cx, Meaning::done(Action::AddressChangeUndone, member.id));
    match changes::set_address(tx, cx, member, (before, address)).await {
        Err(error) if error.class() == Class::Conflict => Ok(false),
        changed => changed,
    }
}
