//! A certificate for a new deployment, of an authority that signs this one certificate and no other (RFC 5280).

use std::time::{Duration, SystemTime};

use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer,
    KeyPair, KeyUsagePurpose,
};
use svc_core::{Error, Result, Seconds, Timestamp};
use zeroize::Zeroizing;

/// The longest that platforms accept of an authority which users add themselves.
const LIFETIME: Seconds = Seconds(825 * 86_400);
/// Clocks of clients may be behind.
const EARLIER: Seconds = Seconds(3600);

/// A certificate in PEM.
pub struct Issued {
    /// The authority, which clients are told to trust.
    pub authority: String,
    /// The certificate of the server.
    pub certificate: String,
    /// Its private key.
    pub key: Zeroizing<String>,
}

/// Issues a certificate for names and addresses. The key of its authority is thrown away: to trust the authority is to trust
/// this certificate.
pub fn issue(names: &[String], now: Timestamp) -> Result<Issued> {
    let failed = |error: rcgen::Error| {
        Error::bad_request(format!("no certificate can be made for {}: {error}", names.join(", ")))
    };
    let (authority, issuer) = authority(names, now).map_err(failed)?;
    let mut params = CertificateParams::new(names).map_err(failed)?;
    valid_from(&mut params, now);
    params.distinguished_name = called(names.first().map_or("svc", String::as_str));
    params.use_authority_key_identifier_extension = true;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let key = KeyPair::generate().map_err(failed)?;
    let certificate = params.signed_by(&key, &issuer).map_err(failed)?.pem();
    Ok(Issued { authority, certificate, key: Zeroizing::new(key.serialize_pem()) })
}

fn authority(
    names: &[String],
    now: Timestamp,
) -> std::result::Result<(String, Issuer<'static, KeyPair>), rcgen::Error> {
    let mut params = CertificateParams::default();
    valid_from(&mut params, now);
    params.distinguished_name = called(&format!("svc at {}", names.first().map_or("", String::as_str)));
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    let key = KeyPair::generate()?;
    let pem = params.self_signed(&key)?.pem();
    Ok((pem, Issuer::new(params, key)))
}

fn valid_from(params: &mut CertificateParams, now: Timestamp) {
    let time = |at: Timestamp| SystemTime::UNIX_EPOCH + Duration::from_secs(at.as_secs().unsigned_abs());
    params.not_before = time(now - EARLIER).into();
    params.not_after = time(now + LIFETIME).into();
}

fn called(name: &str) -> DistinguishedName {
    let mut distinguished = DistinguishedName::new();
    distinguished.push(DnType::CommonName, name);
    distinguished
}

#[cfg(test)]
mod tests {
    use rustls_pki_types::pem::PemObject as _;
    use rustls_pki_types::{CertificateDer, UnixTime};
    use webpki::{ALL_VERIFICATION_ALGS, EndEntityCert, KeyUsage, anchor_from_trusted_cert};

    use super::*;
    use crate::certificate::{Validity, is_for_host};

    const NOW: Timestamp = Timestamp::from_secs(1_800_000_000);

    #[test]
    fn a_certificate_is_for_its_names_and_verifies_by_its_authority_alone() {
        let names = ["id.example.com", "*.id.example.com", "192.0.2.7", "2001:db8::7"].map(str::to_owned);
        let issued = issue(&names, NOW).unwrap();
        let der = |pem: &str| CertificateDer::from_pem_slice(pem.as_bytes()).unwrap();
        let (own, authority) = (der(&issued.certificate), der(&issued.authority));
        for host in ["id.example.com", "acme.id.example.com", "192.0.2.7", "2001:db8::7", "[2001:db8::7]"] {
            assert!(is_for_host(&own, host), "{host}");
        }
        assert!(!is_for_host(&own, "example.com"));
        let validity = Validity::of(&own).unwrap();
        assert_eq!((validity.not_before, validity.not_after), (NOW - EARLIER, NOW + LIFETIME));
        let verified = |authority: &CertificateDer<'_>| {
            let anchors = [anchor_from_trusted_cert(authority).unwrap().to_owned()];
            let now = UnixTime::since_unix_epoch(Duration::from_secs(NOW.as_secs().unsigned_abs()));
            let leaf = EndEntityCert::try_from(&own).unwrap();
            let usage = KeyUsage::server_auth();
            leaf.verify_for_usage(ALL_VERIFICATION_ALGS, &anchors, &[], now, usage, None, None).is_ok()
        };
        assert!(verified(&authority));
        assert!(!verified(&der(&issue(&names, NOW).unwrap().authority)));
    }
}
