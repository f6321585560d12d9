//! Who the client is when proxies stand between: their word counts only as far as they are trusted.

use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderValue};
use svc_config::Network;

/// The client, as far as it can be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Client {
    pub ip: Option<IpAddr>,
    pub is_secure: bool,
    pub is_proxied: bool,
}

/// Walks `X-Forwarded-For` from the nearest hop outwards, up to the first address that is not a trusted proxy.
pub(super) fn client(peer: Option<IpAddr>, is_tls: bool, headers: &HeaderMap, trusted: &[Network]) -> Client {
    let is_trusted = |ip: IpAddr| trusted.iter().any(|network| network.contains(ip));
    let Some(mut ip) = peer.map(|ip| ip.to_canonical()).filter(|ip| is_trusted(*ip)) else {
        return Client { ip: peer.map(|ip| ip.to_canonical()), is_secure: is_tls, is_proxied: false };
    };
    for hop in values(headers, "x-forwarded-for").rev() {
        // What a trusted proxy wrote down unreadably, or further out than an untrusted hop, is not trusted.
        let Some(hop) = address(hop) else { break };
        ip = hop;
        if !is_trusted(hop) {
            break;
        }
    }
    let scheme = values(headers, "x-forwarded-proto").next_back();
    Client {
        ip: Some(ip),
        is_secure: is_tls || scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("https")),
        is_proxied: true,
    }
}

/// What stands between the commas, in the order of the hops. What is no text counts as unreadable, and only itself: a client that
/// sends such bytes may not hide what a proxy has written behind them in the same field.
fn values<'a>(headers: &'a HeaderMap, name: &str) -> impl DoubleEndedIterator<Item = &'a str> {
    let fields = headers.get_all(name).iter().map(HeaderValue::as_bytes);
    let hops = fields.flat_map(|field| field.split(|byte| *byte == b','));
    let hops = hops.map(|hop| std::str::from_utf8(hop).unwrap_or_default().trim());
    hops.collect::<Vec<_>>().into_iter()
}

/// An address, perhaps in brackets or with a port, as proxies write it.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let bare = bare.parse::<IpAddr>().ok();
    bare.or_else(|| text.parse::<std::net::SocketAddr>().ok().map(|address| address.ip()))
        .map(|ip| ip.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(peer: &str, forwarded: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        let trusted = ["10.0.0.0/8".parse().unwrap(), "2001:db8::/32".parse().unwrap()];
        client(peer.parse().ok(), false, &headers, &trusted).ip.unwrap().to_string()
    }

    #[test]
    fn an_untrusted_peer_cannot_name_another_client() {
        assert_eq!(seen("192.0.2.1", &["198.51.100.7"]), "192.0.2.1");
    }

    #[test]
    fn the_client_is_the_nearest_address_that_is_no_trusted_proxy() {
        assert_eq!(seen("10.0.0.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(seen("10.0.0.1", &["1.1.1.1, 198.51.100.7, 10.0.0.2"]), "198.51.100.7");
        assert_eq!(seen("10.0.0.1", &["1.1.1.1", "198.51.100.7:4711"]), "198.51.100.7");
        assert_eq!(seen("::ffff:10.0.0.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(seen("2001:db8::1", &["[2001:db9::5]:443"]), "2001:db9::5");
        assert_eq!(seen("2001:db8::1", &["1.1.1.1, [2001:db9::5], [2001:db8::2]"]), "2001:db9::5");
    }

    #[test]
    fn an_unreadable_hop_ends_the_walk_at_the_proxy_that_wrote_it() {
        assert_eq!(seen("10.0.0.1", &["198.51.100.7, unknown, 10.0.0.2"]), "10.0.0.2");
        assert_eq!(seen("10.0.0.1", &[]), "10.0.0.1");
    }

    #[test]
    fn bytes_of_a_client_that_are_no_text_do_not_hide_its_address() {
        let read = |fields: &[&[u8]]| {
            let mut headers = HeaderMap::new();
            for field in fields {
                headers.append("x-forwarded-for", HeaderValue::from_bytes(field).unwrap());
            }
            let trusted = ["10.0.0.0/8".parse().unwrap()];
            client("10.0.0.1".parse().ok(), false, &headers, &trusted).ip.unwrap().to_string()
        };
        assert_eq!(read(&[b"\xff, 198.51.100.7"]), "198.51.100.7");
        assert_eq!(read(&[b"1.1.1.1", b"\xff, 198.51.100.7, 10.0.0.2"]), "198.51.100.7");
        assert_eq!(read(&["1.1.1.1, \u{e9}, 10.0.0.2".as_bytes()]), "10.0.0.2");
        assert_eq!(read(&[b"1.1.1.1", b"\xff"]), "10.0.0.1");
    }

    #[test]
    fn only_a_trusted_proxy_may_say_that_the_client_came_over_https() {
        let headers =
            HeaderMap::from_iter([("x-forwarded-proto".parse().unwrap(), "https".parse().unwrap())]);
        let trusted = ["10.0.0.0/8".parse().unwrap()];
        assert!(client("10.0.0.1".parse().ok(), false, &headers, &trusted).is_secure);
        assert!(!client("192.0.2.1".parse().ok(), false, &headers, &trusted).is_secure);
        assert!(!client(None, false, &headers, &trusted).is_secure);
    }
}
