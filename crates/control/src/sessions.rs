//! `/api/v1/tenant-users/{id}/sessions`: where a person is signed in, and how to end it.

use svc_core::{Result, SessionId, TenantUserId};
use svc_domain::people::sessions::{self, Overview, Page};
use svc_http::{Json, List, ListQuery, NoContent, Path, Problem, QueryParams, Route, Routes, TenantCx};

use crate::commit::commit;
use crate::listed::Listed;
use crate::tenant_users;

/// The routes of this resource.
pub(crate) fn routes() -> Routes {
    Routes::new(
        [
            Route::get("/api/v1/tenant-users/{id}/sessions")
                .tenant("sessions:read", list)
                .summary("List a person's live sessions, newest first")
                .query::<ListQuery>()
                .returns::<Listed<Overview>>(200),
            Route::delete("/api/v1/tenant-users/{id}/sessions/{session_id}")
                .tenant("sessions:write", revoke)
                .summary("End a session with every token that came of it")
                .idempotent()
                .returns_nothing(204),
        ]
        .map(|route| route.tag("Sessions")),
    )
}

async fn list(
    caller: TenantCx,
    Path(id): Path<TenantUserId>,
    QueryParams(params): QueryParams,
) -> Result<Json<List<Overview>>, Problem> {
    let request = caller.list(&params)?;
    let idle = caller.app.config.session_cookie.idle_lifetime_secs;
    let page = Page { seen_after: caller.now - idle, cursor: request.after, limit: request.limit + 1 };
    let mut tx = caller.read().await?;
    let person = tenant_users::find(&mut tx, id).await?;
    let found = sessions::list(&mut tx, &person, caller.now, &page).await?;
    Ok(Json(caller.page(found, request.limit, |session: &Overview| session.id)?))
}

async fn revoke(
    caller: TenantCx,
    Path((id, session)): Path<(TenantUserId, SessionId)>,
) -> Result<NoContent, Problem> {
    let mut tx = caller.begin().await?;
    let person = tenant_users::find(&mut tx, id).await?;
    sessions::revoke(&mut tx, &caller, &person, session).await?;
    commit(&caller, tx).await?;
    Ok(NoContent)
}
