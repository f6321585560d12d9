//! `/api/v1/tenant-users`: people's memberships in the tenant, and the moves between their states.

use serde::{Deserialize, Serialize};
use svc_core::{AccountId, Class, Error, Result, TenantUserId, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::claims::profile::Profile;
use svc_domain::people::accounts::{self, Email, NewAccount};
use svc_domain::people::changes;
use svc_domain::people::tenant_users::{self, Person, Status};
use svc_http::{IfMatch, Letters, ListRequest, Path, Problem, TenantCx, Versioned};
use utoipa::{IntoParams, ToSchema};

use crate::record::{Record, only};
use crate::resource::Resource;
use crate::{managed, privileges, unknown};

/// A person's membership in the tenant.
#[derive(Debug, Serialize, ToSchema)]
struct TenantUser {
    #[schema(value_type = String)]
    id: TenantUserId,
    /// The `sub` of the person's tokens for the tenant's own applications.
    sub: String,
    /// The sign-in name within the tenant.
    username: Option<String>,
    email: Option<String>,
    /// Whether the person proved to own the address.
    email_verified: bool,
    status: Status,
    roles: Vec<String>,
    /// The full name, when it is known.
    name: Option<String>,
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
    #[schema(value_type = String, format = "date-time")]
    updated_at: Timestamp,
}

/// A person to make a member.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewTenantUser {
    /// The address; the account that has it becomes a member by invitation only.
    #[serde(default)]
    #[schema(format = "email")]
    email: Option<String>,
    /// The sign-in name within the tenant: letters, digits, dots, hyphens and underscores.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 64)]
    username: Option<String>,
    /// The full name of a new account.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    #[serde(default)]
    roles: Vec<String>,
    /// Whether the person is mailed an invitation, and becomes active with its acceptance.
    #[serde(default)]
    invite: bool,
}

/// What can be changed of a membership: members that are left out take their defaults.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct TenantUserUpdate {
    #[serde(default)]
    #[schema(min_length = 1, max_length = 64)]
    username: Option<String>,
    /// Can be changed where the tenant manages the account.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    #[serde(default)]
    roles: Vec<String>,
}

#[derive(Debug, Deserialize, IntoParams)]
struct Filter {
    /// Only memberships of this status.
    #[param(inline, nullable = false)]
    status: Option<Status>,
    /// Only the present member whose account has this address.
    #[param(nullable = false)]
    email: Option<String>,
    /// Only the present member of this sign-in name.
    #[param(nullable = false)]
    username: Option<String>,
}

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("tenant-users", "Tenant users")
        .may_read("See the people of this organisation")
        .may_write("Invite, change, suspend, reactivate and remove people")
        .formerly("users")
        .crud::<TenantUser>()
        .post("{id}/suspend", "Suspend a tenant user and end the person's sessions and tokens", suspend)
        .post("{id}/reactivate", "Let a suspended tenant user sign in again", reactivate)
        .post("{id}/invitation", "Mail an invited person the invitation again", managed::invite)
        .post("{id}/recovery", "Mail a tenant user a link to choose a new password", managed::recover)
        .put("{id}/password", "Set the password of an account that the tenant manages", managed::set_password)
}

impl Record for TenantUser {
    const ONE: &'static str = "a tenant user";
    const MANY: &'static str = "tenant users";

    type Stored = Person;
    type Id = TenantUserId;
    type Filter = Filter;
    type New = NewTenantUser;
    type Created = Self;
    type Change = TenantUserUpdate;

    fn head(person: &Person) -> (TenantUserId, i64) {
        (person.id, version(person))
    }

    fn present(person: &Person) -> TenantUserUpdate {
        TenantUserUpdate {
            username: person.username.clone(),
            name: name_of(person),
            roles: person.roles.clone(),
        }
    }

    async fn list(
        _: &TenantCx,
        tx: &mut Tx<Tenant>,
        filter: Filter,
        page: &ListRequest<TenantUserId>,
    ) -> Result<Vec<Person>> {
        let Some(named) = filter.email.as_ref().or(filter.username.as_ref()) else {
            return match filter.status {
                Some(status) => tenant_users::list_of(tx, status, page.after, page.fetch()).await,
                None => tenant_users::list(tx, page.after, page.fetch()).await,
            };
        };
        let found = tenant_users::find_by_identifier(tx, named).await?;
        Ok(only(found.filter(|person| filter.fits(person)), page))
    }

    async fn find(_: &TenantCx, tx: &mut Tx<Tenant>, id: TenantUserId) -> Result<Option<Person>> {
        tenant_users::find(tx, id).await
    }

    async fn create(caller: &TenantCx, tx: &mut Tx<Tenant>, new: NewTenantUser) -> Result<(Person, Self)> {
        privileges::for_roles(caller, tx, &new.roles).await?;
        let (account, username) = (account_of(caller, tx, &new).await?, new.username.as_deref());
        let created = if new.invite {
            tenant_users::invite(tx, caller, account, username, &new.roles).await
        } else {
            tenant_users::create(tx, caller, account, username, &new.roles).await
        };
        let id = created.map_err(|error| match error.class() {
            Class::Conflict => Error::conflict("username: another member has this one"),
            _ => error,
        })?;
        let person = find(tx, id).await?;
        if new.invite {
            (caller.app.part::<Letters>()?.invitation)(caller, tx, &person).await?;
        }
        Ok((person.clone(), person.into()))
    }

    async fn update(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        person: Person,
        wanted: TenantUserUpdate,
    ) -> Result<()> {
        let TenantUserUpdate { username, name, roles } = wanted;
        let added: Vec<_> = roles.iter().filter(|role| !person.roles.contains(role)).cloned().collect();
        privileges::for_roles(caller, tx, &added).await?;
        tenant_users::set_username(tx, caller, &person, username.as_deref()).await?;
        tenant_users::set_roles(tx, caller, &person, &roles).await?;
        if name != name_of(&person) {
            managed::check(caller, tx, &person).await?;
            let profile = Profile { name: checked_name(name)?, ..person.profile.clone() };
            changes::set_profile(tx, caller, &person, &profile).await?;
        }
        Ok(())
    }

    async fn delete(caller: &TenantCx, tx: &mut Tx<Tenant>, person: Person) -> Result<()> {
        tenant_users::set_status(tx, caller, &person, Status::Removed).await
    }
}

impl Filter {
    fn fits(&self, person: &Person) -> bool {
        let is = |wanted: &Option<String>, known: &Option<String>| {
            let is_same =
                |known: &String| wanted.as_ref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(known));
            wanted.is_none() || known.as_ref().is_some_and(is_same)
        };
        is(&self.email, &person.email)
            && is(&self.username, &person.username)
            && self.status.is_none_or(|status| status == person.status)
    }
}

/// The account of a person to be: a new one, or for an invitation the one that has the address.
async fn account_of(caller: &TenantCx, tx: &mut Tx<Tenant>, new: &NewTenantUser) -> Result<AccountId> {
    let email = new.email.as_deref().map(Email::parse).transpose()?;
    if email.is_none() && (new.invite || new.username.is_none()) {
        return Err(Error::bad_request("email: give an address, or a username without an invitation"));
    }
    let known = match &email {
        Some(email) => accounts::find_by_email(tx, email).await?,
        None => None,
    };
    let Some(account) = known else {
        let profile = Profile { name: checked_name(new.name.clone())?, ..Profile::default() };
        let new = NewAccount { email, email_verified: false, password: None, profile };
        return accounts::create_managed(tx, caller, &new).await;
    };
    if tenant_users::find_by_account(tx, account.id).await?.is_some() {
        return Err(Error::conflict("email: this person is a member"));
    }
    if !new.invite {
        return Err(Error::conflict("email: an account has this address; invite its owner"));
    }
    Ok(account.id)
}

fn checked_name(name: Option<String>) -> Result<Option<String>> {
    let fits =
        |name: &String| (1..=200).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    if name.as_ref().is_none_or(fits) {
        Ok(name)
    } else {
        Err(Error::bad_request("name: use 1 to 200 characters without control characters"))
    }
}

async fn suspend(
    caller: TenantCx,
    Path(id): Path<TenantUserId>,
    if_match: IfMatch,
) -> Result<Versioned<TenantUser>, Problem> {
    Ok(moved(&caller, id, &if_match, Status::Suspended).await?)
}

async fn reactivate(
    caller: TenantCx,
    Path(id): Path<TenantUserId>,
    if_match: IfMatch,
) -> Result<Versioned<TenantUser>, Problem> {
    Ok(moved(&caller, id, &if_match, Status::Active).await?)
}

async fn moved(
    caller: &TenantCx,
    id: TenantUserId,
    if_match: &IfMatch,
    to: Status,
) -> Result<Versioned<TenantUser>> {
    let mut tx = caller.begin().await?;
    let person = find(&mut tx, id).await?;
    if_match.check(version(&person))?;
    if to == Status::Active {
        privileges::for_roles(caller, &mut tx, &person.roles).await?;
    }
    tenant_users::set_status(&mut tx, caller, &person, to).await?;
    let person = find(&mut tx, id).await?;
    tx.commit().await?;
    Ok(versioned(person))
}

/// Account and membership change apart; the later time is the person's version.
fn version(person: &Person) -> i64 {
    person.updated_at.as_micros()
}

fn versioned(person: Person) -> Versioned<TenantUser> {
    Versioned { version: version(&person), record: person.into() }
}

pub(crate) async fn find(tx: &mut Tx<Tenant>, id: TenantUserId) -> Result<Person> {
    tenant_users::find(tx, id).await?.ok_or_else(unknown)
}

/// What an account tells of itself is not for a tenant that the person has not joined.
fn name_of(person: &Person) -> Option<String> {
    person.profile.name.clone().filter(|_| person.status != Status::Invited)
}

impl From<Person> for TenantUser {
    fn from(person: Person) -> Self {
        Self {
            id: person.id,
            name: name_of(&person),
            sub: person.subject,
            username: person.username,
            email: person.email,
            email_verified: person.email_verified && person.status != Status::Invited,
            status: person.status,
            roles: person.roles,
            created_at: person.created_at,
            updated_at: person.updated_at,
        }
    }
}
