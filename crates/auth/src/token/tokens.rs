//! The response of the token endpoint (RFC 6749 §5.1).

use serde::Serialize;
use serde_json::Value;
use svc_core::Scope;
use svc_http::{IntoResponse, NoStore, Response};
use utoipa::ToSchema;

/// What a client is given.
#[derive(Serialize, ToSchema)]
pub struct Tokens {
    /// A JWT (RFC 9068), or the assertion where one was asked for.
    #[schema(example = "eyJhbGciOiJFUzI1NiJ9.e30.c2ln")]
    pub(super) access_token: String,
    /// How it is presented: `Bearer`, `DPoP` where it is bound to a key, `N_A` for an assertion.
    #[schema(example = "Bearer")]
    pub(super) token_type: &'static str,
    /// Seconds until it ends.
    #[schema(example = 300)]
    pub(super) expires_in: i64,
    /// What was granted, separated by spaces.
    #[schema(value_type = String, example = "openid profile")]
    pub(super) scope: Scope,
    /// About the sign-in, where `openid` was granted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) id_token: Option<String>,
    /// Exchange it for the next tokens, where `offline_access` was granted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) refresh_token: Option<String>,
    /// The kind of token that an exchange gave (RFC 8693 §2.2.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) issued_token_type: Option<&'static str>,
    /// What was granted in detail (RFC 9396 §7).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<Object>, required = false)]
    pub(super) authorization_details: Vec<Value>,
}

impl IntoResponse for Tokens {
    fn into_response(self) -> Response {
        NoStore(self).into_response()
    }
}
