//! Whether a process listens where the configuration says, as this machine reaches it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use svc_config::Config;
use tokio::net::TcpStream;

const PATIENCE: Duration = Duration::from_secs(3);

/// Where the service listens.
pub fn address(config: &Config) -> SocketAddr {
    let host = config.server.host;
    let host = if host.is_unspecified() { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { host };
    SocketAddr::new(host, config.server.port)
}

/// Whether something accepts connections there.
pub async fn is_open(address: SocketAddr) -> bool {
    matches!(tokio::time::timeout(PATIENCE, TcpStream::connect(address)).await, Ok(Ok(_)))
}
