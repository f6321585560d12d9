//! `/api/v1/usage`: how much of its plan's quotas a tenant uses.

use serde::Serialize;
use svc_core::Result;
use svc_domain::tenancy::quotas::{self, Usage};
use svc_http::{Json, Problem, TenantCx};
use utoipa::ToSchema;

use crate::resource::Resource;

/// What a tenant uses.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TenantUsage)]
struct Used {
    /// What the operator calls the tenant's plan; null where it has none.
    plan: Option<String>,
    /// Each kind of record that a plan can limit, and each kind of operation that it limits by the month.
    quotas: Vec<Usage>,
}

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("usage", "Usage").may_read("See how much of its plan this organisation uses").get(
        "",
        "Read what the tenant uses of each quota",
        read,
    )
}

async fn read(caller: TenantCx) -> Result<Json<Used>, Problem> {
    let mut tx = caller.read().await?;
    let plan = quotas::plan_name(&mut tx).await?;
    Ok(Json(Used { plan, quotas: quotas::usage(&mut tx, caller.now).await? }))
}
