//! Streams as an administrator makes, reads, changes and deletes them.

use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_core::events::{AuditStreamCreated, AuditStreamDeleted, AuditStreamUpdated};
use svc_core::{AuditStreamId, Cx, Error, Result, TenantRef, Timestamp};
use svc_db::{Row, Tenant, Tx, args, change_sql, quiet_sql, sql};
use svc_keys::keyring::{Sealed, Sealer};
use utoipa::ToSchema;

use super::TEST_INTERVAL;
use super::destination::Destination;
use crate::delivery::owners;
use crate::delivery::webhooks::secret;
use crate::log::{Action, Meaning, change, check_version};
use crate::sealed_secret::Place;
use crate::{document, lists, names};

/// A stream.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AuditStream {
    /// Its id.
    #[schema(value_type = String)]
    pub id: AuditStreamId,
    /// What the tenant decides of it.
    #[serde(flatten)]
    pub configuration: Configuration,
    /// Whether entries are sent.
    pub active: bool,
    /// Why the service deactivated it: `gone` where the receiver answered 410, `failing` where it took nothing for days.
    pub deactivated_because: Option<String>,
    /// The receiver has the entries up to this position.
    pub position: i64,
    /// How many entries it has not received yet.
    pub behind: i64,
    /// When it last acknowledged entries.
    #[schema(value_type = Option<String>, format = "date-time")]
    pub sent_at: Option<Timestamp>,
    /// Since when it has accepted nothing; null where the last batch was acknowledged.
    #[schema(value_type = Option<String>, format = "date-time")]
    pub failing_since: Option<Timestamp>,
    /// Why the last batch was not acknowledged.
    pub last_error: Option<String>,
    /// When it was made.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = String, format = "date-time")]
    pub updated_at: Timestamp,
    #[serde(skip)]
    secret: Sealed<String>,
    /// Grows with each change.
    #[serde(skip)]
    pub version: i64,
}

/// What a tenant decides of a stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AuditStreamConfiguration)]
pub struct Configuration {
    /// What administrators read.
    #[schema(min_length = 1, max_length = 120)]
    pub name: String,
    /// Where entries go.
    pub destination: Destination,
}

/// Which entry is the first of a new stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = AuditStreamBegin)]
pub enum Begin {
    /// The next one.
    #[default]
    Now,
    /// The oldest that is kept.
    Oldest,
}

/// A stream to make.
pub struct NewStream<'a> {
    /// What the tenant decides.
    pub configuration: &'a Configuration,
    /// Whether entries are sent.
    pub active: bool,
    /// From where on.
    pub begin: Begin,
    /// The secret, where the caller brings one.
    pub secret: Option<&'a str>,
    /// Most streams of one tenant.
    pub most: u32,
}

/// What is to become of a stream.
pub struct Update<'a> {
    /// What the tenant decides.
    pub configuration: &'a Configuration,
    /// Whether entries are sent.
    pub active: bool,
    /// Another secret.
    pub secret: Option<&'a str>,
}

/// Reads streams; the argument says which.
macro_rules! streams_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, configuration, active, sealed_secret, position, sent_at, failing_since, last_error, \
             deactivated_because, created_at, updated_at, version FROM audit_streams WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// Makes a stream; returns it with its secret, where one was made.
pub async fn create(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    sealer: &Sealer,
    new: NewStream<'_>,
) -> Result<(AuditStream, Option<String>)> {
    check(new.configuration)?;
    let destination = &new.configuration.destination;
    destination.check_secret(new.secret)?;
    let made = made(cx, destination, new.secret);
    tx.hold("audit streams");
    let count = sql!("SELECT COUNT(*) AS count FROM audit_streams WHERE tenant_id = $1");
    if tx.one(count, args![]).await?.int("count")? >= i64::from(new.most) {
        return Err(Error::conflict(format!(
            "a tenant has at most {} streams; delete another first",
            new.most
        )));
    }
    let id = cx.id();
    let plain = new.secret.or(made.as_deref()).unwrap_or_default();
    let secret = place((tx.tenant().reference(), id)).seal(plain, sealer, cx)?;
    let (removed, last) = bounds(tx).await?;
    let position = if new.begin == Begin::Oldest { removed } else { last };
    let insert = change_sql!(
        "INSERT INTO audit_streams (tenant_id, id, configuration, active, sealed_secret, position, due_at, claimed_until, \
         failures, owner, owner_to_be_told, tested_at, created_at, updated_at, version) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 0, $8, $9, 0, $7, $7, 1)"
    );
    let (stored, column) = (document::store(new.configuration)?, secret.clone().into_column());
    let arguments = args![id, stored, new.active, column, position, cx.now, owners::owner(cx), false];
    let event = AuditStreamCreated { audit_stream_id: id, name: new.configuration.name.clone() };
    change(tx, cx, insert, arguments, Meaning::done(Action::AuditStreamCreated, id).telling(event)).await?;
    let stream = AuditStream {
        id,
        configuration: new.configuration.clone(),
        active: new.active,
        deactivated_because: None,
        position,
        behind: last - position,
        sent_at: None,
        failing_since: None,
        last_error: None,
        created_at: cx.now,
        updated_at: cx.now,
        secret,
        version: 1,
    };
    Ok((stream, made))
}

/// Makes configuration, activity and secret so. A stream that is activated goes on where it stood.
pub async fn update(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    sealer: &Sealer,
    present: &AuditStream,
    new: Update<'_>,
) -> Result<()> {
    check(new.configuration)?;
    let destination = &new.configuration.destination;
    let is_kept = new.secret.is_none() && present.configuration.destination.keeps_secret(destination);
    if !is_kept {
        destination.check_secret(new.secret)?;
    }
    if !is_kept && new.secret.is_none() && matches!(destination, Destination::Webhook(_)) {
        return Err(Error::bad_request(
            "secret: give what signs for the new destination, at least 32 random bytes",
        ));
    }
    if is_kept && *new.configuration == present.configuration && new.active == present.active {
        return Ok(());
    }
    let secret = if is_kept {
        present.secret.clone()
    } else {
        let place = place((tx.tenant().reference(), present.id));
        place.seal(new.secret.unwrap_or_default(), sealer, cx)?
    };
    let update = change_sql!(
        "UPDATE audit_streams SET configuration = $3, active = $4, sealed_secret = $5, updated_at = $6, \
         version = version + 1 WHERE tenant_id = $1 AND id = $2 AND version = $7"
    );
    let stored = document::store(new.configuration)?;
    let arguments = args![present.id, stored, new.active, secret.into_column(), cx.now, present.version];
    let meaning = Meaning::done(Action::AuditStreamUpdated, present.id)
        .with(json!({ "active": new.active, "secret_replaced": !is_kept }))
        .telling(AuditStreamUpdated {
            audit_stream_id: present.id,
            name: new.configuration.name.clone(),
            active: new.active,
        });
    check_version(change(tx, cx, update, arguments, meaning).await?, "the stream")?;
    let is_elsewhere = *destination != present.configuration.destination;
    try_at_once(tx, cx, present.id, new.active && (!present.active || is_elsewhere));
    Ok(())
}

/// What was changed is tried at once; a stream that is activated again, or goes elsewhere, has not failed yet.
fn try_at_once(tx: &mut Tx<Tenant>, cx: &Cx, id: AuditStreamId, is_new_beginning: bool) {
    let update = quiet_sql!(
        "goes with the stream, whose change is recorded",
        "UPDATE audit_streams SET due_at = $3, failing_since = CASE WHEN $4 THEN NULL ELSE failing_since END, \
         failures = CASE WHEN $4 THEN 0 ELSE failures END, \
         deactivated_because = CASE WHEN $4 THEN NULL ELSE deactivated_because END WHERE tenant_id = $1 AND id = $2"
    );
    tx.later(update, args![id, cx.now, is_new_beginning]);
}

/// Whether this is the secret of a stream. One that does not open, because its key was destroyed, is no longer its secret.
pub fn holds_secret(stream: &AuditStream, given: &str, tenant: TenantRef, sealer: &Sealer) -> bool {
    place((tenant, stream.id)).holds(&stream.secret, given, sealer)
}

/// Writes an entry that an active stream sends like any other, at once.
pub async fn test(tx: &mut Tx<Tenant>, cx: &Cx, stream: &AuditStream) -> Result<()> {
    if !stream.active {
        return Err(Error::conflict("the stream is deactivated; activate it first"));
    }
    let update = change_sql!(
        "UPDATE audit_streams SET tested_at = $3, due_at = $3 WHERE tenant_id = $1 AND id = $2 AND tested_at <= $4"
    );
    let arguments = args![stream.id, cx.now, cx.now - TEST_INTERVAL];
    let meaning = Meaning::done(Action::AuditStreamTested, stream.id);
    if change(tx, cx, update, arguments, meaning).await? == 0 {
        return Err(Error::rate_limited("this stream was tested just now").retry_in(TEST_INTERVAL));
    }
    Ok(())
}

/// Deletes a stream.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, id: AuditStreamId) -> Result<()> {
    let delete = change_sql!("DELETE FROM audit_streams WHERE tenant_id = $1 AND id = $2");
    let meaning =
        Meaning::done(Action::AuditStreamDeleted, id).telling(AuditStreamDeleted { audit_stream_id: id });
    if change(tx, cx, delete, args![id], meaning).await? == 0 {
        return Err(Error::unknown_id());
    }
    Ok(())
}

/// One stream; nothing where a newer version has made it for a destination that this one does not know.
pub async fn find(tx: &mut Tx<Tenant>, id: AuditStreamId) -> Result<Option<AuditStream>> {
    let (_, last) = bounds(tx).await?;
    let row = tx.optional(streams_sql!("id = $2"), args![id]).await?;
    row.map_or(Ok(None), |row| stream(&row, last))
}

/// A page of streams by id, after `cursor`.
pub async fn list(
    tx: &mut Tx<Tenant>,
    (cursor, limit): (Option<AuditStreamId>, u32),
) -> Result<Vec<AuditStream>> {
    let (_, last) = bounds(tx).await?;
    let select = streams_sql!("id > $2 ORDER BY id LIMIT $3");
    lists::page(tx, select, (cursor, limit), |row| stream(row, last)).await
}

fn stream(row: &Row, last: i64) -> Result<Option<AuditStream>> {
    let Some(configuration) = document::known_whole(row, "configuration")? else { return Ok(None) };
    let position = row.int("position")?;
    Ok(Some(AuditStream {
        id: row.parse("id")?,
        configuration,
        active: row.flag("active")?,
        deactivated_because: row.maybe_text("deactivated_because")?,
        position,
        behind: (last - position).max(0),
        sent_at: row.maybe_time("sent_at")?,
        failing_since: row.maybe_time("failing_since")?,
        last_error: row.maybe_text("last_error")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        secret: Sealed::from_column(row.bytes("sealed_secret")?),
        version: row.int("version")?,
    }))
}

/// The positions before the first entry that is kept, and of the latest.
async fn bounds(tx: &mut Tx<Tenant>) -> Result<(i64, i64)> {
    let select = sql!("SELECT removed, last FROM audit_chains WHERE tenant_id = $1");
    let row = tx.optional(select, args![]).await?;
    row.map_or(Ok((0, 0)), |row| Ok((row.int("removed")?, row.int("last")?)))
}

/// A secret for a receiver of batches that got none.
fn made(cx: &Cx, destination: &Destination, given: Option<&str>) -> Option<String> {
    (matches!(destination, Destination::Webhook(_)) && given.is_none()).then(|| secret::made(cx))
}

pub(super) fn place(stream: (TenantRef, AuditStreamId)) -> Place {
    Place::of("audit_streams", stream)
}

/// Refuses a name and a destination that cannot be.
pub fn check(Configuration { name, destination }: &Configuration) -> Result<()> {
    names::check(name, 120)?;
    destination.check()
}
