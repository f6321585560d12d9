//! The addresses that browsers may be shown: https, or http on this machine.

use url::{Host, Url};

/// Whether `uri` is an absolute https URL (http on loopback), as logos, policies and origins must be.
pub(crate) fn is_web_uri(uri: &str) -> bool {
    uri.len() <= 2000
        && Url::parse(uri).is_ok_and(|url| {
            url.username().is_empty()
                && url.password().is_none()
                && (url.scheme() == "https" || (url.scheme() == "http" && is_loopback(&url)))
        })
}

/// Whether `uri` is an absolute address of the web, also of one that is not encrypted: what others show, and we do not.
pub(crate) fn is_of_web(uri: &str) -> bool {
    Url::parse(uri).is_ok_and(|url| ["https", "http"].contains(&url.scheme()))
}

/// Whether the address is of this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}
