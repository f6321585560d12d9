//! `/api/v1/tenant-users/{id}/terms`: what a person accepted, and when.

use svc_core::{TenantUserId, TermsId};
use svc_domain::people::terms::{self, Acceptance};
use svc_http::{Json, List, Listing, Path, Problem, TenantCx};

use super::find;

/// By version.
pub(super) async fn list(
    caller: TenantCx,
    Path(id): Path<TenantUserId>,
    Listing { page, .. }: Listing<TermsId>,
) -> Result<Json<List<Acceptance>>, Problem> {
    let mut tx = caller.read().await?;
    let person = find(&mut tx, id).await?;
    let found = terms::list_accepted(&mut tx, person.id, (page.after, page.fetch())).await?;
    Ok(Json(caller.page(found, page.limit, |acceptance: &Acceptance| acceptance.terms_id)?))
}
