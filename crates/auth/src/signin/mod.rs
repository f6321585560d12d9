//! Hosted sign-in: the form, the account chooser, and the way back into a flow (OpenID Connect Core §3.1.2.3).

mod engine;
mod errand;
#[cfg(test)]
pub mod fixtures;
mod journey;
pub mod methods;
mod session;
mod steps;
#[cfg(test)]
mod tests;

use svc_core::Result;
use svc_http::{
    Form, HeaderMap, HostCx, IntoResponse, OauthError, Params, Response, Route, Routes, StatusCode, Uri,
};

pub use self::errand::Errand;
pub use self::journey::Journey;
use self::methods::{Proof, Verdict};
pub use self::session::{current, start};
pub use self::steps::{Attempt, account_of};
use crate::authorize::Wish;
use crate::pages::MessageKey;
use crate::visit::Visit;

/// Where the pages of a flow live.
pub const CONTINUE: &str = "/auth/continue";
const SIGN_IN: &str = "/auth/sign-in";
const SELECT_ACCOUNT: &str = "/auth/select-account";

/// Sign-in and what belongs to it.
pub fn routes() -> Routes {
    Routes::new([
        Route::get(CONTINUE).public("a page of sign-in", resume).undocumented(),
        Route::post(SIGN_IN).public("the sign-in form", sign_in).undocumented(),
        Route::post(SELECT_ACCOUNT).public("the account chooser", select_account).undocumented(),
    ])
    .merge(errand::routes())
}

/// The query of a page.
pub fn query_of(uri: &Uri) -> Result<Params> {
    Params::parse(uri.query().unwrap_or_default())
}

/// The form that one of our own pages sent.
pub fn own_form(visit: &Visit, form: Result<Form, OauthError>) -> Result<Params> {
    visit.refuse_foreign_forms()?;
    form.map(|Form(params)| params).map_err(|OauthError(error)| error)
}

async fn resume(host: HostCx, headers: HeaderMap, uri: Uri) -> Result<Response, OauthError> {
    let mut visit = Visit::new(host, &headers)?;
    let outcome = resumed(&mut visit, &uri).await;
    Ok(visit.answer(outcome))
}

async fn resumed(visit: &mut Visit, uri: &Uri) -> Result<Response> {
    let query = query_of(uri)?;
    Journey::open(visit, query.one("flow")).await?.resume().await
}

async fn sign_in(
    host: HostCx,
    headers: HeaderMap,
    form: Result<Form, OauthError>,
) -> Result<Response, OauthError> {
    let mut visit = Visit::new(host, &headers)?;
    let outcome = signed_in(&mut visit, form).await;
    Ok(visit.answer(outcome))
}

async fn signed_in(visit: &mut Visit, form: Result<Form, OauthError>) -> Result<Response> {
    let form = own_form(visit, form)?;
    let journey = Journey::open(visit, form.one("flow")).await?;
    let method = methods::chosen(journey.visit, form.one("method"))?;
    match (method.finish)(journey.visit, &form).await? {
        Verdict::Proven(proof) => enter(journey, *proof).await,
        Verdict::Refused(status, error) => journey.sign_in_page(&again(&form, status, error)),
    }
}

fn again(form: &Params, status: StatusCode, error: MessageKey) -> Attempt<'_> {
    Attempt { username: form.one("username"), error: Some(error), status, ..Attempt::default() }
}

/// One transaction: the proof is taken note of, the session begins, and the flow goes as far as it can.
async fn enter(mut journey: Journey<'_>, proof: Proof) -> Result<Response> {
    let visit = journey.visit;
    let mut tx = visit.host.begin().await?;
    let Some(person) = proof.settle(&mut tx, visit.cx()).await? else {
        tx.rollback().await?;
        let attempt = Attempt { error: Some(MessageKey::WrongCredentials), ..Attempt::default() };
        return journey.sign_in_page(&attempt);
    };
    let (session, cookie) = start(visit, &mut tx, &person, proof.method).await?;
    journey.flow = journey.flow.signed_in(session.id, visit.cx().now);
    let next = journey.advance(&mut tx, Some(&session), None).await?;
    tx.commit().await?;
    Ok((cookie, journey.show(next, Some(&session))?).into_response())
}

async fn select_account(
    host: HostCx,
    headers: HeaderMap,
    form: Result<Form, OauthError>,
) -> Result<Response, OauthError> {
    let mut visit = Visit::new(host, &headers)?;
    let outcome = selected(&mut visit, form).await;
    Ok(visit.answer(outcome))
}

async fn selected(visit: &mut Visit, form: Result<Form, OauthError>) -> Result<Response> {
    let form = own_form(visit, form)?;
    let mut journey = Journey::open(visit, form.one("flow")).await?;
    let choice = form.required("account")?;
    let visit = journey.visit;
    let mut tx = visit.host.begin().await?;
    let session = current(visit, &mut tx).await?;
    match &session {
        Some(session) if session.id.to_string() == choice => journey.flow.selected = true,
        _ => journey.flow.request.prompt.add(Wish::Login),
    }
    let next = journey.advance(&mut tx, session.as_ref(), None).await?;
    tx.commit().await?;
    journey.show(next, session.as_ref())
}
