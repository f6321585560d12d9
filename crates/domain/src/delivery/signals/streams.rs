//! Event streams (SSF §8.1.1, §8.1.2): which events an application wants, and how it gets them.

use std::str::FromStr;

use serde_json::json;
use svc_core::{AppId, Cx, Error, Result, StreamId, TenantRef, Timestamp};
use svc_db::{Row, Tenant, Tx, args, change_sql, quiet_sql, sql};
use svc_keys::keyring::Sealer;

use super::authorization::Authorization;
use super::events::SecurityEvent;
use super::{MOST_STREAMS, SUPPORTED};
use crate::delivery;
use crate::document;
use crate::log::{Action, Meaning, change, change_one};

/// A stream of one application.
#[derive(Clone, Debug)]
pub struct Stream {
    /// Its id.
    pub id: StreamId,
    /// The receiver.
    pub app: AppId,
    /// What the receiver wants.
    pub wanted: Wanted,
    /// Whether events flow.
    pub status: Status,
    /// Why it has this status, in the words of the caller that set it.
    pub reason: Option<String>,
}

/// What a receiver decides.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// How it gets its events.
    pub delivery: Delivery,
    /// The types that it asks for, also such as we do not have.
    pub events_requested: Vec<String>,
    /// For people who look at it.
    pub description: Option<String>,
}

/// How a receiver gets its events.
#[derive(Clone, Debug)]
pub enum Delivery {
    /// They are posted to it (RFC 8935).
    Push {
        /// Where to.
        endpoint_url: String,
        /// What it wants to see in `Authorization`.
        authorization_header: Option<Authorization>,
    },
    /// It fetches them (RFC 8936).
    Poll,
}

/// Whether events flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// They do.
    Enabled,
    /// They are held.
    Paused,
    /// They are dropped.
    Disabled,
}

impl Stream {
    /// Whether it asks for events of this type.
    pub fn asks_for(&self, event_type: &str) -> bool {
        self.wanted.events_requested.iter().any(|requested| requested == event_type)
    }

    /// The types that it gets.
    pub fn events_delivered(&self) -> Vec<&'static str> {
        SUPPORTED.iter().copied().filter(|supported| self.asks_for(supported)).collect()
    }

    /// When a new event is to be pushed: at once, or only when something about the stream changes.
    pub(super) fn due_at(&self, is_notice: bool, now: Timestamp) -> Option<Timestamp> {
        let is_push = matches!(self.wanted.delivery, Delivery::Push { .. });
        (is_push && (is_notice || self.status == Status::Enabled)).then_some(now)
    }
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 3] = [Self::Enabled, Self::Paused, Self::Disabled];

    /// The stored name, which is also the name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Enabled => "enabled",
            Self::Paused => "paused",
            Self::Disabled => "disabled",
        }
    }
}

impl FromStr for Status {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let known = Self::ALL.into_iter().find(|status| status.name() == text);
        known.ok_or_else(|| Error::bad_request("status: one of enabled, paused, disabled"))
    }
}

/// Makes a stream, enabled.
pub async fn create(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    sealer: &Sealer,
    app: AppId,
    wanted: Wanted,
) -> Result<Stream> {
    tx.hold(&format!("signal streams of {app}"));
    let count = sql!("SELECT COUNT(*) AS count FROM signal_streams WHERE tenant_id = $1 AND app_id = $2");
    if tx.one(count, args![app]).await?.int("count")? >= MOST_STREAMS {
        return Err(Error::conflict(format!("an application has at most {MOST_STREAMS} streams")));
    }
    let stream = Stream { id: cx.id(), app, wanted, status: Status::Enabled, reason: None };
    let insert = change_sql!(
        "INSERT INTO signal_streams (tenant_id, id, app_id, method, endpoint_url, sealed_authorization, \
         events_requested, description, status, verified_at, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'enabled', 0, $9, $9)"
    );
    let (method, endpoint_url) = stream.wanted.delivery.stored();
    let authorization = stream.wanted.delivery.sealed((tx.tenant().reference(), stream.id), sealer, cx)?;
    let requested = document::store(&stream.wanted.events_requested)?;
    let description = stream.wanted.description.clone();
    let arguments =
        args![stream.id, app, method, endpoint_url, authorization, requested, description, cx.now];
    change(tx, cx, insert, arguments, Meaning::done(Action::SignalStreamCreated, stream.id)).await?;
    Ok(stream)
}

/// A stream of this application.
pub async fn find(tx: &mut Tx<Tenant>, app: AppId, id: StreamId) -> Result<Option<Stream>> {
    Ok(any(tx, id).await?.filter(|stream| stream.app == app))
}

/// The application whose stream it is.
pub async fn any(tx: &mut Tx<Tenant>, id: StreamId) -> Result<Option<Stream>> {
    let select = sql!(
        "SELECT id, app_id, endpoint_url, authorization_header, sealed_authorization, events_requested, description, status, reason \
         FROM signal_streams WHERE tenant_id = $1 AND id = $2"
    );
    tx.optional(select, args![id]).await?.as_ref().map(stream).transpose()
}

/// The streams of an application, oldest first.
pub async fn list(tx: &mut Tx<Tenant>, app: AppId) -> Result<Vec<Stream>> {
    let select = sql!(
        "SELECT id, app_id, endpoint_url, authorization_header, sealed_authorization, events_requested, description, status, reason \
         FROM signal_streams WHERE tenant_id = $1 AND app_id = $2 ORDER BY id"
    );
    tx.all(select, args![app]).await?.iter().map(stream).collect()
}

/// Makes a stream what its receiver wants now. What waits for an address or a credential to be mended is tried at once.
pub async fn replace(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    sealer: &Sealer,
    present: &Stream,
    wanted: Wanted,
) -> Result<Stream> {
    let update = change_sql!(
        "UPDATE signal_streams SET method = $3, endpoint_url = $4, sealed_authorization = $5, authorization_header = NULL, \
         events_requested = $6, description = $7, updated_at = $8 WHERE tenant_id = $1 AND id = $2 \
         RETURNING id, app_id, endpoint_url, authorization_header, sealed_authorization, events_requested, description, \
         status, reason"
    );
    let is_delivered_otherwise = !wanted.delivery.goes_on(&present.wanted.delivery);
    let (method, endpoint_url) = wanted.delivery.stored();
    let authorization = wanted.delivery.sealed((tx.tenant().reference(), present.id), sealer, cx)?;
    let requested = document::store(&wanted.events_requested)?;
    let arguments =
        args![present.id, method, endpoint_url, authorization, requested, wanted.description, cx.now];
    let meaning = Meaning::done(Action::SignalStreamUpdated, present.id);
    let stream = stream(&change_one(tx, cx, update, arguments, meaning).await?)?;
    if is_delivered_otherwise {
        reschedule(tx, &stream, cx.now);
    }
    Ok(stream)
}

/// Lets events flow, holds them, or drops them with all that wait.
pub async fn set_status(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    id: StreamId,
    (status, reason): (Status, Option<&str>),
) -> Result<Stream> {
    let update = change_sql!(
        "UPDATE signal_streams SET status = $3, reason = $4, updated_at = $5 WHERE tenant_id = $1 AND id = $2 \
         RETURNING id, app_id, endpoint_url, authorization_header, sealed_authorization, events_requested, description, status, reason"
    );
    let meaning = Meaning::done(Action::SignalStreamStatusChanged, id)
        .with(json!({ "status": status.name(), "reason": reason }));
    let arguments = args![id, status.name(), reason.map(str::to_owned), cx.now];
    let stream = stream(&change_one(tx, cx, update, arguments, meaning).await?)?;
    if status == Status::Disabled {
        delivery::forget::<SecurityEvent>(tx, &id.to_string());
    } else {
        reschedule(tx, &stream, cx.now);
    }
    Ok(stream)
}

/// Removes a stream with all that waits.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, app: AppId, id: StreamId) -> Result<()> {
    let delete = change_sql!("DELETE FROM signal_streams WHERE tenant_id = $1 AND id = $2 AND app_id = $3");
    let meaning = Meaning::done(Action::SignalStreamDeleted, id);
    if change(tx, cx, delete, args![id, app], meaning).await? == 0 {
        return Err(Error::unknown_id());
    }
    delivery::forget::<SecurityEvent>(tx, &id.to_string());
    Ok(())
}

/// Every stream that takes events, held until the transaction ends: its status and its delivery stay what they are.
pub(super) async fn hold_all(tx: &mut Tx<Tenant>) -> Result<Vec<Stream>> {
    let update = quiet_sql!(
        "holds a row",
        "UPDATE signal_streams SET updated_at = updated_at WHERE tenant_id = $1 AND status <> 'disabled' \
         RETURNING id, app_id, endpoint_url, authorization_header, sealed_authorization, events_requested, description, status, reason"
    );
    tx.all(update, args![]).await?.iter().map(stream).collect()
}

/// What waits is pushed from now on, or no longer.
fn reschedule(tx: &mut Tx<Tenant>, stream: &Stream, now: Timestamp) {
    for is_notice in [false, true] {
        let due_at = stream.due_at(is_notice, now);
        delivery::reschedule::<SecurityEvent>(tx, &stream.id.to_string(), is_notice, due_at);
    }
}

impl Delivery {
    /// The columns that can be read.
    fn stored(&self) -> (&'static str, Option<String>) {
        match self {
            Self::Push { endpoint_url, .. } => ("push", Some(endpoint_url.clone())),
            Self::Poll => ("poll", None),
        }
    }

    /// The column that cannot.
    fn sealed(&self, stream: (TenantRef, StreamId), sealer: &Sealer, cx: &Cx) -> Result<Option<Vec<u8>>> {
        let header = match self {
            Self::Push { authorization_header, .. } => authorization_header.as_ref(),
            Self::Poll => None,
        };
        header.map(|header| header.sealed(stream, sealer, cx)).transpose()
    }

    /// Whether nothing changes of how events get there. A credential that is given again counts as another one.
    fn goes_on(&self, before: &Self) -> bool {
        let kept = |header: &Option<Authorization>| matches!(header, None | Some(Authorization::Stored(_)));
        match (self, before) {
            (
                Self::Push { endpoint_url, authorization_header },
                Self::Push { endpoint_url: address, authorization_header: credential },
            ) => {
                endpoint_url == address
                    && kept(authorization_header)
                    && authorization_header.is_some() == credential.is_some()
            }
            (Self::Poll, Self::Poll) => true,
            _ => false,
        }
    }
}

fn stream(row: &Row) -> Result<Stream> {
    let delivery = match row.maybe_text("endpoint_url")? {
        Some(endpoint_url) => {
            Delivery::Push { endpoint_url, authorization_header: Authorization::of_row(row)? }
        }
        None => Delivery::Poll,
    };
    Ok(Stream {
        id: row.parse("id")?,
        app: row.parse("app_id")?,
        wanted: Wanted {
            delivery,
            events_requested: document::load(row, "events_requested")?,
            description: row.maybe_text("description")?,
        },
        status: row.parse("status")?,
        reason: row.maybe_text("reason")?,
    })
}
