//! An IP address or a network in CIDR notation (RFC 4632), as proxies are listed.

use std::net::IpAddr;

use toml::Value;

use super::setting::{Setting, text};

/// An IP address or a network in CIDR notation (RFC 4632).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    prefix: u8,
}

impl Network {
    /// Whether `peer` is in the network. IPv4 addresses mapped into IPv6 count as IPv4.
    pub fn contains(&self, peer: IpAddr) -> bool {
        match (self.address, peer.to_canonical()) {
            (IpAddr::V4(net), IpAddr::V4(peer)) => {
                same_bits(net.to_bits().into(), peer.to_bits().into(), 32 - self.prefix)
            }
            (IpAddr::V6(net), IpAddr::V6(peer)) => {
                same_bits(net.to_bits(), peer.to_bits(), 128 - self.prefix)
            }
            _ => false,
        }
    }
}

impl Network {
    /// Whether it holds addresses of this machine only.
    pub fn is_loopback(&self) -> bool {
        match self.address {
            IpAddr::V4(address) => address.is_loopback() && self.prefix >= 8,
            IpAddr::V6(address) => address.is_loopback() && self.prefix == 128,
        }
    }
}

impl std::fmt::Display for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}

/// Whether two addresses agree but for their last `free` bits.
fn same_bits(one: u128, other: u128, free: u8) -> bool {
    (one ^ other).checked_shr(u32::from(free)).unwrap_or(0) == 0
}

impl std::str::FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (address, prefix) =
            text.split_once('/').map_or((text, None), |(address, prefix)| (address, Some(prefix)));
        let wrong = || "is neither an IP address nor a CIDR network".to_owned();
        let address: IpAddr = address.parse().map_err(|_| wrong())?;
        let longest = if address.is_ipv4() { 32 } else { 128 };
        let prefix = prefix.map_or(Ok(longest), |prefix| prefix.parse::<u8>().map_err(|_| wrong()))?;
        if prefix > longest {
            return Err(wrong());
        }
        // Written as IPv6, and met as IPv4 all the same.
        Ok(match (address.to_canonical(), prefix.checked_sub(longest - 32)) {
            (address @ IpAddr::V4(_), Some(prefix)) => Self { address, prefix },
            _ => Self { address, prefix },
        })
    }
}

impl Setting for Network {
    fn read(value: &Value) -> Result<Self, String> {
        text(value)?.parse()
    }

    fn show(&self) -> Option<Value> {
        Some(Value::String(self.to_string()))
    }

    fn expects() -> String {
        "an IP address or a network like \"10.0.0.0/8\"".to_owned()
    }

    fn sample() -> Value {
        Value::String("10.0.0.0/8".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(text: &str) -> Network {
        text.parse().unwrap()
    }

    #[test]
    fn a_network_holds_its_addresses_and_no_others() {
        assert!(network("10.0.0.0/8").contains("10.255.0.1".parse().unwrap()));
        assert!(network("10.0.0.0/8").contains("::ffff:10.1.1.1".parse().unwrap()));
        assert!(!network("10.0.0.0/8").contains("11.0.0.1".parse().unwrap()));
        assert!(network("192.0.2.7").contains("192.0.2.7".parse().unwrap()));
        assert!(!network("192.0.2.7").contains("192.0.2.6".parse().unwrap()));
        assert!(network("2001:db8::/32").contains("2001:db8:1::1".parse().unwrap()));
        assert!(network("::/0").contains("2001:db8::1".parse().unwrap()));
        assert!(!network("::/0").contains("192.0.2.1".parse().unwrap()));
        assert!(network("0.0.0.0/0").contains("192.0.2.1".parse().unwrap()));
    }

    #[test]
    fn ipv4_addresses_that_are_mapped_into_ipv6_count_as_ipv4_in_networks_too() {
        let mapped = network("::ffff:10.0.0.0/104");
        assert!(mapped.contains("10.255.0.1".parse().unwrap()) && mapped == network("10.0.0.0/8"));
        assert!(!mapped.contains("11.0.0.1".parse().unwrap()));
        assert!(network("::ffff:127.0.0.1").is_loopback() && network("::ffff:0:0/64").prefix == 64);
    }

    #[test]
    fn what_is_not_a_network_is_refused() {
        for bad in
            ["", "10.0.0.0/33", "::/129", "10.0.0/8", "10.0.0.0/", "10.0.0.0/-1", "proxy.example.com", "*"]
        {
            assert!(bad.parse::<Network>().is_err(), "{bad}");
        }
    }
}
