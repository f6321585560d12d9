//! Events in a stream: what waits there, how a receiver takes it, and the tokens in which it goes out (RFC 8417).

use serde::Serialize;
use serde_json::{Value, json};
use svc_core::{AppId, Cx, Error, OrInternal as _, Result, SetId, StreamId, Timestamp};
use svc_db::{Row, Tenant, Tx, args, change_sql, quiet_sql, sql};
use svc_keys::jose::{Algorithm, KeyRing, Signer as _, Typ};

use super::streams::{Status, Stream};
use super::{STREAM_UPDATED, VERIFICATION, VERIFICATION_INTERVAL, streams};
use crate::apps::App;
use crate::document;
use crate::log::{Action, Meaning, change, record};

/// An event that waits.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// Its id, the same in every attempt: the `jti`.
    pub id: SetId,
    /// When it was made: the `iat`.
    pub created_at: Timestamp,
    /// Subject, event and cause.
    pub(super) payload: Value,
}

/// An event to put into a stream.
pub(super) struct NewEvent<'a> {
    /// About whom; empty where it is about the stream.
    pub about: String,
    /// Subject, event and cause.
    pub payload: &'a Value,
    /// Whether it is told even while the stream is paused.
    pub is_notice: bool,
    /// When what it tells of happened.
    pub happened_at: Timestamp,
}

/// Puts an event into a stream.
pub(super) async fn put(tx: &mut Tx<Tenant>, cx: &Cx, stream: &Stream, new: NewEvent<'_>) -> Result<()> {
    let id: SetId = cx.id();
    let insert = quiet_sql!(
        "delivers what was recorded",
        "INSERT INTO signal_events (tenant_id, id, stream_id, about, payload, is_notice, state, failures, happened_at, \
         due_at, created_at) VALUES ($1, $2, $3, $4, $5, $6, 'due', 0, $7, $8, $9)"
    );
    let arguments = args![
        id,
        stream.id,
        new.about,
        document::store(new.payload)?,
        new.is_notice,
        new.happened_at,
        stream.due_at(new.is_notice, cx.now),
        cx.now
    ];
    tx.execute(insert, arguments).await.map(|_| ())
}

/// Up to `limit` events that a receiver may fetch, oldest first.
pub async fn waiting(tx: &mut Tx<Tenant>, stream: &Stream, limit: u32) -> Result<Vec<Waiting>> {
    let select = sql!(
        "SELECT id, payload, created_at FROM signal_events WHERE tenant_id = $1 AND stream_id = $2 AND state = 'due' \
         AND (is_notice OR $3) ORDER BY happened_at, id LIMIT $4"
    );
    let flows = stream.status == Status::Enabled;
    tx.all(select, args![stream.id, flows, limit]).await?.iter().map(of_row).collect()
}

/// Ends the wait of events that a receiver has taken, or refused; those that are not waiting are passed over.
pub async fn acknowledge(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    stream: StreamId,
    (taken, refused): (&[SetId], &[SetId]),
) -> Result<()> {
    let mut ended = [0, 0];
    for ((ids, state), count) in [(taken, "taken"), (refused, "failed")].into_iter().zip(&mut ended) {
        for id in ids {
            let update = quiet_sql!(
                "delivers what was recorded",
                "UPDATE signal_events SET state = $4, payload = '', due_at = NULL WHERE tenant_id = $1 AND id = $2 \
                 AND stream_id = $3 AND state = 'due'"
            );
            *count += tx.execute(update, args![*id, stream, state]).await?;
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
    let stream = stream.ok_or_else(|| Error::not_found("no record has this id"))?;
    if stream.status == Status::Disabled {
        return Err(Error::bad_request("the stream is disabled; enable it first"));
    }
    let update = change_sql!(
        "UPDATE signal_streams SET verified_at = $3 WHERE tenant_id = $1 AND id = $2 AND verified_at <= $4"
    );
    let arguments = args![id, cx.now, cx.now - VERIFICATION_INTERVAL];
    if change(tx, cx, update, arguments, Meaning::done(Action::SignalStreamVerified, id)).await? == 0 {
        let wait = u32::try_from(VERIFICATION_INTERVAL.0).unwrap_or_default();
        return Err(Error::rate_limited("this stream was verified just now").retry_after(wait));
    }
    let event = state.map_or_else(|| json!({}), |state| json!({ "state": state }));
    let payload = payload(&opaque(&id.to_string()), VERIFICATION, &event, None);
    let new = NewEvent { about: String::new(), payload: &payload, is_notice: false, happened_at: cx.now };
    put(tx, cx, &stream, new).await
}

/// Tells a receiver that its stream has another status without its doing (SSF §8.1.5).
pub(super) async fn tell_status(tx: &mut Tx<Tenant>, cx: &Cx, stream: &Stream) -> Result<()> {
    let event = json!({ "status": stream.status.name(), "reason": stream.reason });
    let payload = payload(&opaque(&stream.id.to_string()), STREAM_UPDATED, &event, None);
    let new = NewEvent { about: String::new(), payload: &payload, is_notice: true, happened_at: cx.now };
    put(tx, cx, stream, new).await
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
pub fn token(
    ring: &KeyRing,
    default: Algorithm,
    (issuer, receiver): (&str, &App),
    event: &Waiting,
) -> Result<String> {
    let claims = Claims {
        iss: issuer,
        aud: receiver.client_id(),
        iat: event.created_at.as_secs(),
        jti: event.id,
        payload: &event.payload,
    };
    let algorithm = receiver.configuration.id_token_algorithm(default);
    let claims = serde_json::to_vec(&claims).or_internal()?;
    ring.sign(algorithm, Typ::SecurityEvent, &claims)
}

pub(super) fn of_row(row: &Row) -> Result<Waiting> {
    Ok(Waiting {
        id: row.parse("id")?,
        created_at: row.time("created_at")?,
        payload: document::load(row, "payload")?,
    })
}
