//! The domain of a tenant: a name of its own, which no other tenant is found by.

use svc_config::{Config, is_local};
use svc_core::{Error, Result};
use svc_domain::tenancy::tenants::Tenant;

/// Refuses what is no name of a host, what belongs to the deployment, and what only a deployment in production mode may have.
pub(super) fn check(config: &Config, home: &Tenant, domain: Option<&str>) -> Result<()> {
    let Some(domain) = domain else { return Ok(()) };
    if !is_name(domain) {
        return Err(Error::bad_request(
            "custom_domain: give a host name in lower case, such as login.example.com",
        ));
    }
    let base = config.server.base_domain.as_deref().unwrap_or_default();
    let is_below = |name: &str| {
        !name.is_empty()
            && (domain == name || domain.strip_suffix(name).is_some_and(|rest| rest.ends_with('.')))
    };
    if is_below(base) || is_below(&home.host()) {
        return Err(Error::bad_request(
            "custom_domain: this name is the deployment's own; give a domain outside of it",
        ));
    }
    if !config.security.production && !is_local(domain) {
        return Err(Error::conflict(
            "custom_domain: a public name needs production mode; set security.production = true, or use a local name",
        ));
    }
    Ok(())
}

/// Labels of letters, digits and inner hyphens (RFC 1123 §2.1), two at least.
fn is_name(domain: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    domain.len() <= 253 && domain.contains('.') && domain.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_is_a_host_name_in_lower_case() {
        for name in ["login.example.com", "a-b.example", "xn--bcher-kva.example"] {
            assert!(is_name(name), "{name}");
        }
        for other in [
            "",
            "example",
            "Login.example.com",
            "a..b",
            "-a.example",
            "a.example:443",
            "a.example/x",
            "a.example.",
        ] {
            assert!(!is_name(other), "{other}");
        }
    }
}
