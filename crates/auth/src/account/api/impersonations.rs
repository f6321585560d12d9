//! `/api/v1/identity/impersonations`: support staff who act, acted or want to act for the person.

use serde::Serialize;
use svc_core::{ImpersonationId, Timestamp};
use svc_domain::people::impersonations::{Page, State};
use svc_http::{Json, List, Listing, NoContent, Path, Problem, Route, TenantCx};
use utoipa::ToSchema;

use super::super::own::support::{self, Visited};
use super::caller::{READ, WRITE, found, own};

/// What decisions ask for, as on other requests that wait for the person.
const APPROVE: &str = "identity:approve";

/// A staff member who acts, acted or wants to act for the person.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnImpersonation)]
struct OwnImpersonation {
    #[schema(value_type = String)]
    id: ImpersonationId,
    /// What the staff member is called.
    staff: String,
    /// Why, in the words of the staff member.
    reason: String,
    /// How many minutes it lasts.
    minutes: u32,
    state: State,
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
    #[schema(value_type = Option<String>, format = "date-time")]
    started_at: Option<Timestamp>,
    /// When it was ended before its time.
    #[schema(value_type = Option<String>, format = "date-time")]
    ended_at: Option<Timestamp>,
    /// Until when it can be approved, or begun; once it has begun, when it ends.
    #[schema(value_type = String, format = "date-time")]
    expires_at: Timestamp,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/v1/identity/impersonations")
            .tenant(READ, list)
            .summary("List when support staff acted for the person, or want to, newest first"),
        Route::post("/api/v1/identity/impersonations/{impersonation_id}/approve")
            .tenant(APPROVE, approve)
            .summary("Approve that a staff member acts for the person")
            .idempotent(),
        Route::post("/api/v1/identity/impersonations/{impersonation_id}/deny")
            .tenant(APPROVE, deny)
            .summary("Refuse that a staff member acts for the person")
            .idempotent(),
        Route::post("/api/v1/identity/impersonations/{impersonation_id}/end")
            .tenant(WRITE, end)
            .summary("End an impersonation of the person, or withdraw its approval")
            .idempotent(),
    ]
}

async fn list(
    caller: TenantCx,
    Listing { page, .. }: Listing<ImpersonationId>,
) -> Result<Json<List<OwnImpersonation>>, Problem> {
    let asked = Page { cursor: page.after, limit: page.fetch() };
    let found = support::page(&own(&caller).await?, &asked).await?;
    let shown = found.into_iter().map(OwnImpersonation::from).collect();
    Ok(Json(caller.page(shown, page.limit, |one: &OwnImpersonation| one.id)?))
}

async fn approve(caller: TenantCx, Path(id): Path<ImpersonationId>) -> Result<NoContent, Problem> {
    support::decide(&own(&caller).await?, id, true).await?;
    Ok(NoContent)
}

async fn deny(caller: TenantCx, Path(id): Path<ImpersonationId>) -> Result<NoContent, Problem> {
    support::decide(&own(&caller).await?, id, false).await?;
    Ok(NoContent)
}

async fn end(caller: TenantCx, Path(id): Path<ImpersonationId>) -> Result<NoContent, Problem> {
    found(support::end(&own(&caller).await?, id).await?)
}

impl From<Visited> for OwnImpersonation {
    fn from(Visited { impersonation: found, staff }: Visited) -> Self {
        Self {
            id: found.id,
            staff,
            reason: found.reason,
            minutes: found.minutes,
            state: found.state,
            created_at: found.created_at,
            started_at: found.started_at,
            ended_at: found.ended_at,
            expires_at: found.expires_at,
        }
    }
}
