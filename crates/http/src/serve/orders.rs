//! Certificates that an authority issues to the service itself (ACME, RFC 8555), with the challenge `tls-alpn-01` (RFC 8737).
//! `rustls-acme` orders, keeps and renews them.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use futures_util::StreamExt as _;
use rustls::ClientConfig;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::server::ResolvesServerCert;
use rustls_acme::caches::DirCache;
use rustls_acme::{AcmeConfig, AcmeState, CertCache};
use svc_config::Config;
use svc_core::{Error, Result, Timestamp};
use svc_keys::certificate::Validity;

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
    pub(super) fn order_for(&self, domain: &str, kept: &Path, end: Arc<End>) -> AcmeState<io::Error> {
        let certificate = Watched { kept: DirCache::new(kept.to_owned()), end };
        let account = DirCache::new(self.folder.clone());
        let config = AcmeConfig::new_with_client_config([domain], Arc::clone(&self.client));
        let config = config.contact(&self.contact).directory(&self.directory);
        config.cache_compose(certificate, account).state()
    }

    fn order_for_all(&self, domains: &[String], end: Arc<End>) -> AcmeState<io::Error> {
        let certificate = Watched { kept: DirCache::new(self.folder.clone()), end };
        let config = AcmeConfig::new_with_client_config(domains, Arc::clone(&self.client));
        let config = config.contact(&self.contact).directory(&self.directory);
        config.cache_compose(certificate, DirCache::new(self.folder.clone())).state()
    }
}

/// When clients stop taking the certificate that is shown, in seconds since 1970; 0 while there is none.
#[derive(Debug, Default)]
pub(super) struct End(AtomicI64);

impl End {
    /// When, if there is a certificate.
    pub(super) fn at(&self) -> Option<Timestamp> {
        let secs = self.0.load(Ordering::Relaxed);
        (secs > 0).then_some(Timestamp::from_secs(secs))
    }

    /// Notes the end of the first certificate of a chain in PEM.
    fn note(&self, pem: &[u8]) {
        if let Ok(certificate) = CertificateDer::from_pem_slice(pem)
            && let Ok(validity) = Validity::of(&certificate)
        {
            self.0.store(validity.not_after.as_secs(), Ordering::Relaxed);
        }
    }
}

/// Where the certificate is kept: what is read from there, or put there, is what is shown.
struct Watched {
    kept: DirCache<PathBuf>,
    end: Arc<End>,
}

/// As `async_trait` writes it.
type Later<'a, T> = Pin<Box<dyn Future<Output = io::Result<T>> + Send + 'a>>;

impl CertCache for Watched {
    type EC = io::Error;

    fn load_cert<'life0, 'life1, 'life2, 'async_trait>(
        &'life0 self,
        domains: &'life1 [String],
        directory_url: &'life2 str,
    ) -> Later<'async_trait, Option<Vec<u8>>>
    where
        'life0: 'async_trait,
        'life1: 'async_trait,
        'life2: 'async_trait,
        Self: 'async_trait,
    {
        Box::pin(async move {
            let found = self.kept.load_cert(domains, directory_url).await?;
            if let Some(pem) = &found {
                self.end.note(pem);
            }
            Ok(found)
        })
    }

    fn store_cert<'life0, 'life1, 'life2, 'life3, 'async_trait>(
        &'life0 self,
        domains: &'life1 [String],
        directory_url: &'life2 str,
        cert: &'life3 [u8],
    ) -> Later<'async_trait, ()>
    where
        'life0: 'async_trait,
        'life1: 'async_trait,
        'life2: 'async_trait,
        'life3: 'async_trait,
        Self: 'async_trait,
    {
        // It is shown before it is kept.
        self.end.note(cert);
        self.kept.store_cert(domains, directory_url, cert)
    }
}

/// The orders of `[server.acme]`.
pub(super) struct Orders {
    state: AcmeState<io::Error>,
    end: Arc<End>,
}

impl Orders {
    /// Opens the folder; nothing is ordered before [`Orders::run`].
    pub(super) fn from_config(config: &Config) -> Result<Self> {
        let end = Arc::<End>::default();
        let account = Account::from_config(config)?;
        Ok(Self { state: account.order_for_all(&config.server.acme.domains, Arc::clone(&end)), end })
    }

    /// What clients, and the authority with its challenge, are shown.
    pub(super) fn resolver(&self) -> Arc<dyn ResolvesServerCert> {
        self.state.resolver()
    }

    /// When the certificate ends that they are shown.
    pub(super) fn end(&self) -> Arc<End> {
        Arc::clone(&self.end)
    }

    /// Orders what is missing and renews what ends, for as long as it is polled.
    pub(super) async fn run(mut self) {
        while let Some(event) = self.state.next().await {
            match event {
                Ok(event) => tracing::info!(?event, "the certificate of server.acme"),
                Err(error) => tracing::warn!(%error, "the certificate of server.acme; it is tried again"),
            }
        }
    }
}

/// When the certificate ends that was ordered for `server.acme.domains` and is kept in its folder; nothing where none was yet.
pub async fn ordered_certificate_end(config: &Config) -> Result<Option<Timestamp>> {
    let acme = &config.server.acme;
    let (folder, end) = (acme.folder.clone().unwrap_or_default(), Arc::<End>::default());
    let watched = Watched { kept: DirCache::new(folder.clone()), end: Arc::clone(&end) };
    watched.load_cert(&acme.domains, acme.directory_url.as_str()).await.map_err(|error| {
        Error::bad_request(format!("server.acme.folder: {} cannot be read: {error}", folder.display()))
    })?;
    Ok(end.at())
}

/// Makes the folder where it is missing, for this user alone: a private key is kept in it.
fn private(folder: &Path) -> Result<()> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|error| {
        Error::bad_request(format!("server.acme.folder: {} cannot be made: {error}", folder.display()))
    })
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    use super::*;

    /// 2030-01-01, and a year later.
    const ENDS: [(i32, i64); 2] = [(2030, 1_893_456_000), (2031, 1_924_992_000)];

    #[tokio::test]
    async fn what_is_kept_for_the_names_of_the_configuration_is_found_without_an_order() {
        let folder = tempfile::tempdir().unwrap();
        let mut config = Config::default();
        config.server.acme.domains = vec!["id.example".to_owned()];
        config.server.acme.folder = Some(folder.path().to_owned());
        assert_eq!(ordered_certificate_end(&config).await.unwrap(), None);
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(config.server.acme.domains.clone()).unwrap();
        let (year, end) = ENDS[0];
        params.not_after = date_time_ymd(year, 1, 1);
        let pem = format!("{}{}", key.serialize_pem(), params.self_signed(&key).unwrap().pem());
        let (domains, authority) = (&config.server.acme.domains, config.server.acme.directory_url.as_str());
        let kept = DirCache::new(folder.path().to_owned());
        kept.store_cert(domains, authority, pem.as_bytes()).await.unwrap();
        assert_eq!(ordered_certificate_end(&config).await.unwrap(), Some(Timestamp::from_secs(end)));
    }

    #[tokio::test]
    async fn the_end_is_known_of_the_certificate_that_was_ordered_last_and_of_one_that_was_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (domains, authority) = (["id.example".to_owned()], "https://authority.example/directory");
        let watched = || Watched { kept: DirCache::new(folder.path().to_owned()), end: Arc::default() };
        let first = watched();
        assert!(first.load_cert(&domains, authority).await.unwrap().is_none());
        assert_eq!(first.end.at(), None);
        for (year, end) in ENDS {
            let key = KeyPair::generate().unwrap();
            let mut params = CertificateParams::new(domains.to_vec()).unwrap();
            params.not_after = date_time_ymd(year, 1, 1);
            let pem = format!("{}{}", key.serialize_pem(), params.self_signed(&key).unwrap().pem());
            first.store_cert(&domains, authority, pem.as_bytes()).await.unwrap();
            assert_eq!(first.end.at(), Some(Timestamp::from_secs(end)));
            let again = watched();
            assert_eq!(again.load_cert(&domains, authority).await.unwrap(), Some(pem.into_bytes()));
            assert_eq!(again.end.at(), Some(Timestamp::from_secs(end)));
        }
    }
}
