//! Names that tenants cannot answer at: what is no name of a host, what belongs to the deployment, and what only a deployment in
//! production mode may have.

use svc_config::{Config, HttpUrl, WebOrigin, is_local};
use svc_core::{Error, Result};
use svc_domain::domain_name::{DomainName, check_custom};
use svc_domain::tenancy::tenants::Tenant;
use svc_http::TenantCx;

/// Refuses a name that an operator gives.
pub(crate) fn check_of_operator(config: &Config, home: &Tenant, domain: Option<&str>) -> Result<()> {
    let Some(domain) = domain else { return Ok(()) };
    check_custom(domain)?;
    let hosts = own_hosts(config).chain([home.host()]);
    check("custom_domain", config, domain, hosts)
}

/// Refuses a name that a tenant asks for.
pub(crate) fn check_of_tenant(caller: &TenantCx, name: &DomainName) -> Result<()> {
    let config = &caller.app.config;
    let server = &config.server;
    let origins = [&server.identity_app_origin, &server.dashboard_app_origin, &config.passkey.origin];
    let origins = origins.into_iter().flatten().map(WebOrigin::host);
    let allowed = server.allowed_hosts.iter().map(|entry| entry.trim_start_matches("*.").to_owned());
    check("domain", config, name.as_str(), own_hosts(config).chain(origins).chain(allowed))
}

fn own_hosts(config: &Config) -> impl Iterator<Item = String> {
    config.server.base_domain.clone().into_iter().chain([HttpUrl::host(&config.oidc.issuer_url)])
}

fn check(member: &str, config: &Config, domain: &str, mut hosts: impl Iterator<Item = String>) -> Result<()> {
    let is_below = |host: String| {
        !host.is_empty()
            && domain.strip_suffix(host.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    if hosts.any(is_below) {
        return Err(Error::bad_request(format!(
            "{member}: this name is the deployment's own; give a domain outside of it"
        )));
    }
    if !config.security.production && !is_local(domain) {
        return Err(Error::conflict(format!(
            "{member}: a public name needs production mode; set security.production = true, or use a local name"
        )));
    }
    Ok(())
}
