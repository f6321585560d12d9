//! TLS to PostgreSQL and Redis through rustls, checked as far as `sslmode` asks, and whole for Redis.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, WebPkiServerVerifier as Verifier, verify_server_name};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, InvalidDnsNameError, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use svc_core::{Error, OrInternal as _, Result};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};

/// What of the server's certificate is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checked {
    /// Nothing: TLS keeps listeners out, not impostors.
    Nothing,
    /// Who has signed it.
    Authority,
    /// Who has signed it, and that it is the host's.
    AuthorityAndName,
}

/// The PEM files of a connection.
#[derive(Default)]
pub(crate) struct Files {
    /// Further authorities: `sslrootcert`.
    pub roots: Option<String>,
    /// Those of the deployment.
    pub authorities: Option<String>,
    /// The certificate of this side: `sslcert`.
    pub certificate: Option<String>,
    /// Its key: `sslkey`.
    pub key: Option<String>,
}

/// Makes a TLS session for each connection.
#[derive(Clone)]
pub(crate) struct Tls(Arc<ClientConfig>);

impl Tls {
    pub fn new(checked: Checked, files: &Files) -> Result<Self> {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let verifier = Arc::new(Check::new(checked, files, &provider)?);
        let builder = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .or_internal()?
            .dangerous()
            .with_custom_certificate_verifier(verifier);
        let config = match (&files.certificate, &files.key) {
            (Some(certificate), Some(key)) => {
                let chain = CertificateDer::pem_file_iter(certificate)
                    .and_then(Iterator::collect)
                    .map_err(|error| unreadable(certificate, error))?;
                let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| unreadable(key, error))?;
                builder
                    .with_client_auth_cert(chain, secret)
                    .map_err(|error| unreadable(certificate, error))?
            }
            _ => builder.with_no_client_auth(),
        };
        Ok(Self(Arc::new(config)))
    }
}

impl Tls {
    /// A session over a stream, once its handshake is done.
    pub async fn session<S: AsyncRead + AsyncWrite + Unpin>(
        self,
        name: ServerName<'static>,
        stream: S,
    ) -> io::Result<tokio_rustls::client::TlsStream<S>> {
        tokio_rustls::TlsConnector::from(self.0).connect(name, stream).await
    }
}

fn unreadable(file: &str, error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::bad_request(format!("{file} cannot be used as a PEM file")).caused_by(error)
}

/// Checks a certificate as far as asked; the handshake's signature always.
#[derive(Debug)]
struct Check {
    checked: Checked,
    inner: Arc<Verifier>,
    /// The certificates of the files.
    named: Vec<CertificateDer<'static>>,
    provider: Arc<CryptoProvider>,
}

impl Check {
    fn new(checked: Checked, files: &Files, provider: &Arc<CryptoProvider>) -> Result<Self> {
        let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        let mut named = Vec::new();
        for file in files.roots.iter().chain(&files.authorities) {
            for certificate in CertificateDer::pem_file_iter(file).map_err(|error| unreadable(file, error))? {
                let certificate = certificate.map_err(|error| unreadable(file, error))?;
                roots.add(certificate.clone()).map_err(|error| unreadable(file, error))?;
                named.push(certificate);
            }
        }
        let inner = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider))
            .build()
            .or_internal()?;
        Ok(Self { checked, inner, named, provider: Arc::clone(provider) })
    }

    /// Takes a certificate that a file names itself, although it is an authority's, as `openssl req -x509` makes them: with its key
    /// any other could be signed. The verifier reads it and looks at its time before it looks at what the certificate is for, and
    /// has errors of their own for the time.
    fn takes_itself(
        &self,
        shown: &CertificateDer<'_>,
        name: &ServerName<'_>,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let parsed = ParsedCertificate::try_from(shown)?;
        if self.checked == Checked::AuthorityAndName {
            verify_server_name(&parsed, name)?;
        }
        Ok(ServerCertVerified::assertion())
    }
}

impl ServerCertVerifier for Check {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if self.checked == Checked::Nothing {
            return Ok(ServerCertVerified::assertion());
        }
        let verdict =
            self.inner.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now);
        match verdict {
            // The name is looked at last, so everything else has been found in order.
            Err(rustls::Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if self.checked == Checked::Authority => Ok(ServerCertVerified::assertion()),
            Err(rustls::Error::InvalidCertificate(CertificateError::Other(_)))
                if self.named.contains(end_entity) =>
            {
                self.takes_itself(end_entity, server_name)
            }
            verdict => verdict,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, cert, dss, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, cert, dss, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

type Handshaking<S> =
    Pin<Box<dyn Future<Output = io::Result<Session<tokio_rustls::client::TlsStream<S>>>> + Send>>;

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> MakeTlsConnect<S> for Tls {
    type Stream = Session<tokio_rustls::client::TlsStream<S>>;
    type TlsConnect = Connect;
    type Error = InvalidDnsNameError;

    fn make_tls_connect(&mut self, domain: &str) -> Result<Connect, InvalidDnsNameError> {
        let name = ServerName::try_from(domain)?.to_owned();
        Ok(Connect { tls: self.clone(), name })
    }
}

/// One handshake to come.
pub(crate) struct Connect {
    tls: Tls,
    name: ServerName<'static>,
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> TlsConnect<S> for Connect {
    type Stream = Session<tokio_rustls::client::TlsStream<S>>;
    type Error = io::Error;
    type Future = Handshaking<S>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move { self.tls.session(self.name, stream).await.map(Session) })
    }
}

/// A TLS session that offers no channel binding.
pub(crate) struct Session<T>(T);

impl<T: AsyncRead + AsyncWrite + Unpin> TlsStream for Session<T> {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Session<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buffer)
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Session<T> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rcgen::{BasicConstraints, Certificate, CertificateParams, IsCa, KeyPair, date_time_ymd};

    use super::*;

    /// A certificate of the year 2020, as `openssl req -x509` makes them.
    fn authority(name: &str) -> Certificate {
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        (params.not_before, params.not_after) = (date_time_ymd(2020, 1, 1), date_time_ymd(2021, 1, 1));
        params.self_signed(&KeyPair::generate().unwrap()).unwrap()
    }

    #[test]
    fn an_authority_stands_for_a_server_where_a_file_names_that_very_certificate() {
        const IN_TIME: u64 = 1_590_000_000;
        const LATER: u64 = 1_650_000_000;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("roots.pem");
        let (own, other) = (authority("db.internal"), authority("db.internal"));
        std::fs::write(&path, own.pem()).unwrap();
        let files = Files { roots: Some(path.display().to_string()), ..Files::default() };
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        for (checked, shown, name, time, is_taken) in [
            (Checked::AuthorityAndName, &own, "db.internal", IN_TIME, true),
            (Checked::AuthorityAndName, &own, "other.internal", IN_TIME, false),
            (Checked::AuthorityAndName, &own, "db.internal", LATER, false),
            (Checked::AuthorityAndName, &other, "db.internal", IN_TIME, false),
            (Checked::Authority, &own, "other.internal", IN_TIME, true),
            (Checked::Authority, &own, "other.internal", LATER, false),
            (Checked::Authority, &other, "db.internal", IN_TIME, false),
        ] {
            let check = Check::new(checked, &files, &provider).unwrap();
            let host = ServerName::try_from(name.to_owned()).unwrap();
            let now = UnixTime::since_unix_epoch(Duration::from_secs(time));
            let verdict = check.verify_server_cert(shown.der(), &[], &host, &[], now);
            assert_eq!(verdict.is_ok(), is_taken, "{checked:?} {name} {time}: {verdict:?}");
        }
    }
}
