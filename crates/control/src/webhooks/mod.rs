//! `/api/v1/webhooks`: subscriptions to the tenant's events, and what was delivered to them.

mod deliveries;
mod sending;

use serde::{Deserialize, Serialize};
use svc_core::{Error, Result, Secret, Timestamp, WebhookId};
use svc_db::{Tenant, Tx};
use svc_domain::delivery::webhooks::{self, Configuration, NewWebhook, Webhook};
use svc_http::{IfMatch, Json, Path, Problem, Query, TenantCx};
use utoipa::{IntoParams, ToSchema};

use crate::page::Page;
use crate::record::{self, Record};
use crate::resource::Resource;
use crate::rotation::Rotation;
use crate::{sealer, unknown};

/// A new subscription.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewWebhook, examples(json!({ "url": "https://receiver.example/events", "event_types": ["auth.*", "tenant_user.suspended"], "description": "Fraud team" })))]
pub(crate) struct WantedWebhook {
    #[serde(flatten)]
    configuration: Configuration,
    /// Whether events are sent.
    #[serde(default)]
    #[schema(default = true)]
    active: Option<bool>,
    /// The secret that signs its deliveries, at least 32 random bytes as text; without it one is made and is in the answer, once.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 256)]
    secret: Option<Secret>,
}

/// A subscription as it has just been created.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CreatedWebhook {
    #[serde(flatten)]
    webhook: Webhook,
    /// Shown this once; absent where the caller brought its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    secret: Option<String>,
}

/// What can be changed of a subscription. `PUT` and `PATCH` both leave alone what they do not name.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "url": "https://receiver.example/events", "event_types": ["auth.*"], "active": true })))]
pub(crate) struct WebhookUpdate {
    /// Whether events are sent; null is the default, which is that they are. A subscription that is deactivated misses the events of
    /// that time.
    #[serde(default)]
    active: Option<bool>,
    #[serde(flatten)]
    configuration: Configuration,
}

/// A secret, shown this once.
#[derive(Debug, Serialize, ToSchema)]
struct WebhookSecret {
    /// Signs deliveries from now on.
    secret: String,
    /// Until when deliveries are signed with the former one too; null if it ended at once.
    #[schema(value_type = Option<String>, format = "date-time")]
    former_expires_at: Option<Timestamp>,
}

#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct Filter {
    /// Only active subscriptions, or only inactive ones.
    #[param(nullable = false)]
    active: Option<bool>,
}

/// The resource.
pub(crate) fn resource() -> Resource {
    let resource = Resource::at("webhooks", "Webhooks")
        .may_read("See where events of this organisation are sent")
        .may_write("Choose where events of this organisation are sent")
        .crud_with::<Webhook, _, _>(
            "Change the writable fields of a subscription that are given",
            record::amend::<Webhook>,
        )
        .post(
            "{id}/secret",
            "Replace the secret of a subscription; the former one signs as well for a while",
            rotate_secret,
        );
    deliveries::routes(sending::routes(resource))
}

impl Record for Webhook {
    const ONE: &'static str = "a subscription";
    const MANY: &'static str = "subscriptions";

    type Stored = Self;
    type Id = WebhookId;
    type Filter = Filter;
    type New = WantedWebhook;
    type Created = CreatedWebhook;
    type Change = WebhookUpdate;

    fn head(webhook: &Self) -> (WebhookId, i64) {
        (webhook.id, webhook.version)
    }

    fn present(webhook: &Self) -> WebhookUpdate {
        WebhookUpdate { active: Some(webhook.active), configuration: webhook.configuration.clone() }
    }

    async fn list(
        _: &TenantCx,
        tx: &mut Tx<Tenant>,
        filter: Filter,
        page: &Page<WebhookId>,
    ) -> Result<Vec<Self>> {
        webhooks::list(tx, filter.active, page.by_id()).await
    }

    async fn find(_: &TenantCx, tx: &mut Tx<Tenant>, id: WebhookId) -> Result<Option<Self>> {
        webhooks::find(tx, id).await
    }

    async fn create(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        new: WantedWebhook,
    ) -> Result<(Self, CreatedWebhook)> {
        check_reach(caller, &new.configuration)?;
        // The transaction begins with its first statement, so that the key of the tenant can be made before it.
        let sealer = sealer(caller).await?;
        let wanted = NewWebhook {
            configuration: &new.configuration,
            active: new.active.unwrap_or(true),
            secret: new.secret.as_ref().map(Secret::expose),
        };
        let (webhook, secret) = webhooks::create(tx, caller, &sealer, wanted).await?;
        Ok((webhook.clone(), CreatedWebhook { webhook, secret }))
    }

    async fn update(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        webhook: Self,
        wanted: WebhookUpdate,
    ) -> Result<()> {
        check_reach(caller, &wanted.configuration)?;
        let active = wanted.active.unwrap_or(true);
        webhooks::update(tx, caller, &webhook, &wanted.configuration, active).await?;
        Ok(())
    }

    async fn delete(caller: &TenantCx, tx: &mut Tx<Tenant>, webhook: Self) -> Result<()> {
        webhooks::delete(tx, caller, webhook.id).await
    }
}

async fn rotate_secret(
    caller: TenantCx,
    Path(id): Path<WebhookId>,
    Query(rotation): Query<Rotation>,
    if_match: IfMatch,
) -> Result<Json<WebhookSecret>, Problem> {
    let sealer = sealer(&caller).await?;
    let (mut tx, held) = record::begin(&caller, &id).await?;
    let webhook = find(&mut tx, id).await?;
    if_match.check(held, webhook.version)?;
    let overlap = rotation.overlap()?;
    let (secret, former_expires_at) = webhooks::rotate(&mut tx, &caller, &sealer, &webhook, overlap).await?;
    tx.commit().await?;
    Ok(Json(WebhookSecret { secret, former_expires_at }))
}

async fn find(tx: &mut Tx<Tenant>, id: WebhookId) -> Result<Webhook> {
    webhooks::find(tx, id).await?.ok_or_else(unknown)
}

/// An address that will never be called is refused here, where an administrator reads the answer.
fn check_reach(caller: &TenantCx, configuration: &Configuration) -> Result<()> {
    let outbound = caller.app.outbound.to_receivers(&caller.app.config);
    let outcome = outbound.check(&configuration.url);
    outcome.map_err(|error| Error::bad_request(format!("url: {}", error.detail())))
}
