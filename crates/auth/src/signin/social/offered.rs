//! The providers that people can sign in with at a tenant: those at which the operator has registered, then the tenant's own.

use svc_core::capability::Capability;
use svc_http::HostCx;

use super::connector::of_tenant;
use super::provider::Provider;
use super::registered::registered;

/// Every provider that people can sign in with here.
pub fn offered(host: &HostCx) -> Vec<Provider> {
    if !host.offers(&Capability::SOCIAL) {
        return Vec::new();
    }
    let own = host.connectors.get().into_iter().flat_map(|known| known.iter().filter_map(of_tenant));
    registered(&host.app.config).into_iter().chain(own).collect()
}

/// One of them.
pub fn find(host: &HostCx, id: &str) -> Option<Provider> {
    offered(host).into_iter().find(|provider| provider.id == id)
}
