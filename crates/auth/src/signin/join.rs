//! Joining a tenant with an account that the deployment knows already: one question, after the account's own credential.

use svc_core::{Error, Result};
use svc_domain::people::accounts::Account;
use svc_domain::people::changes::{self, Candidate};
use svc_domain::people::credentials;
use svc_http::{Params, Response, Route, Routes, StatusCode};

use super::attempt::Attempt;
use super::carried::Joining;
use super::ceremony::{SignIn, Way};
use super::enter::enter;
use super::methods::{has_ended, may_enter};
use crate::hosted::Visit;
use crate::pages::{Form, Join, MessageKey};

const PATH: &str = "/auth/join";

/// The form.
pub fn routes() -> Routes {
    Routes::new([Route::post(PATH).form("joins a tenant with an account", submit)])
}

/// Asks a person who is no member whether to become one.
pub fn page(signin: &SignIn<'_>, account: &Account) -> Result<Response> {
    let form = Form::new(PATH, signin.visit().seal(&Joining(signin.carried()))?);
    let (app_name, target) = match &signin.way {
        Way::Flow(journey) => (
            Some((&journey.app.configuration.name).into()),
            Some(journey.flow.request.reply_to.redirect_uri()),
        ),
        Way::Errand(..) => (None, None),
    };
    let name = account.email.as_deref().or(account.profile.name.as_deref());
    let page = Join { form, account: name.unwrap_or_default().into(), app_name };
    signin.visit().page_as(StatusCode::OK, &page, target)
}

async fn submit(visit: &mut Visit, form: Params) -> Result<Response> {
    let Joining(ceremony) = visit.open(form.one("flow"))?;
    let signin = SignIn::of(visit, ceremony).await?;
    let visit = signin.visit();
    let proven = signin.progress.account().zip(signin.progress.since());
    let is_enough = signin.missing().is_empty() && signin.falls_short().is_none();
    let Some((account, since)) = proven.filter(|_| is_enough) else {
        return Err(Error::forbidden("this sign-in is not complete; start again"));
    };
    // Where a password of their own is still to be chosen, what was proven serves that page, and no session begins here.
    let is_first = signin.owes_own_password() || signin.counts_once().await?;
    let mut tx = visit.host.begin().await?;
    // As where a proof is settled: a session may begin here.
    credentials::hold(&mut tx, account);
    let candidate = changes::candidate(&mut tx, account).await?;
    let may_go_on = |candidate: &Candidate| {
        is_first && may_enter(&visit.host, candidate) && candidate.account.credentials_changed_at <= since
    };
    let candidate = match candidate.filter(may_go_on) {
        Some(candidate)
            if changes::may_join(&mut tx, &candidate).await?
                && !has_ended(&mut tx, &candidate, &signin.progress).await? =>
        {
            Some(candidate)
        }
        _ => None,
    };
    let Some(candidate) = candidate else {
        tx.rollback().await?;
        let attempt = Attempt { notice: Some(MessageKey::SignInAgain), ..Attempt::default() };
        return SignIn::new(signin.way).page(&attempt);
    };
    let person = match candidate.member {
        Some(member) => changes::accepted(&mut tx, visit.cx(), member).await?,
        None => changes::join(&mut tx, visit.cx(), account).await?,
    };
    if signin.owes_own_password() {
        tx.commit().await?;
        return signin.lead_to_own_password();
    }
    enter(tx, signin.way, &person, &signin.progress).await
}
