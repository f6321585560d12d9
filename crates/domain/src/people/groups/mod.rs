//! Groups: people who have roles together. A group may be in groups, and its people then have the roles of those too.
//!
//! The roles and the groups of a person are computed in one place, the view `people`, with the read of the person. A change of
//! a group changes the version of everyone in it, so that memory forgets them (ADR 18) and their `ETag` is new.

mod members;
mod nesting;
mod store;
mod telling;

use serde::{Deserialize, Serialize};
use svc_core::{GroupId, Timestamp};
use utoipa::ToSchema;

pub use self::members::{add, members, of_person, remove};
pub use self::nesting::{groups_inside, inside, nest, unnest};
pub use self::store::{create, delete, effective_roles, find, find_by_name, list, list_by, update};

/// A group.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Group {
    /// Its id.
    #[schema(value_type = String)]
    pub id: GroupId,
    /// What it is called, and which roles its people have.
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

/// What a group is called, and which roles its people have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = GroupConfiguration)]
pub struct Configuration {
    /// The name in the claim `groups`; unique in the tenant.
    #[schema(min_length = 1, max_length = 100)]
    pub name: String,
    /// What administrators read.
    #[serde(default)]
    #[schema(max_length = 500)]
    pub description: String,
    /// Names of the roles that its people have, and those of the groups in it.
    #[serde(default)]
    pub roles: Vec<String>,
}
