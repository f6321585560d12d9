//! `/api/v1/identity/delegations`: what acts for the person, and how to end it (RFC 8693 §1.1).

use serde::Serialize;
use svc_core::{AppId, DelegationId, OrganizationId, Scope, Timestamp};
use svc_domain::apps::App;
use svc_domain::grants::delegations::Delegation;
use svc_http::{Json, List, NoContent, Path, Problem, Route, TenantCx, Whole};
use utoipa::ToSchema;

use super::super::own::delegations::{end, live};
use super::caller::{READ, WRITE, found, own};

/// An application that acts for the person.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnDelegation)]
struct OwnDelegation {
    #[schema(value_type = String)]
    id: DelegationId,
    /// The application.
    #[schema(value_type = String)]
    application_id: AppId,
    /// Its name.
    application: String,
    /// The organization in which it acts; null where it acts in the tenant as a whole.
    #[schema(value_type = Option<String>)]
    organization_id: Option<OrganizationId>,
    /// The API at which it acts.
    audience: String,
    /// What it may do there.
    #[schema(value_type = String)]
    scope: Scope,
    /// Its purpose, in the application's words.
    purpose: String,
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
    #[schema(value_type = String, format = "date-time")]
    expires_at: Timestamp,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/v1/identity/delegations")
            .tenant(READ, list)
            .summary("List the applications that act for the person, newest first"),
        Route::delete("/api/v1/identity/delegations/{delegation_id}")
            .tenant(WRITE, delete)
            .summary("End a delegation to an application, with everything that followed from it")
            .idempotent(),
    ]
}

async fn list(caller: TenantCx, whole: Whole) -> Result<Json<List<OwnDelegation>>, Problem> {
    let own = own(&caller).await?;
    let live = live(&own, &mut caller.read().await?).await?;
    let data = live.into_iter().map(|(delegation, app)| shown(&caller, delegation, &app)).collect();
    Ok(Json(whole.part(&caller, data, |one: &OwnDelegation| one.id)?))
}

fn shown(caller: &TenantCx, delegation: Delegation, app: &App) -> OwnDelegation {
    OwnDelegation {
        id: delegation.id,
        application_id: app.id,
        application: app.configuration.name.clone(),
        organization_id: delegation.organization,
        audience: caller.tenant.audience_of(&delegation.audience),
        scope: delegation.scope,
        purpose: delegation.purpose,
        created_at: delegation.created_at,
        expires_at: delegation.expires_at,
    }
}

async fn delete(caller: TenantCx, Path(id): Path<DelegationId>) -> Result<NoContent, Problem> {
    found(end(&own(&caller).await?, id).await?)
}
