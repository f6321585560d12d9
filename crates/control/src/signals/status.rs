//! A stream's status (SSF §8.1.2) and its verification (SSF §8.1.4).

use serde::{Deserialize, Serialize};
use svc_core::{Error, Result, StreamId};
use svc_domain::delivery::signals::{self, STATUS_PATH, Stream, VERIFICATION_PATH};
use svc_http::{Json, NoContent, NoStore, Problem, Query, Route, TenantCx};
use utoipa::ToSchema;

use super::{MANAGE, READ, Which, find, receiver};
use crate::record;

const LONGEST_REASON: usize = 500;
const LONGEST_STATE: usize = 1000;

/// Whether events of a stream flow.
#[derive(Debug, Serialize, ToSchema)]
struct SignalStreamStatus {
    #[schema(value_type = String)]
    stream_id: StreamId,
    /// `enabled`, `paused` (events are held) or `disabled` (events are dropped).
    status: &'static str,
    /// Why, in the words of the application that set it.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// A status to set.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "stream_id": "ssf_01jcqzv7y0e8kstk6yq6k3a4mf", "status": "paused", "reason": "Maintenance until noon" })))]
struct NewSignalStreamStatus {
    stream_id: String,
    /// `enabled`, `paused` or `disabled`.
    status: String,
    /// At most 500 characters.
    reason: Option<String>,
}

/// A verification to send.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "stream_id": "ssf_01jcqzv7y0e8kstk6yq6k3a4mf", "state": "VGhpcyBpcyBhbiBleGFtcGxl" })))]
struct SignalVerification {
    stream_id: String,
    /// Comes back in the event; at most 1000 bytes.
    state: Option<String>,
}

/// The routes of status and verification.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(STATUS_PATH).tenant(READ, read).summary("Read the status of an event stream"),
        Route::post(STATUS_PATH)
            .tenant(MANAGE, update)
            .summary("Enable, pause or disable an event stream")
            .idempotent(),
        Route::post(VERIFICATION_PATH)
            .tenant(MANAGE, verify)
            .summary("Ask for a verification event")
            .idempotent(),
    ]
}

async fn read(caller: TenantCx, Query(which): Query<Which>) -> Result<NoStore<SignalStreamStatus>, Problem> {
    let mut tx = caller.read().await?;
    Ok(NoStore(find(&mut tx, &caller, which.id()?).await?.into()))
}

async fn update(
    caller: TenantCx,
    Json(new): Json<NewSignalStreamStatus>,
) -> Result<NoStore<SignalStreamStatus>, Problem> {
    let status = new.status.parse()?;
    if new.reason.as_ref().is_some_and(|reason| reason.chars().count() > LONGEST_REASON) {
        return Err(Error::bad_request(format!("reason: use at most {LONGEST_REASON} characters")).into());
    }
    let id: StreamId = new.stream_id.parse()?;
    let (mut tx, _) = record::begin(&caller, &id).await?;
    let stream = find(&mut tx, &caller, id).await?;
    let stream = signals::set_status(&mut tx, &caller, stream.id, (status, new.reason.as_deref())).await?;
    tx.commit().await?;
    Ok(NoStore(stream.into()))
}

async fn verify(caller: TenantCx, Json(asked): Json<SignalVerification>) -> Result<NoContent, Problem> {
    if asked.state.as_ref().is_some_and(|state| state.len() > LONGEST_STATE) {
        return Err(Error::bad_request(format!("state: use at most {LONGEST_STATE} bytes")).into());
    }
    let which = (receiver(&caller).await?, asked.stream_id.parse()?);
    let mut tx = caller.begin().await?;
    signals::verify(&mut tx, &caller, which, asked.state.as_deref()).await?;
    tx.commit().await?;
    Ok(NoContent)
}

impl From<Stream> for SignalStreamStatus {
    fn from(stream: Stream) -> Self {
        Self { stream_id: stream.id, status: stream.status.name(), reason: stream.reason }
    }
}
