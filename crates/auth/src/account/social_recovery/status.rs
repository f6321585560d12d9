//! How far a recovery is, in the browser that asked for it.

use svc_core::Result;
use svc_domain::people::guardians::{self, Stage};
use svc_http::{IntoResponse as _, Params, Response, StatusCode, see_other};

use super::super::purpose::Purpose;
use super::request::RecoveryRequest;
use crate::hosted::Visit;
use crate::hosted::paths::{ASK_GUARDIANS, GUARDIANS};
use crate::pages::{Form, MessageKey, RecoveryStatus};
use crate::signin::methods::password;
use crate::signin::offers;

/// Shows how far it is, or leads to the form that asks.
pub async fn show(visit: &mut Visit, _query: Params) -> Result<Response> {
    offers::must_have_guardians(&visit.host)?;
    match RecoveryRequest::here(visit) {
        Some(request) => page(visit, &request, None).await,
        None => Ok(see_other(ASK_GUARDIANS).into_response()),
    }
}

/// The page. A case that is over looks like one that no guardian has confirmed, until the time of any would be over.
pub async fn page(visit: &Visit, request: &RecoveryRequest, error: Option<MessageKey>) -> Result<Response> {
    let stage = stage(visit, request).await?;
    let (confirmed, ready_at) = match stage {
        Some(Stage::Waiting { confirmed, .. }) => (confirmed, None),
        Some(Stage::Reached(at)) => (0, Some(at.to_string().into())),
        Some(Stage::Ready) | None => (0, None),
    };
    let page = RecoveryStatus {
        form: Form::new(GUARDIANS, visit.seal(&Purpose::FinishRecovery)?).with(error),
        code: request.spoken().into(),
        username: request.username.as_str().into(),
        confirmed,
        ready_at,
        is_ready: stage == Some(Stage::Ready),
        is_over: stage.is_none() && request.is_over(visit),
        min_length: password::shortest(),
    };
    visit.page_as(StatusCode::OK, &page, None)
}

/// How far the open case of the browser is.
pub async fn stage(visit: &Visit, request: &RecoveryRequest) -> Result<Option<Stage>> {
    let (cx, digest) = (visit.cx(), request.digest());
    let mut tx = visit.host.read().await?;
    let Some(case) = guardians::of_browser(&mut tx, cx, digest).await? else { return Ok(None) };
    guardians::stage(&mut tx, cx, (&case, digest)).await.map(Some)
}
