//! Which hosts we answer for (RFC 9110 §7.2): the allow-list of the deployment, and the tenants' own domains.

use axum::http::Version;
use axum::http::header::HOST;
use axum::http::request::Parts;
use svc_core::{Error, Result};

/// The hosts that the configuration allows.
#[derive(Clone, Debug, Default)]
pub struct HostRules {
    allowed: Vec<String>,
    admits_local: bool,
}

impl HostRules {
    /// An entry is a host, or `*.domain` for every host one label below it. `admits_local` adds this machine's names.
    pub fn new(entries: impl IntoIterator<Item = String>, admits_local: bool) -> Self {
        let allowed = entries.into_iter().map(|entry| without_port(&entry).to_ascii_lowercase()).collect();
        Self { allowed, admits_local }
    }

    /// Whether `host`, in lower case and without port, is allowed.
    pub fn admits(&self, host: &str) -> bool {
        self.allowed.iter().any(|entry| covers(entry, host)) || (self.admits_local && is_local(host))
    }
}

/// The one host that the request names, in lower case and without port; empty where HTTP/1.0 names none (RFC 9112 §3.2).
pub(super) fn named_by(parts: &Parts) -> Result<String> {
    let mut fields = parts.headers.get_all(HOST).iter();
    let field = fields.next().map(|value| value.to_str()).transpose();
    let field = field.map_err(|error| Error::bad_request("the Host header is malformed").caused_by(error))?;
    if fields.next().is_some() {
        return Err(Error::bad_request("there is more than one Host header"));
    }
    let target = parts.uri.authority().map(axum::http::uri::Authority::as_str);
    let authority = match (field, target) {
        (Some(field), Some(target)) if !field.eq_ignore_ascii_case(target) => {
            return Err(Error::bad_request("the Host header differs from the request target"));
        }
        (Some(authority), _) | (None, Some(authority)) => authority,
        (None, None) if parts.version < Version::HTTP_11 => return Ok(String::new()),
        (None, None) => return Err(missing()),
    };
    if !is_plain(authority) {
        return Err(Error::bad_request("the Host header is malformed"));
    }
    Ok(without_port(authority).to_ascii_lowercase())
}

/// The refusal of a request that has to name a host, and names none.
pub(super) fn missing() -> Error {
    Error::bad_request("the Host header is missing")
}

/// The refusal of a host that is not ours.
pub(super) fn misdirected() -> Error {
    Error::misdirected_request(
        "this host is not served here; its operator lists the hosts in server.allowed_hosts",
    )
}

fn is_plain(authority: &str) -> bool {
    let allowed =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b':' | b'[' | b']');
    let host = without_port(authority);
    let port = authority.get(host.len()..).unwrap_or_default();
    let is_bracketed = host.starts_with('[') && host.ends_with(']');
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    !authority.is_empty()
        && authority.len() <= 260
        && authority.bytes().all(allowed)
        && (is_bracketed || !authority.contains(['[', ']']))
        && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port))
}

fn without_port(authority: &str) -> &str {
    if authority.starts_with('[') {
        return authority.split_inclusive(']').next().unwrap_or(authority);
    }
    authority.split(':').next().unwrap_or(authority)
}

fn covers(entry: &str, host: &str) -> bool {
    match entry.strip_prefix("*.") {
        Some(domain) => {
            let label = host.strip_suffix(domain).and_then(|rest| rest.strip_suffix('.'));
            label.is_some_and(|label| !label.is_empty() && !label.contains('.'))
        }
        None => entry == host,
    }
}

fn is_local(host: &str) -> bool {
    matches!(host, "localhost" | "127.0.0.1" | "[::1]") || host.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    fn named(uri: &str, hosts: &[&str]) -> Result<String> {
        let request = hosts.iter().fold(Request::get(uri), |request, host| request.header(HOST, *host));
        named_by(&request.body(()).unwrap().into_parts().0)
    }

    #[test]
    fn the_host_is_read_without_port_and_case() {
        assert_eq!(named("/", &["ID.Example.com:8443"]).unwrap(), "id.example.com");
        assert_eq!(named("/", &["[::1]:8080"]).unwrap(), "[::1]");
        assert_eq!(named("https://id.example.com/", &[]).unwrap(), "id.example.com");
        assert_eq!(named("https://id.example.com/", &["id.example.com"]).unwrap(), "id.example.com");
    }

    #[test]
    fn a_missing_doubled_or_contradicting_host_is_refused() {
        assert!(named("/", &[]).is_err());
        assert!(named("/", &["a.example", "a.example"]).is_err());
        assert!(named("https://a.example/", &["b.example"]).is_err());
        for bad in ["", "a b", "a/b", "user@a", "a,b", "a.example:", "a.example:x", "[::1", "a:1:2", "a\\b"] {
            assert!(named("/", &[bad]).is_err(), "{bad}");
        }
    }

    #[test]
    fn only_listed_hosts_and_direct_subdomains_of_a_wildcard_are_allowed() {
        let rules = HostRules::new(["id.example.com".to_owned(), "*.tenants.example".to_owned()], false);
        assert!(rules.admits("id.example.com"));
        assert!(rules.admits("acme.tenants.example"));
        for bad in [
            "example.com",
            "id.example.com.evil",
            "x.id.example.com",
            "id.example.com.",
            "tenants.example",
            "a.b.tenants.example",
            ".tenants.example",
            "eviltenants.example",
            "localhost",
        ] {
            assert!(!rules.admits(bad), "{bad}");
        }
    }

    #[test]
    fn this_machines_names_are_allowed_only_where_the_deployment_is_local() {
        let rules = HostRules::new([], true);
        for local in ["localhost", "acme.localhost", "127.0.0.1", "[::1]"] {
            assert!(rules.admits(local), "{local}");
        }
        assert!(!rules.admits("localhost.example.com"));
    }
}
