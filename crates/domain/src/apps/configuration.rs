//! What an application may do; the words are those of RFC 7591 §2 where it has them.

use serde::{Deserialize, Serialize};
use svc_core::Scope;
use svc_keys::jose::Algorithm;
use utoipa::ToSchema;

/// What an application may do; the words are those of RFC 7591 where it has them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ApplicationConfiguration)]
pub struct Configuration {
    /// What people read at consent.
    pub name: String,
    /// `web`, `spa`, `native` or `machine`.
    #[serde(rename = "type", default)]
    pub kind: Kind,
    /// Compared character for character.
    #[serde(default)]
    pub redirect_uris: Vec<String>,
    /// Where sign-out may return to, compared character for character.
    #[serde(default)]
    pub post_logout_redirect_uris: Vec<String>,
    /// The grants that it may use.
    #[serde(default = "default_grant_types")]
    pub grant_types: Vec<String>,
    /// The one way in which it authenticates.
    #[serde(default)]
    pub token_endpoint_auth_method: AuthMethod,
    /// The scopes that it may ask for.
    #[serde(default = "default_scope")]
    #[schema(value_type = String)]
    pub scope: Scope,
    /// The API that its tokens are for when a request names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audience: Option<String>,
    /// First-party applications do not ask for consent.
    #[serde(default)]
    pub first_party: bool,
    /// Whether a confidential application must use PKCE too; public ones always must.
    #[serde(default = "yes")]
    pub require_pkce: bool,
    /// `ES256`, `EdDSA` or `RS256`; by default the deployment's algorithm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub id_token_signed_response_alg: Option<Algorithm>,
    /// Set to get UserInfo as a signed JWT.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub userinfo_signed_response_alg: Option<Algorithm>,
    /// Origins whose scripts may call the token and UserInfo endpoints.
    #[serde(default)]
    pub allowed_origins: Vec<String>,
    /// Shown at consent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logo_uri: Option<String>,
    /// Shown at consent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy_uri: Option<String>,
    /// Shown at consent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tos_uri: Option<String>,
}

/// The kind of program, which decides what redirect URIs are reasonable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ApplicationType)]
pub enum Kind {
    /// Runs on a server.
    #[default]
    Web,
    /// Runs in a browser.
    Spa,
    /// Runs on a device; loopback redirect URIs match on any port (RFC 8252 §7.3).
    Native,
    /// Acts for itself.
    Machine,
}

/// How an application authenticates at the token endpoint (RFC 7591 §2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AuthMethod {
    /// A public client: it cannot keep a secret.
    None,
    /// The secret in the form.
    ClientSecretPost,
    /// The secret in an `Authorization: Basic` header.
    #[default]
    ClientSecretBasic,
    /// A signed assertion (RFC 7523).
    PrivateKeyJwt,
}

impl AuthMethod {
    /// The registered name.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::ClientSecretPost => "client_secret_post",
            Self::ClientSecretBasic => "client_secret_basic",
            Self::PrivateKeyJwt => "private_key_jwt",
        }
    }

    /// Whether it uses a shared secret.
    pub fn has_secret(self) -> bool {
        matches!(self, Self::ClientSecretPost | Self::ClientSecretBasic)
    }
}

/// Grants that exist; an application may be allowed a subset.
pub const GRANT_TYPES: &[&str] = &["authorization_code", "refresh_token", "client_credentials"];

fn yes() -> bool {
    true
}

fn default_grant_types() -> Vec<String> {
    vec!["authorization_code".to_owned()]
}

fn default_scope() -> Scope {
    ["openid", "profile", "email"].into_iter().collect()
}
