//! Discovery documents (OpenID Connect Discovery 1.0, RFC 8414), and fetching with bounds.

use reqwest::{Method, Url};
use serde::Deserialize;

use crate::Error;
use crate::sending::Sender;

const LARGEST_DOCUMENT: usize = 256 * 1024;

/// A discovery document (OpenID Connect Discovery 1.0 §3, RFC 8414 §2).
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "the members are those of the standard")]
pub struct Metadata {
    pub issuer: String,
    pub authorization_endpoint: String,
    pub token_endpoint: String,
    pub jwks_uri: String,
    pub userinfo_endpoint: Option<String>,
    pub revocation_endpoint: Option<String>,
    pub device_authorization_endpoint: Option<String>,
    pub pushed_authorization_request_endpoint: Option<String>,
    pub end_session_endpoint: Option<String>,
    pub introspection_endpoint: Option<String>,
}

/// The issuer of a tenant: that of the deployment with the tenant's slug as its left-most label.
pub fn tenant_issuer(issuer: &str, slug: &str) -> Result<String, Error> {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_label = (1..=63).contains(&slug.len()) && slug.bytes().all(is_plain);
    if !is_label || slug.starts_with('-') || slug.ends_with('-') {
        return Err(Error::local("a slug is one label of a host name").of(issuer));
    }
    let parts = issuer.split_once("://").filter(|_| is_safe(issuer));
    let (scheme, rest) = parts.ok_or_else(|| Error::local("the issuer is no https address").of(issuer))?;
    Ok(format!("{scheme}://{slug}.{rest}"))
}

impl Metadata {
    /// Fetches the issuer's document and holds it against the issuer.
    pub(crate) async fn discover(http: &Sender, issuer: &str) -> Result<Self, Error> {
        let address = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
        Self::parse(issuer, &fetch(http, &address, issuer, LARGEST_DOCUMENT).await?)
    }

    /// Reads a discovery document, which has to be the issuer's own, byte for byte (OpenID Connect Discovery 1.0 §4.3).
    pub fn parse(issuer: &str, document: &[u8]) -> Result<Self, Error> {
        Self::judged(issuer, document)
            .map_err(|description| Error::new(0, "invalid_discovery", description).of(issuer))
    }

    fn judged(issuer: &str, document: &[u8]) -> Result<Self, &'static str> {
        let is_object = document.trim_ascii_start().first() == Some(&b'{');
        let found: Option<Self> = serde_json::from_slice(document).ok().filter(|_| is_object);
        let found = found.ok_or("the discovery document is malformed")?;
        if found.issuer != issuer {
            return Err("the discovery document is of another issuer");
        }
        let needed = [&found.authorization_endpoint, &found.token_endpoint, &found.jwks_uri];
        let others = [
            &found.userinfo_endpoint,
            &found.revocation_endpoint,
            &found.device_authorization_endpoint,
            &found.pushed_authorization_request_endpoint,
            &found.end_session_endpoint,
            &found.introspection_endpoint,
        ];
        let are_safe =
            needed.into_iter().chain(others.into_iter().flatten()).all(|endpoint| is_safe(endpoint));
        if !are_safe {
            return Err("an endpoint of the discovery document is not on https");
        }
        Ok(found)
    }
}

/// Whether an address is on https, or on plain http of this machine.
pub(crate) fn is_safe(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else { return false };
    let has_no_password = url.username().is_empty() && url.password().is_none();
    let host = url.host_str().unwrap_or_default();
    let is_here = ["localhost", "127.0.0.1", "[::1]"].contains(&host) || host.ends_with(".localhost");
    !host.is_empty() && has_no_password && (url.scheme() == "https" || (url.scheme() == "http" && is_here))
}

pub(crate) async fn fetch(http: &Sender, address: &str, tenant: &str, most: usize) -> Result<Vec<u8>, Error> {
    if !is_safe(address) {
        return Err(Error::local("the address is not on https").of(tenant));
    }
    let request = http.request(Method::GET, address).header("accept", "application/json");
    let response = http.send(request).await.map_err(|error| error.of(tenant))?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let body = bounded(response, most).await.map_err(|error| error.of(tenant))?;
    if status == 200 { Ok(body) } else { Err(Error::answered(status, &headers, &body, tenant)) }
}

/// Reads at most `most` bytes; more is an error.
pub(crate) async fn bounded(mut response: reqwest::Response, most: usize) -> Result<Vec<u8>, Error> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(Error::unanswered)? {
        if body.len() + chunk.len() > most {
            return Err(Error::invalid_answer("the answer is too long"));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}
