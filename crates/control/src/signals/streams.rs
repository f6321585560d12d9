//! The configuration endpoint (SSF §8.1.1).

use serde::Serialize;
use svc_core::{OrInternal as _, Result, StreamId};
use svc_domain::delivery::signals::{
    self, Delivery, POLL, POLL_PATH, PUSH, STREAMS_PATH, SUPPORTED, Stream, VERIFICATION_INTERVAL,
};
use svc_http::{Created, IntoResponse, Json, NoContent, NoStore, Problem, Query, Response, Route, TenantCx};
use svc_keys::Purpose;
use utoipa::ToSchema;

use super::wanted::{NewSignalStream, SignalStreamChange};
use super::{MANAGE, READ, Which, find, receiver};
use crate::record;

/// A stream as its receiver sees it.
#[derive(Debug, Serialize, ToSchema)]
struct SignalStream {
    #[schema(value_type = String)]
    stream_id: StreamId,
    /// The issuer of its events.
    iss: String,
    /// Their audience: the receiver's `client_id`.
    aud: String,
    events_supported: Vec<String>,
    events_requested: Vec<String>,
    /// The requested types that are supported.
    events_delivered: Vec<String>,
    delivery: SignalDelivery,
    /// The least number of seconds between two verifications.
    min_verification_interval: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
}

/// One stream where the query names it, else all of them.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = SignalStreams)]
#[expect(dead_code, reason = "describes the answer to the OpenAPI document")]
enum StreamOrStreams {
    One(SignalStream),
    All(Vec<SignalStream>),
}

/// How events are delivered.
#[derive(Debug, Serialize, ToSchema)]
struct SignalDelivery {
    method: &'static str,
    /// Where they are pushed to, or polled.
    endpoint_url: String,
}

/// The routes of streams.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(STREAMS_PATH)
            .tenant(READ, read)
            .summary("Read an event stream of the calling application, or without `stream_id` all of them")
            .returns::<StreamOrStreams>(200),
        Route::post(STREAMS_PATH).tenant(MANAGE, create).summary("Make an event stream").idempotent(),
        Route::patch(STREAMS_PATH)
            .tenant(MANAGE, update)
            .summary("Change the given members of an event stream")
            .idempotent(),
        Route::put(STREAMS_PATH)
            .tenant(MANAGE, replace)
            .summary("Replace an event stream's configuration; members that are left out are removed")
            .idempotent(),
        Route::delete(STREAMS_PATH)
            .tenant(MANAGE, delete)
            .summary("Delete an event stream with the events that wait")
            .idempotent(),
    ]
}

async fn read(caller: TenantCx, Query(which): Query<Which>) -> Result<Response, Problem> {
    let mut tx = caller.read().await?;
    if which.stream_id.is_some() {
        let stream = find(&mut tx, &caller, which.id()?).await?;
        return Ok(NoStore(shown(&caller, stream)).into_response());
    }
    let streams = signals::list(&mut tx, receiver(&caller).await?).await?;
    let shown: Vec<_> = streams.into_iter().map(|stream| shown(&caller, stream)).collect();
    Ok(NoStore(shown).into_response())
}

async fn create(
    caller: TenantCx,
    Json(new): Json<NewSignalStream>,
) -> Result<Created<SignalStream>, Problem> {
    let wanted = new.check(&caller.app)?;
    let mut tx = caller.begin().await?;
    let app = receiver(&caller).await?;
    let sealer = caller.app.services.sealers.held(caller.tenant.id, Purpose::Credentials)?;
    let stream = signals::create(&mut tx, &caller, &sealer, app, wanted).await?;
    tx.commit().await?;
    let location = format!("{STREAMS_PATH}?stream_id={}", stream.id);
    Ok(Created { location, version: 1, record: shown(&caller, stream) })
}

async fn update(
    caller: TenantCx,
    Json(change): Json<SignalStreamChange>,
) -> Result<NoStore<SignalStream>, Problem> {
    Ok(changed(&caller, change, false).await?)
}

async fn replace(
    caller: TenantCx,
    Json(change): Json<SignalStreamChange>,
) -> Result<NoStore<SignalStream>, Problem> {
    Ok(changed(&caller, change, true).await?)
}

async fn changed(
    caller: &TenantCx,
    change: SignalStreamChange,
    is_whole: bool,
) -> Result<NoStore<SignalStream>> {
    let id: StreamId = change.stream_id.parse()?;
    let (mut tx, _) = record::begin(caller, &id).await?;
    let present = find(&mut tx, caller, id).await?;
    let as_shown = serde_json::to_value(shown(caller, present.clone())).or_internal()?;
    change.check_ours(&as_shown)?;
    let poll_url = poll_url(caller, present.id);
    let wanted = if is_whole {
        change.whole(&caller.app, &poll_url)?
    } else {
        change.merged(&caller.app, present.wanted.clone(), &poll_url)?
    };
    let sealer = caller.app.services.sealers.held(caller.tenant.id, Purpose::Credentials)?;
    let stream = signals::replace(&mut tx, caller, &sealer, &present, wanted).await?;
    tx.commit().await?;
    Ok(NoStore(shown(caller, stream)))
}

async fn delete(caller: TenantCx, Query(which): Query<Which>) -> Result<NoContent, Problem> {
    let id = which.id()?;
    let (mut tx, _) = record::begin(&caller, &id).await?;
    signals::delete(&mut tx, &caller, receiver(&caller).await?, id).await?;
    tx.commit().await?;
    Ok(NoContent)
}

fn poll_url(caller: &TenantCx, id: StreamId) -> String {
    format!("{}{POLL_PATH}{id}", caller.tenant.issuer)
}

fn shown(caller: &TenantCx, stream: Stream) -> SignalStream {
    let delivery = match &stream.wanted.delivery {
        Delivery::Push { endpoint_url, .. } => {
            SignalDelivery { method: PUSH, endpoint_url: endpoint_url.clone() }
        }
        Delivery::Poll => SignalDelivery { method: POLL, endpoint_url: poll_url(caller, stream.id) },
    };
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    SignalStream {
        stream_id: stream.id,
        iss: caller.tenant.issuer.clone(),
        aud: stream.app.to_string(),
        events_supported: owned(SUPPORTED),
        events_delivered: owned(&stream.events_delivered()),
        events_requested: stream.wanted.events_requested,
        delivery,
        min_verification_interval: VERIFICATION_INTERVAL.0,
        description: stream.wanted.description,
    }
}
