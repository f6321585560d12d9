//! Reverse proxies: whose word about clients is taken, and whether all people would share one address.

use svc_config::is_local;

use super::Patient;
use super::finding::Finding;

const CHECK: &str = "proxies";

/// Holds the listening address against the lists.
pub fn examine(patient: &Patient) -> Vec<Finding> {
    let server = &patient.config.server;
    if let Some(network) = server.trusted_strangers() {
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
