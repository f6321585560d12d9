//! APIs (resource servers): the audiences that tokens are for, their scopes (RFC 8707) and types of authorization details
//! (RFC 9396).

mod details;
mod directory;
pub mod management;
mod schema;
mod sentence;
mod store;

use serde::{Deserialize, Serialize};
use svc_core::{ApiId, Scope, Seconds, Timestamp};
use svc_keys::Typ;
use utoipa::ToSchema;

pub use self::details::{DetailsType, Judges, is_details_type, type_of};
pub use self::directory::{Apis, path_of};
pub use self::sentence::{Part, Sentence};
pub use self::store::{create, delete, enabled, find, find_by_identifier, list, update};
use crate::document::Extensible;

/// An API as every request sees it.
#[derive(Clone, Debug)]
pub struct Api {
    /// Its id.
    pub id: ApiId,
    /// The identifier URI: the `aud` of its tokens.
    pub identifier: String,
    /// Nothing is issued for a disabled API.
    pub enabled: bool,
    /// What it is and offers.
    pub configuration: Configuration,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Grows with each change.
    pub version: i64,
    /// The schemas of its types of authorization details, ready to judge.
    pub judges: Judges,
}

/// What an API is and offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ApiConfiguration)]
pub struct Configuration {
    /// What people read at consent.
    pub name: String,
    /// Its permissions.
    #[serde(default)]
    pub scopes: Vec<ApiScope>,
    /// The `client_id`s of applications that answer for this API; they may introspect its tokens.
    #[serde(default)]
    pub resource_servers: Vec<String>,
    /// How long tokens for it live, 60 to 86400 seconds; by default the deployment's lifetimes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>)]
    pub access_token_lifetime_secs: Option<Seconds>,
    /// The `typ` of its access tokens: `at+jwt` (RFC 9068), or `JWT` for resource servers that accept no other.
    #[serde(default, skip_serializing_if = "AccessTokenTyp::is_default")]
    pub access_token_typ: AccessTokenTyp,
    /// The types of authorization details that it understands (RFC 9396 §2).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authorization_details_types: Vec<DetailsType>,
}

impl Extensible for Configuration {
    // RFC 9068's, which names the token for what it is.
    const MAY_FALL_BACK: &'static [&'static str] = &["access_token_typ"];
}

/// The `typ` header of access tokens for an API.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum AccessTokenTyp {
    /// RFC 9068 §2.1.
    #[default]
    #[serde(rename = "at+jwt")]
    AtJwt,
    /// RFC 7519 §5.1.
    #[serde(rename = "JWT")]
    Jwt,
}

impl AccessTokenTyp {
    /// The type of token that is signed.
    pub fn typ(self) -> Typ {
        match self {
            Self::AtJwt => Typ::AccessToken,
            Self::Jwt => Typ::Jwt,
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// One permission of an API.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ApiScope {
    /// `<resource>:<action>`.
    pub name: String,
    /// The sentence that people read at consent.
    #[serde(default)]
    pub description: String,
    /// A person needs one of these roles to be given it; empty for everybody.
    #[serde(default)]
    pub roles: Vec<String>,
}

impl Api {
    /// The API's scopes.
    pub fn scope(&self) -> Scope {
        self.configuration.scopes.iter().map(|scope| scope.name.as_str()).collect()
    }

    /// The scopes that a person with `roles` may be given.
    pub fn scope_for(&self, roles: &[String]) -> Scope {
        let offered = self.configuration.scopes.iter().filter(|scope| scope.is_for(Some(roles)));
        offered.map(|scope| scope.name.as_str()).collect()
    }

    /// Whether one of its scopes may be given to a person with `roles`, or to an application, which needs none.
    pub fn offers(&self, scope: &str, roles: Option<&[String]>) -> bool {
        self.configuration.scopes.iter().any(|offered| offered.name == scope && offered.is_for(roles))
    }
}

impl ApiScope {
    fn is_for(&self, roles: Option<&[String]>) -> bool {
        roles.is_none_or(|roles| self.roles.is_empty() || self.roles.iter().any(|role| roles.contains(role)))
    }
}
