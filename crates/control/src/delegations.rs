//! `/api/v1/delegations`: which applications act for whom, and how to end it (RFC 8693).

use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_core::{AppId, DelegationId, OrganizationId, Result, Scope, TenantUserId, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::grants::delegations::{self, State};
use svc_http::{IfMatch, Json, List, Listing, Path, Problem, TenantCx, Versioned};
use utoipa::{IntoParams, ToSchema};

use crate::resource::Resource;
use crate::{record, unknown};

/// One application acting for one person.
#[derive(Debug, Serialize, ToSchema)]
struct Delegation {
    #[schema(value_type = String)]
    id: DelegationId,
    /// The delegation that it follows from; null where it follows from the person's own authorization.
    #[schema(value_type = Option<String>)]
    parent: Option<DelegationId>,
    /// The person for whom it acts.
    #[schema(value_type = String)]
    tenant_user_id: TenantUserId,
    /// The application that acts.
    #[schema(value_type = String)]
    actor: AppId,
    /// The `client_id` of the application whose token was exchanged, or the issuer of an assertion.
    source: String,
    /// The organization in which its tokens count; null where they count in the tenant as a whole.
    #[schema(value_type = Option<String>)]
    organization_id: Option<OrganizationId>,
    /// The API that it is for.
    audience: String,
    /// What it permits.
    #[schema(value_type = String)]
    scope: Scope,
    /// What it permits in detail (RFC 9396).
    #[schema(value_type = Vec<Object>)]
    authorization_details: Vec<Value>,
    /// The same as sentences; empty where the API does not offer a type any more.
    details: Vec<String>,
    /// The chain of actors as tokens carry it; null where the application impersonates.
    #[schema(value_type = Option<Object>)]
    act: Option<Value>,
    /// Its purpose, in the application's words.
    purpose: String,
    state: State,
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
    #[schema(value_type = String, format = "date-time")]
    expires_at: Timestamp,
    #[schema(value_type = Option<String>, format = "date-time")]
    revoked_at: Option<Timestamp>,
}

#[derive(Debug, Deserialize, IntoParams)]
struct Filter {
    /// Only those for this person.
    #[param(value_type = Option<String>, nullable = false)]
    tenant_user_id: Option<TenantUserId>,
    /// Only those of this application.
    #[param(value_type = Option<String>, nullable = false)]
    actor: Option<AppId>,
    /// Only those in this state.
    #[param(inline, nullable = false)]
    state: Option<State>,
}

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("delegations", "Delegations")
        .may_read("See which applications act for people")
        .may_write("End what applications do for people")
        .get("", "List delegations, newest first", list)
        .get("{id}", "Read a delegation", read)
        .post("{id}/revoke", "End a delegation with its tokens and everything that followed from it", revoke)
}

async fn list(
    caller: TenantCx,
    Listing { filter, page }: Listing<DelegationId, Filter>,
) -> Result<Json<List<Delegation>>, Problem> {
    let filter =
        delegations::Filter { person: filter.tenant_user_id, actor: filter.actor, state: filter.state };
    let mut tx = caller.read().await?;
    let mut shown = Vec::new();
    for found in delegations::list(&mut tx, &filter, page.after, page.fetch()).await? {
        shown.push(described(&caller, &mut tx, found).await?);
    }
    Ok(Json(caller.page(shown, page.limit, |delegation: &Delegation| delegation.id)?))
}

async fn read(caller: TenantCx, Path(id): Path<DelegationId>) -> Result<Versioned<Delegation>, Problem> {
    Ok(versioned(find(&caller, &mut caller.read().await?, id).await?))
}

async fn revoke(
    caller: TenantCx,
    Path(id): Path<DelegationId>,
    if_match: IfMatch,
) -> Result<Versioned<Delegation>, Problem> {
    let (mut tx, held) = record::begin(&caller, &id).await?;
    if_match.check(held, versioned(find(&caller, &mut tx, id).await?).version)?;
    delegations::revoke(&mut tx, &caller, id).await?;
    let delegation = find(&caller, &mut tx, id).await?;
    tx.commit().await?;
    Ok(versioned(delegation))
}

/// A delegation changes once: when it is revoked.
fn versioned(delegation: Delegation) -> Versioned<Delegation> {
    let changed_at = delegation.revoked_at.unwrap_or(delegation.created_at);
    Versioned { version: changed_at.as_micros(), record: delegation }
}

async fn find(caller: &TenantCx, tx: &mut Tx<Tenant>, id: DelegationId) -> Result<Delegation> {
    let found = delegations::find(tx, id).await?.ok_or_else(unknown)?;
    described(caller, tx, found).await
}

/// A delegation as the wire has it, its details in the words of the API.
async fn described(
    caller: &TenantCx,
    tx: &mut Tx<Tenant>,
    delegation: delegations::Delegation,
) -> Result<Delegation> {
    let api = caller.app.services.apis.find_in(tx, &caller.tenant, &delegation.audience).await?;
    let sentences = api.and_then(|api| api.sentences(&delegation.authorization_details)).unwrap_or_default();
    Ok(Delegation {
        id: delegation.id,
        parent: delegation.parent,
        tenant_user_id: delegation.person,
        actor: delegation.actor,
        source: delegation.source.client_id,
        organization_id: delegation.organization,
        audience: delegation.audience,
        scope: delegation.scope,
        authorization_details: delegation.authorization_details,
        details: sentences.iter().map(ToString::to_string).collect(),
        act: delegation.act,
        purpose: delegation.purpose,
        state: delegation.state,
        created_at: delegation.created_at,
        expires_at: delegation.expires_at,
        revoked_at: delegation.revoked_at,
    })
}
