//! `/api/v1/identity/profile`: who the person is here (OpenID Connect Core §5.1).

use serde::Serialize;
use svc_core::{TenantUserId, Timestamp};
use svc_http::{Json, MergePatch, Problem, Route, TenantCx};
use utoipa::ToSchema;

use super::super::own::owner::Own;
use super::super::own::profile::{Names, set};
use super::caller::{READ, WRITE, own};

const PATH: &str = "/api/v1/identity/profile";

/// The person who calls.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Identity)]
struct Identity {
    /// The membership.
    #[schema(value_type = String)]
    tenant_user_id: TenantUserId,
    /// The subject by which the tenant's own applications know the person.
    sub: String,
    /// The sign-in name within the tenant.
    username: Option<String>,
    /// The address.
    email: Option<String>,
    /// Whether it is proven.
    email_verified: bool,
    /// Whether there is a password.
    has_password: bool,
    /// The names, and the language.
    names: Names,
    /// When any of it last changed.
    #[schema(value_type = String, format = "date-time")]
    updated_at: Timestamp,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get(PATH).tenant(READ, read).summary("Read who the person is"),
        Route::patch(PATH)
            .tenant(WRITE, change)
            .summary("Change the person's names and language")
            .idempotent(),
    ]
}

async fn read(caller: TenantCx) -> Result<Json<Identity>, Problem> {
    Ok(Json(shown(own(&caller).await?)))
}

async fn change(caller: TenantCx, patch: MergePatch<Names>) -> Result<Json<Identity>, Problem> {
    let present = own(&caller).await?;
    set(&present, |names| patch.apply(&names)).await?.map_err(|denied| denied.refusal())?;
    Ok(Json(shown(own(&caller).await?)))
}

fn shown(own: Own) -> Identity {
    let person = own.person;
    Identity {
        tenant_user_id: person.id,
        sub: person.subject,
        username: person.username,
        email: person.email,
        email_verified: person.email_verified,
        has_password: person.password.is_some(),
        names: Names::from(&person.profile),
        updated_at: person.updated_at,
    }
}
