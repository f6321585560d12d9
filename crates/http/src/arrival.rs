//! What is known about a request before any route runs.

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use svc_core::Error;
use svc_keys::ClientCertificate;

use crate::metrics::RouteMetrics;
use crate::quota::Quotas;
use crate::render::Problem;

/// A request's circumstances, as the edge established them.
#[derive(Debug, Default)]
pub struct Arrival {
    /// The id that the response and the logs carry.
    pub request_id: String,
    /// The client's address, as far as proxies are trusted.
    pub ip: Option<IpAddr>,
    /// The host without port, lower case, allowed by the host rules.
    pub host: String,
    /// Whether the client's connection is encrypted, here or at a trusted proxy.
    pub is_secure: bool,
    /// Whether a trusted proxy sent it, whose forwarding headers are believed.
    pub is_proxied: bool,
    /// The certificate of the client's connection.
    pub certificate: Option<Arc<ClientCertificate>>,
    /// The limits that it was counted by.
    pub(crate) quotas: Quotas,
    /// The route that took the request.
    pub(crate) matched: OnceLock<Arc<RouteMetrics>>,
}

impl Arrival {
    /// Takes the circumstances out of a request that came through the edge.
    pub(crate) fn of(parts: &Parts) -> Result<Arc<Self>, Error> {
        let arrival = parts.extensions.get::<Arc<Self>>();
        arrival.cloned().ok_or_else(|| Error::internal("a request did not come through the edge"))
    }

    /// The pattern of the route that took the request.
    pub fn route(&self) -> Option<&'static str> {
        self.matched.get().map(|matched| matched.route())
    }

    /// The client as far as limits care: one IPv4 address, or one IPv6 network of 64 bits.
    pub fn throttle_key(&self) -> String {
        self.ip.map_or_else(String::new, |ip| network(ip).to_string())
    }
}

fn network(ip: IpAddr) -> IpAddr {
    match ip.to_canonical() {
        IpAddr::V6(ip) => IpAddr::V6((u128::from(ip) & !u128::from(u64::MAX)).into()),
        ip @ IpAddr::V4(_) => ip,
    }
}

impl<S: Sync> FromRequestParts<S> for ArrivalRef {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Ok(Self(Arrival::of(parts)?))
    }
}

/// The circumstances as a handler's parameter.
#[derive(Clone, Debug)]
pub struct ArrivalRef(pub Arc<Arrival>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv6_client_is_its_network_of_64_bits() {
        let ip = |text: &str| network(text.parse().unwrap()).to_string();
        assert_eq!(ip("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(ip("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(ip("192.0.2.7"), "192.0.2.7");
    }
}
