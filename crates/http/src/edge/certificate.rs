//! The client's certificate: of the connection itself, or as a trusted proxy passes it on (RFC 9440).

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName};
use rustls::pki_types::CertificateDer;
use svc_keys::{ClientCertificate, from_base64};

use super::{Peer, Rules};

const CERTIFICATE: HeaderName = HeaderName::from_static("client-cert");
const CHAIN: HeaderName = HeaderName::from_static("client-cert-chain");

/// The certificate whose key the client has proven to hold, here or at a proxy that is believed about it.
pub(super) fn of(peer: Option<Peer>, headers: &HeaderMap, rules: &Rules) -> Option<Arc<ClientCertificate>> {
    let peer = peer?;
    if peer.certificate.is_some() {
        return peer.certificate;
    }
    let address = peer.address.ip().to_canonical();
    let is_believed =
        rules.trusts_client_cert && rules.trusted_proxies.iter().any(|network| network.contains(address));
    if is_believed { forwarded(headers).map(Arc::new) } else { None }
}

/// One certificate, and the list of those that lead up from it (RFC 9440 §2.2, §2.3). What is malformed is no certificate.
fn forwarded(headers: &HeaderMap) -> Option<ClientCertificate> {
    let mut fields = headers.get_all(CERTIFICATE).iter();
    let own = byte_sequence(fields.next()?.to_str().ok()?)?;
    if fields.next().is_some() {
        return None;
    }
    let mut chain = vec![own];
    for field in headers.get_all(CHAIN) {
        for item in field.to_str().ok()?.split(',') {
            chain.push(byte_sequence(item)?);
        }
    }
    ClientCertificate::new(chain.into_iter().map(CertificateDer::from))
}

/// A byte sequence of structured fields (RFC 9651 §3.3.5).
fn byte_sequence(item: &str) -> Option<Vec<u8>> {
    from_base64(item.trim_matches(' ').strip_prefix(':')?.strip_suffix(':')?)
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use svc_config::Config;

    use super::*;

    /// What is known of a client whose request, from `address`, has these fields.
    fn seen(address: &str, fields: &[(&'static str, &str)]) -> Option<String> {
        let mut config = Config::default();
        config.server.trusted_proxies = vec!["10.0.0.0/8".parse().unwrap()];
        config.server.mtls.trust_client_cert_header = true;
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(*name, value.parse().unwrap());
        }
        let peer =
            Peer { address: SocketAddr::new(address.parse().unwrap(), 1), is_tls: false, certificate: None };
        let certificate = of(Some(peer), &headers, &Rules::of(&config))?;
        Some(certificate.thumbprint().to_owned())
    }

    fn thumbprint(der: &[u8]) -> String {
        svc_keys::base64url(svc_keys::sha256(der))
    }

    #[test]
    fn only_a_trusted_proxy_passes_a_certificate_on() {
        let fields = [("client-cert", ":AQID:"), ("client-cert-chain", ":AA==:, :AAA=:")];
        assert_eq!(seen("10.0.0.1", &fields), Some(thumbprint(&[1, 2, 3])));
        assert_eq!(seen("::ffff:10.0.0.1", &fields), Some(thumbprint(&[1, 2, 3])));
        assert_eq!(seen("192.0.2.1", &fields), None);
    }

    #[test]
    fn what_is_malformed_or_doubled_is_no_certificate() {
        for bad in [
            &[("client-cert", "AQID")][..],
            &[("client-cert", ":!:")],
            &[("client-cert", ":AQID:"), ("client-cert", ":AQID:")],
            &[("client-cert", ":AQID:"), ("client-cert-chain", "AQID")],
            &[("client-cert-chain", ":AQID:")],
            &[],
        ] {
            assert_eq!(seen("10.0.0.1", bad), None, "{bad:?}");
        }
    }

    #[test]
    fn the_header_counts_for_nothing_unless_that_is_configured() {
        let mut config = Config::default();
        config.server.trusted_proxies = vec!["10.0.0.0/8".parse().unwrap()];
        let headers = HeaderMap::from_iter([(CERTIFICATE, ":AQID:".parse().unwrap())]);
        let address = SocketAddr::new("10.0.0.1".parse().unwrap(), 1);
        let peer = Peer { address, is_tls: false, certificate: None };
        assert!(of(Some(peer), &headers, &Rules::of(&config)).is_none());
    }
}
