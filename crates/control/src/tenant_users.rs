//! `/api/v1/tenant-users`: people's memberships in the tenant, and the moves between their states.

use serde::{Deserialize, Serialize};
use svc_core::{Result, TenantUserId, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::people::tenant_users::{self, Person, Status};
use svc_http::{IfMatch, Json, List, Listing, NoContent, Path, Problem, TenantCx, Versioned};
use utoipa::{IntoParams, ToSchema};

use crate::privileges;
use crate::resource::Resource;
use crate::unknown;

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
    /// The full name, when it is known.
    name: Option<String>,
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
    #[schema(value_type = String, format = "date-time")]
    updated_at: Timestamp,
}

#[derive(Debug, Deserialize, IntoParams)]
struct Filter {
    /// Only memberships of this status.
    #[param(inline, nullable = false)]
    status: Option<Status>,
}

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("tenant-users", "Tenant users")
        .may_read("See the people of this organisation")
        .may_write("Invite, change, suspend, reactivate and remove people")
        .formerly("users")
        .get("", "List tenant users", list)
        .get("{id}", "Read a tenant user", read)
        .delete("{id}", "Remove a tenant user for good; history stays", remove)
        .post("{id}/suspend", "Suspend a tenant user and end the person's sessions and tokens", suspend)
        .post("{id}/reactivate", "Let a suspended tenant user sign in again", reactivate)
}

async fn list(
    caller: TenantCx,
    Listing { filter, page }: Listing<TenantUserId, Filter>,
) -> Result<Json<List<TenantUser>>, Problem> {
    let mut tx = caller.read().await?;
    let found = tenant_users::list(&mut tx, filter.status, page.after, page.fetch()).await?;
    let shown = found.into_iter().map(TenantUser::from).collect();
    Ok(Json(caller.page(shown, page.limit, |user: &TenantUser| user.id)?))
}

async fn read(caller: TenantCx, Path(id): Path<TenantUserId>) -> Result<Versioned<TenantUser>, Problem> {
    Ok(versioned(find(&mut caller.read().await?, id).await?))
}

async fn suspend(
    caller: TenantCx,
    Path(id): Path<TenantUserId>,
    if_match: IfMatch,
) -> Result<Versioned<TenantUser>, Problem> {
    Ok(moved(&caller, id, &if_match, Status::Suspended).await?)
}

async fn reactivate(
    caller: TenantCx,
    Path(id): Path<TenantUserId>,
    if_match: IfMatch,
) -> Result<Versioned<TenantUser>, Problem> {
    Ok(moved(&caller, id, &if_match, Status::Active).await?)
}

async fn remove(
    caller: TenantCx,
    Path(id): Path<TenantUserId>,
    if_match: IfMatch,
) -> Result<NoContent, Problem> {
    moved(&caller, id, &if_match, Status::Removed).await?;
    Ok(NoContent)
}

async fn moved(
    caller: &TenantCx,
    id: TenantUserId,
    if_match: &IfMatch,
    to: Status,
) -> Result<Versioned<TenantUser>> {
    let mut tx = caller.begin().await?;
    let person = find(&mut tx, id).await?;
    if_match.check(version(&person))?;
    if to == Status::Active {
        privileges::for_roles(caller, &mut tx, &person.roles).await?;
    }
    tenant_users::set_status(&mut tx, caller, &person, to).await?;
    let person = find(&mut tx, id).await?;
    tx.commit().await?;
    Ok(versioned(person))
}

/// Account and membership change apart; the later time is the person's version.
fn version(person: &Person) -> i64 {
    person.updated_at.as_micros()
}

fn versioned(person: Person) -> Versioned<TenantUser> {
    Versioned { version: version(&person), record: person.into() }
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
