//! Reverse proxies: whose word about clients is taken, and whether all people would share one address.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use svc_config::is_local;

use super::Patient;
use super::finding::Finding;

const CHECK: &str = "proxies";
/// Addresses of the public network; a list of proxies that has them both believes everyone.
const STRANGERS: [IpAddr; 2] =
    [IpAddr::V4(Ipv4Addr::new(9, 9, 9, 9)), IpAddr::V6(Ipv6Addr::new(0x2620, 0xfe, 0, 0, 0, 0, 0, 0xfe))];

/// Holds the listening address against the lists.
pub fn examine(patient: &Patient) -> Vec<Finding> {
    let server = &patient.config.server;
    let believed =
        server.trusted_proxies.iter().find(|network| STRANGERS.iter().any(|ip| network.contains(*ip)));
    if let Some(network) = believed {
        let what = format!("server.trusted_proxies has {network}: strangers may claim any address");
        return vec![Finding::fault(CHECK, what, "list the addresses of your proxies alone")];
    }
    let is_behind =
        server.host.to_canonical().is_loopback() && !is_local(&patient.config.oidc.issuer_url.host());
    if is_behind && server.trusted_proxies.is_empty() {
        let what = format!(
            "only this machine reaches {}, so that a proxy is in between, but server.trusted_proxies is empty: all people \
             share one address, and one limit",
            server.host
        );
        return vec![Finding::fault(CHECK, what, "server.trusted_proxies = [\"127.0.0.1\"]")];
    }
    if server.direct_client_exposure && !server.trusted_proxies.is_empty() {
        let what = "server.direct_client_exposure and server.trusted_proxies are both set";
        return vec![Finding::warning(CHECK, what, "take out the one that does not hold")];
    }
    let shown: Vec<_> = server.trusted_proxies.iter().map(ToString::to_string).collect();
    let what = if shown.is_empty() { "clients connect directly".to_owned() } else { shown.join(", ") };
    vec![Finding::ok(CHECK, what)]
}
