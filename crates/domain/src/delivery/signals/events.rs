//! Events in a stream: what waits there, how a receiver takes it, and the tokens in which it goes out (RFC 8417).

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use svc_core::{AppId, Cx, Error, OrInternal as _, Result, SetId, SetKind, StreamId, Timestamp};
use svc_db::{Tenant, Tx, args, change_sql};
use svc_keys::jose::{KeyRing, Signer as _, Typ};

use super::streams::{Status, Stream};
use super::{STREAM_UPDATED, VERIFICATION, VERIFICATION_INTERVAL, streams};
use crate::apps::App;
use crate::delivery::{self, Delivery, New, Order, Queue, Schedule};
use crate::log::{Action, Meaning, change, record};

/// An event in a stream: subject, event and cause.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SecurityEvent(pub(in crate::delivery) Value);

impl Queue for SecurityEvent {
    type Kind = SetKind;
    const QUEUE: &'static str = "signals";
    const SCHEDULE: Schedule = Schedule::DAYS;
    const ORDER: Order = Order::InTurn;
}

/// An event to put into a stream.
pub(super) struct NewEvent {
    /// About whom; empty where it is about the stream.
    pub about: String,
    /// Subject, event and cause.
    pub payload: Value,
    /// Whether it is sent even while the stream is paused.
    pub is_notice: bool,
    /// When what it tells of happened.
    pub happened_at: Timestamp,
}

/// Puts an event into a stream.
pub(super) fn put(tx: &mut Tx<Tenant>, cx: &Cx, stream: &Stream, event: NewEvent) -> Result<()> {
    let new = New {
        topic: event.about,
        is_notice: event.is_notice,
        happened_at: event.happened_at,
        ..New::of(cx, cx.id(), SecurityEvent(event.payload))
    };
    enqueue(tx, stream, new, cx.now)
}

/// Queues a delivery to a stream, which goes with the application of the stream.
pub(in crate::delivery) fn enqueue(
    tx: &mut Tx<Tenant>,
    stream: &Stream,
    new: New<SecurityEvent>,
    now: Timestamp,
) -> Result<()> {
    let due_at = stream.due_at(new.is_notice, now);
    delivery::enqueue(tx, &New { app: Some(stream.app), receiver: stream.id.to_string(), due_at, ..new })
}

/// Up to `limit` events that a receiver may fetch, oldest first.
pub async fn waiting(
    tx: &mut Tx<Tenant>,
    stream: &Stream,
    limit: u32,
) -> Result<Vec<Delivery<SecurityEvent>>> {
    delivery::waiting(tx, &stream.id.to_string(), stream.status != Status::Enabled, limit).await
}

/// Ends the wait of events that a receiver has taken, or refused; those that are not waiting are passed over.
pub async fn acknowledge(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    stream: StreamId,
    (taken, refused): (&[SetId], &[SetId]),
) -> Result<()> {
    let (receiver, mut ended) = (stream.to_string(), [0, 0]);
    for ((ids, is_taken), count) in [(taken, true), (refused, false)].into_iter().zip(&mut ended) {
        for id in ids {
            let was_waiting = delivery::acknowledge::<SecurityEvent>(tx, &receiver, *id, is_taken).await?;
            *count += u64::from(was_waiting);
        }
    }
    if ended == [0, 0] {
        return Ok(());
    }
    let facts = json!({ "taken": ended[0], "refused": ended[1] });
    record(tx, cx, Meaning::done(Action::SignalEventsAcknowledged, stream).with(facts));
    Ok(())
}

/// Asks for a verification event (SSF §8.1.4).
pub async fn verify(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (app, id): (AppId, StreamId),
    state: Option<&str>,
) -> Result<()> {
    let stream = streams::find(tx, app, id).await?;
    let stream = stream.ok_or_else(|| Error::unknown_id())?;
    if stream.status == Status::Disabled {
        return Err(Error::bad_request("the stream is disabled; enable it first"));
    }
    let update = change_sql!(
        "UPDATE signal_streams SET verified_at = $3 WHERE tenant_id = $1 AND id = $2 AND verified_at <= $4"
    );
    let arguments = args![id, cx.now, cx.now - VERIFICATION_INTERVAL];
    if change(tx, cx, update, arguments, Meaning::done(Action::SignalStreamVerified, id)).await? == 0 {
        return Err(Error::rate_limited("this stream was verified just now").retry_in(VERIFICATION_INTERVAL));
    }
    let event = state.map_or_else(|| json!({}), |state| json!({ "state": state }));
    let payload = payload(&opaque(&id.to_string()), VERIFICATION, &event, None);
    let new = NewEvent { about: String::new(), payload, is_notice: false, happened_at: cx.now };
    put(tx, cx, &stream, new)
}

/// Tells a receiver that its stream has another status without its doing (SSF §8.1.5).
pub(super) fn tell_status(tx: &mut Tx<Tenant>, cx: &Cx, stream: &Stream) -> Result<()> {
    let event = json!({ "status": stream.status.name(), "reason": stream.reason });
    let payload = payload(&opaque(&stream.id.to_string()), STREAM_UPDATED, &event, None);
    let new = NewEvent { about: String::new(), payload, is_notice: true, happened_at: cx.now };
    put(tx, cx, stream, new)
}

/// An identifier of one of ours (RFC 9493 §3.2.4).
pub(super) fn opaque(id: &str) -> Value {
    json!({ "format": "opaque", "id": id })
}

/// What of a token is fixed when its event is made.
pub(super) fn payload(sub_id: &Value, event_type: &str, event: &Value, txn: Option<&str>) -> Value {
    let mut payload = json!({ "sub_id": sub_id, "events": { event_type: event } });
    if let (Some(members), Some(txn)) = (payload.as_object_mut(), txn) {
        members.insert("txn".to_owned(), json!(txn));
    }
    payload
}

/// The claims of a security event token; SSF §4 has neither `sub` nor `exp`.
#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    aud: String,
    iat: i64,
    jti: SetId,
    #[serde(flatten)]
    payload: &'a Value,
}

/// An event as a signed token: with the same claims each time, signed like the application's ID tokens.
pub async fn token(
    ring: &KeyRing,
    (issuer, receiver): (&str, &App),
    event: &Delivery<SecurityEvent>,
) -> Result<String> {
    let SecurityEvent(payload) = &event.payload()?;
    let claims = Claims {
        iss: issuer,
        aud: receiver.client_id(),
        iat: event.created_at.as_secs(),
        jti: event.id,
        payload,
    };
    let algorithm = receiver.configuration.id_token_algorithm();
    let claims = serde_json::to_vec(&claims).or_internal()?;
    ring.sign(algorithm, Typ::SecurityEvent, &claims).await
}
