//! Subscriptions: where events of a tenant go, and which.

use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_core::events::{WebhookCreated, WebhookDeleted, WebhookUpdated};
use svc_core::{Cx, Error, Result, Timestamp, WebhookId};
use svc_db::{Row, Tenant, Tx, args, change_sql, quiet_sql, sql};
use svc_keys::keyring::{Sealed, Sealer};
use utoipa::ToSchema;

use super::payload::WebhookDelivery;
use super::{MOST_SUBSCRIPTIONS, filter, health, secret};
use crate::checks::check_description;
use crate::delivery::{Queue as _, forget, owners};
use crate::document;
use crate::lists;
use crate::log::{Action, Meaning, change, check_version, positions};
use crate::tenancy::quotas::{self, Quota};

/// A subscription.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Webhook {
    /// Its id.
    #[schema(value_type = String)]
    pub id: WebhookId,
    /// What the tenant decides of it.
    #[serde(flatten)]
    pub configuration: Configuration,
    /// Whether events are sent.
    pub active: bool,
    /// Why the service deactivated it: `gone` where the receiver answered 410, `failing` where it took nothing for days.
    pub deactivated_because: Option<String>,
    /// Since when the receiver has accepted nothing; null where its last answer was a success.
    #[schema(value_type = Option<String>, format = "date-time")]
    pub failing_since: Option<Timestamp>,
    /// Until when deliveries are signed with the former secret too; null where there is none.
    #[schema(value_type = Option<String>, format = "date-time")]
    pub former_secret_expires_at: Option<Timestamp>,
    /// When it was made.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = String, format = "date-time")]
    pub updated_at: Timestamp,
    /// What signs its deliveries.
    #[serde(skip)]
    pub(super) secret: Sealed<String>,
    #[serde(skip)]
    pub(super) former_secret: Option<Sealed<String>>,
    /// Grows with each change.
    #[serde(skip)]
    pub version: i64,
}

/// What a tenant decides of a subscription.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = WebhookConfiguration)]
pub struct Configuration {
    /// Where events are posted to: an https address on a public host.
    #[schema(max_length = 2000)]
    pub url: String,
    /// Types of events, or categories such as `auth.*`.
    #[schema(min_items = 1, max_items = 100)]
    #[serde(deserialize_with = "document::each_once")]
    pub event_types: Vec<String>,
    /// What it is for, or whose it is.
    #[serde(default)]
    #[schema(max_length = 500)]
    pub description: Option<String>,
}

/// A subscription to make.
pub struct NewWebhook<'a> {
    /// What the tenant decides.
    pub configuration: &'a Configuration,
    /// Whether events are sent.
    pub active: bool,
    /// The secret, where the caller brings one.
    pub secret: Option<&'a str>,
}

/// Reads subscriptions; the argument says which.
macro_rules! webhooks_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, configuration, active, sealed_secret, sealed_former_secret, former_expires_at, failing_since, \
             deactivated_because, created_at, updated_at, version FROM webhooks WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// Makes a subscription to what happens from now on; returns it with its secret, where the caller brought none.
pub async fn create(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    sealer: &Sealer,
    new: NewWebhook<'_>,
) -> Result<(Webhook, Option<String>)> {
    check(new.configuration)?;
    new.secret.map_or(Ok(()), secret::check)?;
    let made = new.secret.is_none().then(|| secret::made(cx));
    let plain = new.secret.or(made.as_deref()).unwrap_or_default();
    quotas::check(tx, Quota::Webhooks).await?;
    tx.hold("webhooks");
    let count = sql!("SELECT COUNT(*) AS count FROM webhooks WHERE tenant_id = $1");
    if tx.one(count, args![]).await?.int("count")? >= MOST_SUBSCRIPTIONS {
        return Err(Error::conflict(format!("a tenant has at most {MOST_SUBSCRIPTIONS} subscriptions")));
    }
    let id = cx.id();
    let webhook = Webhook {
        id,
        configuration: new.configuration.clone(),
        active: new.active,
        deactivated_because: None,
        failing_since: None,
        former_secret_expires_at: None,
        created_at: cx.now,
        updated_at: cx.now,
        secret: secret::place((tx.tenant().reference(), id)).seal(plain, sealer, cx)?,
        former_secret: None,
        version: 1,
    };
    let position = positions::last(tx).await?;
    let insert = change_sql!(
        "INSERT INTO webhooks (tenant_id, id, configuration, active, sealed_secret, position, failures, tested_at, owner, \
         owner_to_be_told, begins_at, created_at, updated_at, version) \
         VALUES ($1, $2, $3, $4, $5, $6, 0, 0, $7, $8, $9, $9, $9, 1)"
    );
    let (stored, secret) = (document::store(new.configuration)?, webhook.secret.clone().into_column());
    let arguments = args![id, stored, new.active, secret, position, owners::owner(cx), false, cx.now];
    let meaning = Meaning::done(Action::WebhookCreated, id).telling(WebhookCreated { webhook_id: id });
    change(tx, cx, insert, arguments, meaning).await?;
    Ok((webhook, made))
}

/// Makes configuration and activity so; returns whether anything changed. What waits for a subscription that is deactivated
/// is not sent, one that is activated gets what happens from then on, and another address has not failed yet.
pub async fn update(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    present: &Webhook,
    new: &Configuration,
    active: bool,
) -> Result<bool> {
    check(new)?;
    if *new == present.configuration && active == present.active {
        return Ok(false);
    }
    let update = change_sql!(
        "UPDATE webhooks SET configuration = $3, active = $4, updated_at = $5, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND version = $6"
    );
    let arguments = args![present.id, document::store(new)?, active, cx.now, present.version];
    let meaning = Meaning::done(Action::WebhookUpdated, present.id)
        .with(json!({ "active": active }))
        .telling(WebhookUpdated { webhook_id: present.id, active });
    check_version(change(tx, cx, update, arguments, meaning).await?, "the subscription")?;
    if active && !present.active {
        begin_again(tx, cx, present.id).await?;
    } else if !active {
        health::drop_waiting(tx, present.id);
    } else if new.url != present.configuration.url {
        health::forgive(tx, cx, present.id);
    }
    Ok(true)
}

/// A subscription that is activated has nothing to make up for.
async fn begin_again(tx: &mut Tx<Tenant>, cx: &Cx, id: WebhookId) -> Result<()> {
    let position = positions::last(tx).await?;
    let update = quiet_sql!(
        "goes with the subscription, whose change is recorded",
        "UPDATE webhooks SET position = $3, begins_at = $4, replay_position = NULL, replay_until = NULL, replay_from = NULL, \
         replay_before = NULL, failing_since = NULL, last_failed_at = NULL, failures = 0, held_until = NULL, \
         deactivated_because = NULL WHERE tenant_id = $1 AND id = $2"
    );
    tx.later(update, args![id, position, cx.now]);
    Ok(())
}

/// Deletes a subscription with its deliveries and their history.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, id: WebhookId) -> Result<()> {
    let delete = change_sql!("DELETE FROM webhooks WHERE tenant_id = $1 AND id = $2");
    let meaning = Meaning::done(Action::WebhookDeleted, id).telling(WebhookDeleted { webhook_id: id });
    if change(tx, cx, delete, args![id], meaning).await? == 0 {
        return Err(Error::unknown_id());
    }
    forget::<WebhookDelivery>(tx, &id.to_string());
    let history = quiet_sql!(
        "goes with the subscription, whose change is recorded",
        "DELETE FROM deliveries WHERE tenant_id = $1 AND queue = $2 AND receiver = $3"
    );
    tx.later(history, args![WebhookDelivery::QUEUE, id]);
    Ok(())
}

/// One subscription.
pub async fn find(tx: &mut Tx<Tenant>, id: WebhookId) -> Result<Option<Webhook>> {
    tx.optional(webhooks_sql!("id = $2"), args![id]).await?.as_ref().map(webhook).transpose()
}

/// A page of subscriptions by id, after `cursor`: of all, or of those that are active or not.
pub async fn list(
    tx: &mut Tx<Tenant>,
    active: Option<bool>,
    (cursor, limit): (Option<WebhookId>, u32),
) -> Result<Vec<Webhook>> {
    let read = |row: &Row| webhook(row).map(Some);
    let Some(active) = active else {
        return lists::page(tx, webhooks_sql!("id > $2 ORDER BY id LIMIT $3"), (cursor, limit), read).await;
    };
    let select = webhooks_sql!("id > $3 AND active = $2 ORDER BY id LIMIT $4");
    lists::page_in(tx, select, (cursor, limit), args![active], read).await
}

fn webhook(row: &Row) -> Result<Webhook> {
    Ok(Webhook {
        id: row.parse("id")?,
        configuration: document::load(row, "configuration")?,
        active: row.flag("active")?,
        deactivated_because: row.maybe_text("deactivated_because")?,
        failing_since: row.maybe_time("failing_since")?,
        former_secret_expires_at: row.maybe_time("former_expires_at")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        secret: Sealed::from_column(row.bytes("sealed_secret")?),
        former_secret: row.maybe_bytes("sealed_former_secret")?.map(Sealed::from_column),
        version: row.int("version")?,
    })
}

fn check(configuration: &Configuration) -> Result<()> {
    let Configuration { url: _, event_types, description } = configuration;
    check_description(description.as_deref().unwrap_or_default(), 500)?;
    filter::check(event_types)
}
