//! What is kept of an imported person besides the membership: the id in the other system, and sealed factors that are not understood.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_core::{Cx, Result, TenantUserId, Timestamp};
use svc_db::{Row, Tenant, Tx, args, quiet_sql, sql};
use svc_keys::keyring::{Cell, Sealed, Sealer};

use super::lines::PersonLine;
use crate::document;

/// What the other system knew of a member.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Known {
    /// What it called the person.
    #[serde(skip)]
    pub external_id: Option<String>,
    /// Whether it took the address as proven.
    pub email_verified: bool,
    /// When it got to know the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
}

/// Whom an earlier line of the same system was about.
pub(super) async fn find_by_external_id(
    tx: &mut Tx<Tenant>,
    source: &str,
    external_id: &str,
) -> Result<Option<TenantUserId>> {
    let select = sql!(
        "SELECT tenant_user_id FROM imported_people WHERE tenant_id = $1 AND source = $2 AND external_id = $3"
    );
    let row = tx.optional(select, args![source, external_id]).await?;
    row.map(|row| row.parse("tenant_user_id")).transpose()
}

/// Keeps what a line says of a member, and factors of a new account that are not understood; those that were kept before stay where
/// there are none.
pub(super) async fn keep(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (source, sealer): (&str, &Sealer),
    (id, line, unknown): (TenantUserId, &PersonLine, Option<&Value>),
) -> Result<()> {
    let upsert = quiet_sql!(
        "goes with the memberships, whose change is recorded",
        "INSERT INTO imported_people (tenant_id, tenant_user_id, source, external_id, document, sealed_factors, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (tenant_id, tenant_user_id) DO UPDATE SET source = excluded.source, \
         external_id = excluded.external_id, document = excluded.document, \
         sealed_factors = COALESCE(excluded.sealed_factors, imported_people.sealed_factors), updated_at = excluded.updated_at"
    );
    let known = document::store(&Known::of(line))?;
    let factors = unknown.map(|factors| sealed(tx, cx, sealer, (id, factors))).transpose()?;
    tx.execute(upsert, args![id, source, line.external_id.clone(), known, factors, cx.now]).await.map(|_| ())
}

/// Forgets what was kept of a person who is removed.
pub(crate) async fn forget(tx: &mut Tx<Tenant>, id: TenantUserId) -> Result<()> {
    let delete = quiet_sql!(
        "goes with the membership, which is recorded",
        "DELETE FROM imported_people WHERE tenant_id = $1 AND tenant_user_id = $2"
    );
    tx.execute(delete, args![id]).await.map(|_| ())
}

/// What is kept of the people whose ids lie between these two, for an export.
pub async fn list(
    tx: &mut Tx<Tenant>,
    (first, last): (TenantUserId, TenantUserId),
) -> Result<Vec<(TenantUserId, Known)>> {
    let select = sql!(
        "SELECT tenant_user_id, external_id, document FROM imported_people \
         WHERE tenant_id = $1 AND tenant_user_id >= $2 AND tenant_user_id <= $3 ORDER BY tenant_user_id"
    );
    tx.all(select, args![first, last]).await?.iter().map(known).collect()
}

/// Those of the people between these two whose id in their system is that of another person in another one. Of a file that has both
/// under it, an import takes the second for the first.
pub async fn list_ambiguous(
    tx: &mut Tx<Tenant>,
    (first, last): (TenantUserId, TenantUserId),
) -> Result<Vec<TenantUserId>> {
    let select = sql!(
        "SELECT i.tenant_user_id FROM imported_people i \
         WHERE i.tenant_id = $1 AND i.tenant_user_id >= $2 AND i.tenant_user_id <= $3 AND EXISTS (SELECT 1 FROM imported_people o \
         WHERE o.tenant_id = $1 AND o.external_id = i.external_id AND o.source <> i.source)"
    );
    tx.all(select, args![first, last]).await?.iter().map(|row| row.parse("tenant_user_id")).collect()
}

/// Seals factors that are not understood.
fn sealed(
    tx: &Tx<Tenant>,
    cx: &Cx,
    sealer: &Sealer,
    (id, factors): (TenantUserId, &Value),
) -> Result<Vec<u8>> {
    let (tenant, record) = (tx.tenant().reference().to_string(), id.to_string());
    let cell = Cell { table: "imported_people", column: "sealed_factors", tenant: &tenant, record: &record };
    Ok(Sealed::new(factors, &cell, sealer, cx)?.into_column())
}

impl Known {
    fn of(line: &PersonLine) -> Self {
        Self { external_id: None, email_verified: line.email_verified, created_at: line.created_at }
    }
}

fn known(row: &Row) -> Result<(TenantUserId, Known)> {
    let known: Known = document::load(row, "document")?;
    Ok((row.parse("tenant_user_id")?, Known { external_id: row.maybe_text("external_id")?, ..known }))
}
