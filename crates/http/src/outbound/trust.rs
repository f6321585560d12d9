//! Whom outbound TLS trusts: Mozilla's list, and the authorities of `server.tls.ca_pem_path`.

use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, ConfigBuilder, RootCertStore, WantsVerifier};
use svc_core::{Error, OrInternal as _, Result, Secret};

/// The list is compiled in, so that a container image without certificates works.
pub(crate) fn config(further: Option<&Path>) -> Result<ClientConfig> {
    Ok(builder()?.with_root_certificates(roots(further)?).with_no_client_auth())
}

/// The authorities that are trusted everywhere.
pub(crate) fn roots(further: Option<&Path>) -> Result<RootCertStore> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    if let Some(path) = further {
        let certificates =
            CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let certificates = certificates.map_err(|error| unreadable(path).caused_by(error))?;
        if certificates.is_empty() {
            return Err(unreadable(path));
        }
        for certificate in certificates {
            roots.add(certificate).map_err(|error| unreadable(path).caused_by(error))?;
        }
    }
    Ok(roots)
}

/// The same for one peer, which further authorities may vouch for, and to which this side may prove itself.
pub(super) fn for_peer(
    roots: &RootCertStore,
    ca_pem: Option<&str>,
    identity: Option<(&str, &Secret)>,
) -> Result<ClientConfig> {
    let mut roots = roots.clone();
    for certificate in ca_pem.map_or(Ok(Vec::new()), |pem| certificates("ca_pem", pem))? {
        roots.add(certificate).map_err(|error| no_certificates("ca_pem").caused_by(error))?;
    }
    let builder = builder()?.with_root_certificates(roots);
    let Some((chain, key)) = identity else { return Ok(builder.with_no_client_auth()) };
    let chain = certificates("client_certificate_pem", chain)?;
    let key = PrivateKeyDer::from_pem_slice(key.expose().as_bytes())
        .map_err(|_| Error::bad_request("secret: give the private key as PEM"))?;
    builder.with_client_auth_cert(chain, key).map_err(|error| {
        Error::bad_request("secret: this is not the private key of client_certificate_pem").caused_by(error)
    })
}

fn builder() -> Result<ConfigBuilder<ClientConfig, WantsVerifier>> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().or_internal()
}

fn certificates(member: &str, pem: &str) -> Result<Vec<CertificateDer<'static>>> {
    let read = CertificateDer::pem_slice_iter(pem.as_bytes()).collect::<Result<Vec<_>, _>>();
    read.ok().filter(|read| !read.is_empty()).ok_or_else(|| no_certificates(member))
}

#[track_caller]
fn no_certificates(member: &str) -> Error {
    Error::bad_request(format!("{member}: give certificates as PEM"))
}

#[track_caller]
fn unreadable(path: &Path) -> Error {
    Error::bad_request(format!("server.tls.ca_pem_path: {} holds no PEM certificates", path.display()))
}
