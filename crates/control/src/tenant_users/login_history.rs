//! `/api/v1/tenant-users/{id}/login-history`: when and where a person signed in, and how unusual that was.

use serde::Deserialize;
use svc_core::{LoginId, TenantUserId};
use svc_domain::people::login_history::{self, Login, Outcome};
use svc_http::{Json, List, Listing, Path, Problem, TenantCx};
use utoipa::IntoParams;

use super::find;

#[derive(Debug, Deserialize, IntoParams)]
pub(super) struct Filter {
    /// Only those of this outcome.
    #[param(inline, nullable = false)]
    outcome: Option<Outcome>,
}

/// Newest first.
pub(super) async fn list(
    caller: TenantCx,
    Path(id): Path<TenantUserId>,
    Listing { filter, page }: Listing<LoginId, Filter>,
) -> Result<Json<List<Login>>, Problem> {
    let mut tx = caller.read().await?;
    let person = find(&mut tx, id).await?;
    let asked = (page.after, page.fetch());
    let found = login_history::list(&mut tx, person.id, filter.outcome, asked).await?;
    Ok(Json(caller.page(found, page.limit, |login: &Login| login.id)?))
}
