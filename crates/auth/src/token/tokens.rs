//! The response of the token endpoint (RFC 6749 §5.1).

use serde::Serialize;
use serde_json::Value;
use svc_core::Scope;
use svc_http::{IntoResponse, NoStore, Response};

/// What a client is given.
#[derive(Serialize)]
pub struct Tokens {
    pub(super) access_token: String,
    pub(super) token_type: &'static str,
    pub(super) expires_in: i64,
    pub(super) scope: Scope,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id_token: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) refresh_token: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) issued_token_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) authorization_details: Vec<Value>,
}

impl IntoResponse for Tokens {
    fn into_response(self) -> Response {
        NoStore(self).into_response()
    }
}
