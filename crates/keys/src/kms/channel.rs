//! TLS 1.3 between raw public keys (RFC 8446, RFC 7250): each side shows its key, and accepts the keys that it was given.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{AlwaysResolvesClientRawPublicKeys, Resumption};
use rustls::crypto::{CryptoProvider, aws_lc_rs, verify_tls13_signature_with_raw_key};
use rustls::pki_types::{CertificateDer, ServerName, SubjectPublicKeyInfoDer, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::server::{AlwaysResolvesServerRawPublicKeys, NoServerSessionStorage};
use rustls::version::TLS13;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, DistinguishedName, Error as TlsError,
    PeerIncompatible, ServerConfig, SignatureScheme,
};
use svc_core::{OrInternal as _, Result};

use super::{Identity, PublicIdentity};

/// The client's side: shows `own`, and accepts `server` alone.
pub fn connecting(own: &Identity, server: PublicIdentity) -> Result<ClientConfig> {
    let provider = provider();
    let pinned = Arc::new(Pinned { keys: vec![server], provider: Arc::clone(&provider) });
    let shown = Arc::new(AlwaysResolvesClientRawPublicKeys::new(own.shown()));
    let builder = ClientConfig::builder_with_provider(provider).with_protocol_versions(&[&TLS13]);
    let builder = builder.or_internal()?.dangerous().with_custom_certificate_verifier(pinned);
    let mut config = builder.with_client_cert_resolver(shown);
    // Every connection proves both keys, so that one that is withdrawn is refused at the next.
    config.resumption = Resumption::disabled();
    config.enable_sni = false;
    Ok(config)
}

/// The server's side: shows `own`, and accepts any of `clients`.
pub fn accepting(own: &Identity, clients: Vec<PublicIdentity>) -> Result<ServerConfig> {
    let provider = provider();
    let pinned = Arc::new(Pinned { keys: clients, provider: Arc::clone(&provider) });
    let shown = Arc::new(AlwaysResolvesServerRawPublicKeys::new(own.shown()));
    let builder = ServerConfig::builder_with_provider(provider).with_protocol_versions(&[&TLS13]);
    let mut config = builder.or_internal()?.with_client_cert_verifier(pinned).with_cert_resolver(shown);
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.send_tls13_tickets = 0;
    Ok(config)
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(aws_lc_rs::default_provider())
}

/// Accepts the keys that it knows.
#[derive(Debug)]
struct Pinned {
    keys: Vec<PublicIdentity>,
    provider: Arc<CryptoProvider>,
}

impl Pinned {
    fn check(&self, shown: &CertificateDer<'_>) -> Result<(), TlsError> {
        let is_known = self.keys.iter().any(|key| key.is(shown));
        is_known.then_some(()).ok_or(CertificateError::ApplicationVerificationFailure.into())
    }

    fn verify(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        let key = SubjectPublicKeyInfoDer::from(shown.as_ref());
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature_with_raw_key(message, &key, signature, algorithms)
    }
}

fn only_tls13() -> Result<HandshakeSignatureValid, TlsError> {
    Err(TlsError::PeerIncompatible(PeerIncompatible::ServerTlsVersionIsDisabledByOurConfig))
}

const SCHEMES: &[SignatureScheme] = &[SignatureScheme::ED25519];

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        shown: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, TlsError> {
        self.check(shown).map(|()| ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        only_tls13()
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        self.verify(message, shown, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        SCHEMES.to_vec()
    }

    fn requires_raw_public_keys(&self) -> bool {
        true
    }
}

impl ClientCertVerifier for Pinned {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        shown: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, TlsError> {
        self.check(shown).map(|()| ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        only_tls13()
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        self.verify(message, shown, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        SCHEMES.to_vec()
    }

    fn requires_raw_public_keys(&self) -> bool {
        true
    }
}
