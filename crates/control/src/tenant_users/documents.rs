//! How people are written: a tenant user, a new one, and what can be changed of one.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use svc_core::{TenantUserId, Timestamp};
use svc_domain::people::tenant_users::{Metadata, Person, Status};
use utoipa::{IntoParams, ToSchema};

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
    /// What claims of tokens may be made of.
    #[schema(value_type = Object)]
    public_metadata: Map<String, Value>,
    /// What this API alone shows.
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
    fn of(person: &Person) -> Self {
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
    /// What claims of tokens may be made of: at most 16 KiB.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object)]
    pub public_metadata: Map<String, Value>,
    /// What this API alone shows: at most 16 KiB.
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

#[derive(Debug, Deserialize, IntoParams)]
pub(super) struct Filter {
    /// Only memberships of this status.
    #[param(inline, nullable = false)]
    pub status: Option<Status>,
    /// Only people of this type; not together with `status`, `role` or `search`.
    #[param(inline, nullable = false)]
    pub subject_type: Option<PersonType>,
    /// Only the present member whose account has this address.
    #[param(nullable = false)]
    pub email: Option<String>,
    /// Only the present member of this sign-in name.
    #[param(nullable = false)]
    pub username: Option<String>,
    /// Only members whose own roles include this one; not together with `status` or `search`.
    #[param(nullable = false)]
    pub role: Option<String>,
    /// Only those whose address, full name or sign-in name begins with this text, in the order of what was found; the case of ASCII
    /// letters does not count. Removed members are not found; together with `status`, `email` or `username` alone.
    #[param(nullable = false, max_length = 320)]
    pub search: Option<String>,
    /// The order: by the time of creation, with a hyphen the last one first; together with `status` alone.
    #[param(inline, nullable = false)]
    pub sort: Option<PeopleOrder>,
}

/// An order of people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[schema(as = TenantUserOrder)]
pub(super) enum PeopleOrder {
    /// The first created one first.
    #[serde(rename = "created_at")]
    Oldest,
    /// The last created one first.
    #[serde(rename = "-created_at")]
    Newest,
}

impl Filter {
    /// Whether a person is one of those that are asked for.
    pub fn fits(&self, person: &Person) -> bool {
        let is = |wanted: &Option<String>, known: &Option<String>| {
            let is_same =
                |known: &String| wanted.as_ref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(known));
            wanted.is_none() || known.as_ref().is_some_and(is_same)
        };
        is(&self.email, &person.email)
            && is(&self.username, &person.username)
            && self.subject_type.is_none_or(|wanted| wanted == PersonType::of(person))
            && self.status.is_none_or(|status| status == person.status)
            && self.role.as_ref().is_none_or(|role| person.own_roles.contains(role))
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
