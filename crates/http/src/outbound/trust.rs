//! Whom outbound TLS trusts: Mozilla's list, and the authorities of `server.tls.ca_pem_path`.

use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use svc_core::{Error, OrInternal as _, Result};

/// The list is compiled in, so that a container image without certificates works.
pub(crate) fn config(further: Option<&Path>) -> Result<ClientConfig> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    if let Some(path) = further {
        let certificates =
            CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        for certificate in certificates.map_err(|error| unreadable(path).caused_by(error))? {
            roots.add(certificate).map_err(|error| unreadable(path).caused_by(error))?;
        }
    }
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    Ok(builder.or_internal()?.with_root_certificates(roots).with_no_client_auth())
}

#[track_caller]
fn unreadable(path: &Path) -> Error {
    Error::bad_request(format!("server.tls.ca_pem_path: {} holds no PEM certificates", path.display()))
}
