//! `/api/v1/identity/backup-codes`: codes on paper that stand in for a second factor, each once.

use serde::Serialize;
use svc_http::{Json, Problem, Route, TenantCx};
use utoipa::ToSchema;

use super::super::own::backup_codes::{make, standing};
use super::caller::{READ, WRITE, must_offer_second_factors, own};

const PATH: &str = "/api/v1/identity/backup-codes";

/// How many codes are left.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BackupCodes)]
struct CodesLeft {
    left: u32,
    /// Whether there is a second factor that they could stand in for.
    has_factor: bool,
}

/// New backup codes, shown this once.
#[derive(Serialize, ToSchema)]
#[schema(as = NewBackupCodes)]
struct NewCodes {
    codes: Vec<String>,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get(PATH).tenant(READ, read).summary("Read how many backup codes are left"),
        Route::post(PATH)
            .tenant(WRITE, create)
            .summary("Make new backup codes, which replace the old ones")
            .recent_sign_in()
            .idempotent(),
    ]
}

async fn read(caller: TenantCx) -> Result<Json<CodesLeft>, Problem> {
    let standing = standing(&own(&caller).await?).await?;
    Ok(Json(CodesLeft { left: standing.left, has_factor: standing.has_factor }))
}

async fn create(caller: TenantCx) -> Result<Json<NewCodes>, Problem> {
    let own = own(&caller).await?;
    must_offer_second_factors(&caller)?;
    let codes = make(&own).await?.map_err(|denied| denied.refusal())?;
    Ok(Json(NewCodes { codes }))
}
