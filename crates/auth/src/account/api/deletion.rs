//! `/api/v1/identity/deletion`: the end of the account, begun by its owner, who may keep it for a while.

use serde::Serialize;
use svc_core::Timestamp;
use svc_http::{Json, NoContent, Problem, Route, TenantCx};
use utoipa::ToSchema;

use super::super::own::deletion::{begin, due_at, keep, must_be_offered};
use super::caller::{READ, WRITE, own};

const PATH: &str = "/api/v1/identity/deletion";

/// When the account is deleted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AccountDeletion)]
struct Deletion {
    /// Null where it stays.
    #[schema(value_type = Option<String>, format = "date-time")]
    delete_at: Option<Timestamp>,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get(PATH).tenant(READ, read).summary("Read when the account will be deleted, if its deletion was requested"),
        Route::post(PATH)
            .tenant(WRITE, create)
            .summary("Delete the account: sessions and tokens end now, everything else is removed after the grace period")
            .recent_sign_in()
            .idempotent(),
        Route::delete(PATH).tenant(WRITE, delete).summary("Cancel the deletion of the account").idempotent(),
    ]
}

async fn read(caller: TenantCx) -> Result<Json<Deletion>, Problem> {
    let own = own(&caller).await?;
    let delete_at = due_at(&own).await?;
    if delete_at.is_none() {
        must_be_offered(&own)?;
    }
    Ok(Json(Deletion { delete_at }))
}

async fn create(caller: TenantCx) -> Result<Json<Deletion>, Problem> {
    let own = own(&caller).await?;
    must_be_offered(&own)?;
    let delete_at = begin(&own).await?.map_err(|denied| denied.refusal())?;
    Ok(Json(Deletion { delete_at: Some(delete_at) }))
}

async fn delete(caller: TenantCx) -> Result<NoContent, Problem> {
    let own = own(&caller).await?;
    // Where the deletion was switched off meanwhile, who is to be deleted keeps the account all the same.
    if !keep(&own).await? {
        must_be_offered(&own)?;
    }
    Ok(NoContent)
}
