//! Client certificates (RFC 8705): clients that authenticate with one, tokens that are bound to one. A proxy passes them on here
//! (RFC 9440); `process/tls.rs` has them in real handshakes.

mod authentication;
pub mod authority;
mod binding;
mod metadata;

use svc_domain::apps::{AuthMethod, Configuration};
use svc_domain::tenancy::tenants::{self, NewTenant, TenantSettings};

use self::authority::{Authority, Certificate};
use crate::harness::client::Pairs;
use crate::harness::{Answer, Client, Harness, Site};

/// A deployment behind a proxy that asks for certificates, also at a port of its own.
const BEHIND_A_PROXY: [(&str, &str); 3] = [
    ("SVC_SERVER__TRUSTED_PROXIES", "[\"192.0.2.1\"]"),
    ("SVC_SERVER__MTLS__TRUST_CLIENT_CERT_HEADER", "true"),
    ("SVC_SERVER__MTLS__PUBLIC_PORT", "8443"),
];

/// The tenant takes the word of an authority.
async fn trust(site: &mut Site<'_>, authority: &Authority) {
    let h = site.harness;
    let settings =
        TenantSettings { tls_client_ca_pem: Some(authority.pem.clone()), ..site.tenant.settings.clone() };
    let (slug, name) = (site.tenant.slug.clone(), site.tenant.name.clone());
    let mut tx = h.app().db.begin_system().await.unwrap();
    let new = NewTenant { slug, name, custom_domain: None, settings };
    tenants::update(&mut tx, &h.operator(), site.tenant.id, &new).await.unwrap();
    tx.commit().await.unwrap();
    h.app().services.tenants.forget();
    site.tenant = h.app().services.tenants.by_id(site.tenant.id).await.unwrap();
}

/// An application that the authority vouches for by a DNS name.
async fn vouched_for<'h>(
    site: &Site<'h>,
    handle: &str,
    change: impl FnOnce(&mut Configuration),
) -> Client<'h> {
    site.app_with(handle, |configuration| {
        configuration.token_endpoint_auth_method = AuthMethod::TlsClientAuth;
        configuration.tls_client_auth_san_dns = Some(format!("{handle}.client.example"));
        change(configuration);
    })
    .await
}

/// A form over a connection with a certificate, or with none.
async fn post(app: &Client<'_>, path: &str, form: Pairs<'_>, certificate: Option<&Certificate>) -> Answer {
    let field = certificate.map(Certificate::field);
    let headers: Vec<_> = field.iter().map(|field| ("client-cert", field.as_str())).collect();
    app.post_with(path, &headers, form, &[]).await
}

/// An application's own token over such a connection.
async fn own(app: &Client<'_>, certificate: Option<&Certificate>) -> Answer {
    post(app, "/oauth/token", &[("grant_type", "client_credentials")], certificate).await
}

async fn deployment() -> Harness {
    Harness::with(&BEHIND_A_PROXY).await
}
