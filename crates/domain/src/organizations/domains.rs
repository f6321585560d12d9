//! Domains of organizations: each is claimed freely, and proven by at most one organization of the tenant.

use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_core::events::{
    OrganizationDomainCreated, OrganizationDomainDeleted, OrganizationDomainLapsed,
    OrganizationDomainVerified,
};
use svc_core::{Cx, Error, OrganizationDomainId, OrganizationId, Result, TenantId, Timestamp};
use svc_db::{Row, System, Tenant, Tx, args, change_sql, quiet_sql, sql, system_sql};
use utoipa::ToSchema;

pub use crate::domain_name::DomainName;
use crate::log::{Action, Meaning, change, check_version};
pub use crate::proofs::Found;
use crate::proofs::Missing;
use crate::tenancy::tenants;

/// A domain that an organization claims.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = OrganizationDomain)]
pub struct Domain {
    /// Its id.
    #[schema(value_type = String)]
    pub id: OrganizationDomainId,
    /// The organization that claimed it.
    #[schema(value_type = String)]
    pub organization_id: OrganizationId,
    /// Its name, in ASCII (RFC 5891).
    pub domain: String,
    /// Its status.
    pub status: Status,
    /// The value that the TXT record must have.
    pub record_value: String,
    /// When it was claimed.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// When it was proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "date-time")]
    pub verified_at: Option<Timestamp>,
    /// Since when the proof has been missing; the domain lapses after a while.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "date-time")]
    pub failing_since: Option<Timestamp>,
    /// How often it was not found in a row.
    #[serde(skip)]
    failures: i64,
    /// Grows with each change.
    #[serde(skip)]
    pub version: i64,
}

/// The status of a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = OrganizationDomainStatus)]
pub enum Status {
    /// No proof was found yet.
    Pending,
    /// The proof was found.
    Verified,
}

/// Claims a domain. An organization has at most `most`.
pub async fn create(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (organization_id, most): (OrganizationId, u32),
    (name, challenge): (&DomainName, String),
) -> Result<Domain> {
    tx.hold(&format!("domains of {organization_id}"));
    check_room(tx, (organization_id, most)).await?;
    let (domain_id, domain) = (cx.id(), name.as_str().to_owned());
    let insert = change_sql!(
        "INSERT INTO organization_domains (tenant_id, id, organization_id, domain, challenge, status, created_at, version) \
         VALUES ($1, $2, $3, $4, $5, 'pending', $6, 1)"
    );
    let arguments = args![domain_id, organization_id, &domain, &challenge, cx.now];
    let meaning = Meaning::done(Action::OrganizationDomainCreated, organization_id)
        .with(json!({ "domain_id": domain_id, "domain": domain }))
        .telling(OrganizationDomainCreated { organization_id, domain_id, domain: domain.clone() });
    let inserted = change(tx, cx, insert, arguments, meaning).await;
    inserted.map_err(|error| error.if_taken("domain: the organization has this domain already"))?;
    Ok(Domain {
        id: domain_id,
        organization_id,
        domain,
        status: Status::Pending,
        record_value: challenge,
        created_at: cx.now,
        verified_at: None,
        failing_since: None,
        failures: 0,
        version: 1,
    })
}

/// Counts while no other transaction claims one.
async fn check_room(tx: &mut Tx<Tenant>, (organization, most): (OrganizationId, u32)) -> Result<()> {
    let count = sql!(
        "SELECT COUNT(*) AS count FROM organization_domains WHERE tenant_id = $1 AND organization_id = $2"
    );
    if tx.one(count, args![organization]).await?.int("count")? < i64::from(most) {
        return Ok(());
    }
    Err(Error::conflict(format!(
        "the organization has {most} domains (verified_domains.max_per_organization); delete those that it does not need"
    )))
}

/// Notes that the proof of a domain was found; `conflict` where another organization of the tenant has proven it.
pub async fn prove(tx: &mut Tx<Tenant>, cx: &Cx, present: &Domain) -> Result<Domain> {
    let update = change_sql!(
        "UPDATE organization_domains SET status = 'verified', verified_at = $3, checked_at = $3, failing_since = NULL, failures = 0, \
         version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND version = $4"
    );
    let Domain { id: domain_id, organization_id, ref domain, .. } = *present;
    let meaning = Meaning::done(Action::OrganizationDomainVerified, organization_id)
        .with(json!({ "domain_id": domain_id, "domain": domain }))
        .telling(OrganizationDomainVerified { organization_id, domain_id, domain: domain.clone() });
    let updated = change(tx, cx, update, args![domain_id, cx.now, present.version], meaning).await;
    let taken = "domain: another organization has proven it; delete it there first";
    check_version(updated.map_err(|error| error.if_taken(taken))?, "the domain")?;
    Ok(Domain {
        status: Status::Verified,
        verified_at: Some(cx.now),
        version: present.version + 1,
        ..present.clone()
    })
}

/// The active organization that has proven a domain.
pub async fn holder(tx: &mut Tx<Tenant>, domain: &str) -> Result<Option<OrganizationId>> {
    let select = sql!(
        "SELECT d.organization_id FROM organization_domains d \
         JOIN organizations o ON o.tenant_id = d.tenant_id AND o.id = d.organization_id \
         WHERE d.tenant_id = $1 AND d.domain = $2 AND d.status = 'verified' AND o.status = 'active'"
    );
    tx.optional(select, args![domain]).await?.map(|row| row.parse("organization_id")).transpose()
}

/// Proofs that are due to be looked for again, the one that waits longest first.
pub async fn due(
    tx: &mut Tx<System>,
    before: Timestamp,
    limit: u32,
) -> Result<Vec<(TenantId, OrganizationId, OrganizationDomainId)>> {
    let select = system_sql!(
        "SELECT tenant_id, organization_id, id FROM organization_domains WHERE status = 'verified' AND checked_at <= $1 \
         ORDER BY checked_at LIMIT $2"
    );
    let rows = tx.all(select, args![before, limit]).await?;
    rows.iter()
        .map(|row| Ok((tenants::of_row(row)?, row.parse("organization_id")?, row.parse("id")?)))
        .collect()
}

/// Notes what a look for the proof of a verified domain has found; returns whether the domain lapsed, because the proof was missing
/// for too long.
pub async fn note_check(tx: &mut Tx<Tenant>, cx: &Cx, present: &Domain, found: Found) -> Result<bool> {
    let missing = Missing { since: present.failing_since, failures: present.failures };
    let (missing, is_over) = missing.after(found, cx.now);
    if is_over {
        return lapse(tx, cx, present).await;
    }
    let update = quiet_sql!(
        "notes that a proof was looked for; that it lapsed is recorded",
        "UPDATE organization_domains SET checked_at = $3, failing_since = $4, failures = $5 \
         WHERE tenant_id = $1 AND id = $2 AND status = 'verified' AND version = $6"
    );
    tx.execute(update, args![present.id, cx.now, missing.since, missing.failures, present.version]).await?;
    Ok(false)
}

/// A verified domain becomes a claim again: the record that proved it still proves it when it is back.
async fn lapse(tx: &mut Tx<Tenant>, cx: &Cx, present: &Domain) -> Result<bool> {
    let update = change_sql!(
        "UPDATE organization_domains SET status = 'pending', verified_at = NULL, checked_at = $3, failing_since = NULL, \
         failures = 0, version = version + 1 WHERE tenant_id = $1 AND id = $2 AND status = 'verified' AND version = $4"
    );
    let Domain { id: domain_id, organization_id, ref domain, .. } = *present;
    let meaning = Meaning::done(Action::OrganizationDomainLapsed, organization_id)
        .with(json!({ "domain_id": domain_id, "domain": domain, "failing_since": present.failing_since }))
        .telling(OrganizationDomainLapsed { organization_id, domain_id, domain: domain.clone() });
    Ok(change(tx, cx, update, args![domain_id, cx.now, present.version], meaning).await? > 0)
}

/// Takes a domain from its organization; returns whether it was there.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, present: &Domain) -> Result<bool> {
    let delete = change_sql!("DELETE FROM organization_domains WHERE tenant_id = $1 AND id = $2");
    let Domain { id: domain_id, organization_id, ref domain, .. } = *present;
    let meaning = Meaning::done(Action::OrganizationDomainDeleted, organization_id)
        .with(json!({ "domain_id": domain_id, "domain": domain }))
        .telling(OrganizationDomainDeleted { organization_id, domain_id, domain: domain.clone() });
    Ok(change(tx, cx, delete, args![domain_id], meaning).await? > 0)
}

/// Reads domains; the argument says which.
macro_rules! domains_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, organization_id, domain, challenge, status, created_at, verified_at, failing_since, failures, version \
             FROM organization_domains WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// Whether an organization has verified a domain.
pub async fn is_verified(tx: &mut Tx<Tenant>, organization: OrganizationId, domain: &str) -> Result<bool> {
    let select = domains_sql!("organization_id = $2 AND domain = $3 AND status = 'verified'");
    Ok(tx.optional(select, args![organization, domain]).await?.is_some())
}

/// One domain of an organization.
pub async fn find(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    id: OrganizationDomainId,
) -> Result<Option<Domain>> {
    let select = domains_sql!("organization_id = $2 AND id = $3");
    tx.optional(select, args![organization, id]).await?.as_ref().map(domain).transpose()
}

/// A page of the domains of an organization by id, after `cursor`.
pub async fn list(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    (cursor, limit): (Option<OrganizationDomainId>, u32),
) -> Result<Vec<Domain>> {
    let select = domains_sql!("organization_id = $2 AND id > $3 ORDER BY id LIMIT $4");
    let rows = tx.all(select, args![organization, svc_db::after(cursor), limit]).await?;
    rows.iter().map(domain).collect()
}

fn domain(row: &Row) -> Result<Domain> {
    let verified = row.text("status")? == "verified";
    Ok(Domain {
        id: row.parse("id")?,
        organization_id: row.parse("organization_id")?,
        domain: row.text("domain")?,
        status: if verified { Status::Verified } else { Status::Pending },
        record_value: row.text("challenge")?,
        created_at: row.time("created_at")?,
        verified_at: row.maybe_time("verified_at")?,
        failing_since: row.maybe_time("failing_since")?,
        failures: row.int("failures")?,
        version: row.int("version")?,
    })
}
