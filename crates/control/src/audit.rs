//! `/api/v1/audit`: what happened in the tenant, newest first.

use svc_core::{AuditId, Result};
use svc_domain::log::audit::{self, AuditEntry};
use svc_http::{Json, List, Listing, Problem, TenantCx};

use crate::resource::Resource;

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("audit", "Audit").may_read("Read the audit log of this organisation").get(
        "",
        "Read the audit log, newest entries first",
        list,
    )
}

async fn list(
    caller: TenantCx,
    Listing { page, .. }: Listing<AuditId>,
) -> Result<Json<List<AuditEntry>>, Problem> {
    let found = caller.read_late(|tx| Box::pin(audit::list(tx, page.after, page.fetch()))).await?;
    Ok(Json(caller.page(found, page.limit, |entry: &AuditEntry| entry.id)?))
}
