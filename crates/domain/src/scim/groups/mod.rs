//! Groups of the directory of an organization (RFC 7643 §4.2). What a directory says of groups gives no rights by itself: the tenant
//! gives the people of a group roles in the organization.

mod changing;
mod finding;
mod members;
mod roles;
mod telling;

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use svc_core::{ScimGroupId, TenantUserId, Timestamp};

pub use self::changing::{create, delete, update};
pub use self::finding::{count, find, find_by_external_id, find_by_name, of_member, page, page_after};
pub use self::members::members;
pub use self::roles::{reached, set_roles};

/// What a directory says of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// What people read.
    pub display_name: String,
    /// What the directory itself calls the group.
    pub external_id: Option<String>,
    /// The people in it.
    pub members: BTreeSet<TenantUserId>,
    /// The resource as the directory gave it, without its members.
    pub document: Map<String, Value>,
}

/// A group as provisioned.
#[derive(Clone, Debug)]
pub struct ProvisionedGroup {
    /// Its id.
    pub id: ScimGroupId,
    /// What people read.
    pub display_name: String,
    /// What the directory itself calls it.
    pub external_id: Option<String>,
    /// The resource as the directory gave it, without its members.
    pub document: Map<String, Value>,
    /// Names of the roles that its people have in the organization.
    pub roles: BTreeSet<String>,
    /// When the directory provisioned it.
    pub created_at: Timestamp,
    /// When it last changed, its members included.
    pub updated_at: Timestamp,
    /// Grows with each change.
    pub version: i64,
    /// How many people are in it; this alone falls where a person's membership of the tenant ends.
    pub size: i64,
}
