//! APIs (resource servers): the audiences that tokens are for, their scopes (RFC 8707) and types of authorization details
//! (RFC 9396).

pub mod control_plane;
mod details;
mod directory;
pub mod management;
pub mod roles;
mod schema;
mod sentence;
mod store;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use svc_core::{ApiId, Scope, Seconds, Timestamp};
use svc_keys::Typ;
use utoipa::ToSchema;

pub use self::details::{DetailsType, Judges, is_details_type, type_of};
pub use self::directory::{Apis, path_of};
pub use self::sentence::{Part, Sentence};
pub use self::store::{
    check_unpermitted, create, delete, enabled, find, find_by_identifier, list, list_by, refuse_issuer,
    update,
};
use crate::claims::custom::CustomClaim;
use crate::document::{self, Extensible};
use crate::tenancy::tenants;

/// A protected API.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Api {
    /// Its id.
    #[schema(value_type = String)]
    pub id: ApiId,
    /// The `aud` of its tokens.
    pub identifier: String,
    /// Nothing is issued for a disabled API.
    pub enabled: bool,
    /// What it is and offers.
    #[serde(flatten)]
    pub configuration: Configuration,
    /// When it was made.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = String, format = "date-time")]
    pub updated_at: Timestamp,
    /// Grows with each change.
    #[serde(skip)]
    pub version: i64,
    /// The schemas of its types of authorization details, ready to judge.
    #[serde(skip)]
    pub judges: Judges,
    /// What roles permit of its scopes, where the API was found by its directory.
    #[serde(skip)]
    pub granted: roles::Granted,
}

impl Api {
    /// Whether this application answers for it, and may look into its tokens. Those that are for no API have the issuer as audience,
    /// which may be the name of an API since the tenant has moved to another domain: they are not sent to it.
    pub fn is_answered_by(&self, tenant: &tenants::Tenant, client_id: &str) -> bool {
        self.identifier != tenant.issuer
            && self.configuration.resource_servers.iter().any(|server| server == client_id)
    }
}

/// What an API is and offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ApiConfiguration)]
pub struct Configuration {
    /// What people read at consent: 1 to 250 characters in one line.
    pub name: String,
    /// Its permissions.
    #[serde(default)]
    pub scopes: Vec<ApiScope>,
    /// The `client_id`s of applications that answer for this API; they may introspect its tokens.
    #[serde(default, deserialize_with = "document::each_once")]
    pub resource_servers: Vec<String>,
    /// How long tokens for it live, 60 to 86400 seconds; by default the deployment's lifetimes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>)]
    pub access_token_lifetime_secs: Option<Seconds>,
    /// The `typ` of its access tokens: `at+jwt` (RFC 9068), or `JWT` for resource servers that accept no other.
    #[serde(default, skip_serializing_if = "AccessTokenTyp::is_default")]
    pub access_token_typ: AccessTokenTyp,
    /// The claims about the person that its access tokens have besides the scope (RFC 9068 §2.2.3.1).
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub access_token_claims: BTreeSet<PersonClaim>,
    /// Custom claims about the person in its access tokens; at most 20.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 20)]
    pub custom_claims: Vec<CustomClaim>,
    /// The types of authorization details that it understands (RFC 9396 §2).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authorization_details_types: Vec<DetailsType>,
}

impl Extensible for Configuration {
    // RFC 9068's, which names the token for what it is; and a token that says less.
    const MAY_FALL_BACK: &'static [&'static str] =
        &["access_token_typ", "access_token_claims", "custom_claims"];
}

/// A claim about what a person may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PersonClaim {
    /// The person's roles.
    Roles,
    /// The names of the person's groups.
    Groups,
    /// The scopes of the API that the person's roles permit and the application may have, whether it asked for them or not; for a
    /// third-party application those that were granted.
    Permissions,
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
    /// The sentence that people read at consent: at most 500 characters in one line.
    #[serde(default)]
    pub description: String,
    /// A person needs one of these roles, or a role that permits the scope, to be given it; empty for everybody.
    #[serde(default, deserialize_with = "document::each_once")]
    pub roles: Vec<String>,
}

impl Api {
    /// The API's scopes.
    pub fn scope(&self) -> Scope {
        self.configuration.scopes.iter().map(|scope| scope.name.as_str()).collect()
    }

    /// The scopes that a person with `roles` may be given.
    pub fn scope_for(&self, roles: &[String]) -> Scope {
        let offered = self.configuration.scopes.iter().filter(|scope| self.is_for(scope, Some(roles)));
        offered.map(|scope| scope.name.as_str()).collect()
    }

    /// Whether one of its scopes may be given to a person with `roles`, or to an application, which needs none.
    pub fn offers(&self, scope: &str, roles: Option<&[String]>) -> bool {
        self.configuration.scopes.iter().any(|offered| offered.name == scope && self.is_for(offered, roles))
    }

    /// What people read of one of its scopes, where there is something to read.
    pub fn description_of(&self, scope: &str) -> Option<&str> {
        let found = self.configuration.scopes.iter().find(|known| known.name == scope)?;
        Some(found.description.as_str()).filter(|text| !text.is_empty())
    }

    /// The scopes that a person has by `roles`, and not because everybody may have them.
    pub fn permissions_of(&self, roles: &[String]) -> Scope {
        let permitted = self.configuration.scopes.iter().filter(|scope| self.is_permitted(scope, roles));
        permitted.map(|scope| scope.name.as_str()).collect()
    }

    fn is_for(&self, scope: &ApiScope, roles: Option<&[String]>) -> bool {
        roles.is_none_or(|roles| scope.roles.is_empty() || self.is_permitted(scope, roles))
    }

    fn is_permitted(&self, scope: &ApiScope, roles: &[String]) -> bool {
        scope.roles.iter().any(|role| roles.contains(role)) || self.granted.has(&scope.name, roles)
    }
}
