//! Authorities, and the certificates that they issue to clients.

use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, IsCa, Issuer, KeyPair, SanType,
    date_time_ymd,
};
use serde_json::{Value, json};

/// An authority with its key.
pub struct Authority {
    pub pem: String,
    issuer: Issuer<'static, KeyPair>,
}

/// A certificate with its key.
pub struct Certificate {
    pub pem: String,
    pub key_pem: String,
    der: Vec<u8>,
}

impl Authority {
    pub fn new(name: &str) -> Self {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        Self { pem, issuer: Issuer::new(params, key) }
    }

    /// A certificate for this DNS name, with every other kind of name besides.
    pub fn issue(&self, dns: &str) -> Certificate {
        self.issue_with(dns, |_| ())
    }

    pub fn issue_with(&self, dns: &str, change: impl FnOnce(&mut CertificateParams)) -> Certificate {
        let mut params = params_of(dns);
        change(&mut params);
        let key = KeyPair::generate().unwrap();
        Certificate::of(&params.signed_by(&key, &self.issuer).unwrap(), &key)
    }
}

impl Certificate {
    pub fn self_signed(dns: &str) -> Self {
        let key = KeyPair::generate().unwrap();
        Self::of(&params_of(dns).self_signed(&key).unwrap(), &key)
    }

    fn of(made: &rcgen::Certificate, key: &KeyPair) -> Self {
        Self { pem: made.pem(), key_pem: key.serialize_pem(), der: made.der().to_vec() }
    }

    /// The field `Client-Cert` (RFC 9440 §2.2).
    pub fn field(&self) -> String {
        format!(":{}:", self.base64())
    }

    /// The `x5t#S256` of tokens that are bound to it.
    pub fn thumbprint(&self) -> String {
        svc_keys::base64url(svc_keys::sha256(&self.der))
    }

    /// A key set that names it.
    pub fn jwks(&self) -> Value {
        json!({ "keys": [{ "kty": "EC", "crv": "P-256", "x5c": [self.base64()] }] })
    }

    fn base64(&self) -> String {
        let body = self.pem.lines().filter(|line| !line.starts_with("-----"));
        body.collect()
    }
}

fn params_of(dns: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::OrganizationName, "Acme, Inc.");
    params.distinguished_name.push(DnType::CommonName, dns);
    params.subject_alt_names = vec![
        SanType::DnsName(dns.try_into().unwrap()),
        SanType::URI(format!("https://{dns}/").try_into().unwrap()),
        SanType::Rfc822Name(format!("ops@{dns}").try_into().unwrap()),
        SanType::IpAddress("192.0.2.77".parse().unwrap()),
    ];
    params.not_before = date_time_ymd(2020, 1, 1);
    params.not_after = date_time_ymd(2040, 1, 1);
    params
}
