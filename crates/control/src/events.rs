//! `/api/v1/events`: what happened in the tenant, in order, for those who fetch it; `/api/v1/event-types`: what can happen.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_core::events::{RESERVED, catalogue, is_of, names};
use svc_core::{Error, EventId, OrInternal as _, Result, Timestamp};
use svc_domain::log::positions::{self, Filter, Positioned};
use svc_http::{Json, List, Problem, Query, TenantCx, Whole};
use utoipa::{IntoParams, ToSchema};

use crate::resource::Resource;

/// Which events.
#[derive(Debug, Deserialize, IntoParams)]
struct EventQuery {
    /// The `position` of the page before; from the first event on unless given.
    #[serde(default)]
    #[param(minimum = 0, default = 0, nullable = false)]
    after: Option<i64>,
    /// How many events, 1 to 200; 50 unless given.
    #[serde(default)]
    #[param(minimum = 1, maximum = 200, default = 50, nullable = false)]
    limit: Option<u32>,
    /// Only events of this type, one of `/api/v1/event-types`, or of a category of them such as `auth.*`.
    #[serde(default, rename = "type")]
    #[param(nullable = false)]
    event_type: Option<String>,
    /// Not before this time.
    #[serde(default)]
    #[param(value_type = Option<String>, format = "date-time", nullable = false)]
    since: Option<Timestamp>,
}

/// A page of the log of events.
#[derive(Debug, Serialize, ToSchema)]
struct EventPage {
    /// The events, in order.
    data: Vec<EventRecord>,
    /// Pass it as `after` to get the events that follow. It does not expire.
    position: i64,
}

/// An event in its place.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Event)]
struct EventRecord {
    /// Its place among the events of the tenant, without gaps.
    position: i64,
    /// Its id, the same as in deliveries of webhooks.
    #[schema(value_type = String)]
    id: EventId,
    /// Its type.
    #[serde(rename = "type")]
    event_type: String,
    /// The version of its form.
    api_version: String,
    /// When it happened.
    #[schema(value_type = String, format = "date-time")]
    created_at: String,
    /// The tenant.
    tenant_id: String,
    /// What happened, as its type says.
    #[schema(value_type = Object)]
    data: Value,
}

/// The document that receivers get.
#[derive(Debug, Deserialize)]
struct Envelope {
    api_version: String,
    created_at: String,
    tenant_id: String,
    data: Value,
}

/// A type of events.
#[derive(Debug, Serialize, ToSchema)]
struct EventType {
    /// The dotted name.
    name: &'static str,
    /// When such an event is emitted.
    description: String,
    /// Whether this version emits it; subscriptions may name the others already.
    emitted: bool,
    /// The JSON Schema (2020-12) of the whole event; null where it is not emitted.
    #[schema(value_type = Option<Object>)]
    schema: Option<Value>,
    /// An event of this type; null where it is not emitted.
    #[schema(value_type = Option<Object>)]
    example: Option<Value>,
}

/// The log of events.
pub(crate) fn resource() -> Resource {
    Resource::at("events", "Events").may_read("See what happens in this organisation").get(
        "",
        "Read events in order, after a position",
        list,
    )
}

/// The types of events.
pub(crate) fn types() -> Resource {
    Resource::at("event-types", "Events").may_read("See which types of events there are").get(
        "",
        "List the types of events with their schemas",
        list_types,
    )
}

async fn list(
    caller: TenantCx,
    Query(EventQuery { after, limit, event_type, since }): Query<EventQuery>,
) -> Result<Json<EventPage>, Problem> {
    let (after, limit) = (after.unwrap_or(0), limit.unwrap_or(50));
    if after < 0 {
        return Err(Error::bad_request("after: give a position, or 0 to begin with the first").into());
    }
    if !(1..=200).contains(&limit) {
        return Err(Error::bad_request("limit: give 1 to 200").into());
    }
    let types = event_type.as_deref().map_or_else(|| Ok(Vec::new()), types_of)?;
    let mut tx = caller.read().await?;
    let filter = Filter { types: &types, since };
    let (events, position) = positions::page(&mut tx, filter, (after, limit)).await?;
    let data = events.into_iter().map(EventRecord::try_from).collect::<Result<_>>()?;
    Ok(Json(EventPage { data, position }))
}

/// The types that are meant by a type, or by a category of them.
fn types_of(wanted: &str) -> Result<Vec<&'static str>> {
    let types: Vec<_> = names().filter(|name| is_of(name, wanted)).collect();
    if types.is_empty() {
        return Err(Error::bad_request(
            "type: give one of the types that /api/v1/event-types lists, or a category of them such as \"auth.*\"",
        ));
    }
    Ok(types)
}

/// Refuses what is no type of events.
pub(crate) fn check_type(parameter: &str, given: Option<&str>) -> Result<()> {
    if given.is_none_or(|given| names().any(|name| name == given)) {
        return Ok(());
    }
    Err(Error::bad_request(format!("{parameter}: give one of the types that /api/v1/event-types lists")))
}

async fn list_types(caller: TenantCx, whole: Whole) -> Result<Json<List<EventType>>, Problem> {
    let emitted = catalogue().map(|event| EventType {
        name: event.name,
        description: event.about.trim().to_owned(),
        emitted: true,
        schema: Some(event.schema()),
        example: Some(event.example()),
    });
    let reserved = RESERVED.iter().map(|name| EventType {
        name,
        description: "Of a feature that does not exist yet.".to_owned(),
        emitted: false,
        schema: None,
        example: None,
    });
    Ok(Json(whole.part(&caller, emitted.chain(reserved).collect(), |one: &EventType| one.name)?))
}

impl TryFrom<Positioned> for EventRecord {
    type Error = Error;

    fn try_from(event: Positioned) -> Result<Self> {
        let Envelope { api_version, created_at, tenant_id, data } =
            serde_json::from_str(&event.envelope).or_internal()?;
        let Positioned { position, id, event_type, .. } = event;
        Ok(Self { position, id, event_type, api_version, created_at, tenant_id, data })
    }
}
