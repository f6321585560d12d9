//! `[server]`: where the service listens, which hosts it answers for, and whom it believes.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::PathBuf;

use super::load::choice::choice;
use super::load::network::Network;
use super::load::section::section;
use super::load::web::{HttpUrl, WebOrigin};
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
        /// Requests per minute with the access tokens of one person or agent; 0 means no limit. When not set: ten times
        /// `endpoint_throttle`.
        account_throttle: Option<u32> = None, 0..=1_000_000_000;
        /// Requests per minute of one application that authenticates or shows an access token; 0 means no limit. When not
        /// set: a hundred times `endpoint_throttle`.
        client_throttle: Option<u32> = None, 0..=1_000_000_000;
        /// Requests per minute at one tenant; 0 means no limit. When not set: a thousand times `endpoint_throttle`.
        tenant_throttle: Option<u32> = None, 0..=1_000_000_000;
        /// Time for one request; 0, outside production only, means no limit.
        request_timeout_secs: Seconds = Seconds(30), 0..=600;
        /// Time for running requests to finish at shutdown; 0, outside production only, means none.
        shutdown_deadline_secs: Seconds = Seconds(20), 0..=600;
        /// Directory of page templates that replace the built-in ones of the same name.
        templates_dir: Option<PathBuf> = None;
        tables {
            /// Certificate and key for `tls` and `tls_h2_only`.
            tls: Tls;
            /// Certificates that the service orders itself (RFC 8555).
            acme: Acme;
            /// Client certificates (RFC 8705).
            mtls: Mtls;
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
        /// Folder of certificates for custom domains: for each a folder of its name with `fullchain.pem` and `privkey.pem`.
        domains_folder: Option<PathBuf> = None;
    }
}

section! {
    /// Client certificates (RFC 8705): a second listener asks for them, or a proxy passes them on.
    Mtls {
        /// Port of a listener that asks clients for a certificate; its address, transport and certificate are those of
        /// `[server]`.
        port: Option<u16> = None, 1..=65535;
        /// Port that discovery names in `mtls_endpoint_aliases`; by default `port`.
        public_port: Option<u16> = None, 1..=65535;
        /// Believes the headers `Client-Cert` and `Client-Cert-Chain` (RFC 9440) of `server.trusted_proxies`, which must
        /// take them out of what clients send.
        trust_client_cert_header: bool = false;
    }
}

impl Mtls {
    /// Whether a client can show a certificate at all.
    pub fn is_offered(&self) -> bool {
        self.port.is_some() || self.trust_client_cert_header
    }

    /// The port at which clients are asked for certificates, as they see it.
    pub fn published_port(&self) -> Option<u16> {
        self.public_port.or(self.port)
    }
}

section! {
    /// Certificates that the service orders and renews itself (ACME, RFC 8555), on one machine whose port 443 it has: in place of
    /// `cert_pem_path` and `key_pem_path`.
    Acme {
        /// Host names of the certificate; none switches ACME off.
        domains: Vec<String> = Vec::new();
        /// Folder of the account's key and the certificates; required with `domains` and `custom_domains`.
        folder: Option<PathBuf> = None;
        /// Mail address that the authority may write to.
        contact: Option<String> = None;
        /// Whether certificates of custom domains are ordered too, each when the domain is proven.
        custom_domains: bool = false;
        /// Custom domains for which orders are begun in an hour.
        custom_domains_per_hour: u32 = 20, 1..=1000;
        /// The authority's directory.
        directory_url: HttpUrl = HttpUrl::built_in("https://acme-v02.api.letsencrypt.org/directory");
    }
}

/// Addresses of the public network, one of each family.
const STRANGERS: [IpAddr; 2] =
    [IpAddr::V4(Ipv4Addr::new(9, 9, 9, 9)), IpAddr::V6(Ipv6Addr::new(0x2620, 0xfe, 0, 0, 0, 0, 0, 0xfe))];

impl Server {
    /// A network of `trusted_proxies` that has addresses of strangers, who may then claim any address as theirs.
    pub fn trusted_strangers(&self) -> Option<&Network> {
        self.trusted_proxies.iter().find(|network| STRANGERS.iter().any(|ip| network.contains(*ip)))
    }

    /// The limit of one account, 0 for none.
    pub fn account_throttle(&self) -> u32 {
        self.account_throttle.unwrap_or_else(|| self.endpoint_throttle.saturating_mul(10))
    }

    /// The limit of one application, 0 for none.
    pub fn client_throttle(&self) -> u32 {
        self.client_throttle.unwrap_or_else(|| self.endpoint_throttle.saturating_mul(100))
    }

    /// The limit of one tenant, 0 for none.
    pub fn tenant_throttle(&self) -> u32 {
        self.tenant_throttle.unwrap_or_else(|| self.endpoint_throttle.saturating_mul(1000))
    }

    /// Whether the service orders its certificate itself.
    pub fn has_acme(&self) -> bool {
        !self.acme.domains.is_empty()
    }

    /// Whether it orders any certificate itself.
    pub fn orders_certificates(&self) -> bool {
        self.has_acme() || self.acme.custom_domains
    }
}
