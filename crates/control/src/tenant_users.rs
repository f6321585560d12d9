//! `/api/v1/tenant-users`: people's memberships in the tenant, and the moves between their states.

use serde::Serialize;
use svc_core::{Result, TenantUserId, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::people::tenant_users::{self, Person, Status};
use svc_http::{Json, List, ListQuery, NoContent, Path, Problem, QueryParams, Route, Routes, TenantCx};
use utoipa::{IntoParams, ToSchema};

use crate::commit::{commit, unknown};
use crate::listed::Listed;

const READ: &str = "users:read";
const WRITE: &str = "users:write";

/// A person's membership in the tenant.
#[derive(Debug, Serialize, ToSchema)]
struct TenantUser {
    #[schema(value_type = String)]
    id: TenantUserId,
    /// The `sub` of the person's tokens for the tenant's own applications.
    sub: String,
    /// The sign-in name within the tenant.
    username: Option<String>,
    email: Option<String>,
    /// Whether the person proved to own the address.
    email_verified: bool,
    status: Status,
    roles: Vec<String>,
    /// The full name, when the person has told it.
    name: Option<String>,
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
    #[schema(value_type = String, format = "date-time")]
    updated_at: Timestamp,
}

#[derive(IntoParams)]
#[expect(dead_code, reason = "describes the parameter to the OpenAPI document; `list` reads it")]
struct Filter {
    /// Only memberships of this status.
    status: Option<Status>,
}

/// The routes of this resource.
pub(crate) fn routes() -> Routes {
    const ALL: &str = "/api/v1/tenant-users";
    const ONE: &str = "/api/v1/tenant-users/{id}";
    Routes::new(
        [
            Route::get(ALL)
                .tenant(READ, list)
                .summary("List tenant users")
                .query::<Filter>()
                .query::<ListQuery>()
                .returns::<Listed<TenantUser>>(200),
            Route::get(ONE).tenant(READ, read).summary("Read a tenant user").returns::<TenantUser>(200),
            Route::delete(ONE)
                .tenant(WRITE, remove)
                .summary("Remove a tenant user for good; history stays")
                .idempotent()
                .returns_nothing(204),
            Route::post("/api/v1/tenant-users/{id}/suspend")
                .tenant(WRITE, suspend)
                .summary("Suspend a tenant user and end the person's sessions and tokens")
                .idempotent()
                .returns::<TenantUser>(200),
            Route::post("/api/v1/tenant-users/{id}/reactivate")
                .tenant(WRITE, reactivate)
                .summary("Let a suspended tenant user sign in again")
                .idempotent()
                .returns::<TenantUser>(200),
        ]
        .map(|route| route.tag("Tenant users")),
    )
}

async fn list(caller: TenantCx, QueryParams(params): QueryParams) -> Result<Json<List<TenantUser>>, Problem> {
    let request = caller.list(&params)?;
    let status = params.one("status").map(str::parse).transpose()?;
    let mut tx = caller.read().await?;
    let found = tenant_users::list(&mut tx, status, request.after, request.limit + 1).await?;
    let shown = found.into_iter().map(TenantUser::from).collect();
    Ok(Json(caller.page(shown, request.limit, |user: &TenantUser| user.id)?))
}

async fn read(caller: TenantCx, Path(id): Path<TenantUserId>) -> Result<Json<TenantUser>, Problem> {
    Ok(Json(find(&mut caller.read().await?, id).await?.into()))
}

async fn suspend(caller: TenantCx, Path(id): Path<TenantUserId>) -> Result<Json<TenantUser>, Problem> {
    Ok(Json(change(&caller, id, Status::Suspended).await?))
}

async fn reactivate(caller: TenantCx, Path(id): Path<TenantUserId>) -> Result<Json<TenantUser>, Problem> {
    Ok(Json(change(&caller, id, Status::Active).await?))
}

async fn remove(caller: TenantCx, Path(id): Path<TenantUserId>) -> Result<NoContent, Problem> {
    change(&caller, id, Status::Removed).await?;
    Ok(NoContent)
}

async fn change(caller: &TenantCx, id: TenantUserId, to: Status) -> Result<TenantUser> {
    let mut tx = caller.begin().await?;
    let person = find(&mut tx, id).await?;
    tenant_users::set_status(&mut tx, caller, &person, to).await?;
    let person = find(&mut tx, id).await?;
    commit(caller, tx).await?;
    Ok(person.into())
}

pub(crate) async fn find(tx: &mut Tx<Tenant>, id: TenantUserId) -> Result<Person> {
    tenant_users::find(tx, id).await?.ok_or_else(unknown)
}

impl From<Person> for TenantUser {
    fn from(person: Person) -> Self {
        Self {
            id: person.id,
            sub: person.subject,
            username: person.username,
            email: person.email,
            email_verified: person.email_verified,
            status: person.status,
            roles: person.roles,
            name: person.profile.name,
            created_at: person.created_at,
            updated_at: person.updated_at,
        }
    }
}
