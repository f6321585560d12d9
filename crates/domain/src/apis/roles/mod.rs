//! Roles: what a tenant's people may have. A role is a name and its permissions, which are scopes of APIs.
//!
//! A membership names its roles, and so do scopes of APIs that are bound to them: the name of a role never changes.

mod permissions;
mod store;
mod uses;

use serde::{Deserialize, Serialize};
use svc_core::{RoleId, Timestamp};
use utoipa::ToSchema;

pub use self::permissions::Granted;
pub use self::store::{
    check_known, create, delete, ensure, find, find_by_name, known, list, list_by, update,
};
use super::control_plane::OPERATOR;
use super::management::ADMIN;
use crate::tenancy::tenants::Tenant;

/// A role.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Role {
    /// Its id.
    #[schema(value_type = String)]
    pub id: RoleId,
    /// The name in memberships, tokens and scopes of APIs.
    pub name: String,
    /// Whether the service itself relies on it, so that it cannot be deleted.
    pub built_in: bool,
    /// What it is for, and what it permits.
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
}

/// What a role is for, and what it permits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = RoleConfiguration)]
pub struct Configuration {
    /// What administrators read.
    #[schema(max_length = 500)]
    pub description: String,
    /// Scopes that its members may be given though these are bound to roles.
    pub permissions: Vec<Permission>,
}

impl Configuration {
    /// With the identifiers that the service's own APIs have at this moment, which a file may name as they are stored.
    #[must_use]
    pub fn at(mut self, tenant: &Tenant) -> Self {
        for permission in &mut self.permissions {
            permission.api = tenant.audience_of(&permission.api);
        }
        self
    }
}

/// What a role permits at one API.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Permission {
    /// The identifier of the API; `urn:svc:management-api` is the management API, whatever the issuer.
    pub api: String,
    /// Scopes of that API.
    #[schema(min_items = 1)]
    pub scopes: Vec<String>,
}

/// Whether the service itself relies on a role of this name.
pub fn is_built_in(name: &str) -> bool {
    [ADMIN, OPERATOR].contains(&name)
}
