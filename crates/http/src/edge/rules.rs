//! The configuration as the edge applies it, read once.

use std::time::Duration;

use svc_config::{Config, Network};

use super::host::HostRules;

/// What the edge holds every request against.
pub(super) struct Rules {
    pub hosts: HostRules,
    pub trusted_proxies: Vec<Network>,
    /// Whether these proxies are believed about client certificates.
    pub trusts_client_cert: bool,
    pub deadline: Option<Duration>,
}

impl Rules {
    pub(super) fn of(config: &Config) -> Self {
        let seconds = u64::try_from(config.server.request_timeout_secs.0).unwrap_or(0);
        Self {
            hosts: hosts(config),
            trusted_proxies: config.server.trusted_proxies.clone(),
            trusts_client_cert: config.server.mtls.trust_client_cert_header,
            deadline: (seconds > 0).then(|| Duration::from_secs(seconds)),
        }
    }
}

/// In production the list says it all. Elsewhere an empty list means this machine and the deployment's own names.
fn hosts(config: &Config) -> HostRules {
    let listed = &config.server.allowed_hosts;
    if config.security.production || !listed.is_empty() {
        return HostRules::new(listed.iter().cloned(), false);
    }
    let issuer = config.oidc.issuer_url.host();
    let base = config.server.base_domain.iter().flat_map(|base| [base.clone(), format!("*.{base}")]);
    HostRules::new(base.chain([format!("*.{issuer}"), issuer]), true)
}
