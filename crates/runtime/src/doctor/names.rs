//! DNS: whether the issuer's host, and hosts of tenants below it, have an address.

use std::net::{IpAddr, SocketAddr, TcpListener};
use std::time::Duration;

use svc_config::is_local;

use super::Patient;
use super::finding::Finding;

const CHECK: &str = "DNS";
const PATIENCE: Duration = Duration::from_secs(5);

/// Asks the resolver of the system.
pub async fn examine(patient: &Patient) -> Vec<Finding> {
    let config = &patient.config;
    let host = config.oidc.issuer_url.host();
    if is_local(&host) || host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok() {
        return vec![Finding::ok(CHECK, format!("{host} needs none"))];
    }
    let found = addresses(&host).await;
    if found.is_empty() {
        let fix =
            format!("add a record for {host} that leads to this machine, or to the proxy in front of it");
        return vec![Finding::fault(CHECK, format!("{host}, the issuer's host, has no address"), fix)];
    }
    let shown: Vec<_> = found.iter().map(ToString::to_string).collect();
    let mut findings = vec![Finding::ok(CHECK, format!("{host} is {}", shown.join(", ")))];
    if config.server.direct_client_exposure && !found.iter().any(is_of_this_machine) {
        let what = format!("{host} leads to another machine, although clients connect directly");
        findings.push(Finding::warning(
            CHECK,
            what,
            "correct the record, unless an address is translated on the way",
        ));
    }
    if config.server.direct_client_exposure && is_unheard(config.server.host, &found) {
        let what = format!(
            "{host} has an address of IPv6, and the service listens at {}, of IPv4 alone",
            config.server.host
        );
        let fix = "server.host = \"::\", which is every address of both families, unless an address is translated on the way";
        findings.push(Finding::warning(CHECK, what, fix));
    }
    if let Some(base) = &config.server.base_domain
        && addresses(&format!("tenant.{base}")).await.is_empty()
    {
        let what = format!("names below {base} have no address: only the default tenant can be reached");
        findings.push(Finding::warning(
            CHECK,
            what,
            format!("add a record for *.{base}, if there are other tenants"),
        ));
    }
    findings
}

/// Whether clients find addresses at which the service does not listen, whatever interface they belong to.
fn is_unheard(listening: IpAddr, found: &[IpAddr]) -> bool {
    listening.is_ipv4() && found.iter().any(IpAddr::is_ipv6)
}

async fn addresses(host: &str) -> Vec<IpAddr> {
    let found = tokio::time::timeout(PATIENCE, tokio::net::lookup_host((host, 0))).await;
    let mut found: Vec<_> = match found {
        Ok(Ok(found)) => found.map(|address| address.ip()).collect(),
        _ => Vec::new(),
    };
    found.dedup();
    found
}

/// Only an address of this machine can be listened on.
fn is_of_this_machine(ip: &IpAddr) -> bool {
    TcpListener::bind(SocketAddr::new(*ip, 0)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_ipv6_is_not_heard_where_the_service_listens_at_those_of_ipv4() {
        let ip = |text: &str| text.parse::<IpAddr>().unwrap();
        let both = [ip("192.0.2.1"), ip("2001:db8::1")];
        assert!(is_unheard(ip("0.0.0.0"), &both));
        assert!(!is_unheard(ip("::"), &both));
        assert!(!is_unheard(ip("0.0.0.0"), &both[..1]));
    }
}
