//! `/api/v1/identity/sessions`: where the person is signed in, and how to end it.

use serde::Serialize;
use svc_core::{Result, SessionId};
use svc_domain::grants::refresh;
use svc_domain::people::sessions::{self, Overview};
use svc_http::{Json, List, NoContent, Path, Problem, Route, TenantCx, Whole};
use utoipa::ToSchema;

use super::super::own::sessions::{end, end_others as end_all_others, live};
use super::caller::{READ, WRITE, found, own};

const PATH: &str = "/api/v1/identity/sessions";

/// Where the person is signed in.
#[derive(Serialize, ToSchema)]
#[schema(as = OwnSession)]
struct OwnSession {
    #[serde(flatten)]
    session: Overview,
    /// Whether the access token of this call was issued in it.
    is_current: bool,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get(PATH).tenant(READ, list).summary("List the person's live sessions, newest first"),
        Route::delete(PATH)
            .tenant(WRITE, end_others)
            .summary("End every other session, with every token issued in it, and the trust in browsers")
            .idempotent(),
        Route::delete("/api/v1/identity/sessions/{session_id}")
            .tenant(WRITE, end_one)
            .summary("End a session, with every token issued in it")
            .idempotent(),
    ]
}

async fn list(caller: TenantCx, whole: Whole) -> Result<Json<List<OwnSession>>, Problem> {
    let own = own(&caller).await?;
    let current = current(&caller).await?;
    let live = live(&own).await?.into_iter();
    let shown = live.map(|session| OwnSession { is_current: Some(session.id) == current, session });
    Ok(Json(whole.part(&caller, shown.collect(), |one: &OwnSession| one.session.id)?))
}

async fn end_others(caller: TenantCx) -> Result<NoContent, Problem> {
    let own = own(&caller).await?;
    end_all_others(&own, current(&caller).await?).await?;
    Ok(NoContent)
}

async fn end_one(caller: TenantCx, Path(id): Path<SessionId>) -> Result<NoContent, Problem> {
    found(end(&own(&caller).await?, id).await?)
}

/// The session of this call. A token of before a further sign-in names the earlier one.
async fn current(caller: &TenantCx) -> Result<Option<SessionId>> {
    let mut tx = caller.read().await?;
    let Some(issued_in) = refresh::session_of(&mut tx, &caller.claims).await? else { return Ok(None) };
    sessions::present(&mut tx, issued_in).await.map(Some)
}
