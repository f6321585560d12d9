//! `/api/v1/audit`: what happened in the tenant, newest first.

use svc_core::Result;
use svc_domain::log::audit::{self, AuditEntry};
use svc_http::{Json, List, ListQuery, Problem, QueryParams, Route, Routes, TenantCx};

use crate::listed::Listed;

/// The routes of this resource.
pub(crate) fn routes() -> Routes {
    Routes::new([Route::get("/api/v1/audit")
        .tenant("audit:read", list)
        .summary("Read the audit log, newest entries first")
        .tag("Audit")
        .query::<ListQuery>()
        .returns::<Listed<AuditEntry>>(200)])
}

async fn list(caller: TenantCx, QueryParams(params): QueryParams) -> Result<Json<List<AuditEntry>>, Problem> {
    let request = caller.list(&params)?;
    let mut tx = caller.read().await?;
    let found = audit::list(&mut tx, request.after, request.limit + 1).await?;
    Ok(Json(caller.page(found, request.limit, |entry: &AuditEntry| entry.id)?))
}
