//! A custom domain is asked for, proven, used, and given up.

use serde_json::json;
use svc_core::events::{
    CustomDomainActivated, CustomDomainCreated, CustomDomainDeactivated, CustomDomainDeleted,
    CustomDomainVerified,
};
use svc_core::{Actor, Cx, Error, Result};
use svc_db::{Tenant, Tx, args, change_sql, sql};

use super::{Domain, Proof};
use crate::domain_name::DomainName;
use crate::log::{Action, Meaning, change, check_version};

/// Asks for a domain. A tenant has at most `most`.
pub async fn create(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (name, challenge): (&DomainName, String),
    most: u32,
) -> Result<Domain> {
    tx.hold("custom domains");
    check_room(tx, most).await?;
    let (domain_id, domain) = (cx.id(), name.as_str().to_owned());
    let owner = match &cx.actor {
        Actor::User(sub) => Some(sub.clone()),
        _ => None,
    };
    let insert = change_sql!(
        "INSERT INTO custom_domains (tenant_id, id, domain, challenge, status, owner, created_at, checked_at, failures, version) \
         VALUES ($1, $2, $3, $4, 'pending', $5, $6, $6, 0, 1)"
    );
    let arguments = args![domain_id, &domain, &challenge, owner.clone(), cx.now];
    let meaning = Meaning::done(Action::CustomDomainCreated, domain_id)
        .with(json!({ "domain": domain }))
        .telling(CustomDomainCreated { domain_id, domain: domain.clone() });
    let inserted = change(tx, cx, insert, arguments, meaning).await;
    inserted.map_err(|error| error.if_taken("domain: the tenant has asked for this domain already"))?;
    Ok(Domain {
        id: domain_id,
        domain,
        record_value: challenge,
        created_at: cx.now,
        verified_at: None,
        activated_at: None,
        failing_since: None,
        proof: Proof::Pending,
        owner,
        failures: 0,
        version: 1,
    })
}

/// Counts while no other transaction of the tenant asks for one.
async fn check_room(tx: &mut Tx<Tenant>, most: u32) -> Result<()> {
    let count = sql!("SELECT COUNT(*) AS count FROM custom_domains WHERE tenant_id = $1");
    if tx.one(count, args![]).await?.int("count")? < i64::from(most) {
        return Ok(());
    }
    Err(Error::conflict(format!(
        "the tenant has {most} domains (custom_domains.max_per_tenant); delete those that it does not need"
    )))
}

/// Notes that the proof of a domain was found.
pub async fn prove(tx: &mut Tx<Tenant>, cx: &Cx, present: &Domain) -> Result<Domain> {
    let update = change_sql!(
        "UPDATE custom_domains SET status = 'verified', verified_at = $3, checked_at = $3, failing_since = NULL, failures = 0, \
         version = version + 1 WHERE tenant_id = $1 AND id = $2 AND version = $4"
    );
    let Domain { id: domain_id, ref domain, .. } = *present;
    let meaning = Meaning::done(Action::CustomDomainVerified, domain_id)
        .with(json!({ "domain": domain }))
        .telling(CustomDomainVerified { domain_id, domain: domain.clone() });
    let updated = change(tx, cx, update, args![domain_id, cx.now, present.version], meaning).await?;
    check_version(updated, "the domain")?;
    let (proof, verified_at) = (Proof::Verified, Some(cx.now));
    Ok(Domain { proof, verified_at, version: present.version + 1, ..present.clone() })
}

/// Notes that the tenant answers at the domain from now on.
pub async fn note_activated(tx: &mut Tx<Tenant>, cx: &Cx, present: &Domain) -> Result<Domain> {
    let update = change_sql!(
        "UPDATE custom_domains SET activated_at = $3, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND status = 'verified' AND version = $4"
    );
    let Domain { id: domain_id, ref domain, .. } = *present;
    let meaning = Meaning::done(Action::CustomDomainActivated, domain_id)
        .with(json!({ "domain": domain }))
        .telling(CustomDomainActivated { domain_id, domain: domain.clone() });
    let updated = change(tx, cx, update, args![domain_id, cx.now, present.version], meaning).await?;
    check_version(updated, "the domain")?;
    Ok(Domain { activated_at: Some(cx.now), version: present.version + 1, ..present.clone() })
}

/// Notes that the tenant answers at the domain no more.
pub async fn note_deactivated(tx: &mut Tx<Tenant>, cx: &Cx, present: &Domain) -> Result<Domain> {
    let update = change_sql!(
        "UPDATE custom_domains SET activated_at = NULL, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND version = $3"
    );
    let Domain { id: domain_id, ref domain, .. } = *present;
    let meaning = Meaning::done(Action::CustomDomainDeactivated, domain_id)
        .with(json!({ "domain": domain }))
        .telling(CustomDomainDeactivated { domain_id, domain: domain.clone() });
    let updated = change(tx, cx, update, args![domain_id, present.version], meaning).await?;
    check_version(updated, "the domain")?;
    Ok(Domain { activated_at: None, version: present.version + 1, ..present.clone() })
}

/// Gives a domain up; returns whether it was there.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, present: &Domain) -> Result<bool> {
    let delete = change_sql!("DELETE FROM custom_domains WHERE tenant_id = $1 AND id = $2");
    let Domain { id: domain_id, ref domain, .. } = *present;
    let meaning = Meaning::done(Action::CustomDomainDeleted, domain_id)
        .with(json!({ "domain": domain }))
        .telling(CustomDomainDeleted { domain_id, domain: domain.clone() });
    Ok(change(tx, cx, delete, args![domain_id], meaning).await? > 0)
}
