//! "Was this you?": the link of a mail about a sign-in, and what follows where it was not.
//!
//! The password is replaced by a random one, which ends everything that depends on the account in every tenant; what has been added
//! since the sign-in goes; and the owner goes on to choose another password. Opening the link changes nothing.

use svc_core::{Cx, Result};
use svc_db::{Tenant, Tx};
use svc_domain::log::{Action, Meaning, record, target_of};
use svc_domain::people::accounts::{self, Account, Email};
use svc_domain::people::address_changes;
use svc_domain::people::changes::{self, Candidate};
use svc_domain::people::credentials;
use svc_domain::people::links::{self, Link, LinkKind};
use svc_domain::people::login_history;
use svc_domain::people::tenant_users::Person;
use svc_http::{Params, Response, Route, Routes, StatusCode};
use svc_keys::digest;

use super::mailed;
use super::purpose::{Purpose, wrong_form};
use super::recovery;
use super::taken_back::{self, Next};
use crate::hosted::Visit;
use crate::hosted::paths::{FORGOT, WAS_THIS_YOU};
use crate::pages::{Done, Form, Outcome, WasThisYou};
use crate::signin::notice::Subject;
use crate::signin::offers;

/// The page behind the link and its form.
pub fn routes() -> Routes {
    Routes::new([
        Route::get(WAS_THIS_YOU).page("the link of a mail about a sign-in", show),
        Route::post(WAS_THIS_YOU).form("says that a sign-in was not the owner's", submit),
    ])
}

async fn show(visit: &mut Visit, query: Params) -> Result<Response> {
    let secret = query.one("token").unwrap_or_default();
    let Some(link) = mailed::peek::<Subject>(visit, secret, LinkKind::WasThisYou).await? else {
        return recovery::dead_link(visit);
    };
    let Subject { session, at, browser, os, network, .. } = link.payload;
    let flow = visit.seal(&Purpose::DisownSignIn(secret.to_owned()))?;
    visit.page(&WasThisYou {
        form: Form::new(WAS_THIS_YOU, flow),
        at: at.to_string().into(),
        browser: browser.into(),
        os: os.into(),
        network: network.into(),
        is_refused: session.is_none(),
    })
}

async fn submit(visit: &mut Visit, form: Params) -> Result<Response> {
    let Purpose::DisownSignIn(secret) = visit.open(form.one("flow"))? else { return Err(wrong_form()) };
    let hash = taken_back::unknown_password(visit).await?;
    let mut tx = visit.host.begin().await?;
    let Some((candidate, link)) = owner(visit, &mut tx, &secret).await? else {
        tx.rollback().await?;
        return recovery::dead_link(visit);
    };
    if candidate.account.credentials_changed_at > link.created_at {
        tx.rollback().await?;
        return too_late(visit);
    }
    let next = disowned(visit, &mut tx, (&candidate, &link.payload), &hash).await?;
    tx.commit().await?;
    taken_back::go_on(visit, next).await
}

/// The page where the credentials have changed since. Nothing tells a thief's change from one of the owner, who may have set up more
/// since, so that the link takes nothing back; a password by a new mail, or by guardians where none is mailed, ends a thief's sessions
/// as well.
fn too_late(visit: &Visit) -> Result<Response> {
    let by_mail = offers::recovery(&visit.host).then_some(FORGOT);
    let Some(way_on) = by_mail.or_else(|| offers::only_guardians(&visit.host)) else {
        return recovery::dead_link(visit);
    };
    let page = Done { outcome: Outcome::ChangedSince, continue_url: way_on.into() };
    visit.page_as(StatusCode::BAD_REQUEST, &page, None)
}

/// Spends the link; the account with it, where that is active.
async fn owner(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    secret: &str,
) -> Result<Option<(Candidate, Link<Subject>)>> {
    let link = links::spend::<Subject>(tx, visit.cx(), digest(secret), LinkKind::WasThisYou).await?;
    let Some(link) = link else { return Ok(None) };
    let Some(account) = link.account else { return Ok(None) };
    credentials::hold(tx, account);
    // Who made a change since the sign-in does not get its address back.
    address_changes::forget_since(tx, visit.cx(), (account, link.payload.at)).await?;
    let candidate = changes::candidate(tx, account).await?;
    Ok(candidate.filter(|candidate| candidate.account.is_active).map(|candidate| (candidate, link)))
}

/// Ends everything under way, and takes back what the sign-in may have added.
async fn disowned(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    (candidate, subject): (&Candidate, &Subject),
    hash: &str,
) -> Result<Next> {
    let (account, member) = (&candidate.account, candidate.member.as_ref());
    let cx = visit.later().acting_as(candidate.actor());
    let target = target_of(candidate.member_id());
    record(tx, &cx, Meaning::done(Action::SignInDisowned, target));
    taken_back::take_back(visit, tx, &cx, (candidate, subject.at)).await?;
    if let Some(member) = member {
        login_history::disown(tx, member.id, (&subject.network, subject.at)).await?;
    }
    let account = &restored(tx, &cx, (account, member), subject).await?;
    taken_back::ended(visit, tx, &cx, (account, hash, Outcome::SignInDisowned)).await
}

/// The account with the address to which the link was mailed, where it has another one by now: a new password is mailed to that.
async fn restored(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (account, member): (&Account, Option<&Person>),
    subject: &Subject,
) -> Result<Account> {
    let (before, mailed) = (account.email.as_deref(), subject.email.as_deref());
    let (Some(member), Some(mailed)) = (member, mailed.filter(|mailed| before != Some(mailed))) else {
        return Ok(account.clone());
    };
    let address = Email::parse(mailed)?;
    if accounts::find_by_email(tx, &address).await?.is_some() {
        return Ok(account.clone());
    }
    changes::set_address(tx, cx, member, (before, &address)).await?;
    Ok(Account { email: Some(mailed.to_owned()), email_verified: true, ..account.clone() })
}
