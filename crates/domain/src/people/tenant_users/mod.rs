//! Tenant users: a person's membership in one tenant, with its own subject and states.

mod changing;
mod finding;
mod listing;
mod metadata;
mod searching;

use std::borrow::Cow;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use svc_core::{AccountId, Actor, Error, Result, TenantUserId, Timestamp};
use utoipa::ToSchema;

pub use self::changing::{
    NewMember, check, create, end_access, end_all_access, invite, provision, set_roles, set_status,
    set_username, take_address,
};
pub(crate) use self::changing::{create_later, stays_removed};
pub(crate) use self::finding::{
    Credential, Standing, behind, named, of_account, of_id, one, person, person_and_groups, standing,
};
pub use self::finding::{
    count_invited, find, find_by_account, find_by_identifier, find_by_subject, identifier_key,
    named_by_subject, of_subject,
};
pub use self::listing::{Which, list, list_of, list_which};
pub use self::metadata::{MOST_METADATA, Metadata, check_metadata, set_metadata};
pub use self::searching::search;
use crate::claims::custom;
use crate::claims::profile::{Known, Profile};
use crate::lists::LONGEST_SEARCH;
use crate::tokens::access_token::SubjectType;

/// The status of a membership.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = TenantUserStatus)]
pub enum Status {
    /// Asked to join; becomes active by acceptance.
    Invited,
    /// Known from a directory or an import; becomes active at the first sign-in.
    PreProvisioned,
    /// May sign in.
    Active,
    /// May not sign in, for now.
    Suspended,
    /// Gone for good; history stays.
    Removed,
}

/// A membership together with the account behind it.
#[derive(Clone, Debug)]
pub struct Person {
    /// The membership.
    pub id: TenantUserId,
    /// The account behind it.
    pub account_id: AccountId,
    /// The `sub` for the tenant's own applications.
    pub subject: String,
    /// The sign-in name within the tenant.
    pub username: Option<String>,
    /// Where the membership stands.
    pub status: Status,
    /// Roles within the tenant, also those of groups.
    pub roles: Vec<String>,
    /// The roles of the membership itself.
    pub own_roles: Vec<String>,
    /// The names of the groups that the person is in, directly or by another group.
    pub groups: Vec<String>,
    /// What the tenant notes of the person.
    pub metadata: Metadata,
    /// The account's address.
    pub email: Option<String>,
    /// Whether the address was proven.
    pub email_verified: bool,
    /// Standard claims.
    pub profile: Profile,
    /// The password as a PHC string.
    pub password: Option<String>,
    /// Sessions and families older than this are over.
    pub credentials_changed_at: Timestamp,
    /// Whether the account itself may sign in anywhere.
    pub account_is_active: bool,
    /// When a guest was last used, to the hour; `None` for people who have said who they are.
    pub guest_used_at: Option<Timestamp>,
    /// When the membership was made.
    pub created_at: Timestamp,
    /// When anything of it last changed.
    pub updated_at: Timestamp,
}

impl Person {
    /// The membership alone: a tenant that the person has left learns nothing more of the account.
    fn without_account(self) -> Self {
        let (email, password, profile) = (None, None, Profile::default());
        Self { email, email_verified: false, password, profile, ..self }
    }

    /// Who acts where the person does.
    pub fn actor(&self) -> Actor {
        Actor::User(self.subject.clone())
    }

    /// Whether the person may be given anything.
    pub fn may_sign_in(&self) -> bool {
        self.status == Status::Active && self.account_is_active
    }

    /// Whether the person has not said who they are.
    pub fn is_guest(&self) -> bool {
        self.guest_used_at.is_some()
    }

    /// What tokens call the person.
    pub fn subject_type(&self) -> SubjectType {
        if self.is_guest() { SubjectType::Anonymous } else { SubjectType::Human }
    }

    /// Refuses to give a guest what is for people who are known.
    pub fn must_be_known(&self) -> Result<()> {
        if self.is_guest() {
            return Err(Error::conflict("the person is a guest; this takes an account that they have kept"));
        }
        Ok(())
    }

    /// Whether the owner of the account has agreed to the membership, so that the tenant may see what is the account's.
    pub fn has_agreed(&self) -> bool {
        !matches!(self.status, Status::Invited | Status::PreProvisioned)
    }

    /// The full name: what an account tells of itself is not for a tenant that the person has not joined.
    pub fn shown_name(&self) -> Option<&str> {
        self.profile.name.as_deref().filter(|_| self.has_agreed())
    }

    /// What lists find the person by: the address, the beginning of the full name and the user name.
    pub fn names(&self) -> [&str; 3] {
        let name = self.shown_name().unwrap_or_default();
        let end = name.char_indices().nth(LONGEST_SEARCH).map(|(end, _)| end);
        let full = end.and_then(|end| name.get(..end)).unwrap_or(name);
        [self.email.as_deref().unwrap_or_default(), full, self.username.as_deref().unwrap_or_default()]
    }

    /// What a tenant's own claims are made of; `organization` is the one in which the token counts.
    pub fn facts<'a>(&'a self, organization: Option<custom::Organization<'a>>) -> custom::Facts<'a> {
        let public_metadata = &self.metadata.public;
        custom::Facts { public_metadata, roles: &self.roles, groups: &self.groups, organization }
    }

    /// The person's claims, before any scope is applied.
    pub fn known(&self) -> Known<'_> {
        Known {
            profile: Cow::Owned(self.profile.claims()),
            username: self.username.as_deref(),
            email: self.email.as_deref(),
            email_verified: self.email_verified,
            roles: &self.roles,
            groups: &self.groups,
            updated_at: self.updated_at,
        }
    }
}

impl Status {
    const ALL: [Self; 5] =
        [Self::Invited, Self::PreProvisioned, Self::Active, Self::Suspended, Self::Removed];

    /// The stored name, which is also the name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Invited => "invited",
            Self::PreProvisioned => "pre_provisioned",
            Self::Active => "active",
            Self::Suspended => "suspended",
            Self::Removed => "removed",
        }
    }

    pub(crate) fn stored(name: &str) -> Result<Self> {
        Self::named(name).ok_or_else(|| Error::internal(format!("a tenant user of unknown status {name}")))
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

impl FromStr for Status {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let choices = || Self::ALL.map(Self::name).join(", ");
        Self::named(text).ok_or_else(|| Error::bad_request(format!("status: one of {}", choices())))
    }
}
