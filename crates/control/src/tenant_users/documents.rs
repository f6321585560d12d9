//! How people are written: a tenant user, a new one, and what can be changed of one.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use svc_core::{TenantUserId, Timestamp};
use svc_domain::people::tenant_users::{Metadata, Person, Status};
use utoipa::ToSchema;

/// A person's membership in the tenant.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TenantUser {
    #[schema(value_type = String)]
    id: TenantUserId,
    /// The `sub` of the person's tokens for the tenant's own applications.
    sub: String,
    /// The sign-in name within the tenant.
    username: Option<String>,
    /// The account's address; like all that is the account's, a tenant sees it no more once the person is removed.
    email: Option<String>,
    /// Whether the person proved to own the address.
    email_verified: bool,
    status: Status,
    /// Whether the person has said who they are.
    subject_type: PersonType,
    /// The roles of the membership itself.
    roles: Vec<String>,
    /// The names of the groups that the person is in, directly or by another group.
    groups: Vec<String>,
    /// These roles, and those of the groups.
    effective_roles: Vec<String>,
    /// The full name, when it is known.
    name: Option<String>,
    /// Metadata of which claims of tokens can be made.
    #[schema(value_type = Object)]
    public_metadata: Map<String, Value>,
    /// Metadata that only this API shows.
    #[schema(value_type = Object)]
    private_metadata: Map<String, Value>,
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
    #[schema(value_type = String, format = "date-time")]
    updated_at: Timestamp,
}

/// Whether a person has said who they are, as `subject_type` of their tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = TenantUserSubjectType)]
pub(super) enum PersonType {
    /// A person with an address or a credential.
    Human,
    /// A guest.
    Anonymous,
}

impl PersonType {
    pub fn of(person: &Person) -> Self {
        if person.is_guest() { Self::Anonymous } else { Self::Human }
    }
}

/// A person to make a member.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "email": "grace@example.com", "name": "Grace Hopper", "roles": ["editor"], "invite": true })))]
pub(super) struct NewTenantUser {
    /// The address; the account that has it becomes a member by invitation only.
    #[serde(default)]
    #[schema(format = "email")]
    pub email: Option<String>,
    /// Whether the person is mailed an invitation, and becomes active with its acceptance.
    #[serde(default)]
    pub invite: bool,
    #[serde(flatten)]
    pub chosen: TenantUserUpdate,
}

/// What can be changed of a membership: members that are left out take their defaults.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "username": "grace", "name": "Grace Hopper", "roles": ["editor"],
    "public_metadata": { "department": "compilers" } })))]
pub(super) struct TenantUserUpdate {
    /// The sign-in name within the tenant: letters, digits, dots, hyphens and underscores.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 64)]
    pub username: Option<String>,
    /// The full name; it can be changed where the tenant manages the account.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 200)]
    pub name: Option<String>,
    /// Names of roles of the tenant.
    #[serde(default)]
    pub roles: Vec<String>,
    /// Metadata of which claims of tokens can be made: at most 16 KiB.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object)]
    pub public_metadata: Map<String, Value>,
    /// Metadata that only this API shows: at most 16 KiB.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object)]
    pub private_metadata: Map<String, Value>,
}

impl TenantUserUpdate {
    /// What the tenant notes of the person.
    pub fn metadata(&self) -> Metadata {
        Metadata { public: self.public_metadata.clone(), private: self.private_metadata.clone() }
    }
}

impl From<Person> for TenantUser {
    fn from(person: Person) -> Self {
        Self {
            id: person.id,
            name: person.shown_name().map(str::to_owned),
            subject_type: PersonType::of(&person),
            email_verified: person.email_verified && person.has_agreed(),
            sub: person.subject,
            username: person.username,
            email: person.email,
            status: person.status,
            roles: person.own_roles,
            groups: person.groups,
            effective_roles: person.roles,
            public_metadata: person.metadata.public,
            private_metadata: person.metadata.private,
            created_at: person.created_at,
            updated_at: person.updated_at,
        }
    }
}
