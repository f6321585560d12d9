//! Where a sign-in comes from, in words that are short of telling: a network for an address, browser and system for what the
//! browser calls itself.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Browsers, those first that also call themselves by the names of others.
const BROWSERS: &[(&str, &str)] = &[
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// Systems, in the same order.
const SYSTEMS: &[(&str, &str)] = &[
    ("iPhone", "iOS"),
    ("iPad", "iPadOS"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

/// The network of an address: 256 addresses of IPv4, a /48 of IPv6.
pub fn network(address: IpAddr) -> String {
    let v4 = |[a, b, c, _]: [u8; 4]| format!("{}/24", Ipv4Addr::new(a, b, c, 0));
    match address.to_canonical() {
        IpAddr::V4(address) => v4(address.octets()),
        IpAddr::V6(address) => {
            let [a, b, c, ..] = address.segments();
            format!("{}/48", Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0))
        }
    }
}

/// The names of browser and system; empty where none of these is known.
pub fn words(user_agent: &str) -> (&'static str, &'static str) {
    let name = |known: &[(&str, &'static str)]| {
        known.iter().find(|(part, _)| user_agent.contains(part)).map_or("", |(_, name)| *name)
    };
    (name(BROWSERS), name(SYSTEMS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_share_a_network() {
        let network = |text: &str| network(text.parse().unwrap());
        assert_eq!(network("203.0.113.7"), "203.0.113.0/24");
        assert_eq!(network("::ffff:203.0.113.250"), "203.0.113.0/24");
        assert_eq!(network("2001:db8:1:2::3"), "2001:db8:1::/48");
    }

    #[test]
    fn a_browser_is_named_and_not_the_one_that_it_poses_as() {
        let chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";
        assert_eq!(words(chrome), ("Chrome", "Linux"));
        assert_eq!(words(&format!("{chrome} Edg/130.0")), ("Edge", "Linux"));
        let phone =
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1";
        assert_eq!(words(phone), ("Safari", "iOS"));
        assert_eq!(words("curl/8"), ("", ""));
    }
}
