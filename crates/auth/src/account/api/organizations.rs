//! `/api/v1/identity/organizations`: the organizations that the person belongs to, and how to leave one.

use svc_core::OrganizationId;
use svc_http::{Json, List, NoContent, Path, Problem, Route, TenantCx, Whole};

use super::super::own::organizations::{all, leave};
use super::caller::{READ, WRITE, found, own};
use crate::authorize::organization::OwnOrganization;

pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/v1/identity/organizations")
            .tenant(READ, list)
            .summary("List the organizations that the person belongs to"),
        Route::delete("/api/v1/identity/organizations/{organization_id}")
            .tenant(WRITE, delete)
            .summary("Leave an organization, which ends the person's tokens there")
            .idempotent(),
    ]
}

async fn list(caller: TenantCx, whole: Whole) -> Result<Json<List<OwnOrganization>>, Problem> {
    let places = all(&own(&caller).await?).await?;
    let shown = places.into_iter().map(OwnOrganization::from).collect();
    Ok(Json(whole.part(&caller, shown, |one: &OwnOrganization| one.id)?))
}

async fn delete(caller: TenantCx, Path(id): Path<OrganizationId>) -> Result<NoContent, Problem> {
    let has_left = leave(&own(&caller).await?, id).await?.map_err(|denied| denied.refusal())?;
    found(has_left)
}
