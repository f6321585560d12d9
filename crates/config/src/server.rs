//! `[server]`: where the service listens, which hosts it answers for, and whom it believes.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use super::load::choice::choice;
use super::load::network::Network;
use super::load::section::section;
use super::load::web::WebOrigin;
use svc_core::{Seconds, Secret};

choice! {
    /// How the listener speaks.
    Transport {
        /// HTTP without TLS: for development, never in production.
        PlainHttp = "plain_http",
        /// TLS ended in this process; clients may choose HTTP/2 or HTTP/1.1 by ALPN.
        Tls = "tls",
        /// TLS ended in this process; clients must negotiate HTTP/2 by ALPN.
        TlsH2Only = "tls_h2_only",
    }
}

impl Transport {
    /// Whether TLS ends in this process.
    pub fn is_tls(self) -> bool {
        self != Self::PlainHttp
    }
}

section! {
    /// Where the service listens, which hosts it answers for, and whom it believes.
    Server {
        /// Address to listen on.
        host: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
        /// Port to listen on.
        port: u16 = 8080, 1..=65535;
        /// `plain_http` for development; `tls` (HTTP/2 and HTTP/1.1) or `tls_h2_only` for production.
        transport: Transport = Transport::PlainHttp;
        /// Domain under which tenants live: tenant `acme` is served at `acme.<base_domain>`.
        base_domain: Option<String> = None;
        /// Origin of a sign-in application hosted elsewhere.
        identity_app_origin: Option<WebOrigin> = None;
        /// Origin of the dashboard application.
        dashboard_app_origin: Option<WebOrigin> = None;
        /// Hosts that requests may name, "host" or "*.domain". Required in production; empty means local
        /// names only.
        allowed_hosts: Vec<String> = Vec::new();
        /// Proxies whose forwarding headers are believed.
        trusted_proxies: Vec<Network> = Vec::new();
        /// Says that clients connect directly, with no proxy between.
        direct_client_exposure: bool = false;
        /// Bearer token for /metrics. Without it a service token with scope metrics:read is needed.
        metrics_bearer_token: Option<Secret> = None;
        /// Requests per minute for each client address and endpoint; 0 switches the throttle off.
        endpoint_throttle: u32 = 600, 0..=1_000_000_000;
        /// Time for one request; 0, outside production only, means no limit.
        request_timeout_secs: Seconds = Seconds(30), 0..=600;
        /// Time for running requests to finish at shutdown; 0, outside production only, means none.
        shutdown_deadline_secs: Seconds = Seconds(20), 0..=600;
        /// Directory of page templates that replace the built-in ones of the same name.
        templates_dir: Option<PathBuf> = None;
        tables {
            /// Certificate and key for `tls` and `tls_h2_only`.
            tls: Tls;
        }
    }
}

section! {
    /// TLS files in PEM form; the first two are required with `tls` and `tls_h2_only`.
    Tls {
        /// Certificate chain.
        cert_pem_path: Option<PathBuf> = None;
        /// Private key.
        key_pem_path: Option<PathBuf> = None;
        /// Further authorities that outbound connections trust.
        ca_pem_path: Option<PathBuf> = None;
    }
}
