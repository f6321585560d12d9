//! What makes a deployment public: an address that it listens on, a name or a proxy that is not of this machine.

use crate::load::fault::Fault;
use crate::{Config, WebOrigin};

/// The refusal of a public deployment outside production mode, naming each key that made it public.
pub fn fault(config: &Config) -> Option<Fault> {
    let signs = signs(config);
    if config.security.production || signs.is_empty() {
        return None;
    }
    let verb = if signs.len() == 1 { "is" } else { "are" };
    Some(Fault::new(
        "security.production",
        format!("security.production must be true, because {} {verb} not local", signs.join(", ")),
        "set security.production = true and satisfy the production rules, or use local names and addresses only",
    ))
}

/// Every key with a value that is not local, as `key = value`.
pub fn signs(config: &Config) -> Vec<String> {
    let server = &config.server;
    let origins = [
        ("server.identity_app_origin", &server.identity_app_origin),
        ("server.dashboard_app_origin", &server.dashboard_app_origin),
        ("passkey.origin", &config.passkey.origin),
    ];
    let origins = origins.into_iter().filter_map(|(key, origin)| Some((key, origin.as_ref()?)));
    let named = [("oidc.issuer_url", config.oidc.issuer_url.host(), config.oidc.issuer_url.to_string())]
        .into_iter()
        .chain(server.base_domain.iter().map(|base| ("server.base_domain", base.clone(), base.clone())))
        .chain(server.allowed_hosts.iter().map(|host| ("server.allowed_hosts", host.clone(), host.clone())))
        .chain(origins.map(|(key, origin)| (key, WebOrigin::host(origin), origin.as_str().to_owned())));
    let listening =
        (!server.host.to_canonical().is_loopback()).then(|| format!("server.host = {}", server.host));
    let proxies = server.trusted_proxies.iter().filter(|proxy| !proxy.is_loopback());
    (listening.into_iter())
        .chain(named.filter(|(_, host, _)| !is_local(host)).map(|(key, _, value)| format!("{key} = {value}")))
        .chain(proxies.map(|proxy| format!("server.trusted_proxies = {proxy}")))
        .collect()
}

/// `localhost` and names under it (RFC 6761 §6.3), and loopback addresses.
pub fn is_local(host: &str) -> bool {
    let name = host.strip_prefix("*.").unwrap_or(host);
    let address = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(name);
    name == "localhost"
        || name.ends_with(".localhost")
        || address.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.to_canonical().is_loopback())
}
