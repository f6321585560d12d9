//! `/api/v1/identity/sessions`: where the person is signed in, and how to end it.

use serde::Serialize;
use svc_core::SessionId;
use svc_domain::people::sessions::Overview;
use svc_http::{Json, List, NoContent, Path, Problem, Route, TenantCx};
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
            .summary("End every session except the one of this call, with every token issued in them")
            .idempotent(),
        Route::delete("/api/v1/identity/sessions/{session_id}")
            .tenant(WRITE, end_one)
            .summary("End a session, with every token issued in it")
            .idempotent(),
    ]
}

async fn list(caller: TenantCx) -> Result<Json<List<OwnSession>>, Problem> {
    let current = current(&caller);
    let live = live(&own(&caller).await?).await?.into_iter();
    let shown = live.map(|session| OwnSession { is_current: Some(session.id) == current, session });
    Ok(Json(List { data: shown.collect(), next_cursor: None }))
}

async fn end_others(caller: TenantCx) -> Result<NoContent, Problem> {
    end_all_others(&own(&caller).await?, current(&caller)).await?;
    Ok(NoContent)
}

async fn end_one(caller: TenantCx, Path(id): Path<SessionId>) -> Result<NoContent, Problem> {
    found(end(&own(&caller).await?, id).await?)
}

fn current(caller: &TenantCx) -> Option<SessionId> {
    caller.claims.sid.as_deref()?.parse().ok()
}
