//! The sign-in form of a flow, and the way back into the flow (OpenID Connect Core §3.1.2.3).

use svc_core::Result;
use svc_http::{Form, HeaderMap, HostCx, IntoResponse, OauthError, Response, Route, Routes, Uri};

use super::journey::Journey;
use super::methods::{self, Proof, Verdict};
use super::session::start;
use super::steps::Attempt;
use crate::hosted::paths::{CONTINUE, SIGN_IN};
use crate::hosted::{Visit, query_of};
use crate::pages::MessageKey;

/// The form, and the address of its flow.
pub fn routes() -> Routes {
    Routes::new([
        Route::get(CONTINUE).public("a page of sign-in", resume).undocumented(),
        Route::post(SIGN_IN).public("the sign-in form", sign_in).undocumented(),
    ])
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
    let form = visit.own_form(form)?;
    let journey = Journey::open(visit, form.one("flow")).await?;
    let method = methods::chosen(journey.visit, form.one("method"))?;
    match (method.finish)(journey.visit, &form).await? {
        Verdict::Proven(proof) => enter(journey, *proof).await,
        Verdict::Refused(status, error) => journey.sign_in_page(&Attempt::again(&form, status, error)),
    }
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
