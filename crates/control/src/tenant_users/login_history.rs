//! `/api/v1/tenant-users/{id}/login-history`: when and where a person signed in, and how unusual that was.

use svc_core::{LoginId, TenantUserId};
use svc_domain::people::login_history::{self, Login};
use svc_http::{Json, List, Listing, Path, Problem, TenantCx};

use super::find;

/// Newest first.
pub(super) async fn list(
    caller: TenantCx,
    Path(id): Path<TenantUserId>,
    Listing { page, .. }: Listing<LoginId>,
) -> Result<Json<List<Login>>, Problem> {
    let mut tx = caller.read().await?;
    let person = find(&mut tx, id).await?;
    let found = login_history::list(&mut tx, person.id, (page.after, page.fetch())).await?;
    Ok(Json(caller.page(found, page.limit, |login: &Login| login.id)?))
}
