//! Resource servers of the Model Context Protocol (RFC 9728).

use std::sync::Arc;

use http::Response;
use serde_json::{Value, json};

use crate::{Error, Protection, Verifier, dpop};

/// Guards a resource server of the Model Context Protocol: its refusals lead to its metadata document (RFC 9728).
#[derive(Clone)]
pub struct Mcp {
    /// The guard.
    pub protection: Protection,
    /// Where the document is served.
    pub path: String,
    document: Value,
}

impl Mcp {
    /// For the server whose address is the audience of its tokens.
    pub fn new(verifier: Arc<Verifier>, origin: &str, scopes: &[&str]) -> Result<Self, Error> {
        let mut protection = Protection::new(verifier, origin);
        let config = &protection.verifier.config;
        let below = config
            .audience
            .strip_prefix(&protection.origin)
            .filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let below = below.ok_or_else(|| {
            Error::local("the audience has to be an address below the origin").of(&config.issuer)
        })?;
        // Only a slash that ends the host is left out (RFC 9728 §3.1): a client computes the address of the document from the resource.
        let path = format!("/.well-known/oauth-protected-resource{}", if below == "/" { "" } else { below });
        let mut document = json!({
            "resource": config.audience, "authorization_servers": [config.issuer],
            "bearer_methods_supported": ["header"], "dpop_signing_alg_values_supported": dpop::ALGORITHMS,
        });
        // A list without elements is left out (RFC 9728 §3.2).
        if let Some(members) = document.as_object_mut().filter(|_| !scopes.is_empty()) {
            members.insert("scopes_supported".to_owned(), json!(scopes));
        }
        protection.metadata = Some(format!("{}{path}", protection.origin));
        Ok(Self { protection, path, document })
    }

    /// The document, for every origin to read.
    pub fn metadata<B: From<String>>(&self) -> Response<B> {
        let response = Response::builder()
            .header("content-type", "application/json")
            .header("access-control-allow-origin", "*")
            .header("cache-control", "public, max-age=300");
        let body = B::from(self.document.to_string());
        response.body(body).unwrap_or_else(|_| Response::new(B::from(String::new())))
    }
}
