//! Names become addresses here and nowhere else, so that what was vetted is what is connected to.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::address::{Reach, is_local_name};

/// The system's resolver, of whose answers only those remain that may be called.
pub(super) struct Vetted(pub Reach);

impl Resolve for Vetted {
    fn resolve(&self, name: Name) -> Resolving {
        let reach = self.0;
        Box::pin(async move { Ok(Box::new(addresses(reach, name.as_str(), 0).await?.into_iter()) as Addrs) })
    }
}

/// The addresses of a host that may be called, with this port.
pub(super) async fn addresses(reach: Reach, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
    let found: Vec<_> = if is_local_name(host) {
        // Not every system knows names below `localhost`.
        vec![
            SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port),
            SocketAddr::new(IpAddr::V6(Ipv6Addr::LOCALHOST), port),
        ]
    } else {
        tokio::net::lookup_host((host, port)).await?.collect()
    };
    vetted(reach, found)
}

fn vetted(reach: Reach, mut found: Vec<SocketAddr>) -> io::Result<Vec<SocketAddr>> {
    found.retain(|address| reach.allows(address.ip()));
    if found.is_empty() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the name has no public address"));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(texts: &[&str]) -> Vec<SocketAddr> {
        texts.iter().map(|text| SocketAddr::new(text.parse().unwrap(), 0)).collect()
    }

    #[test]
    fn of_mixed_answers_only_public_addresses_remain() {
        let reach = Reach::PUBLIC;
        let found = addresses(&["127.0.0.1", "8.8.8.8", "::1", "10.0.0.1"]);
        assert_eq!(vetted(reach, found).unwrap(), addresses(&["8.8.8.8"]));
        assert!(vetted(reach, addresses(&["169.254.169.254", "::ffff:7f00:1"])).is_err());
        assert!(vetted(reach, Vec::new()).is_err());
    }
}
