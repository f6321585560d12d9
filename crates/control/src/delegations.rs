//! `/api/v1/delegations`: which applications act for whom, and how to end it (RFC 8693).

use serde::Serialize;
use serde_json::Value;
use svc_core::{AppId, DelegationId, Error, Result, Scope, TenantUserId, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::grants::delegations::{self, State};
use svc_http::{Json, List, ListQuery, Path, Problem, QueryParams, Route, Routes, TenantCx};
use utoipa::{IntoParams, ToSchema};

use crate::commit::{commit, unknown};
use crate::listed::Listed;

/// One application acting for one person.
#[derive(Debug, Serialize, ToSchema)]
struct Delegation {
    #[schema(value_type = String)]
    id: DelegationId,
    /// The delegation that it came of; null where it came of the person's own authorization.
    #[schema(value_type = Option<String>)]
    parent: Option<DelegationId>,
    /// For whom.
    #[schema(value_type = String)]
    tenant_user_id: TenantUserId,
    /// The application that acts.
    #[schema(value_type = String)]
    actor: AppId,
    /// The `client_id` of the application whose token was exchanged, or the issuer of an assertion.
    source: String,
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
    /// What for, in the application's words.
    purpose: String,
    state: State,
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
    #[schema(value_type = String, format = "date-time")]
    expires_at: Timestamp,
    #[schema(value_type = Option<String>, format = "date-time")]
    revoked_at: Option<Timestamp>,
}

#[derive(IntoParams)]
#[expect(dead_code, reason = "describes the parameters to the OpenAPI document; `list` reads them")]
struct Filter {
    /// Only those for this person.
    tenant_user_id: Option<String>,
    /// Only those of this application.
    actor: Option<String>,
    /// Only those in this state.
    state: Option<State>,
}

/// The routes of this resource.
pub(crate) fn routes() -> Routes {
    Routes::new(
        [
            Route::get("/api/v1/delegations")
                .tenant("delegations:read", list)
                .summary("List delegations, newest first")
                .query::<Filter>()
                .query::<ListQuery>()
                .returns::<Listed<Delegation>>(200),
            Route::get("/api/v1/delegations/{id}")
                .tenant("delegations:read", read)
                .summary("Read a delegation")
                .returns::<Delegation>(200),
            Route::post("/api/v1/delegations/{id}/revoke")
                .tenant("delegations:write", revoke)
                .summary("End a delegation with its tokens and everything that came of it")
                .idempotent()
                .returns::<Delegation>(200),
        ]
        .map(|route| route.tag("Delegations")),
    )
}

async fn list(caller: TenantCx, QueryParams(params): QueryParams) -> Result<Json<List<Delegation>>, Problem> {
    let request = caller.list(&params)?;
    let refused = |name: &str| Error::bad_request(format!("{name}: not a value that a delegation can have"));
    let filter = delegations::Filter {
        person: params
            .one("tenant_user_id")
            .map(str::parse)
            .transpose()
            .map_err(|_| refused("tenant_user_id"))?,
        actor: params.one("actor").map(str::parse).transpose().map_err(|_| refused("actor"))?,
        state: params
            .one("state")
            .map(|name| State::named(name).ok_or_else(|| refused("state")))
            .transpose()?,
    };
    let mut tx = caller.read().await?;
    let mut shown = Vec::new();
    for found in delegations::list(&mut tx, &filter, request.after, request.limit + 1).await? {
        shown.push(told(&caller, &mut tx, found).await?);
    }
    Ok(Json(caller.page(shown, request.limit, |delegation: &Delegation| delegation.id)?))
}

async fn read(caller: TenantCx, Path(id): Path<DelegationId>) -> Result<Json<Delegation>, Problem> {
    Ok(Json(find(&caller, &mut caller.read().await?, id).await?))
}

async fn revoke(caller: TenantCx, Path(id): Path<DelegationId>) -> Result<Json<Delegation>, Problem> {
    let mut tx = caller.begin().await?;
    delegations::revoke(&mut tx, &caller, id).await?;
    let delegation = find(&caller, &mut tx, id).await?;
    commit(&caller, tx).await?;
    Ok(Json(delegation))
}

async fn find(caller: &TenantCx, tx: &mut Tx<Tenant>, id: DelegationId) -> Result<Delegation> {
    let found = delegations::find(tx, id).await?.ok_or_else(unknown)?;
    told(caller, tx, found).await
}

/// A delegation as the wire has it, its details in the words of the API.
async fn told(
    caller: &TenantCx,
    tx: &mut Tx<Tenant>,
    delegation: delegations::Delegation,
) -> Result<Delegation> {
    let api = caller.app.services.apis.find_in(tx, &delegation.audience).await?;
    let sentences = api.and_then(|api| api.sentences(&delegation.authorization_details)).unwrap_or_default();
    Ok(Delegation {
        id: delegation.id,
        parent: delegation.parent,
        tenant_user_id: delegation.person,
        actor: delegation.actor,
        source: delegation.source.client_id,
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
