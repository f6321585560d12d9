//! The answers to the account chooser (OpenID Connect Core §3.1.2.1, `prompt=select_account`): on the way to an application, and
//! on the way to a page of our own.

use svc_core::{Result, SessionId};
use svc_http::{IntoResponse as _, Params, Response, Route, Routes, see_other};

use super::accounts::Accounts;
use super::attempt::Attempt;
use super::called::account_of;
use super::choices::OTHER;
use super::errand::Errand;
use super::journey::Journey;
use crate::authorize::PromptValue;
use crate::hosted::Visit;
use crate::hosted::paths::{SELECT_ACCOUNT, SWITCH_ACCOUNT};

/// The account chooser.
pub fn routes() -> Routes {
    Routes::new([
        Route::post(SELECT_ACCOUNT).form("the account chooser", select_account),
        Route::post(SWITCH_ACCOUNT).form("the account chooser of our own pages", switch_account),
    ])
}

async fn select_account(visit: &mut Visit, form: Params) -> Result<Response> {
    let mut journey = Journey::open(visit, form.one("flow")).await?;
    let choice = form.required("account")?;
    let visit = journey.visit;
    let mut tx = visit.host.begin().await?;
    let accounts = Accounts::of(visit, &mut tx).await?;
    let chosen = accounts.named(choice).map(|session| (session.id, session.person.id));
    journey.flow.person = chosen.map(|(_, person)| person);
    journey.flow.signed_in = None;
    journey.flow.selected = chosen.is_some();
    journey.flow.for_another = chosen.is_none();
    journey.flow.request.login_hint = match accounts.named(choice) {
        // Where the account has to sign in again, the form starts with it.
        Some(session) => Some(account_of(&session.person).to_owned()),
        None => hint(choice).map(str::to_owned),
    };
    if chosen.is_none() {
        journey.flow.request.prompt.add(PromptValue::Login);
    }
    let (next, session) = journey.next(&mut tx, None).await?;
    tx.commit().await?;
    let answer = journey.show(next, session.as_ref()).await?;
    let switched = chosen.filter(|_| accounts.are_several());
    let cookies = switched.map(|(id, _)| accounts.with_chosen(id).cookies(visit)).transpose()?;
    Ok((cookies, answer).into_response())
}

async fn switch_account(visit: &mut Visit, form: Params) -> Result<Response> {
    let errand: Errand = visit.open(form.one("flow"))?;
    let choice = form.required("account")?;
    let accounts = Accounts::of(visit, &mut visit.host.read().await?).await?;
    match accounts.named(choice).map(|session| session.id) {
        Some(id) => Ok((accounts.with_chosen(id).cookies(visit)?, see_other(&errand.url())).into_response()),
        None => errand.sign_in_page(visit, &Attempt { username: hint(choice), ..Attempt::default() }),
    }
}

/// What the sign-in form starts with: the address or user name of an account that was signed in here, but not the session of one
/// that is not any more.
fn hint(choice: &str) -> Option<&str> {
    Some(choice).filter(|choice| *choice != OTHER && choice.parse::<SessionId>().is_err())
}
