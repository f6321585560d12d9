//! `/api/v1/identity/organizations`: the organizations that the person belongs to, and how to leave one.

use serde::Serialize;
use svc_core::OrganizationId;
use svc_domain::organizations::Place;
use svc_http::{Json, List, NoContent, Path, Problem, Route, TenantCx, Whole};
use utoipa::ToSchema;

use super::super::own::organizations::{all, leave};
use super::caller::{READ, WRITE, found, own};

/// An organization that the person belongs to.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnOrganization)]
pub struct OwnOrganization {
    #[schema(value_type = String)]
    id: OrganizationId,
    /// The name in addresses and requests.
    slug: String,
    /// What people read.
    name: String,
    /// The roles that the person has there.
    roles: Vec<String>,
}

impl From<Place> for OwnOrganization {
    fn from(place: Place) -> Self {
        Self { id: place.id, slug: place.slug, name: place.name, roles: place.roles }
    }
}

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
