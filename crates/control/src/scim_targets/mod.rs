//! `/api/v1/scim-targets`: applications to which people and groups of the tenant are pushed (RFC 7644), and how they are doing.

mod links;
mod trial;

use serde::{Deserialize, Serialize};
use svc_core::{Error, OrganizationId, Result, ScimTargetId, Scope, Secret};
use svc_db::{Tenant, Tx};
use svc_domain::delivery::scim_targets::{self, Configuration, NewTarget, ScimTarget, Status, Update};
use svc_domain::lists::Order;
use svc_http::{Json, Outbound, Path, Problem, TenantCx};
use utoipa::{IntoParams, ToSchema};

use crate::page::Page;
use crate::record::Record;
use crate::resource::Resource;
use crate::{privileges, sealer, unknown};

/// A new target.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewScimTarget, examples(json!({ "name": "Wiki", "base_url": "https://wiki.example/scim/v2", "people": { "everyone": true }, "secret": "token-of-the-wiki" })))]
pub(crate) struct WantedTarget {
    #[serde(flatten)]
    configuration: Configuration,
    /// Whether people are pushed.
    #[serde(default)]
    #[schema(default = true)]
    active: Option<bool>,
    /// The bearer token of the application, or with `client_credentials` the secret of the client; it is not shown again.
    #[schema(value_type = String, min_length = 1, max_length = 4096)]
    secret: Secret,
}

/// What can be changed of a target.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "name": "Wiki", "base_url": "https://wiki.example/scim/v2", "people": { "everyone": true }, "active": true })))]
pub(crate) struct ScimTargetUpdate {
    /// Unchanged unless given; null in a patch activates it. A target that is activated checks everyone again.
    #[serde(default)]
    active: Option<bool>,
    /// As it is unless given; another `base_url`, and other `client_credentials`, need it here.
    #[serde(default, serialize_with = "crate::record::hidden")]
    #[schema(value_type = Option<String>, max_length = 4096)]
    secret: Option<Secret>,
    #[serde(flatten)]
    configuration: Configuration,
}

#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct Filter {
    /// Only active targets, or only inactive ones.
    #[param(nullable = false)]
    active: Option<bool>,
    /// Only those that name this organization in `people.organization_ids`.
    #[param(value_type = Option<String>, nullable = false)]
    organization_id: Option<OrganizationId>,
    /// Only those whose name begins with this text, in the order of names; the case of ASCII letters does not count.
    #[param(nullable = false, max_length = 320)]
    search: Option<String>,
    /// The order: by the time of creation, which is the usual one, or by name; a hyphen before it turns it round. What is searched is
    /// ordered by name.
    #[param(inline, nullable = false)]
    sort: Option<Order>,
}

impl Filter {
    fn fits(&self, target: &ScimTarget) -> bool {
        let named = &target.configuration.people.organization_ids;
        self.active.is_none_or(|wanted| wanted == target.active)
            && self.organization_id.is_none_or(|wanted| named.contains(&wanted))
    }
}

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("scim-targets", "SCIM targets")
        .may_read("See to which applications people of this organisation are pushed")
        .may_write("Choose to which applications people of this organisation are pushed")
        .crud::<ScimTarget>()
        .get("{id}/status", "Read the state of a target, and how many people it has", status)
        .get("{id}/links", "List the people and groups at a target", links::list)
        .post("{id}/test", "Ask a target what it can do", trial::test)
        .post("{id}/sync", "Push everyone to a target again", sync)
}

impl Record for ScimTarget {
    const ONE: &'static str = "a SCIM target";
    const MANY: &'static str = "SCIM targets";

    type Stored = Self;
    type Id = ScimTargetId;
    type Filter = Filter;
    type New = WantedTarget;
    type Created = Self;
    type Change = ScimTargetUpdate;

    fn head(target: &Self) -> (ScimTargetId, i64) {
        (target.id, target.version)
    }

    fn present(target: &Self) -> ScimTargetUpdate {
        let configuration = target.configuration.clone();
        ScimTargetUpdate { active: Some(target.active), secret: None, configuration }
    }

    fn completed(target: &Self, wanted: ScimTargetUpdate) -> ScimTargetUpdate {
        ScimTargetUpdate { active: wanted.active.or(Some(target.active)), ..wanted }
    }

    fn search(filter: &Filter) -> Option<&str> {
        filter.search.as_deref()
    }

    fn order(filter: &Filter) -> Option<Order> {
        filter.sort
    }

    fn names(target: &Self) -> Vec<&str> {
        vec![&target.configuration.name]
    }

    async fn list(
        _: &TenantCx,
        tx: &mut Tx<Tenant>,
        filter: Filter,
        page: &Page<ScimTargetId>,
    ) -> Result<Vec<Self>> {
        let mut all = scim_targets::list(tx, Page::whole()).await?;
        all.retain(|target| filter.fits(target));
        Ok(page.among(all, |target| (target.id, Self::names(target))))
    }

    async fn find(_: &TenantCx, tx: &mut Tx<Tenant>, id: ScimTargetId) -> Result<Option<Self>> {
        scim_targets::find(tx, id).await
    }

    async fn create(caller: &TenantCx, tx: &mut Tx<Tenant>, new: WantedTarget) -> Result<(Self, Self)> {
        check(caller, &new.configuration, Some(&new.secret))?;
        // The transaction begins with its first statement, so that the key of the tenant can be made before it.
        let sealer = sealer(caller).await?;
        let wanted = NewTarget {
            configuration: &new.configuration,
            active: new.active.unwrap_or(true),
            secret: &new.secret,
        };
        let target = scim_targets::create(tx, caller, &sealer, wanted).await?;
        Ok((target.clone(), target))
    }

    async fn update(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        target: Self,
        wanted: ScimTargetUpdate,
    ) -> Result<()> {
        check(caller, &wanted.configuration, wanted.secret.as_ref())?;
        let sealer = sealer(caller).await?;
        let update = Update {
            configuration: &wanted.configuration,
            active: wanted.active.unwrap_or(true),
            secret: wanted.secret.as_ref(),
        };
        scim_targets::update(tx, caller, &sealer, &target, update).await
    }

    async fn delete(caller: &TenantCx, tx: &mut Tx<Tenant>, target: Self) -> Result<()> {
        scim_targets::delete(tx, caller, target.id).await
    }
}

async fn status(caller: TenantCx, Path(id): Path<ScimTargetId>) -> Result<Json<Status>, Problem> {
    let mut tx = caller.read().await?;
    let target = find(&mut tx, id).await?;
    Ok(Json(scim_targets::status(&mut tx, caller.now, &target).await?))
}

async fn sync(caller: TenantCx, Path(id): Path<ScimTargetId>) -> Result<Json<Status>, Problem> {
    let mut tx = caller.begin().await?;
    let target = find(&mut tx, id).await?;
    check(&caller, &target.configuration, None)?;
    scim_targets::sync(&mut tx, &caller, &target).await?;
    let target = find(&mut tx, id).await?;
    let status = scim_targets::status(&mut tx, caller.now, &target).await?;
    tx.commit().await?;
    Ok(Json(status))
}

async fn find(tx: &mut Tx<Tenant>, id: ScimTargetId) -> Result<ScimTarget> {
    scim_targets::find(tx, id).await?.ok_or_else(unknown)
}

/// A target shows people to its application: the caller must be allowed to see them. An address that will never be called is refused
/// here, where an administrator reads the answer.
fn check(caller: &TenantCx, configuration: &Configuration, secret: Option<&Secret>) -> Result<()> {
    privileges::for_scope(caller, &"tenant-users:read".parse::<Scope>()?)?;
    if configuration.push_groups {
        privileges::for_scope(caller, &"groups:read".parse::<Scope>()?)?;
    }
    check_scim_target(&caller.app.outbound.to_receivers(&caller.app.config), configuration, secret)
}

/// Refuses a target that cannot be, or that will never be called.
pub fn check_scim_target(
    outbound: &Outbound,
    configuration: &Configuration,
    secret: Option<&Secret>,
) -> Result<()> {
    scim_targets::check(configuration, secret)?;
    let within = |name: &str, url: &str| {
        outbound.check(url).map_err(|error| Error::bad_request(format!("{name}: {}", error.detail())))
    };
    if let Some(client) = &configuration.client_credentials {
        within("client_credentials.token_url", &client.token_url)?;
    }
    within("base_url", &configuration.address("Users"))
}
