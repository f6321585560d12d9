//! `/api/v1/policies`: documents in Cedar that decide who may do what, their versions and trials.

mod trials;
mod versions;

use serde::{Deserialize, Serialize};
use svc_core::{Error, OrInternal, OrganizationId, PolicyDecisionId, PolicyId, Result};
use svc_db::{Tenant, Tx};
use svc_domain::lists::Order;
use svc_domain::log::audit;
use svc_domain::organizations;
use svc_domain::policies::{self, Change, Configuration, Policy, Recorded, ShadowCounts, Status};
use svc_http::{IfMatch, Json, List, Listing, MergePatch, Path, Problem, TenantCx, Versioned, Whole};
use utoipa::{IntoParams, ToSchema};

use crate::page::Page;
use crate::record::{self, Record};
use crate::resource::Resource;
use crate::unknown;

/// A new policy.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "name": "Editors write", "status": "active",
    "text": "permit(principal in Group::\"Editors\", action == Action::\"write\", resource is document);" })))]
pub(crate) struct NewPolicy {
    #[serde(flatten)]
    configuration: Configuration,
    /// Its status.
    #[serde(default)]
    #[schema(default = "draft")]
    status: Status,
    /// The organization in which alone it decides.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    organization_id: Option<OrganizationId>,
}

/// What can be changed of a policy: the status stays where it is left out, other members take their defaults.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "name": "Editors write", "status": "shadow",
    "text": "permit(principal in Group::\"Editors\", action == Action::\"write\", resource is document);" })))]
pub(crate) struct PolicyUpdate {
    #[serde(flatten)]
    configuration: Configuration,
    /// Its status; null in a patch makes it a draft.
    #[serde(default)]
    #[schema(nullable = false)]
    status: Option<Status>,
    /// The organization in which alone it decides.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    organization_id: Option<OrganizationId>,
}

#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct Filter {
    /// Only those of this status.
    #[param(inline, nullable = false)]
    status: Option<Status>,
    /// Only those that decide in this organization alone.
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

#[derive(Debug, Deserialize, IntoParams)]
struct DecisionFilter {
    /// Only those that permitted what was asked, or only those that did not.
    #[param(nullable = false)]
    decision: Option<bool>,
}

/// The resource.
pub(crate) fn resource() -> Resource {
    let resource = Resource::at("policies", "Policies")
        .may_read("See the policies of this organisation, and what they decided")
        .may_write("Write, try and activate policies")
        .get("", "List policies", record::list::<Policy>)
        .post("", "Create a policy", record::create::<Policy>)
        .get("decisions", "List the last decisions, newest first", decisions)
        .get("{id}", "Read a policy", record::read::<Policy>)
        .put("{id}", "Replace the writable fields of a policy, which makes a version", replace)
        .patch("{id}", "Change a policy in part, which makes a version", change)
        .delete("{id}", "Delete a policy with its versions", record::delete::<Policy>)
        .get("{id}/shadow", "Read how many decisions a shadow policy would have changed, by version", shadow);
    trials::routes(versions::routes(resource))
}

impl Record for Policy {
    const ONE: &'static str = "a policy";
    const MANY: &'static str = "policies";

    type Stored = Self;
    type Id = PolicyId;
    type Filter = Filter;
    type New = NewPolicy;
    type Created = Self;
    type Change = PolicyUpdate;

    fn head(policy: &Self) -> (PolicyId, i64) {
        (policy.id, policy.version)
    }

    fn present(policy: &Self) -> PolicyUpdate {
        PolicyUpdate {
            configuration: policy.configuration.clone(),
            status: Some(policy.status),
            organization_id: policy.organization_id,
        }
    }

    fn completed(policy: &Self, wanted: PolicyUpdate) -> PolicyUpdate {
        PolicyUpdate { status: wanted.status.or(Some(policy.status)), ..wanted }
    }

    fn search(filter: &Filter) -> Option<&str> {
        filter.search.as_deref()
    }

    fn order(filter: &Filter) -> Option<Order> {
        filter.sort
    }

    fn names(policy: &Self) -> Vec<&str> {
        vec![&policy.configuration.name]
    }

    async fn list(
        _: &TenantCx,
        tx: &mut Tx<Tenant>,
        filter: Filter,
        page: &Page<PolicyId>,
    ) -> Result<Vec<Self>> {
        let Filter { status, organization_id: organization, .. } = filter;
        let (order, wanted) = page.ordered();
        policies::list_by(tx, policies::Filter { status, organization }, order, wanted).await
    }

    async fn find(_: &TenantCx, tx: &mut Tx<Tenant>, id: PolicyId) -> Result<Option<Self>> {
        policies::find(tx, id).await
    }

    async fn create(caller: &TenantCx, tx: &mut Tx<Tenant>, new: NewPolicy) -> Result<(Self, Self)> {
        let NewPolicy { configuration, status, organization_id } = new;
        // Before the transaction begins, which is with its first statement.
        check_text(&configuration).await?;
        check_organization(tx, organization_id).await?;
        let new = Change { configuration, status, organization_id };
        let most = caller.app.config.access_control.max_policies_per_tenant;
        let policy = policies::create(tx, caller, &new, most).await?;
        Ok((policy.clone(), policy))
    }

    async fn update(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        policy: Self,
        wanted: PolicyUpdate,
    ) -> Result<()> {
        let PolicyUpdate { configuration, status, organization_id } = wanted;
        if organization_id != policy.organization_id {
            check_organization(tx, organization_id).await?;
        }
        let new = Change { configuration, status: status.unwrap_or_default(), organization_id };
        policies::update(tx, caller, &policy, &new).await?;
        Ok(())
    }

    async fn delete(caller: &TenantCx, tx: &mut Tx<Tenant>, policy: Self) -> Result<()> {
        policies::delete(tx, caller, &policy).await
    }
}

/// Reads the text of a policy, which may take a while.
async fn check_text(Configuration { text, schema, .. }: &Configuration) -> Result<()> {
    policies::check(text, schema.as_deref()).await
}

async fn check_organization(tx: &mut Tx<Tenant>, id: Option<OrganizationId>) -> Result<()> {
    let Some(id) = id else { return Ok(()) };
    if organizations::find(tx, id).await?.is_none() {
        return Err(Error::bad_request("organization_id: no organization has this id"));
    }
    Ok(())
}

async fn replace(
    caller: TenantCx,
    Path(id): Path<PolicyId>,
    if_match: IfMatch,
    Json(wanted): Json<PolicyUpdate>,
) -> Result<Versioned<Policy>, Problem> {
    Ok(updated(&caller, id, &if_match, |policy| Ok(Policy::completed(policy, wanted.clone()))).await?)
}

async fn change(
    caller: TenantCx,
    Path(id): Path<PolicyId>,
    if_match: IfMatch,
    patch: MergePatch<PolicyUpdate>,
) -> Result<Versioned<Policy>, Problem> {
    Ok(updated(&caller, id, &if_match, |policy| patch.clone().apply(&Policy::present(policy))).await?)
}

/// Changes a policy. Its text is read before the transaction begins: that may take a while, and others wait for it. It is read again
/// where another change, made meanwhile, makes another text of a patch.
async fn updated(
    caller: &TenantCx,
    id: PolicyId,
    if_match: &IfMatch,
    wanted: impl Fn(&Policy) -> Result<PolicyUpdate> + Send,
) -> Result<Versioned<Policy>> {
    let present = find(&mut caller.read().await?, id).await?;
    let Configuration { text, schema, .. } = wanted(&present)?.configuration;
    policies::check(&text, schema.as_deref()).await?;
    let (mut tx, held) = record::begin(caller, &id).await?;
    let present = find(&mut tx, id).await?;
    if_match.check(held, present.version)?;
    let wanted = wanted(&present)?;
    if (&wanted.configuration.text, &wanted.configuration.schema) != (&text, &schema) {
        check_text(&wanted.configuration).await?;
    }
    let before = serde_json::to_value(&present).or_internal()?;
    Policy::update(caller, &mut tx, present, wanted).await?;
    let record = find(&mut tx, id).await?;
    audit::tell_changes(&mut tx, &id.to_string(), &before, &serde_json::to_value(&record).or_internal()?);
    tx.commit().await?;
    Ok(Versioned { version: record.version, record })
}

async fn find(tx: &mut Tx<Tenant>, id: PolicyId) -> Result<Policy> {
    policies::find(tx, id).await?.ok_or_else(unknown)
}

async fn decisions(
    caller: TenantCx,
    Listing { filter, page }: Listing<PolicyDecisionId, DecisionFilter>,
) -> Result<Json<List<Recorded>>, Problem> {
    let (mut tx, asked) = (caller.read().await?, (page.after, page.fetch()));
    let found = policies::list_decisions(&mut tx, filter.decision, asked).await?;
    Ok(Json(caller.page(found, page.limit, |decision: &Recorded| decision.id)?))
}

async fn shadow(
    caller: TenantCx,
    Path(id): Path<PolicyId>,
    whole: Whole,
) -> Result<Json<List<ShadowCounts>>, Problem> {
    let mut tx = caller.read().await?;
    let policy = find(&mut tx, id).await?;
    let counts = policies::shadow_counts(&mut tx, policy.id).await?;
    Ok(Json(whole.part(&caller, counts, |one: &ShadowCounts| one.version)?))
}
