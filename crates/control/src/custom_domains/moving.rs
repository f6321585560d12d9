//! A tenant answers at a proven domain, and at the host of its slug again. Either is its issuer from then on.

use svc_core::{CustomDomainId, Error, Result};
use svc_db::{System, Tenant, Tx};
use svc_domain::domain_name::DomainName;
use svc_domain::tenancy::custom_domains::{self, Domain, Proof};
use svc_domain::tenancy::tenants::{self, records};
use svc_http::{IfMatch, Path, Problem, TenantCx, Versioned};

use super::documents::Shown;
use super::{find, names};
use crate::{privileges, record};

pub(super) async fn activate(
    caller: TenantCx,
    Path(id): Path<CustomDomainId>,
    if_match: IfMatch,
) -> Result<Versioned<Shown>, Problem> {
    // The owner of the domain gets what people type there, and the links of mails.
    privileges::always(&caller, "a domain, to which people are led to sign in")?;
    let domain = moved(&caller, id, &if_match, Direction::Onto).await?;
    let answering = Some(domain.domain.clone());
    let version = domain.version;
    Ok(Versioned { version, record: Shown::answering(&caller, domain, answering.as_deref()) })
}

pub(super) async fn deactivate(
    caller: TenantCx,
    Path(id): Path<CustomDomainId>,
    if_match: IfMatch,
) -> Result<Versioned<Shown>, Problem> {
    let domain = moved(&caller, id, &if_match, Direction::Away).await?;
    Ok(Versioned { version: domain.version, record: Shown::answering(&caller, domain, None) })
}

/// Which way a tenant moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Onto,
    Away,
}

/// A transaction in which the tenant stays where it answers, and the domain where that is: memory may have another one, of before
/// another process moved it. The record of a tenant is the deployment's, so the transaction is too; it touches no other tenant.
pub(super) async fn answering(caller: &TenantCx) -> Result<(Tx<System>, Option<String>)> {
    let mut tx = caller.app.db.begin_system().await?;
    let id = caller.tenant.id.reference();
    records::hold(&mut tx, id);
    let present = records::find(&mut tx, id).await?;
    Ok((tx, present.and_then(|tenant| tenant.custom_domain)))
}

async fn moved(
    caller: &TenantCx,
    id: CustomDomainId,
    if_match: &IfMatch,
    direction: Direction,
) -> Result<Domain> {
    let (tx, answering) = answering(caller).await?;
    let (mut tx, found) = tx
        .within(caller.tenant.id, async |tx: &mut Tx<Tenant>| {
            let held = record::hold(tx, &id);
            let domain = find(tx, id).await?;
            if_match.check(held, domain.version)?;
            noted(caller, tx, (domain, direction), answering.as_deref()).await
        })
        .await;
    let Noted { domain, is_moved } = found?;
    if is_moved {
        let to = (direction == Direction::Onto).then_some(domain.domain.as_str());
        tenants::move_domain(&mut tx, caller, caller.tenant.id, (answering.as_deref(), to)).await?;
        tx.commit().await?;
    }
    Ok(domain)
}

struct Noted {
    domain: Domain,
    is_moved: bool,
}

async fn noted(
    caller: &TenantCx,
    tx: &mut Tx<Tenant>,
    (domain, direction): (Domain, Direction),
    answering: Option<&str>,
) -> Result<Noted> {
    let is_active = answering == Some(&domain.domain);
    let is_onto = direction == Direction::Onto;
    if is_onto && domain.proof == Proof::Pending {
        return Err(Error::conflict("the domain is not verified; verify it first"));
    }
    if is_onto == is_active {
        return Ok(Noted { domain, is_moved: false });
    }
    let domain = if is_onto {
        // The configuration may have changed since it was asked for.
        names::check_of_tenant(caller, &DomainName::parse(&domain.domain)?)?;
        custom_domains::note_activated(tx, caller, &domain).await?
    } else {
        custom_domains::note_deactivated(tx, caller, &domain).await?
    };
    Ok(Noted { domain, is_moved: true })
}
