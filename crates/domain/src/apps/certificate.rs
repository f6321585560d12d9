//! Client certificates (RFC 8705): by which name an application is known, and what goes together.

use svc_core::Result;
use svc_keys::{KeySet, SubjectName};

use super::check::refused;
use super::configuration::Configuration;
use super::words::AuthMethod;

/// The members of which `tls_client_auth` needs exactly one.
const SUBJECTS: &str = "tls_client_auth_subject_dn, tls_client_auth_san_dns, tls_client_auth_san_uri, \
                        tls_client_auth_san_ip, tls_client_auth_san_email";

impl Configuration {
    /// The name that the certificate of the application must have.
    pub fn certificate_name(&self) -> Option<SubjectName<'_>> {
        self.certificate_names().next()
    }

    fn certificate_names(&self) -> impl Iterator<Item = SubjectName<'_>> {
        let names = [
            self.tls_client_auth_subject_dn.as_deref().map(SubjectName::Dn),
            self.tls_client_auth_san_dns.as_deref().map(SubjectName::Dns),
            self.tls_client_auth_san_uri.as_deref().map(SubjectName::Uri),
            self.tls_client_auth_san_ip.as_deref().map(SubjectName::Ip),
            self.tls_client_auth_san_email.as_deref().map(SubjectName::Email),
        ];
        names.into_iter().flatten()
    }
}

/// Refuses a method without what it takes (RFC 8705 §2.1.2, §2.2.2).
pub(super) fn check(configuration: &Configuration) -> Result<()> {
    let method = configuration.token_endpoint_auth_method;
    let names: Vec<_> = configuration.certificate_names().collect();
    let is_right = match method {
        AuthMethod::TlsClientAuth => names.len() == 1,
        _ => names.is_empty(),
    };
    if !is_right {
        return refused(format!(
            "token_endpoint_auth_method: tls_client_auth takes exactly one of {SUBJECTS}"
        ));
    }
    if names.iter().any(|name| !name.is_well_formed()) {
        return refused(format!("{SUBJECTS}: the name is malformed"));
    }
    let inline = configuration.jwks.as_ref().and_then(|jwks| KeySet::from_json(jwks).ok());
    if method == AuthMethod::SelfSignedTlsClientAuth && inline.is_some_and(|set| !set.has_certificates()) {
        return refused("jwks: self_signed_tls_client_auth needs a key with the certificate in x5c");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn outcome(changes: serde_json::Value) -> Result<()> {
        check(&serde_json::from_value(changes).unwrap())
    }

    #[test]
    fn a_certificate_of_an_authority_is_known_by_exactly_one_name() {
        let method = "tls_client_auth";
        for good in [
            json!({ "token_endpoint_auth_method": method, "tls_client_auth_subject_dn": "CN=client,O=Acme" }),
            json!({ "token_endpoint_auth_method": method, "tls_client_auth_san_dns": "client.example" }),
            json!({ "token_endpoint_auth_method": method, "tls_client_auth_san_ip": "2001:db8::1" }),
            json!({ "token_endpoint_auth_method": "none" }),
        ] {
            assert!(outcome(good.clone()).is_ok(), "{good}");
        }
        for bad in [
            json!({ "token_endpoint_auth_method": method }),
            json!({
                "token_endpoint_auth_method": method,
                "tls_client_auth_san_dns": "client.example",
                "tls_client_auth_san_uri": "https://client.example/",
            }),
            json!({ "token_endpoint_auth_method": method, "tls_client_auth_subject_dn": "client" }),
            json!({ "token_endpoint_auth_method": method, "tls_client_auth_san_ip": "client.example" }),
            json!({ "token_endpoint_auth_method": "none", "tls_client_auth_san_dns": "client.example" }),
        ] {
            assert!(outcome(bad.clone()).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_self_signed_certificate_is_in_the_key_set() {
        let method = "self_signed_tls_client_auth";
        let with = |jwks| json!({ "token_endpoint_auth_method": method, "jwks": jwks });
        assert!(outcome(with(json!({ "keys": [{ "kty": "EC", "x5c": ["MAA="] }] }))).is_ok());
        assert!(outcome(with(json!({ "keys": [{ "kty": "EC" }] }))).is_err());
    }
}
