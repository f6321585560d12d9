//! Certificates that an authority issues to the service itself (ACME, RFC 8555), with the challenge `tls-alpn-01` (RFC 8737).
//! `rustls-acme` orders, keeps and renews them.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::sync::Arc;

use futures_util::StreamExt as _;
use rustls::server::ResolvesServerCert;
use rustls_acme::caches::DirCache;
use rustls_acme::{AcmeConfig, AcmeState};
use svc_config::Config;
use svc_core::{Error, Result};

use crate::outbound::trust;

/// The orders of `[server.acme]`.
pub(super) struct Orders(AcmeState<io::Error>);

impl Orders {
    /// Opens the folder; nothing is ordered before [`Orders::run`].
    pub(super) fn from_config(config: &Config) -> Result<Self> {
        let acme = &config.server.acme;
        let folder = acme.folder.clone().unwrap_or_default();
        private(&folder)?;
        let client = Arc::new(trust::config(config.server.tls.ca_pem_path.as_deref())?);
        let contact = acme.contact.iter().map(|address| format!("mailto:{address}"));
        let orders = AcmeConfig::new_with_client_config(&acme.domains, client)
            .contact(contact)
            .directory(acme.directory_url.as_str())
            .cache(DirCache::new(folder));
        Ok(Self(orders.state()))
    }

    /// What clients, and the authority with its challenge, are shown.
    pub(super) fn resolver(&self) -> Arc<dyn ResolvesServerCert> {
        self.0.resolver()
    }

    /// Orders what is missing and renews what ends, for as long as it is polled.
    pub(super) async fn run(mut self) {
        while let Some(event) = self.0.next().await {
            match event {
                Ok(event) => tracing::info!(?event, "the certificate of server.acme"),
                Err(error) => tracing::warn!(%error, "the certificate of server.acme; it is tried again"),
            }
        }
    }
}

/// Makes the folder where it is missing, for this user alone: a private key is kept in it.
fn private(folder: &Path) -> Result<()> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|error| {
        Error::bad_request(format!("server.acme.folder: {} cannot be made: {error}", folder.display()))
    })
}
