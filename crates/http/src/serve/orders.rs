//! Certificates that an authority issues to the service itself (ACME, RFC 8555), with the challenge `tls-alpn-01` (RFC 8737).
//! `rustls-acme` orders, keeps and renews them.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::StreamExt as _;
use rustls::ClientConfig;
use rustls::server::ResolvesServerCert;
use rustls_acme::caches::DirCache;
use rustls_acme::{AcmeConfig, AcmeState};
use svc_config::Config;
use svc_core::{Error, Result};

use crate::outbound::trust;

/// The account at the authority of `[server.acme]`.
pub(super) struct Account {
    client: Arc<ClientConfig>,
    contact: Option<String>,
    directory: String,
    folder: PathBuf,
}

impl Account {
    /// Makes the folder; nothing is asked of the authority yet.
    pub(super) fn from_config(config: &Config) -> Result<Self> {
        let acme = &config.server.acme;
        let folder = acme.folder.clone().unwrap_or_default();
        private(&folder)?;
        Ok(Self {
            client: Arc::new(trust::config(config.server.tls.ca_pem_path.as_deref())?),
            contact: acme.contact.as_ref().map(|address| format!("mailto:{address}")),
            directory: acme.directory_url.as_str().to_owned(),
            folder,
        })
    }

    /// Where the account's key is.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// An order for one name, whose certificate is kept in a folder of its own.
    pub(super) fn order_for(&self, domain: &str, kept: &Path) -> AcmeState<io::Error> {
        let (certificate, account) = (DirCache::new(kept.to_owned()), DirCache::new(self.folder.clone()));
        let config = AcmeConfig::new_with_client_config([domain], Arc::clone(&self.client));
        let config = config.contact(&self.contact).directory(&self.directory);
        config.cache_compose(certificate, account).state()
    }

    fn order_for_all(&self, domains: &[String]) -> AcmeState<io::Error> {
        let config = AcmeConfig::new_with_client_config(domains, Arc::clone(&self.client));
        let config = config.contact(&self.contact).directory(&self.directory);
        config.cache(DirCache::new(self.folder.clone())).state()
    }
}

/// The orders of `[server.acme]`.
pub(super) struct Orders(AcmeState<io::Error>);

impl Orders {
    /// Opens the folder; nothing is ordered before [`Orders::run`].
    pub(super) fn from_config(config: &Config) -> Result<Self> {
        Ok(Self(Account::from_config(config)?.order_for_all(&config.server.acme.domains)))
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
