//! Certificates of clients (RFC 5280, RFC 8705): their thumbprint, their names, and the chain to an authority. `x509-cert` reads
//! them, `webpki` verifies chains.

pub mod issuing;

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr as _;
use std::time::Duration;

use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{CertificateDer, ServerName, TrustAnchor, UnixTime};
use svc_core::{Error, Result, Timestamp};
use webpki::{ALL_VERIFICATION_ALGS, EndEntityCert, KeyUsage, anchor_from_trusted_cert};
use x509_cert::Certificate as Parsed;
use x509_cert::der::Decode as _;
use x509_cert::ext::pkix::SubjectAltName;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::name::Name;

use crate::{base64url, sha256};

/// Longest chain that is looked at.
const LONGEST_CHAIN: usize = 8;
/// Most authorities of one bundle.
const MOST_AUTHORITIES: usize = 50;

/// The certificate whose key a client has proven to hold, with the ones that it sent to lead up to an authority.
#[derive(Clone)]
pub struct ClientCertificate {
    own: CertificateDer<'static>,
    intermediates: Vec<CertificateDer<'static>>,
    thumbprint: String,
}

/// The name by which a client's certificate is known (RFC 8705 §2.1.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubjectName<'a> {
    /// The subject's distinguished name, as RFC 4514 writes it.
    Dn(&'a str),
    /// A `dNSName`.
    Dns(&'a str),
    /// A `uniformResourceIdentifier`.
    Uri(&'a str),
    /// An `iPAddress`.
    Ip(&'a str),
    /// An `rfc822Name`.
    Email(&'a str),
}

/// The authorities whose word about clients a tenant takes.
pub struct Authorities(Vec<TrustAnchor<'static>>);

/// When a certificate is good (RFC 5280 §4.1.2.5).
pub struct Validity {
    /// The first moment.
    pub not_before: Timestamp,
    /// The last moment.
    pub not_after: Timestamp,
}

impl ClientCertificate {
    /// The chain as the client sent it, its own certificate first.
    pub fn new(chain: impl IntoIterator<Item = CertificateDer<'static>>) -> Option<Self> {
        let mut chain = chain.into_iter().take(LONGEST_CHAIN);
        let own = chain.next()?;
        let thumbprint = base64url(sha256(&own));
        Some(Self { own, intermediates: chain.collect(), thumbprint })
    }

    /// The member `x5t#S256` of tokens that are bound to it (RFC 8705 §3.1).
    pub fn thumbprint(&self) -> &str {
        &self.thumbprint
    }

    /// Whether it has this name. Names are compared as they are written: no wildcard stands for another.
    pub fn has_name(&self, name: SubjectName<'_>) -> bool {
        let Ok(parsed) = Parsed::from_der(&self.own) else { return false };
        let subject = parsed.tbs_certificate();
        if let SubjectName::Dn(wanted) = name {
            return canonical(wanted).is_some_and(|wanted| wanted == subject.subject().to_string());
        }
        let Ok(Some((_, SubjectAltName(names)))) = subject.get_extension::<SubjectAltName>() else {
            return false;
        };
        names.iter().any(|own| match (name, own) {
            (SubjectName::Dns(wanted), GeneralName::DnsName(own)) => {
                own.as_str().eq_ignore_ascii_case(wanted)
            }
            (SubjectName::Uri(wanted), GeneralName::UniformResourceIdentifier(own))
            | (SubjectName::Email(wanted), GeneralName::Rfc822Name(own)) => own.as_str() == wanted,
            (SubjectName::Ip(wanted), GeneralName::IpAddress(own)) => {
                octets(wanted).is_some_and(|wanted| wanted == own.as_bytes())
            }
            _ => false,
        })
    }

    /// Holds the chain against the authorities (RFC 5280 §6): signatures, time, constraints, and its use for clients.
    pub fn check_chain(&self, authorities: &Authorities, now: Timestamp) -> Result<()> {
        let untrusted = |error: webpki::Error| {
            Error::invalid_client(format!("the client certificate is not of a trusted authority: {error}"))
        };
        let own = EndEntityCert::try_from(&self.own).map_err(untrusted)?;
        let now =
            UnixTime::since_unix_epoch(Duration::from_secs(now.as_secs().try_into().unwrap_or_default()));
        let usage = KeyUsage::client_auth();
        let (anchors, between) = (&authorities.0, &self.intermediates);
        let path = own.verify_for_usage(ALL_VERIFICATION_ALGS, anchors, between, now, usage, None, None);
        path.map(drop).map_err(untrusted)
    }
}

impl fmt::Debug for ClientCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[client certificate {}]", self.thumbprint)
    }
}

impl SubjectName<'_> {
    /// Whether a certificate can have such a name.
    pub fn is_well_formed(self) -> bool {
        match self {
            Self::Dn(name) => canonical(name).is_some(),
            Self::Ip(name) => octets(name).is_some(),
            Self::Dns(name) | Self::Uri(name) | Self::Email(name) => {
                !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic())
            }
        }
    }
}

impl Authorities {
    /// Reads the certificates of a PEM text.
    pub fn from_pem(text: &str) -> Result<Self> {
        let malformed = || Error::bad_request("the text holds no certificates in PEM");
        let certificates: Vec<_> = CertificateDer::pem_slice_iter(text.as_bytes())
            .collect::<Result<_, _>>()
            .map_err(|error| malformed().caused_by(error))?;
        if certificates.is_empty() || certificates.len() > MOST_AUTHORITIES {
            return Err(Error::bad_request("give 1 to 50 certificates in PEM"));
        }
        let anchors = certificates.iter().map(|certificate| {
            anchor_from_trusted_cert(certificate)
                .map(|anchor| anchor.to_owned())
                .map_err(|error| Error::bad_request(format!("a certificate cannot be an authority: {error}")))
        });
        anchors.collect::<Result<_>>().map(Self)
    }
}

impl Validity {
    /// When a certificate is good.
    pub fn of(certificate: &[u8]) -> Result<Self> {
        let parsed = Parsed::from_der(certificate)
            .map_err(|error| Error::bad_request("the certificate is malformed").caused_by(error))?;
        let validity = parsed.tbs_certificate().validity();
        let secs = |time: &x509_cert::time::Time| {
            Timestamp::from_secs(time.to_unix_duration().as_secs().try_into().unwrap_or(i64::MAX))
        };
        Ok(Self { not_before: secs(&validity.not_before), not_after: secs(&validity.not_after) })
    }
}

/// Whether a certificate of a server is for this host; an address of IPv6 may have the brackets of a URL (RFC 3986 §3.2.2).
pub fn is_for_host(certificate: &CertificateDer<'_>, host: &str) -> bool {
    let certificate = EndEntityCert::try_from(certificate);
    let bare = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    let name = ServerName::try_from(bare);
    certificate.is_ok_and(|own| name.is_ok_and(|name| own.verify_is_valid_for_subject_name(&name).is_ok()))
}

/// The thumbprint of a certificate in a key set (RFC 7517 §4.7), where it is one.
pub(crate) fn thumbprint_of_x5c(encoded: &str) -> Option<String> {
    crate::from_base64(encoded).map(|der| base64url(sha256(&der)))
}

/// A distinguished name as it is written when it is read from a certificate.
fn canonical(name: &str) -> Option<String> {
    Name::from_str(name).ok().filter(|name| !name.is_empty()).map(|name| name.to_string())
}

fn octets(ip: &str) -> Option<Vec<u8>> {
    Some(match ip.parse().ok()? {
        IpAddr::V4(ip) => ip.octets().to_vec(),
        IpAddr::V6(ip) => ip.octets().to_vec(),
    })
}

#[cfg(test)]
mod tests;
