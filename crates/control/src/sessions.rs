//! `/api/v1/tenant-users/{id}/sessions`: where a person is signed in, and how to end it.

use svc_core::{Result, SessionId, TenantUserId};
use svc_domain::people::sessions::{self, Lifetimes, Overview, Page};
use svc_domain::people::tenant_users as people;
use svc_http::{Json, List, Listing, NoContent, Path, Problem, TenantCx};

use crate::resource::Resource;
use crate::tenant_users;

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("tenant-users/{id}/sessions", "Sessions")
        .may_read("See where people are signed in")
        .may_write("Sign people out")
        .get("", "List a person's live sessions, newest first", list)
        .delete("", "End every session of a person with every token", revoke_all)
        .delete("{session_id}", "End a session, with every token issued in it", revoke)
}

async fn list(
    caller: TenantCx,
    Path(id): Path<TenantUserId>,
    Listing { page, .. }: Listing<SessionId>,
) -> Result<Json<List<Overview>>, Problem> {
    let lifetimes = Lifetimes::of(&caller.tenant.settings.limits, &caller.app.config);
    let asked = Page { lifetimes, cursor: page.after, limit: page.fetch() };
    let mut tx = caller.read().await?;
    let person = tenant_users::find(&mut tx, id).await?;
    let found = sessions::list(&mut tx, &person, caller.now, &asked).await?;
    Ok(Json(caller.page(found, page.limit, |session: &Overview| session.id)?))
}

async fn revoke(
    caller: TenantCx,
    Path((id, session)): Path<(TenantUserId, SessionId)>,
) -> Result<NoContent, Problem> {
    let mut tx = caller.begin().await?;
    let person = tenant_users::find(&mut tx, id).await?;
    sessions::revoke(&mut tx, &caller, &person, session).await?;
    tx.commit().await?;
    Ok(NoContent)
}

async fn revoke_all(caller: TenantCx, Path(id): Path<TenantUserId>) -> Result<NoContent, Problem> {
    let mut tx = caller.begin().await?;
    let person = tenant_users::find(&mut tx, id).await?;
    people::end_all_access(&mut tx, &caller, &person).await?;
    tx.commit().await?;
    Ok(NoContent)
}
