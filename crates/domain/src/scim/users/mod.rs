//! People whom the directory of an organization provisioned: a tenant user, a member of the organization, and a record of what the
//! directory says, by which alone it knows the person again (RFC 7643 §4.1).

mod changing;
mod finding;

use serde::Deserialize;
use serde_json::{Map, Value};
use svc_core::{ScimGroupId, TenantUserId, Timestamp};

pub use self::changing::{create, delete, let_in, remove, take_over_suspension, update};
pub use self::finding::{
    count, find, find_by_email, find_by_external_id, find_by_user_name, page, page_after, resource_of,
};
use crate::claims::profile::Profile;
use crate::people::tenant_users::Status;
use crate::scim::schemas::Values;

/// What a directory says of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// The sign-in name, unique in the directory.
    pub user_name: String,
    /// What the directory itself calls the person.
    pub external_id: Option<String>,
    /// The address to write to.
    pub email: Option<String>,
    /// Every address, to be found by.
    pub emails: Vec<String>,
    /// Whether the person may sign in.
    pub active: bool,
    /// The claims that the document amounts to.
    pub profile: Profile,
    /// The resource as the directory gave it.
    pub document: Map<String, Value>,
    /// What the document has of each schema that the tenant declares.
    pub extensions: Vec<Values>,
}

/// A group of the directory that a person is in.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Group {
    /// Its id.
    pub id: ScimGroupId,
    /// What people read.
    pub display: String,
}

/// A person as provisioned, with the present standing.
#[derive(Clone, Debug)]
pub struct ProvisionedUser {
    /// The membership, which is also the id of the resource.
    pub id: TenantUserId,
    /// What the directory itself calls the person.
    pub external_id: Option<String>,
    /// The resource as the directory gave it.
    pub document: Map<String, Value>,
    /// Where the membership stands.
    pub status: Status,
    /// The groups of the directory that the person is in, by id.
    pub groups: Vec<Group>,
    /// When the directory provisioned the person.
    pub created_at: Timestamp,
    /// When the record or the membership last changed.
    pub updated_at: Timestamp,
    /// Grows with each change of the record.
    pub version: i64,
    /// Grows with each change of the membership.
    pub member_version: i64,
}
