//! "Was this you?": the link of a mail about a sign-in, and what follows where it was not.
//!
//! The password is replaced by a random one, which ends everything that depends on the account in every tenant, and the owner goes
//! on to choose another. Opening the link changes nothing.

use svc_core::{Actor, Result};
use svc_db::{Tenant, Tx};
use svc_domain::log::{Action, Meaning, record};
use svc_domain::people::changes::{self, Candidate};
use svc_domain::people::credentials::{self, Kind, Owner};
use svc_domain::people::links::{self, LinkKind};
use svc_domain::people::tenant_users;
use svc_http::{IntoResponse as _, Params, Response, Route, Routes, see_other};
use svc_keys::{digest, token};

use super::mailed;
use super::purpose::{Purpose, wrong_form};
use super::recovery;
use crate::hosted::Visit;
use crate::hosted::paths::WAS_THIS_YOU;
use crate::pages::{Form, Outcome, WasThisYou};
use crate::signin::notice::Subject;

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
    let Subject { session, at, browser, os, network } = link.payload;
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
    // The attacker may know the present password; a random one takes its place.
    let unknown = svc_core::Secret::new(token(&*visit.cx().entropy));
    let hash = visit.host.app.services.passwords.hash(&unknown, &*visit.cx().entropy).await?;
    let mut tx = visit.host.begin().await?;
    let Some(candidate) = owner(visit, &mut tx, &secret).await? else {
        tx.rollback().await?;
        return recovery::dead_link(visit);
    };
    let next = disowned(visit, &mut tx, (&candidate, &hash)).await?;
    tx.commit().await?;
    recovery::take_in_ends(visit).await?;
    match next {
        Some(path) => Ok(see_other(&path).into_response()),
        None => mailed::done(visit, Outcome::SignInDisowned),
    }
}

/// Spends the link; the account, unless its credentials have changed since.
async fn owner(visit: &Visit, tx: &mut Tx<Tenant>, secret: &str) -> Result<Option<Candidate>> {
    let link = links::spend::<Subject>(tx, visit.cx(), digest(secret), LinkKind::WasThisYou).await?;
    let Some((account, made_at)) = link.and_then(|link| Some((link.account?, link.created_at))) else {
        return Ok(None);
    };
    let candidate = changes::candidate(tx, account).await?;
    let is_as_it_was = |candidate: &Candidate| {
        candidate.account.is_active && candidate.account.credentials_changed_at <= made_at
    };
    Ok(candidate.filter(is_as_it_was))
}

/// Ends everything under way; the page where another password is chosen, if there was one.
async fn disowned(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    (candidate, hash): (&Candidate, &str),
) -> Result<Option<String>> {
    let (account, member) = (&candidate.account, candidate.member.as_ref());
    let actor = member.map_or(Actor::Anonymous, |member| Actor::User(member.subject.clone()));
    let cx = visit.cx().acting_as(actor);
    let target = member.map(|member| member.id.to_string()).unwrap_or_default();
    record(tx, &cx, Meaning::done(Action::SignInDisowned, target));
    let owner = Owner { account: account.id, member: member.map(|member| member.id) };
    credentials::remove_all(tx, &cx, owner, Kind::TrustedBrowser).await?;
    if account.password.is_some() {
        changes::set_account_password(tx, &cx, account, (hash, Action::PasswordReset)).await?;
        return recovery::begun(visit, tx, account).await.map(Some);
    }
    if let Some(member) = member {
        tenant_users::end_access(tx, &cx, member).await?;
    }
    Ok(None)
}
