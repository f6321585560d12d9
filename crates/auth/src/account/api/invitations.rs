//! `/api/v1/identity/invitations`: invitations to organizations that wait for the person, accepted or declined.

use serde::Serialize;
use svc_core::{OrganizationId, OrganizationInvitationId, Timestamp};
use svc_http::{Json, List, NoContent, Path, Problem, Route, TenantCx, Whole};
use utoipa::ToSchema;

use super::super::own::invitations::{Waiting, accept, decline, waiting};
use super::caller::{READ, WRITE, found, own};

/// An invitation that waits for the person.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnInvitation)]
struct OwnInvitation {
    #[schema(value_type = String)]
    id: OrganizationInvitationId,
    #[schema(value_type = String)]
    organization_id: OrganizationId,
    /// The name of the organization.
    organization: String,
    /// The roles that the person gets there.
    roles: Vec<String>,
    #[schema(value_type = String, format = "date-time")]
    sent_at: Timestamp,
    #[schema(value_type = String, format = "date-time")]
    expires_at: Timestamp,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/v1/identity/invitations")
            .tenant(READ, list)
            .summary("List the invitations to organizations that wait for the person's proven address"),
        Route::post("/api/v1/identity/invitations/{invitation_id}/accept")
            .tenant(WRITE, join)
            .summary("Accept an invitation, which makes the person a member")
            .idempotent(),
        Route::delete("/api/v1/identity/invitations/{invitation_id}")
            .tenant(WRITE, delete)
            .summary("Decline an invitation")
            .idempotent(),
    ]
}

async fn list(caller: TenantCx, whole: Whole) -> Result<Json<List<OwnInvitation>>, Problem> {
    let own = own(&caller).await?;
    let data = waiting(&own, &mut caller.read().await?).await?.into_iter().map(shown).collect();
    Ok(Json(whole.part(&caller, data, |one: &OwnInvitation| one.id)?))
}

fn shown(Waiting { invitation, organization }: Waiting) -> OwnInvitation {
    OwnInvitation {
        id: invitation.id,
        organization_id: organization.id,
        organization: organization.configuration.name,
        roles: invitation.roles,
        sent_at: invitation.sent_at,
        expires_at: invitation.expires_at,
    }
}

async fn join(caller: TenantCx, Path(id): Path<OrganizationInvitationId>) -> Result<NoContent, Problem> {
    found(accept(&own(&caller).await?, id).await?)
}

async fn delete(caller: TenantCx, Path(id): Path<OrganizationInvitationId>) -> Result<NoContent, Problem> {
    found(decline(&own(&caller).await?, id).await?)
}
