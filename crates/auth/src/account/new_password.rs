//! The new password after a recovery by a proven factor, or in the place of one that an administrator has set: in the browser that has
//! proven it, once, and soon (NIST SP 800-63B §4.2).

use svc_core::{Result, Seconds};
use svc_db::{Tenant, Tx};
use svc_domain::log::Action;
use svc_domain::people::accounts::{self, Account};
use svc_domain::people::changes;
use svc_domain::people::credentials;
use svc_domain::people::guesses;
use svc_http::{Params, Response, Route, Routes};

use super::ends::take_in_ends;
use super::mailed;
use super::recovery::signed_out;
use crate::hosted::paths::NEW_PASSWORD;
use crate::hosted::{Visit, mail, texts};
use crate::pages::{Form, MessageKey, Outcome, ResetPassword, Topic};
use crate::signin::methods::{has_ended, may_enter, password};
use crate::signin::{Progress, SignIn, not_recovered};

/// How long after the first proof a password may be chosen.
const LIFETIME: Seconds = Seconds(30 * 60);

/// The page, and its form.
pub fn routes() -> Routes {
    Routes::new([
        Route::get(NEW_PASSWORD).page("the form for a new password after a recovery", show),
        Route::post(NEW_PASSWORD).form("sets a new password after a recovery", submit),
    ])
}

async fn show(visit: &mut Visit, query: Params) -> Result<Response> {
    let signin = SignIn::open(visit, query.one("flow")).await?;
    let account = owner(&signin).await?;
    page(&signin, &account, None)
}

fn page(signin: &SignIn<'_>, account: &Account, error: Option<MessageKey>) -> Result<Response> {
    let username = account.email.as_deref().unwrap_or_default().into();
    let form = Form::new(NEW_PASSWORD, signin.seal()?).with(error);
    signin.visit().page(&ResetPassword { form, username, min_length: password::shortest() })
}

/// Whose account it is. What has changed the credentials since that was proven takes it back.
async fn owner(signin: &SignIn<'_>) -> Result<Account> {
    let (progress, visit) = (signin.recovered().ok_or_else(not_recovered)?, signin.visit());
    let whose = progress.account().zip(progress.since());
    let (id, since) =
        whose.filter(|(_, since)| visit.cx().now < *since + LIFETIME).ok_or_else(not_recovered)?;
    let account = accounts::find(&mut visit.host.read().await?, id).await?;
    let account = account.filter(|account| account.credentials_changed_at <= since);
    account.ok_or_else(not_recovered)
}

async fn submit(visit: &mut Visit, form: Params) -> Result<Response> {
    let signin = SignIn::open(visit, form.one("flow")).await?;
    let account = owner(&signin).await?;
    let (visit, password) = (signin.visit(), password::typed(&form));
    let names: Vec<&str> =
        [&account.email, &account.profile.name].into_iter().flatten().map(String::as_str).collect();
    if let Some(error) = password::fault(visit, &password, &names).await {
        return page(&signin, &account, Some(error));
    }
    let turns = visit.host.app.services.passwords.of(Some(visit.host.tenant.id.reference()));
    let is_own = signin.replaces_password();
    if is_own && turns.verify(&password, account.password.as_deref()).await? {
        // Who has set it knows it.
        return page(&signin, &account, Some(MessageKey::PasswordTooCommon));
    }
    mail::must_be_sealable(visit)?;
    let hash = turns.hash(&password, &*visit.cx().entropy).await?;
    if !signin.counts_once().await? {
        return Err(not_recovered());
    }
    let progress = signin.recovered().ok_or_else(not_recovered)?;
    let mut tx = visit.host.begin().await?;
    if !is_set(visit, &mut tx, progress, (&hash, is_own)).await? {
        tx.rollback().await?;
        return Err(not_recovered());
    }
    tx.commit().await?;
    take_in_ends(&visit.host).await?;
    match signin.flow_of_recovery() {
        Some(flow) => signed_out(visit, flow, &account).await,
        None => mailed::done(visit, Outcome::PasswordChanged),
    }
}

/// Sets the password, unless the credentials have changed since the proof, or what it rests on has gone; one of the owner's own only where
/// they have to replace the present one. Everything that hung on the old one ends, and the owner gets a mail and a text message about it.
async fn is_set(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    progress: &Progress,
    (hash, is_own): (&str, bool),
) -> Result<bool> {
    let (Some(account), Some(since)) = (progress.account(), progress.since()) else { return Ok(false) };
    // Held before that is read and the time taken: what a sign-in begins until then is older.
    credentials::hold(tx, account);
    if is_own && !accounts::must_change_password(tx, account).await? {
        return Ok(false);
    }
    let candidate = changes::candidate(tx, account).await?;
    let candidate =
        candidate.filter(|now| now.account.credentials_changed_at <= since && may_enter(&visit.host, now));
    let Some(candidate) = candidate else { return Ok(false) };
    if has_ended(tx, &candidate, progress).await? {
        return Ok(false);
    }
    let cx = visit.later().acting_as(candidate.actor());
    let action = if is_own { Action::PasswordChanged } else { Action::PasswordReset };
    changes::set_account_password(tx, &cx, &candidate.account, (hash, action)).await?;
    guesses::clear(tx, &candidate);
    let topic = Topic::of_password(candidate.account.password.as_deref());
    mail::tell_owner(visit, tx, &candidate.account, topic)?;
    let locale = mail::language(visit, candidate.account.profile.locale.as_deref())?;
    texts::tell_owner(&visit.host, tx, (account, &locale)).await?;
    Ok(true)
}
