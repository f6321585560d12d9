//! `tls_client_auth` and `self_signed_tls_client_auth` (RFC 8705 §2): the certificate of the connection proves the client.

use svc_core::capability::Capability;
use svc_core::{OrInternal as _, Result};
use svc_domain::apps::{App, AuthMethod};
use svc_http::HostCx;
use svc_keys::{Authorities, ClientCertificate};

use super::keys;
use super::refused::wrong;

/// The certificate of the connection, as far as the application may use one.
pub fn presented<'a>(host: &'a HostCx, app: &App) -> Option<&'a ClientCertificate> {
    host.arrival.certificate.as_deref().filter(|_| host.offers_to(app, &Capability::MTLS))
}

/// Holds the certificate against what the application registered.
pub(super) async fn check(host: &HostCx, app: &App) -> Result<()> {
    let presented = presented(host, app);
    let certificate = presented.ok_or_else(|| wrong("the connection has no client certificate"))?;
    if app.configuration.token_endpoint_auth_method == AuthMethod::TlsClientAuth {
        return by_authority(host, app, certificate);
    }
    if keys::has_certificate(host, app, certificate.thumbprint()).await? {
        return Ok(());
    }
    Err(wrong("the client certificate is not in the key set of the client"))
}

/// An authority of the tenant vouches for the name that the application registered.
fn by_authority(host: &HostCx, app: &App, certificate: &ClientCertificate) -> Result<()> {
    let pem = host.tenant.settings.tls_client_ca_pem.as_deref();
    let pem = pem.ok_or_else(|| wrong("the tenant has no authorities of client certificates"))?;
    certificate.check_chain(&Authorities::from_pem(pem).or_internal()?, host.cx.now)?;
    let is_named = app.configuration.certificate_name().is_some_and(|name| certificate.has_name(name));
    if is_named { Ok(()) } else { Err(wrong("the client certificate has another name than the client's")) }
}
