//! Whom a provider means: by the identity that is bound, else by an address of a domain that the organization has verified, else
//! a new member (just in time).
//!
//! What it says counts in this tenant: it proves no address of an account, and reaches no account that is not a member here.

use std::collections::BTreeSet;

use svc_core::events::SsoUserProvisioned;
use svc_core::{AccountId, Actor, Class, Cx, Error, Result, TenantUserId};
use svc_db::{Tenant, Tx};
use svc_domain::apis::roles;
use svc_domain::apps::App;
use svc_domain::claims::profile::Profile;
use svc_domain::domain_name;
use svc_domain::federation::sso::{self, Configuration, Connection};
use svc_domain::log::{Action, Meaning, record};
use svc_domain::organizations::{self, Organization};
use svc_domain::people::accounts::{self, Account, Email, NewAccount};
use svc_domain::people::changes;
use svc_domain::people::tenant_users::{self, NewMember, Person};
use svc_http::{HostCx, StatusCode};

use super::claims::UserClaims;
use crate::pages::MessageKey;
use crate::signin::pre_registration;

/// Whom a provider means.
pub enum Whom {
    /// The account, whose membership of tenant and organization is there.
    Known(Box<Account>),
    /// No member who may sign in here: the person is unknown and may not become known, or may not sign in, or is another than the
    /// one who signs in.
    NoMember,
    /// A person who is unknown, and whom a hook keeps out.
    Refused(MessageKey, StatusCode),
}

/// Whom the provider means, on the way to an application where it is one; `expected` is who has proven something before, so that
/// nothing is written about another.
pub async fn whom(
    (host, app): (&HostCx, Option<&App>),
    connection: &Connection,
    claims: &UserClaims,
    expected: Option<AccountId>,
) -> Result<Whom> {
    let cx = &host.cx.acting_as(Actor::System("sso"));
    let mut tx = host.read().await?;
    let Some(organization) = organizations::find(&mut tx, connection.organization_id).await? else {
        return Ok(Whom::NoMember);
    };
    let here = Here { host, cx, connection, organization: &organization };
    let known = here.known(&mut tx, claims).await?;
    drop(tx);
    if expected.is_some_and(|expected| known.as_ref().is_none_or(|known| known.account_id != expected)) {
        return Ok(Whom::NoMember);
    }
    if known.is_none()
        && here.configuration().jit.enabled
        && let Some((error, status)) =
            pre_registration::refusal_of_newcomer(host, app, (claims.email.as_deref(), &organization)).await?
    {
        return Ok(Whom::Refused(error, status));
    }
    let mut tx = host.begin().await?;
    let mut person = here.person(&mut tx, claims, known.is_none()).await;
    if person.as_ref().is_err_and(|error| error.class() == Class::Conflict) {
        // The same person may have come by another tab, which was faster.
        tx.rollback().await?;
        tx = host.begin().await?;
        if let Some(bound) = sso::person(&mut tx, &claims.vouched.identity()).await? {
            person = tenant_users::find(&mut tx, bound).await;
        }
    }
    let Some(person) = person?.filter(Person::may_sign_in) else { return Ok(Whom::NoMember) };
    if !here.belongs(&mut tx, &person, claims).await? {
        return Ok(Whom::NoMember);
    }
    let candidate = changes::candidate(&mut tx, person.account_id).await?;
    tx.commit().await?;
    Ok(candidate.map_or(Whom::NoMember, |candidate| Whom::Known(Box::new(candidate.account))))
}

struct Here<'a> {
    host: &'a HostCx,
    cx: &'a Cx,
    connection: &'a Connection,
    organization: &'a Organization,
}

impl Here<'_> {
    fn configuration(&self) -> &Configuration {
        &self.connection.configuration
    }

    /// The person who is there already, bound or to be bound.
    async fn known(&self, tx: &mut Tx<Tenant>, claims: &UserClaims) -> Result<Option<Person>> {
        if let Some(known) = sso::person(tx, &claims.vouched.identity()).await? {
            return tenant_users::find(tx, known).await;
        }
        if !self.vouches_for_own(tx, claims).await? {
            return Ok(None);
        }
        match self.covered(tx, claims).await? {
            Some(email) => self.linkable(tx, &email).await,
            None => Ok(None),
        }
    }

    /// The person, bound; a new one where `is_new` allows for it.
    async fn person(&self, tx: &mut Tx<Tenant>, claims: &UserClaims, is_new: bool) -> Result<Option<Person>> {
        let identity = claims.vouched.identity();
        if let Some(known) = sso::person(tx, &identity).await? {
            return tenant_users::find(tx, known).await;
        }
        if !self.vouches_for_own(tx, claims).await? {
            return Ok(None);
        }
        let email = self.covered(tx, claims).await?;
        let member = match &email {
            Some(email) => self.linkable(tx, email).await?,
            None => None,
        };
        let id = match member {
            // Another subject of the provider is this person already.
            Some(person) if sso::is_bound(tx, &identity, person.id).await? => return Ok(None),
            Some(person) => person.id,
            None if is_new && self.configuration().jit.enabled => self.provision(tx, claims, email).await?,
            None => return Ok(None),
        };
        sso::bind(tx, self.cx, &identity, id).await?;
        tenant_users::find(tx, id).await
    }

    /// Whether the person belongs to the organization at the provider, where the provider has people of others too.
    async fn vouches_for_own(&self, tx: &mut Tx<Tenant>, claims: &UserClaims) -> Result<bool> {
        if self.configuration().domain_claim().is_none() {
            return Ok(true);
        }
        let Some(domain) = claims.domain.as_deref().and_then(domain_name::as_kept) else { return Ok(false) };
        organizations::domains::is_verified(tx, self.organization.id, &domain).await
    }

    /// The address, where the organization has verified its domain.
    async fn covered(&self, tx: &mut Tx<Tenant>, claims: &UserClaims) -> Result<Option<Email>> {
        let Some(email) = claims.email.as_deref().and_then(|text| Email::parse(text).ok()) else {
            return Ok(None);
        };
        let Some(domain) = domain_name::of_address(email.as_str()) else { return Ok(None) };
        let is_own = organizations::domains::is_verified(tx, self.organization.id, &domain).await?;
        Ok(Some(email).filter(|_| is_own))
    }

    /// The member who has the address: proven, or given by the tenant itself, so that no one else can have prepared the account.
    async fn linkable(&self, tx: &mut Tx<Tenant>, email: &Email) -> Result<Option<Person>> {
        let Some(account) = accounts::find_by_email(tx, email).await? else { return Ok(None) };
        let person = tenant_users::find_by_account(tx, account.id).await?;
        let Some(person) = person.filter(Person::may_sign_in) else { return Ok(None) };
        let is_sure = account.email_verified || accounts::is_managed(tx, account.id).await?;
        Ok(Some(person).filter(|_| is_sure))
    }

    /// A new member with an account that the tenant manages. It has the address only where the domain is the organization's and the
    /// address is free; no one has proven it here.
    async fn provision(
        &self,
        tx: &mut Tx<Tenant>,
        claims: &UserClaims,
        email: Option<Email>,
    ) -> Result<TenantUserId> {
        let is_taken = match &email {
            Some(email) => accounts::find_by_email(tx, email).await?.is_some(),
            None => false,
        };
        let new = NewAccount {
            email: email.filter(|_| !is_taken),
            email_verified: false,
            password: None,
            profile: Profile { name: claims.name.clone(), ..Profile::default() },
        };
        let account = accounts::create_managed(tx, self.cx, &new).await?;
        let id = tenant_users::create(tx, self.cx, NewMember::of(account)).await?;
        let event = SsoUserProvisioned {
            organization_id: self.organization.id,
            connection_id: self.connection.id,
            tenant_user_id: id,
        };
        record(tx, self.cx, Meaning::done(Action::SsoUserProvisioned, id).telling(event));
        Ok(id)
    }

    /// Makes the person a member of the organization where that is allowed, with the roles that the groups give.
    async fn belongs(&self, tx: &mut Tx<Tenant>, person: &Person, claims: &UserClaims) -> Result<bool> {
        let present = organizations::find_member(tx, self.organization.id, person.id).await?;
        if present.is_none() && !self.configuration().jit.enabled {
            return Ok(false);
        }
        let held = present.as_ref().map_or(&self.configuration().jit.roles, |member| &member.roles);
        let mut roles: BTreeSet<String> = held.iter().cloned().collect();
        if let Some(groups) = &claims.groups {
            let mapped = self.configuration().group_roles.iter().flat_map(|group| &group.roles);
            let keep: BTreeSet<&String> = if present.is_none() {
                self.configuration().jit.roles.iter().collect()
            } else {
                BTreeSet::new()
            };
            let lost: BTreeSet<&String> = mapped.filter(|role| !keep.contains(role)).collect();
            roles.retain(|role| !lost.contains(role));
            roles.extend(self.configuration().roles_for(groups));
        }
        let mut roles: Vec<String> = roles.into_iter().collect();
        if !roles.is_empty() {
            // A role that was deleted since stands in the way of no other change.
            roles = roles::known(tx, &roles).await?;
        }
        let settings = &self.host.tenant.settings.limits.organizations;
        let most = settings.max_members(&self.host.app.config);
        let wanted = (person, present.as_ref(), roles.as_slice());
        match organizations::add(tx, self.cx, (self.organization, most), wanted).await {
            Ok(_) => Ok(true),
            // The groups give more roles than a member can have: the person keeps what they have.
            Err(error) if error.class() == Class::BadRequest && present.is_some() => Ok(true),
            Err(error) => Err(Error::conflict("the organization takes no further member").caused_by(error)),
        }
    }
}
