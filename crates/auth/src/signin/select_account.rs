//! The answer to the account chooser (OpenID Connect Core §3.1.2.1, `prompt=select_account`).

use svc_core::Result;
use svc_http::{Form, HeaderMap, HostCx, OauthError, Response, Route, Routes};

use super::journey::Journey;
use super::session::current;
use crate::authorize::Wish;
use crate::hosted::Visit;
use crate::hosted::paths::SELECT_ACCOUNT;

/// The account chooser.
pub fn routes() -> Routes {
    Routes::new([Route::post(SELECT_ACCOUNT).public("the account chooser", select_account).undocumented()])
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
    let form = visit.own_form(form)?;
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
