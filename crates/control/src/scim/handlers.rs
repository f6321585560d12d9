//! The routes that every type of resource has (RFC 7644 §3.2).

use svc_http::{
    HeaderMap, IntoResponse, NoContent, Path, Problem, QueryParams, Response, ScimBody, ScimCx, StatusCode,
};

use super::listing::ListRequest;
use super::projection::Projection;
use super::provisioned::{self, Outcome, Provisioned};
use super::reply;

pub(super) async fn list<R: Provisioned>(
    caller: ScimCx,
    QueryParams(params): QueryParams,
) -> Result<Response, Problem> {
    let asked = ListRequest::of_query(&caller, &params, R::schema(&caller))?;
    answer::<R>(&caller, asked).await
}

pub(super) async fn search<R: Provisioned>(
    caller: ScimCx,
    ScimBody(sent): ScimBody,
) -> Result<Response, Problem> {
    let asked = ListRequest::of_message(&caller, &sent, R::schema(&caller))?;
    answer::<R>(&caller, asked).await
}

async fn answer<R: Provisioned>(caller: &ScimCx, asked: ListRequest) -> Result<Response, Problem> {
    let found = provisioned::found::<R>(caller, &mut caller.read().await?, &asked).await?;
    Ok(reply::document(StatusCode::OK, &asked.answer(caller, found)?)?)
}

pub(super) async fn create<R: Provisioned>(
    caller: ScimCx,
    QueryParams(params): QueryParams,
    ScimBody(sent): ScimBody,
) -> Result<Response, Problem> {
    let shown = ListRequest::of_query(&caller, &params, R::schema(&caller))?.projection.and_given(&sent);
    one(provisioned::create::<R>(&caller, sent).await?, &shown)
}

pub(super) async fn read<R: Provisioned>(
    caller: ScimCx,
    Path(id): Path<R::Id>,
    QueryParams(params): QueryParams,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let shown = ListRequest::of_query(&caller, &params, R::schema(&caller))?.projection;
    let present = provisioned::find_shown::<R>(&caller, &mut caller.read().await?, (id, &shown)).await?;
    if reply::is_known(&headers, &present.version()) {
        return Ok(reply::unchanged(&present.version())?);
    }
    one(provisioned::outcome(&caller, &present, StatusCode::OK), &shown)
}

pub(super) async fn replace<R: Provisioned>(
    caller: ScimCx,
    Path(id): Path<R::Id>,
    QueryParams(params): QueryParams,
    headers: HeaderMap,
    ScimBody(sent): ScimBody,
) -> Result<Response, Problem> {
    let shown = ListRequest::of_query(&caller, &params, R::schema(&caller))?.projection.and_given(&sent);
    one(provisioned::replace::<R>(&caller, (id, &headers), sent).await?, &shown)
}

pub(super) async fn change<R: Provisioned>(
    caller: ScimCx,
    Path(id): Path<R::Id>,
    QueryParams(params): QueryParams,
    headers: HeaderMap,
    ScimBody(sent): ScimBody,
) -> Result<Response, Problem> {
    let shown = ListRequest::of_query(&caller, &params, R::schema(&caller))?.projection.and_given(&sent);
    one(provisioned::change::<R>(&caller, (id, &headers), sent).await?, &shown)
}

pub(super) async fn delete<R: Provisioned>(
    caller: ScimCx,
    Path(id): Path<R::Id>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    provisioned::delete::<R>(&caller, (id, &headers)).await?;
    Ok(NoContent.into_response())
}

fn one(outcome: Outcome, shown: &Projection) -> Result<Response, Problem> {
    let Outcome { status, version, location, resource } = outcome;
    Ok(reply::resource(status, (&version, &location), &shown.apply(resource))?)
}
