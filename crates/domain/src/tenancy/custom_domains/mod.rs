//! Domains at which tenants want to answer: asked for freely, proven by a record of the domain itself, and then used by one
//! tenant at most.

mod checks;
mod moves;

use serde::{Deserialize, Serialize};
use svc_core::{CustomDomainId, Result, TenantId, Timestamp};
use svc_db::{Row, System, Tenant, Tx, args, sql, system_sql};
use utoipa::ToSchema;

pub use self::checks::{due, note_check};
pub use self::moves::{create, delete, note_activated, note_deactivated, prove};
use crate::lists;

/// A domain that a tenant wants to answer at.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = CustomDomain)]
pub struct Domain {
    /// Its id.
    #[schema(value_type = String)]
    pub id: CustomDomainId,
    /// Its name, in ASCII (RFC 5891).
    pub domain: String,
    /// The value that the TXT record must have.
    pub record_value: String,
    /// When it was asked for.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// When it was proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "date-time")]
    pub verified_at: Option<Timestamp>,
    /// When an administrator of the tenant last activated it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "date-time")]
    pub activated_at: Option<Timestamp>,
    /// Since when the proof has been missing; the domain lapses after a while.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "date-time")]
    pub failing_since: Option<Timestamp>,
    /// Whether it is proven.
    #[serde(skip)]
    pub proof: Proof,
    /// The subject of the person who asked for it.
    #[serde(skip)]
    pub owner: Option<String>,
    /// How often the proof was not found in a row.
    #[serde(skip)]
    failures: i64,
    /// Grows with each change.
    #[serde(skip)]
    pub version: i64,
}

/// Whether a domain is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// No proof was found yet.
    Pending,
    /// The proof was found.
    Verified,
}

/// Reads domains; the argument says which.
macro_rules! domains_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, domain, challenge, status, owner, created_at, verified_at, activated_at, failing_since, failures, version \
             FROM custom_domains WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// One domain of the tenant.
pub async fn find(tx: &mut Tx<Tenant>, id: CustomDomainId) -> Result<Option<Domain>> {
    tx.optional(domains_sql!("id = $2"), args![id]).await?.as_ref().map(domain).transpose()
}

/// A page of the domains of the tenant that are asked for, by id after `cursor`. A tenant has few.
pub async fn list(
    tx: &mut Tx<Tenant>,
    (cursor, limit): (Option<CustomDomainId>, u32),
    is_asked: impl Fn(&Domain) -> bool,
) -> Result<Vec<Domain>> {
    let select = domains_sql!("id > $2 ORDER BY id LIMIT $3");
    lists::page(tx, select, (cursor, limit), |row| Ok(Some(domain(row)?).filter(&is_asked))).await
}

/// Whether the tenant has proven this domain.
pub async fn has(tx: &mut Tx<Tenant>, name: &str) -> Result<bool> {
    let select = domains_sql!("domain = $2 AND status = 'verified'");
    Ok(tx.optional(select, args![name]).await?.is_some())
}

/// Whether a tenant's administrators have let it answer at this domain, which operators then need not name.
pub async fn is_own_of(tx: &mut Tx<System>, tenant: TenantId, name: &str) -> Result<bool> {
    let select = system_sql!(
        "SELECT id FROM custom_domains WHERE tenant_id = $1 AND domain = $2 AND status = 'verified' AND activated_at IS NOT NULL"
    );
    Ok(tx.optional(select, args![tenant, name]).await?.is_some())
}

/// Names for which the service may show a certificate: domains that are proven, and those that operators gave, of tenants that
/// answer.
pub async fn served(tx: &mut Tx<System>, limit: u32) -> Result<Vec<String>> {
    let select = system_sql!(
        "SELECT c.domain AS domain FROM custom_domains c JOIN tenants t ON t.id = c.tenant_id \
         WHERE c.status = 'verified' AND t.status = 'active' \
         UNION SELECT custom_domain AS domain FROM tenants WHERE custom_domain IS NOT NULL AND status = 'active' \
         ORDER BY domain LIMIT $1"
    );
    tx.all(select, args![limit]).await?.iter().map(|row| row.text("domain")).collect()
}

fn domain(row: &Row) -> Result<Domain> {
    let is_verified = row.text("status")? == "verified";
    Ok(Domain {
        id: row.parse("id")?,
        domain: row.text("domain")?,
        record_value: row.text("challenge")?,
        created_at: row.time("created_at")?,
        verified_at: row.maybe_time("verified_at")?,
        activated_at: row.maybe_time("activated_at")?,
        failing_since: row.maybe_time("failing_since")?,
        proof: if is_verified { Proof::Verified } else { Proof::Pending },
        owner: row.maybe_text("owner")?,
        failures: row.int("failures")?,
        version: row.int("version")?,
    })
}
