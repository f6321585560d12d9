//! The versions of a policy: what it was after each change. None is ever changed; the last ones are kept.

use serde::Serialize;
use svc_core::{Cx, OrganizationId, PolicyId, Result, Timestamp};
use svc_db::{Row, Tenant, Tx, args, quiet_sql, sql};
use utoipa::ToSchema;

use super::{Configuration, Policy, Status};
use crate::document;

/// How many versions of a policy are kept.
const KEPT: i64 = 200;

/// Reads versions; the argument says which.
macro_rules! versions_sql {
    ($which:literal) => {
        sql!(
            "SELECT number, status, organization_id, configuration, created_at FROM policy_versions \
             WHERE tenant_id = $1 AND policy_id = $2 AND ",
            $which
        )
    };
}

/// A version of a policy.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = PolicyVersion)]
pub struct Version {
    /// Its number, from 1.
    pub version: i64,
    /// Its status then.
    pub status: Status,
    /// The organization in which alone it decided.
    #[schema(value_type = Option<String>)]
    pub organization_id: Option<OrganizationId>,
    /// What it said.
    #[serde(flatten)]
    pub configuration: Configuration,
    /// When it was made.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
}

/// Keeps what a policy is now; forgets the oldest version over the number that is kept.
pub(super) fn keep(tx: &mut Tx<Tenant>, cx: &Cx, policy: &Policy) -> Result<()> {
    let insert = quiet_sql!(
        "goes with the policy, whose change is recorded",
        "INSERT INTO policy_versions (tenant_id, policy_id, number, status, organization_id, configuration, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)"
    );
    let stored = document::store(&policy.configuration)?;
    let arguments =
        args![policy.id, policy.version, policy.status.name(), policy.organization_id, stored, cx.now];
    tx.later(insert, arguments);
    if policy.version > KEPT {
        let delete = quiet_sql!(
            "is over the number that is kept",
            "DELETE FROM policy_versions WHERE tenant_id = $1 AND policy_id = $2 AND number <= $3"
        );
        tx.later(delete, args![policy.id, policy.version - KEPT]);
    }
    Ok(())
}

/// A page of the versions of a policy, newest first: those before `cursor`.
pub async fn list_versions(
    tx: &mut Tx<Tenant>,
    policy: PolicyId,
    (cursor, limit): (Option<i64>, u32),
) -> Result<Vec<Version>> {
    let select = versions_sql!("number < $3 ORDER BY number DESC LIMIT $4");
    tx.all(select, args![policy, cursor.unwrap_or(i64::MAX), limit]).await?.iter().map(version).collect()
}

/// One version.
pub async fn find_version(tx: &mut Tx<Tenant>, policy: PolicyId, number: i64) -> Result<Option<Version>> {
    let select = versions_sql!("number = $3");
    tx.optional(select, args![policy, number]).await?.as_ref().map(version).transpose()
}

fn version(row: &Row) -> Result<Version> {
    Ok(Version {
        version: row.int("number")?,
        status: Status::stored(&row.text("status")?),
        organization_id: row.maybe_parse("organization_id")?,
        configuration: document::load(row, "configuration")?,
        created_at: row.time("created_at")?,
    })
}
