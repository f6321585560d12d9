//! `/api/v1/identity/guarding`: whom the person guards, with the invitations and the recoveries that wait for an answer.

use serde::{Deserialize, Serialize};
use svc_core::{GuardianId, Timestamp};
use svc_http::{Json, List, NoContent, Path, Problem, Route, TenantCx, Whole};
use utoipa::ToSchema;

use super::super::own::guarding::{Guarded, accept, all, confirm, give_up, refuse};
use super::caller::{READ, WRITE, found};
use super::guardians::offered;

const PATH: &str = "/api/v1/identity/guarding";

/// A person whom the caller guards, or who has invited them.
#[derive(Serialize, ToSchema)]
#[schema(as = GuardedPerson)]
struct GuardedPerson {
    #[schema(value_type = String)]
    id: GuardianId,
    /// What the person is called.
    name: String,
    /// Null until the invitation was accepted.
    #[schema(value_type = Option<String>, format = "date-time")]
    accepted_at: Option<Timestamp>,
    /// When the person asked for recovery, where they did and the guardian has a say in it.
    #[schema(value_type = Option<String>, format = "date-time")]
    asked_at: Option<Timestamp>,
}

/// What confirms that the person has asked.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RecoveryCode, examples(json!({ "code": "1234 5678" })))]
struct Code {
    /// What the person has read out to the guardian.
    #[schema(max_length = 20)]
    code: String,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get(PATH)
            .tenant(READ, list)
            .summary("List the people whom the person guards, and the invitations to guard others"),
        Route::post("/api/v1/identity/guarding/{guarded_id}/accept")
            .tenant(WRITE, agree)
            .summary("Accept the invitation of a person to be their guardian")
            .recent_sign_in()
            .idempotent(),
        Route::post("/api/v1/identity/guarding/{guarded_id}/confirm")
            .tenant(WRITE, vouch)
            .summary("Confirm that the person has asked for recovery, with the code that they read out")
            .recent_sign_in()
            .idempotent(),
        Route::post("/api/v1/identity/guarding/{guarded_id}/refuse")
            .tenant(WRITE, deny)
            .summary("Report that the person has not asked for recovery")
            .recent_sign_in()
            .idempotent(),
        Route::delete("/api/v1/identity/guarding/{guarded_id}")
            .tenant(WRITE, leave)
            .summary("Decline an invitation, or stop being a person's guardian")
            .recent_sign_in()
            .idempotent(),
    ]
}

async fn list(caller: TenantCx, whole: Whole) -> Result<Json<List<GuardedPerson>>, Problem> {
    let shown = all(&offered(&caller).await?).await?.into_iter().map(|guarded| {
        let Guarded { guardian, name, asked_at, .. } = guarded;
        GuardedPerson { id: guardian.id, name, accepted_at: guardian.accepted_at, asked_at }
    });
    Ok(Json(whole.part(&caller, shown.collect(), |one: &GuardedPerson| one.id)?))
}

async fn agree(caller: TenantCx, Path(id): Path<GuardianId>) -> Result<NoContent, Problem> {
    found(accept(&offered(&caller).await?, id).await?)
}

async fn leave(caller: TenantCx, Path(id): Path<GuardianId>) -> Result<NoContent, Problem> {
    found(give_up(&offered(&caller).await?, id).await?)
}

async fn vouch(
    caller: TenantCx,
    Path(id): Path<GuardianId>,
    Json(Code { code }): Json<Code>,
) -> Result<NoContent, Problem> {
    let confirmed = confirm(&offered(&caller).await?, id, &code).await?;
    found(confirmed.map_err(|denied| denied.refusal())?)
}

async fn deny(caller: TenantCx, Path(id): Path<GuardianId>) -> Result<NoContent, Problem> {
    found(refuse(&offered(&caller).await?, id).await?.map_err(|denied| denied.refusal())?)
}
