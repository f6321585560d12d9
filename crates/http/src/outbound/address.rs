//! Where outbound requests may go: public addresses only (RFC 6890), on https and its own port.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

/// Longest URL that is looked at, in bytes.
const LONGEST: usize = 2000;

/// IPv4 networks that are not public: address and length of the prefix.
const REFUSED_V4: &[([u8; 4], u32)] = &[
    ([0, 0, 0, 0], 8),
    ([10, 0, 0, 0], 8),
    ([100, 64, 0, 0], 10),
    ([127, 0, 0, 0], 8),
    // A cloud's metadata service with an address that looks public.
    ([168, 63, 129, 16], 32),
    ([169, 254, 0, 0], 16),
    ([172, 16, 0, 0], 12),
    ([192, 0, 0, 0], 24),
    ([192, 0, 2, 0], 24),
    ([192, 88, 99, 0], 24),
    ([192, 168, 0, 0], 16),
    ([198, 18, 0, 0], 15),
    ([198, 51, 100, 0], 24),
    ([203, 0, 113, 0], 24),
    ([224, 0, 0, 0], 4),
    ([240, 0, 0, 0], 4),
];

/// The network of public IPv6 addresses. Outside are this machine, local networks, multicast, embedded IPv4 addresses in
/// their plain forms, and those behind translators (`64:ff9b::/96`, `64:ff9b:1::/48`).
const PUBLIC_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// Parts of it that are not public all the same: protocol assignments with Teredo, documentation, 6to4.
const REFUSED_V6: &[(Ipv6Addr, u32)] = &[
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// Endings of names that only a private network resolves.
const PRIVATE_NAMES: &[&str] = &[".local", ".internal", ".localdomain", ".lan", ".home.arpa", ".onion"];

/// Which hosts may be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hosts {
    /// Public ones, over https.
    Public,
    /// Any, because the operator chose the address.
    Any,
    /// Any, but over plain http only this machine.
    AnyOverTls,
}

/// What may be called.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// Whether this machine may be called, on any port and over plain http: for development.
    pub loopback: bool,
    /// Which hosts.
    pub hosts: Hosts,
    /// Whether other ports than that of https may be called.
    pub any_port: bool,
}

impl Reach {
    /// Public hosts on the port of https.
    pub const PUBLIC: Self = Self { loopback: false, hosts: Hosts::Public, any_port: false };
    /// What the configuration names, which may be inside the operator's own network.
    pub const CHOSEN_BY_OPERATORS: Self = Self { loopback: true, hosts: Hosts::Any, ..Self::PUBLIC };

    /// The URL, if it may be called as far as the URL alone shows.
    pub fn url(self, text: &str) -> Option<Url> {
        let is_plain = text.len() <= LONGEST
            && text.bytes().all(|byte| byte.is_ascii_graphic())
            && !text.contains(['\\', '#'])
            && !authority(text).contains('@');
        // The parser reads decimal, octal, hexadecimal and shortened IPv4 addresses as what they are.
        let url = Url::parse(text).ok().filter(|_| is_plain)?;
        let is_web = matches!(url.scheme(), "http" | "https");
        let is_here = match url.host()? {
            Host::Domain(name) => is_local_name(name),
            Host::Ipv4(address) => address.is_loopback(),
            Host::Ipv6(address) => address.is_loopback(),
        };
        if is_here {
            return (self.loopback && is_web).then_some(url);
        }
        match self.hosts {
            Hosts::Public => {}
            Hosts::Any => return is_web.then_some(url),
            Hosts::AnyOverTls => return (url.scheme() == "https").then_some(url),
        }
        let is_public = match url.host()? {
            Host::Domain(name) => is_public_name(name),
            Host::Ipv4(address) => is_public(address.into()),
            Host::Ipv6(address) => is_public(address.into()),
        };
        // The parser leaves out a port that is the scheme's own.
        (is_public && url.scheme() == "https" && (self.any_port || url.port().is_none())).then_some(url)
    }

    /// Whether a host may be called as far as its name alone shows; an IPv6 address stands without brackets.
    pub fn host(self, host: &str) -> bool {
        if let Ok(address) = host.parse() {
            return self.allows(address);
        }
        // What the parser of URLs reads as an address is one of another spelling.
        let url = Url::parse(&format!("https://{host}/")).ok();
        let is_name = url.and_then(|url| Some(matches!(url.host()?, Host::Domain(name) if name == host)));
        is_name == Some(true) && (self.is_anywhere() || is_public_name(host) || self.is_here(host))
    }

    /// Whether a host is this machine, and may be called.
    pub fn is_here(self, host: &str) -> bool {
        let is_loopback = host.parse().is_ok_and(|address: IpAddr| address.is_loopback());
        self.loopback && (is_loopback || is_local_name(host))
    }

    fn is_anywhere(self) -> bool {
        self.hosts != Hosts::Public
    }

    /// Whether a connection may be made to `address`.
    pub fn allows(self, address: IpAddr) -> bool {
        self.is_anywhere() || is_public(address) || (self.loopback && address.is_loopback())
    }
}

/// What stands before the path (RFC 3986 §3.2), as the parser finds it: behind the scheme it passes over slashes, however many.
fn authority(text: &str) -> &str {
    let (_, rest) = text.split_once(':').unwrap_or_default();
    rest.trim_start_matches('/').split(['/', '?']).next().unwrap_or_default()
}

/// Whether `name` means this machine (RFC 6761 §6.3).
pub(super) fn is_local_name(name: &str) -> bool {
    name == "localhost" || name.ends_with(".localhost")
}

fn is_public_name(name: &str) -> bool {
    let is_private = is_local_name(name) || PRIVATE_NAMES.iter().any(|ending| name.ends_with(ending));
    name.contains('.') && !name.ends_with('.') && !is_private
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let within = |&(network, length): &([u8; 4], u32)| {
                let differing = u32::from(address) ^ u32::from(Ipv4Addr::from(network));
                differing.leading_zeros() >= length
            };
            !REFUSED_V4.iter().any(within)
        }
        IpAddr::V6(address) => {
            let within = |&(network, length): &(Ipv6Addr, u32)| {
                (u128::from(address) ^ u128::from(network)).leading_zeros() >= length
            };
            within(&PUBLIC_V6) && !REFUSED_V6.iter().any(within)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRODUCTION: Reach = Reach::PUBLIC;
    const DEVELOPMENT: Reach = Reach { loopback: true, ..Reach::PUBLIC };

    #[test]
    fn what_an_operator_chose_may_be_anywhere_and_over_tls_only_this_machine_does_without() {
        let any = Reach { loopback: true, hosts: Hosts::Any, any_port: false };
        let over_tls = Reach { hosts: Hosts::AnyOverTls, ..any };
        for good in [
            "https://gitlab.corp.internal:8443/oauth/token",
            "https://10.0.0.1/",
            "https://keycloak/",
            "http://localhost:3000/",
            "http://127.0.0.1:8080/",
            "http://[::1]/",
        ] {
            assert!(any.url(good).is_some() && over_tls.url(good).is_some(), "{good}");
        }
        for in_clear in ["http://keycloak:8080/", "http://10.0.0.1/", "http://a.example/"] {
            assert!(any.url(in_clear).is_some() && over_tls.url(in_clear).is_none(), "{in_clear}");
        }
        assert!(over_tls.allows("10.0.0.1".parse().unwrap()));
        assert!(any.url("ftp://a.example/").is_none() && over_tls.url("ftp://localhost/").is_none());
    }

    #[test]
    fn an_address_that_is_not_public_is_never_connected_to() {
        for bad in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "10.255.255.255",
            "100.64.0.1",
            "100.100.100.200",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.0.1",
            "168.63.129.16",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.192",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "::ffff:7f00:1",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b::808:808",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:0:53aa:64c::1",
            "2001:10::1",
            "2001:20::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "2002:a00:1::",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd00::1",
            "fd00:ec2::254",
            "fe80::1",
            "febf::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!PRODUCTION.allows(bad.parse().unwrap()), "{bad}");
        }
        for good in [
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.1",
            "100.63.255.255",
            "100.128.0.0",
            "168.63.129.17",
            "172.15.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "198.17.0.1",
            "198.20.0.1",
            "223.255.255.255",
            "2606:4700::1111",
            "2001:4860:4860::8888",
            "2a00:1450::1",
            "2003::1",
        ] {
            assert!(PRODUCTION.allows(good.parse().unwrap()), "{good}");
        }
    }

    #[test]
    fn a_url_that_leads_elsewhere_than_to_a_public_https_host_is_refused() {
        for bad in [
            "",
            "x",
            "//a.example/",
            "http://a.example/",
            "https://a.example:8443/",
            "https://a.example:22/",
            "https://a.example:80/",
            "gopher://a.example/",
            "file:///etc/passwd",
            "ftp://a.example/",
            "data:,x",
            "https://user@a.example/",
            "https://user:pw@a.example/",
            "https://a.example/#x",
            "https://@a.example/",
            "https://@/a.example",
            "https://user@a.example?x",
            "https:user@a.example/",
            "https:///user@a.example/",
            "https::pw@a.example/",
            "https:///:pw@a.example/",
            "https:@a.example/",
            "https://a.example\\@b/",
            "https://a.example/ x",
            "https://a.example./",
            "https://exämple.example/",
            "https://intranet/",
            "https://localhost/",
            "https://LOCALHOST/",
            "https://a.localhost/",
            "https://printer.local/",
            "https://metadata.google.internal/",
            "https://127.0.0.1/",
            "https://2130706433/",
            "https://0x7f000001/",
            "https://0177.0.0.1/",
            "https://127.1/",
            "https://0/",
            "https://0.0.0.0/",
            "https://10.0.0.1/",
            "https://169.254.169.254/latest/meta-data",
            "https://[::1]/",
            "https://[::]/",
            "https://[::ffff:127.0.0.1]/",
            "https://[::ffff:7f00:1]/",
            "https://[64:ff9b::7f00:1]/",
            "https://[fe80::1%25eth0]/",
            "https://[fd00::1]/",
            "https://[2002:7f00:1::]/",
            "https://127.0.0.1.:443/",
            "https://%31%32%37.0.0.1/",
            "https://①②⑦.0.0.1/",
            "https:/\t/a.example/",
            "blob:https://a.example/x",
            "http://127.0.0.1/",
            "http://localhost:3000/",
        ] {
            assert!(PRODUCTION.url(bad).is_none(), "{bad}");
        }
        assert!(PRODUCTION.url(&format!("https://a.example/{}", "x".repeat(2000))).is_none());
        for good in [
            "https://a.example/",
            "https://a.example:443/jwks?x=1",
            "https://a.example/users/@me?name=a@b",
            "https://8.8.8.8/",
            "https://[2606:4700::1111]/",
        ] {
            assert!(PRODUCTION.url(good).is_some(), "{good}");
        }
    }

    #[test]
    fn a_host_that_is_not_public_is_refused_in_every_spelling() {
        for bad in [
            "",
            "intranet",
            "localhost",
            "a.localhost",
            "printer.local",
            "127.0.0.1",
            "127.1",
            "0x7f000001",
            "2130706433",
            "::1",
            "[::1]",
            "fd00::1",
            "10.0.0.1",
            "A.example",
            "a.example.",
            "a.example:6514",
            "a.example/x",
            "a b.example",
            "user@a.example",
        ] {
            assert!(!PRODUCTION.host(bad), "{bad}");
        }
        for good in ["logs.example", "8.8.8.8", "2606:4700::1111"] {
            assert!(PRODUCTION.host(good), "{good}");
        }
        assert!(
            DEVELOPMENT.host("localhost") && DEVELOPMENT.host("127.0.0.1") && !DEVELOPMENT.host("10.0.0.1")
        );
        assert!(DEVELOPMENT.is_here("::1") && !PRODUCTION.is_here("127.0.0.1"));
    }

    #[test]
    fn development_reaches_this_machine_and_nothing_else_that_is_private() {
        for good in
            ["http://localhost:3000/x", "http://127.0.0.1:9/", "https://a.localhost:1/", "http://[::1]:8080/"]
        {
            assert!(DEVELOPMENT.url(good).is_some(), "{good}");
        }
        for bad in [
            "http://a.example/",
            "https://a.example:8443/",
            "https://10.0.0.1/",
            "http://0.0.0.0/",
            "ftp://localhost/",
        ] {
            assert!(DEVELOPMENT.url(bad).is_none(), "{bad}");
        }
        assert!(
            DEVELOPMENT.allows("127.0.0.1".parse().unwrap())
                && !DEVELOPMENT.allows("10.0.0.1".parse().unwrap())
        );
    }
}
