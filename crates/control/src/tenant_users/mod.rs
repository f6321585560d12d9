//! `/api/v1/tenant-users`: people's memberships in the tenant, and the moves between their states.

mod credentials;
mod documents;
mod export;
mod filter;
mod joining;
mod login_history;
mod moves;
mod terms;

use svc_core::{Error, Result, TenantUserId};
use svc_db::{Tenant, Tx};
use svc_domain::apis::management::ADMIN;
use svc_domain::apis::roles;
use svc_domain::claims::profile::Profile;
use svc_domain::lists::Order;
use svc_domain::people::changes;
use svc_domain::people::tenant_users::{self, Person, Status};
use svc_domain::scim::users;
use svc_http::{Letters, TenantCx};

use self::documents::{NewTenantUser, TenantUser, TenantUserUpdate};
use self::filter::{Filter, PeopleOrder};
use crate::page::Page;
use crate::record::Record;
use crate::resource::Resource;
use crate::{managed, privileges, unknown};

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("tenant-users", "Tenant users")
        .may_read("See the people of this organisation")
        .may_write("Invite, change, suspend, reactivate and remove people")
        .formerly("users")
        .crud::<TenantUser>()
        .get(
            "{id}/login-history",
            "List a person's sign-ins and failed attempts, newest first",
            login_history::list,
        )
        .get("{id}/terms", "List the versions of documents that a person accepted", terms::list)
        .get(
            "export",
            "Download the tenant's people as JSON Lines, which an import takes, or CSV",
            export::export,
        )
        .post(
            "{id}/suspend",
            "Suspend a tenant user and end the person's sessions and tokens",
            moves::suspend,
        )
        .post("{id}/reactivate", "Let a suspended tenant user sign in again", moves::reactivate)
        .post("{id}/invitation", "Mail an invited person the invitation again", managed::invite)
        .post("{id}/recovery", "Mail a tenant user a link to choose a new password", managed::recover)
        .get(
            "{id}/credentials",
            "List the credentials of an account that the tenant manages, oldest first",
            credentials::list,
        )
        .delete(
            "{id}/credentials/{credential_id}",
            "Remove a credential of an account that the tenant manages; the person's sessions and tokens end",
            credentials::remove,
        )
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
            name: person.shown_name().map(str::to_owned),
            roles: person.own_roles.clone(),
            public_metadata: person.metadata.public.clone(),
            private_metadata: person.metadata.private.clone(),
        }
    }

    fn search(filter: &Filter) -> Option<&str> {
        filter.search.as_deref()
    }

    fn order(filter: &Filter) -> Option<Order> {
        filter.sort.map(|order| match order {
            PeopleOrder::Oldest => Order::Oldest,
            PeopleOrder::Newest => Order::Newest,
        })
    }

    fn names(person: &Person) -> Vec<&str> {
        person.names().to_vec()
    }

    async fn list(
        _: &TenantCx,
        tx: &mut Tx<Tenant>,
        filter: Filter,
        page: &Page<TenantUserId>,
    ) -> Result<Vec<Person>> {
        if let Some(identifier) = filter.identifier() {
            return Ok(page.only(filter.find(tx, identifier).await?, Self::names));
        }
        if let Some(search) = page.search() {
            filter.check_search()?;
            return tenant_users::search(tx, filter.status, search).await;
        }
        tenant_users::list_which(tx, &filter.which(), page.by_id()).await
    }

    async fn find(_: &TenantCx, tx: &mut Tx<Tenant>, id: TenantUserId) -> Result<Option<Person>> {
        tenant_users::find(tx, id).await
    }

    async fn create(caller: &TenantCx, tx: &mut Tx<Tenant>, new: NewTenantUser) -> Result<(Person, Self)> {
        // Who is removed can be invited again. The transaction begins with its first statement, and the counter comes before it.
        if let Some(email) = new.email.as_deref().filter(|_| new.invite) {
            managed::count_mail(caller, email).await?;
        }
        privileges::for_roles(caller, tx, &new.chosen.roles).await?;
        roles::check_known(tx, &new.chosen.roles).await?;
        let id = joining::join(caller, tx, &new).await?;
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
        let metadata = wanted.metadata();
        let TenantUserUpdate { username, name, roles, .. } = wanted;
        let is_more_than_metadata = username != person.username
            || roles != person.own_roles
            || name.as_deref() != person.shown_name();
        if person.status == Status::Removed && is_more_than_metadata {
            return Err(Error::conflict(
                "a removed tenant user stays removed; only metadata is still changed",
            ));
        }
        let added: Vec<_> = roles.iter().filter(|role| !person.own_roles.contains(role)).cloned().collect();
        privileges::for_roles(caller, tx, &added).await?;
        roles::check_known(tx, &added).await?;
        // The account before the membership, as in `credentials::hold`.
        if name.as_deref() != person.shown_name() {
            managed::check(caller, tx, &person).await?;
            let present = changes::held_profile(tx, &person).await?;
            let profile = Profile { name: joining::checked_name(name)?, ..present };
            changes::set_profile(tx, caller, &person, &profile).await?;
        }
        tenant_users::set_username(tx, caller, &person, username.as_deref()).await?;
        tenant_users::set_roles(tx, caller, &person, &roles).await?;
        tenant_users::set_metadata(tx, caller, person.id, (&person.metadata, &metadata)).await?;
        Ok(())
    }

    async fn delete(caller: &TenantCx, tx: &mut Tx<Tenant>, person: Person) -> Result<()> {
        users::remove(tx, caller, &person).await
    }
}

/// Account and membership change apart; the later time is the person's version.
fn version(person: &Person) -> i64 {
    person.updated_at.as_micros()
}

/// Invites a person to administer the tenant. `conflict` where the person is a member.
pub(crate) async fn invite_administrator(
    caller: &TenantCx,
    tx: &mut Tx<Tenant>,
    email: String,
) -> Result<()> {
    let chosen = TenantUserUpdate { roles: vec![ADMIN.to_owned()], ..TenantUserUpdate::default() };
    let id = joining::join(caller, tx, &NewTenantUser { email: Some(email), invite: true, chosen }).await?;
    let person = find(tx, id).await?;
    (caller.app.part::<Letters>()?.invitation)(caller, tx, &person).await
}

pub(crate) async fn find(tx: &mut Tx<Tenant>, id: TenantUserId) -> Result<Person> {
    tenant_users::find(tx, id).await?.ok_or_else(unknown)
}
