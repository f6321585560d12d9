//! The certificate and the key that the listeners show, read again when their files change: connections stay as they are.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use svc_config::Config;
use svc_core::{Error, Result, Seconds, Timestamp};
use svc_keys::certificate::{Validity, is_for_host};

/// How long before its end a certificate is remarked on.
const NOTICE: Seconds = Seconds(14 * 86_400);

/// What the listeners show to clients.
#[derive(Debug)]
pub struct Identity {
    files: Files,
    shown: RwLock<Arc<CertifiedKey>>,
    /// When the files that are shown were written.
    written: Mutex<Written>,
}

/// A certificate chain and its key, both in PEM.
#[derive(Debug)]
pub(super) struct Files {
    certificate: PathBuf,
    key: PathBuf,
}

/// When text or mode of the two files last changed (`st_ctime`), in seconds and nanoseconds. A copy may keep the time of writing of
/// what it copies.
pub(super) type Written = [Option<(i64, i64)>; 2];

impl Identity {
    /// Reads the files of `[server.tls]`. A certificate that clients would refuse now is refused here.
    pub fn from_config(config: &Config, now: Timestamp) -> Result<Self> {
        let tls = &config.server.tls;
        let (Some(certificate), Some(key)) = (&tls.cert_pem_path, &tls.key_pem_path) else {
            return Err(Error::bad_request(
                "server.tls: cert_pem_path and key_pem_path are required by server.transport",
            ));
        };
        let files = Files { certificate: certificate.clone(), key: key.clone() };
        let written = files.written();
        let shown = files.read(now)?;
        Ok(Self { files, shown: RwLock::new(shown), written: Mutex::new(written) })
    }

    /// Logs what clients will soon, or at the issuer's host, not accept.
    pub(super) fn remark(&self, config: &Config, now: Timestamp) {
        let shown = self.shown();
        let Some(certificate) = shown.cert.first() else { return };
        let host = config.oidc.issuer_url.host();
        if !is_for_host(certificate, &host) {
            tracing::warn!(host, "server.tls.cert_pem_path: the certificate is not for the issuer's host");
        }
        if let Ok(validity) = Validity::of(certificate)
            && validity.not_after < now + NOTICE
        {
            tracing::warn!(until = %validity.not_after, "server.tls.cert_pem_path: the certificate ends soon");
        }
    }

    /// Shows what is in the files now; what cannot be shown leaves everything as it was.
    pub fn reload(&self, now: Timestamp) {
        let written = self.files.written();
        match self.files.read(now) {
            Ok(read) => {
                *self.shown.write().unwrap_or_else(PoisonError::into_inner) = read;
                *self.written.lock().unwrap_or_else(PoisonError::into_inner) = written;
                tracing::info!("the certificate of server.tls was read again");
            }
            Err(error) => {
                tracing::warn!(error = error.detail(), "the certificate of server.tls stays as it was");
            }
        }
    }

    /// Whether clients take it for this host's.
    pub fn is_for(&self, host: &str) -> bool {
        self.shown().cert.first().is_some_and(|certificate| is_for_host(certificate, host))
    }

    /// When clients stop taking it.
    pub fn ends_at(&self) -> Option<Timestamp> {
        let shown = self.shown();
        Validity::of(shown.cert.first()?).ok().map(|validity| validity.not_after)
    }

    /// Reloads where a file was written since. Of two files the second may not be there yet: the next look finds it.
    pub(super) fn look_again(&self, now: Timestamp) {
        let is_same = *self.written.lock().unwrap_or_else(PoisonError::into_inner) == self.files.written();
        if !is_same {
            self.reload(now);
        }
    }

    fn shown(&self) -> Arc<CertifiedKey> {
        Arc::clone(&self.shown.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ResolvesServerCert for Identity {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.shown())
    }
}

impl Files {
    /// Those of a folder as ACME clients write it.
    pub(super) fn of_folder(folder: &Path) -> Self {
        Self { certificate: folder.join("fullchain.pem"), key: folder.join("privkey.pem") }
    }

    pub(super) fn written(&self) -> Written {
        let of = |path: &Path| path.metadata().ok().map(|found| (found.ctime(), found.ctime_nsec()));
        [of(&self.certificate), of(&self.key)]
    }

    /// Reads them. A certificate that clients would refuse now is refused.
    pub(super) fn read(&self, now: Timestamp) -> Result<Arc<CertifiedKey>> {
        let unreadable = |path: &Path, error: rustls::pki_types::pem::Error| {
            Error::bad_request(format!("{} cannot be read as PEM: {error}", path.display()))
        };
        let chain = CertificateDer::pem_file_iter(&self.certificate)
            .and_then(Iterator::collect::<std::result::Result<Vec<_>, _>>)
            .map_err(|error| unreadable(&self.certificate, error))?;
        let key = PrivateKeyDer::from_pem_file(&self.key).map_err(|error| {
            if !is_encrypted(&self.key) {
                return unreadable(&self.key, error);
            }
            let path = self.key.display();
            Error::bad_request(format!(
                "{path} is encrypted; write the key without a passphrase (`openssl pkey -in {path}`), for its owner alone"
            ))
        })?;
        self.check_time(chain.first(), now)?;
        self.together(chain, &key).map(Arc::new)
    }

    /// When the certificate begins, where that is still to come.
    pub(super) fn begins_at(&self, now: Timestamp) -> Option<Timestamp> {
        let certificate = CertificateDer::from_pem_file(&self.certificate).ok()?;
        let begin = Validity::of(&certificate).ok()?.not_before;
        (begin > now).then_some(begin)
    }

    /// The key with its certificate, which is the first of the chain (RFC 8446 §4.4.2).
    fn together(
        &self,
        chain: Vec<CertificateDer<'static>>,
        key: &PrivateKeyDer<'static>,
    ) -> Result<CertifiedKey> {
        let provider = rustls::crypto::aws_lc_rs::default_provider();
        let with = |chain| CertifiedKey::from_der(chain, key.clone_key(), &provider);
        with(chain.clone()).map_err(|error| {
            let is_of_a_later_one = chain.into_iter().skip(1).any(|other| with(vec![other]).is_ok());
            if is_of_a_later_one {
                return Error::bad_request(format!(
                    "the first certificate in {} is not that of the key, but a later one is; put the server's own certificate \
                     first, and the authorities after it",
                    self.certificate.display()
                ));
            }
            Error::bad_request("the TLS certificate and key do not work together").caused_by(error)
        })
    }

    fn check_time(&self, certificate: Option<&CertificateDer<'_>>, now: Timestamp) -> Result<()> {
        let fault = |what: String| {
            Err(Error::bad_request(format!("the certificate in {} {what}", self.certificate.display())))
        };
        let Some(certificate) = certificate else { return fault("is missing".to_owned()) };
        let validity = Validity::of(certificate)?;
        if validity.not_after < now {
            return fault(format!("expired at {}; replace it", validity.not_after));
        }
        if validity.not_before > now {
            return fault(format!("is good only from {} on; look at the clock", validity.not_before));
        }
        Ok(())
    }
}

/// Whether a key is protected by a passphrase: in PKCS #8, or as OpenSSL once did it.
fn is_encrypted(key: &Path) -> bool {
    std::fs::read_to_string(key).is_ok_and(|text| text.contains("ENCRYPTED"))
}
