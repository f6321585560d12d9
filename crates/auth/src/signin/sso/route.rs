//! Where people are led: by the domain of an address, whether or not there is an account that has it.

use svc_core::Result;
use svc_core::capability::Capability;
use svc_db::{Tenant, Tx};
use svc_domain::domain_name;
use svc_domain::federation::sso::{self, Connection};
use svc_domain::organizations;
use svc_http::HostCx;

/// The connection to which an address leads: that of the organization which has verified its domain.
pub async fn of_address(host: &HostCx, tx: &mut Tx<Tenant>, address: &str) -> Result<Option<Connection>> {
    if host.offers(&Capability::ENTERPRISE_SSO) { sso::of_address(tx, address).await } else { Ok(None) }
}

/// The connection that people with an address must use.
pub async fn demanded_of(
    host: &HostCx,
    tx: &mut Tx<Tenant>,
    address: Option<&str>,
) -> Result<Option<Connection>> {
    match address.filter(|_| host.offers(&Capability::ENTERPRISE_SSO)) {
        Some(address) => sso::enforced_for(tx, address).await,
        None => Ok(None),
    }
}

/// The connection that the organization of a request enforces, or by its rules accepts alone, or else the domain of the address in
/// its `login_hint`.
pub async fn of_request(
    host: &HostCx,
    (named, is_alone): (Option<&str>, bool),
    hint: Option<&str>,
) -> Result<Option<Connection>> {
    let address = hint.filter(|hint| domain_name::of_address(hint).is_some());
    if named.or(address).is_none() || !host.offers(&Capability::ENTERPRISE_SSO) {
        return Ok(None);
    }
    let mut tx = host.read().await?;
    if let Some(named) = named
        && let Some(found) = of_organization(&mut tx, named, is_alone).await?
    {
        return Ok(Some(found));
    }
    demanded_of(host, &mut tx, address).await
}

/// The connection that an organization enforces, or accepts alone.
async fn of_organization(tx: &mut Tx<Tenant>, named: &str, is_alone: bool) -> Result<Option<Connection>> {
    let organization = match named.parse() {
        Ok(id) => organizations::find(tx, id).await?,
        Err(_) => organizations::find_by_slug(tx, named).await?,
    };
    let Some(organization) = organization else { return Ok(None) };
    let serving = sso::serving(tx, organization.id).await?;
    Ok(serving.filter(|serving| serving.configuration.enforced || is_alone))
}
