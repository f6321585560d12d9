//! The versions of a policy: what it was after each change, and one of them made active again.

use serde_json::json;
use svc_core::{PolicyId, Result};
use svc_domain::log::audit;
use svc_domain::policies::{self, Change, Policy, Status, Version};
use svc_http::{IfMatch, Json, List, Listing, Path, Problem, TenantCx, Versioned};

use super::{check_organization, check_text, find};
use crate::resource::Resource;
use crate::{record, unknown};

/// The calls about versions.
pub(super) fn routes(resource: Resource) -> Resource {
    resource
        .get("{id}/versions", "List the versions of a policy, newest first", list)
        .get("{id}/versions/{version}", "Read a version of a policy", read)
        .post("{id}/versions/{version}/activate", "Restore a version of a policy, as a new version", activate)
}

async fn list(
    caller: TenantCx,
    Path(id): Path<PolicyId>,
    Listing { page, .. }: Listing<i64>,
) -> Result<Json<List<Version>>, Problem> {
    let mut tx = caller.read().await?;
    let policy = find(&mut tx, id).await?;
    let found = policies::list_versions(&mut tx, policy.id, (page.after, page.fetch())).await?;
    Ok(Json(caller.page(found, page.limit, |version: &Version| version.version)?))
}

async fn read(caller: TenantCx, Path((id, number)): Path<(PolicyId, i64)>) -> Result<Json<Version>, Problem> {
    let mut tx = caller.read().await?;
    let policy = find(&mut tx, id).await?;
    Ok(Json(policies::find_version(&mut tx, policy.id, number).await?.ok_or_else(unknown)?))
}

async fn activate(
    caller: TenantCx,
    Path((id, number)): Path<(PolicyId, i64)>,
    if_match: IfMatch,
) -> Result<Versioned<Policy>, Problem> {
    let mut tx = caller.read().await?;
    let policy = find(&mut tx, id).await?;
    let version = policies::find_version(&mut tx, policy.id, number).await?.ok_or_else(unknown)?;
    drop(tx);
    let Version { configuration, organization_id, .. } = version;
    check_text(&configuration).await?;
    let (mut tx, held) = record::begin(&caller, &id).await?;
    let present = find(&mut tx, id).await?;
    if_match.check(held, present.version)?;
    check_organization(&mut tx, organization_id).await?;
    let new = Change { configuration, status: Status::Active, organization_id };
    policies::update(&mut tx, &caller, &present, &new).await?;
    let record = find(&mut tx, id).await?;
    audit::tell_changes(&mut tx, &id.to_string(), &json!(present), &json!(record));
    tx.commit().await?;
    Ok(Versioned { version: record.version, record })
}
