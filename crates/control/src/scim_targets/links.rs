//! What people and groups are at a target, and how far each has come.

use serde::Deserialize;
use svc_core::{Result, ScimTargetId};
use svc_domain::delivery::scim_targets::{self, Link, LinkState};
use svc_http::{Json, List, Listing, Path, Problem, TenantCx};
use utoipa::IntoParams;

use super::find;

/// Which links.
#[derive(Debug, Deserialize, IntoParams)]
pub(super) struct Which {
    /// Only those in this state.
    #[param(inline, value_type = Option<LinkState>, nullable = false)]
    state: Option<LinkState>,
}

pub(super) async fn list(
    caller: TenantCx,
    Path(id): Path<ScimTargetId>,
    Listing { filter, page }: Listing<String, Which>,
) -> Result<Json<List<Link>>, Problem> {
    let mut tx = caller.read().await?;
    find(&mut tx, id).await?;
    let (limit, fetch) = (page.limit, page.fetch());
    let found = scim_targets::links(&mut tx, id, filter.state, (page.after, fetch)).await?;
    Ok(Json(caller.page(found, limit, |link: &Link| link.id.clone())?))
}
