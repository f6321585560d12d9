//! What the list of people is narrowed by, and its order.

use serde::Deserialize;
use svc_core::{Error, GroupId, OrganizationId, Result, Timestamp};
use svc_db::{Tenant, Times, Tx};
use svc_domain::organizations;
use svc_domain::people::groups;
use svc_domain::people::tenant_users::{self, Person, Status, Which, identifier_key as key};
use utoipa::{IntoParams, ToSchema};

use super::documents::PersonType;

#[derive(Debug, Deserialize, IntoParams)]
pub(super) struct Filter {
    /// Only memberships of this status.
    #[param(inline, nullable = false)]
    pub status: Option<Status>,
    /// Only people of this type; not together with `search`.
    #[param(inline, nullable = false)]
    pub subject_type: Option<PersonType>,
    /// Only the present member whose account has this address.
    #[param(nullable = false)]
    pub email: Option<String>,
    /// Only the present member of this sign-in name.
    #[param(nullable = false)]
    pub username: Option<String>,
    /// Only members whose own roles include this one; not together with `search`.
    #[param(nullable = false)]
    pub role: Option<String>,
    /// Only the present members of this organization; not together with `search`.
    #[param(value_type = Option<String>, nullable = false)]
    pub organization_id: Option<OrganizationId>,
    /// Only the present members of this group, without those of the groups that are in it; not together with `search`.
    #[param(value_type = Option<String>, nullable = false)]
    pub group_id: Option<GroupId>,
    /// Only memberships that were not made before this time, to the millisecond; not together with `search`.
    #[param(value_type = Option<String>, format = "date-time", nullable = false)]
    pub since: Option<Timestamp>,
    /// Only memberships that were made before this time, to the millisecond; not together with `search`.
    #[param(value_type = Option<String>, format = "date-time", nullable = false)]
    pub until: Option<Timestamp>,
    /// Only those whose address, full name or sign-in name begins with this text, in the order of what was found; the case of ASCII
    /// letters does not count. Removed members are not found; together with `status`, `email` or `username` alone.
    #[param(nullable = false, max_length = 320)]
    pub search: Option<String>,
    /// The order: by the time of creation, which is the usual one, with a hyphen the last one first; not together with `search`.
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
    /// The list that is asked for.
    pub fn which(&self) -> Which {
        Which {
            status: self.status,
            are_guests: self.subject_type.map(|wanted| wanted == PersonType::Anonymous),
            organization: self.organization_id,
            group: self.group_id,
            role: self.role.clone(),
            times: self.times(),
            is_newest_first: self.sort == Some(PeopleOrder::Newest),
        }
    }

    fn times(&self) -> Times {
        Times { since: self.since, until: self.until }
    }

    /// Refuses what the index of names does not know.
    pub fn check_search(&self) -> Result<()> {
        let further = [
            self.role.is_some(),
            self.subject_type.is_some(),
            self.organization_id.is_some(),
            self.group_id.is_some(),
            self.times() != Times::default(),
        ];
        if further.contains(&true) {
            return Err(Error::bad_request(
                "search: give it with `status`, `email` or `username` alone; leave `search` out, or leave out `role`, \
                 `subject_type`, `organization_id`, `group_id`, `since` and `until`",
            ));
        }
        Ok(())
    }

    /// The address or the sign-in name of the one person who is asked for.
    pub fn identifier(&self) -> Option<&str> {
        self.email.as_deref().or(self.username.as_deref())
    }

    /// The person of an address or a sign-in name who is also what else is asked for.
    pub async fn find(&self, tx: &mut Tx<Tenant>, identifier: &str) -> Result<Option<Person>> {
        let found = tenant_users::find_by_identifier(tx, identifier).await?;
        let Some(person) = found.filter(|person| self.fits(person)) else { return Ok(None) };
        Ok(self.has_member(tx, &person).await?.then_some(person))
    }

    /// Whether a person is one of those that are asked for, whatever they are members of.
    fn fits(&self, person: &Person) -> bool {
        // As the index compares them: a host name may be written in any script.
        let is = |wanted: &Option<String>, known: &Option<String>| {
            let is_same = |known: &String| wanted.as_deref().is_none_or(|wanted| key(wanted) == key(known));
            wanted.is_none() || known.as_ref().is_some_and(is_same)
        };
        is(&self.email, &person.email)
            && is(&self.username, &person.username)
            && self.subject_type.is_none_or(|wanted| wanted == PersonType::of(person))
            && self.status.is_none_or(|status| status == person.status)
            && self.role.as_ref().is_none_or(|role| person.own_roles.contains(role))
            && self.times().contain(person.id)
    }

    /// Whether the person is in the organization and in the group that are asked for.
    async fn has_member(&self, tx: &mut Tx<Tenant>, person: &Person) -> Result<bool> {
        if let Some(organization) = self.organization_id
            && organizations::find_member(tx, organization, person.id).await?.is_none()
        {
            return Ok(false);
        }
        let Some(wanted) = self.group_id else { return Ok(true) };
        Ok(groups::of_person(tx, person.id).await?.iter().any(|group| group.id == wanted))
    }
}
