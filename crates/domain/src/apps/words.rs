//! The words of an application's configuration: closed lists, as the registration standards write them (RFC 7591 §2).

use serde::{Deserialize, Serialize};
use svc_core::Scope;
use utoipa::ToSchema;

/// The kind of subjects that an application gets for people (OpenID Connect Core §8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SubjectForm)]
pub enum SubjectForm {
    /// The same at every application of the tenant's own.
    Public,
    /// Another one in each sector, so that applications cannot compare notes.
    Pairwise,
}

/// Whether the tokens of an application count in an organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = OrganizationUsage)]
pub enum OrganizationUsage {
    /// Never: a request that names an organization is refused.
    Deny,
    /// Where a request names one.
    Allow,
    /// Always.
    Require,
}

/// Where an application finds the claims of the granted scopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = IdTokenClaims)]
pub enum IdTokenClaims {
    /// In the ID token and at UserInfo.
    Scopes,
    /// At UserInfo only.
    Minimal,
}

/// Whether a confidential application must use PKCE (RFC 9700 §2.1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "RequirePkceValue", into = "RequirePkceValue")]
pub enum RequirePkce {
    /// Always.
    Yes,
    /// Unless the request has `openid` and a `nonce`, which the client checks in the ID token.
    OrNonce,
    /// Never, though a challenge that is sent counts.
    No,
}

/// Whether a confidential application must use PKCE.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
#[schema(as = RequirePkce)]
pub(super) enum RequirePkceValue {
    Flag(bool),
    Word(#[schema(inline)] OrNonce),
}

#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum OrNonce {
    OrNonce,
}

impl From<RequirePkceValue> for RequirePkce {
    fn from(value: RequirePkceValue) -> Self {
        match value {
            RequirePkceValue::Flag(true) => Self::Yes,
            RequirePkceValue::Flag(false) => Self::No,
            RequirePkceValue::Word(OrNonce::OrNonce) => Self::OrNonce,
        }
    }
}

impl From<RequirePkce> for RequirePkceValue {
    fn from(value: RequirePkce) -> Self {
        match value {
            RequirePkce::Yes => Self::Flag(true),
            RequirePkce::No => Self::Flag(false),
            RequirePkce::OrNonce => Self::Word(OrNonce::OrNonce),
        }
    }
}

/// Another authorization server for which an application may ask identity assertions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AssertionTarget {
    /// The other server's issuer.
    pub audience: String,
    /// The application's `client_id` there; by default the one that it has here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_id: Option<String>,
    /// The scopes that it may ask for there.
    #[serde(default)]
    #[schema(value_type = String)]
    pub scope: Scope,
}

/// How strict the protocol is with an application.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SecurityProfile)]
pub enum Profile {
    /// OAuth 2.0 with today's best practice (RFC 9700).
    #[default]
    Standard,
    /// The FAPI 2.0 Security Profile.
    Fapi2,
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

impl Kind {
    /// The name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::Web => "web",
            Self::Spa => "spa",
            Self::Native => "native",
            Self::Machine => "machine",
        }
    }

    /// How an application authenticates that does not say: programs on people's devices keep no secret (RFC 8252 §8.5).
    pub fn usual_auth_method(self) -> AuthMethod {
        match self {
            Self::Spa | Self::Native => AuthMethod::None,
            Self::Web | Self::Machine => AuthMethod::default(),
        }
    }
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
    /// The certificate of its connection, by an authority of the tenant (RFC 8705 §2.1).
    TlsClientAuth,
    /// The certificate of its connection, by the keys that it registered (RFC 8705 §2.2).
    SelfSignedTlsClientAuth,
}

impl AuthMethod {
    /// The registered name.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::ClientSecretPost => "client_secret_post",
            Self::ClientSecretBasic => "client_secret_basic",
            Self::PrivateKeyJwt => "private_key_jwt",
            Self::TlsClientAuth => "tls_client_auth",
            Self::SelfSignedTlsClientAuth => "self_signed_tls_client_auth",
        }
    }

    /// Whether it is the certificate of the connection.
    pub fn is_certificate(self) -> bool {
        matches!(self, Self::TlsClientAuth | Self::SelfSignedTlsClientAuth)
    }

    /// Whether it uses a shared secret.
    pub fn has_secret(self) -> bool {
        matches!(self, Self::ClientSecretPost | Self::ClientSecretBasic)
    }
}
