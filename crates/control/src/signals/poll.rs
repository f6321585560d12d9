//! Polling a stream (RFC 8936): the answer is given at once, and an event comes again until it is acknowledged.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use svc_core::{SetId, StreamId};
use svc_domain::delivery::signals::{self, Delivery};
use svc_http::{Json, NoStore, Path, Problem, Route, TenantCx};
use utoipa::ToSchema;

use super::{MANAGE, find};
use crate::unknown;

/// Most events in one answer.
const MOST: u32 = 100;

/// What a receiver asks for, and what it has taken (RFC 8936 §2.2).
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schema(examples(json!({ "maxEvents": 10, "ack": ["set_01jcqzv7y0e8kstk6yq6k3a4mf"] })))]
struct SignalPoll {
    /// How many events at most; 0 only acknowledges, and an answer never holds more than 100.
    max_events: Option<u32>,
    /// Every poll is answered at once, whatever this says.
    #[serde(default)]
    #[expect(dead_code, reason = "there is nothing to choose")]
    return_immediately: bool,
    /// The `jti` of events that were accepted.
    #[serde(default)]
    ack: Vec<String>,
    /// Events that were refused, each with its reason.
    #[serde(default)]
    set_errs: BTreeMap<String, SignalError>,
}

/// Why an event was refused (RFC 8936 §2.6).
#[derive(Debug, Deserialize, ToSchema)]
struct SignalError {
    err: String,
    #[expect(dead_code, reason = "words for people at the receiver")]
    description: Option<String>,
}

/// Events that wait (RFC 8936 §2.3).
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SignalPollAnswer {
    /// Security event tokens by their `jti`.
    sets: BTreeMap<String, String>,
    /// Whether there are more than these.
    more_available: bool,
}

pub(super) fn route() -> Route {
    Route::post("/api/v1/ssf/poll/{id}")
        .tenant(MANAGE, poll)
        .summary("Acknowledge events of a stream, and fetch those that wait")
        .idempotent()
}

async fn poll(
    caller: TenantCx,
    Path(id): Path<StreamId>,
    Json(asked): Json<SignalPoll>,
) -> Result<NoStore<SignalPollAnswer>, Problem> {
    for (jti, error) in &asked.set_errs {
        tracing::warn!(stream = %id, jti, err = error.err, "a security event token was refused");
    }
    // The directory may need a connection of its own.
    let receiver = caller.app.services.apps.find(caller.tenant.id, &caller.claims.client_id).await?;
    let receiver = receiver.ok_or_else(unknown)?;
    let (taken, refused) = (known(&asked.ack), known(asked.set_errs.keys()));
    let ends_nothing = taken.is_empty() && refused.is_empty();
    let mut tx = if ends_nothing { caller.read().await? } else { caller.begin().await? };
    let stream = find(&mut tx, &caller, id).await?;
    if !matches!(stream.wanted.delivery, Delivery::Poll) {
        return Err(unknown().into());
    }
    signals::acknowledge(&mut tx, &caller, id, (&taken, &refused)).await?;
    let most = asked.max_events.unwrap_or(MOST).min(MOST);
    let waiting = signals::waiting(&mut tx, &stream, most + 1).await?;
    tx.commit().await?;
    let ring = caller.app.services.keys.ring(caller.tenant.id);
    let parties = (caller.tenant.issuer.as_str(), &*receiver);
    let shown = usize::try_from(most).unwrap_or(usize::MAX);
    let mut sets = BTreeMap::new();
    for event in waiting.iter().take(shown) {
        sets.insert(event.id.to_string(), signals::token(&ring, parties, event).await?);
    }
    Ok(NoStore(SignalPollAnswer { sets, more_available: waiting.len() > shown }))
}

/// The ids among what a receiver names; anything else was never ours.
fn known<'a>(names: impl IntoIterator<Item = &'a String>) -> Vec<SetId> {
    names.into_iter().filter_map(|name| name.parse().ok()).collect()
}
