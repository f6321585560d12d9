//! Changes of an account that are made from within a tenant, with what they mean for its sessions and for who listens.

use std::borrow::Cow;

use svc_core::{AccountId, Actor, Cx, Error, Result, TenantUserId};
use svc_db::{Call, Row, Tenant, Tx};

use crate::claims::assurance::is_vouched_alone;
use crate::claims::profile::{Known, Profile};
use crate::delivery::signals;
use crate::log::Action;
use crate::people::accounts::{self, Account, Email, Setting};
use crate::people::credentials::{self, Kind, Owner};
use crate::people::guardians;
use crate::people::tenant_users::{self, NewMember, Person, Status};

/// An account, and its membership in the tenant if it has one.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The account.
    pub account: Account,
    /// The membership, unless there is none or it was removed.
    pub member: Option<Person>,
}

/// The account and its membership here.
pub async fn candidate(tx: &mut Tx<Tenant>, account: AccountId) -> Result<Option<Candidate>> {
    if let Some(person) = tenant_users::find_by_account(tx, account).await? {
        return Ok(Some(person.into()));
    }
    Ok(accounts::find(tx, account).await?.map(Candidate::stranger))
}

/// The same of the owner of something that a stranger names, or of no one: in one round trip, so that its time does not tell which.
pub async fn candidate_behind(tx: &mut Tx<Tenant>, account: Option<AccountId>) -> Result<Option<Candidate>> {
    let calls = vec![tenant_users::of_account(tx, account), accounts::of_id(tx, account)];
    among(&tx.batch_of(calls).await?)
}

/// The account that a person who signs in names: by an address of the deployment, or by a user name of the tenant. It is read in one
/// round trip, whether the person is a member, has an account elsewhere, or neither.
pub async fn candidate_named(tx: &mut Tx<Tenant>, identifier: &str) -> Result<Option<Candidate>> {
    let calls = named(tx, identifier);
    among(&tx.batch_of(calls).await?)
}

/// Selects the member whom a person names, and by an address the account, to be read with others in one round trip; [`among`] takes
/// the rows.
pub fn named(tx: &Tx<Tenant>, identifier: &str) -> Vec<Call> {
    let account = Email::parse(identifier).ok().map(|email| accounts::of_email(tx, &email));
    [Some(tenant_users::named(tx, identifier)), account].into_iter().flatten().collect()
}

/// The member who was found, or an account of the deployment that is none.
pub fn among(found: &[Vec<Row>]) -> Result<Option<Candidate>> {
    let [members, accounts] = [0, 1].map(|nth| found.get(nth).map(Vec::as_slice).unwrap_or_default());
    if let Some(person) = tenant_users::one(members)? {
        return Ok(Some(person.into()));
    }
    Ok(accounts::one(accounts)?.map(Candidate::stranger))
}

/// Makes an account a member that it is not yet. `conflict` where it has become one meanwhile, or was emptied.
pub async fn join(tx: &mut Tx<Tenant>, cx: &Cx, account: AccountId) -> Result<Person> {
    accounts::hold_for_member(tx, account).await?;
    let id = tenant_users::create(tx, cx, NewMember::of(account)).await?;
    let person = tenant_users::find(tx, id).await?;
    person.ok_or_else(|| Error::internal("a membership vanished in its own transaction"))
}

/// Whether a person with their own credential may become a member: not where another tenant manages the account, and so may have
/// chosen its password. Those who are members already may go on.
pub async fn may_join(tx: &mut Tx<Tenant>, candidate: &Candidate) -> Result<bool> {
    let is_member = candidate.member.as_ref().is_some_and(Person::may_sign_in);
    Ok(is_member || !accounts::is_managed_elsewhere(tx, candidate.account.id).await?)
}

/// The member, whose membership becomes active where it waited for its owner.
pub async fn accepted(tx: &mut Tx<Tenant>, cx: &Cx, member: Person) -> Result<Person> {
    if member.has_agreed() {
        return Ok(member);
    }
    let cx = cx.acting_as(member.actor());
    tenant_users::set_status(tx, &cx, &member, Status::Active).await?;
    let person = tenant_users::find(tx, member.id).await?;
    person.ok_or_else(|| Error::internal("a membership vanished in its own transaction"))
}

/// Whether a person who signed in by these methods (`amr`) may change how they sign in. The word of an organization's provider alone
/// counts in one tenant, and credentials in all of them: it is enough where that tenant manages the account.
pub async fn may_change_credentials(tx: &mut Tx<Tenant>, account: AccountId, amr: &[String]) -> Result<bool> {
    Ok(!is_vouched_alone(amr) || accounts::is_managed(tx, account).await?)
}

/// Sets an account's password, and takes the trust in browsers back. Everything older ends: in this tenant now; in others tokens end as
/// soon as the change is known, and sessions and refresh families as soon as they are used. `action` is what the audit log calls it.
/// `conflict` where the credentials have changed since the account was read.
pub async fn set_account_password(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    account: &Account,
    password: (&str, Action),
) -> Result<()> {
    set_password(tx, cx, account, (password, false)).await
}

/// The same of a password that another person than the owner has chosen: it lets the owner in to replace it, and no further.
pub async fn give_password(tx: &mut Tx<Tenant>, cx: &Cx, account: &Account, phc: &str) -> Result<()> {
    set_password(tx, cx, account, ((phc, Action::PasswordChanged), true)).await
}

async fn set_password(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    account: &Account,
    ((phc, action), must_change): ((&str, Action), bool),
) -> Result<()> {
    credentials::hold(tx, account.id);
    let person = tenant_users::find_by_account(tx, account.id).await?;
    let (member, is_first) = (person.as_ref().map(|person| person.id), account.password.is_none());
    let new = Setting { account, member, is_first, must_change, phc, action };
    accounts::set_password(tx, cx, new).await?;
    distrust_browsers(tx, cx, (account.id, member)).await?;
    let Some(person) = person else { return signals::password_set_elsewhere(tx, cx, account).await };
    signals::password_set(tx, cx, &person).await?;
    tenant_users::end_access(tx, cx, &person).await
}

/// Ends everything that is under way, and the trust in browsers, in every tenant, without a new password.
pub async fn end_everything(tx: &mut Tx<Tenant>, cx: &Cx, account: &Account) -> Result<()> {
    credentials::hold(tx, account.id);
    accounts::end_what_is_older(tx, cx, account.id).await?;
    let person = tenant_users::find_by_account(tx, account.id).await?;
    distrust_browsers(tx, cx, (account.id, person.as_ref().map(|person| person.id))).await?;
    match person {
        Some(person) => tenant_users::end_access(tx, cx, &person).await,
        None => Ok(()),
    }
}

/// Lets no browser stand in for a second factor any more: who knew the old password, or was in the account, may have had one trusted.
async fn distrust_browsers(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (account, member): (AccountId, Option<TenantUserId>),
) -> Result<()> {
    let owner = Owner { account, member, session: None };
    credentials::remove_all(tx, cx, owner, Kind::TrustedBrowser).await.map(drop)
}

/// The profile as it stands, to be changed in part: until this transaction ends, no other changes it so.
pub async fn held_profile(tx: &mut Tx<Tenant>, person: &Person) -> Result<Profile> {
    hold_profile(tx, person.account_id);
    present_profile(tx, person).await
}

/// Lets no other transaction change the profile in part until this one ends, as [`held_profile`] does.
pub(in crate::people) fn hold_profile(tx: &mut Tx<Tenant>, account: AccountId) {
    tx.hold_everywhere(&format!("profile of {account}"));
}

/// The profile as it stands.
pub(in crate::people) async fn present_profile(tx: &mut Tx<Tenant>, person: &Person) -> Result<Profile> {
    let account = accounts::find(tx, person.account_id).await?;
    Ok(account.map_or_else(|| person.profile.clone(), |account| account.profile))
}

/// The same where the tenant manages the account; nothing where it does not.
pub(crate) async fn held_managed_profile(tx: &mut Tx<Tenant>, person: &Person) -> Result<Option<Profile>> {
    hold_profile(tx, person.account_id);
    let id = person.account_id;
    let calls = [accounts::of_managed(tx, id), accounts::of_id(tx, Some(id))];
    let [managed, account] = tx.batch(calls).await?;
    let account = accounts::one(&account)?.filter(|_| !managed.is_empty());
    Ok(account.map(|account| account.profile))
}

/// Makes the profile so; returns whether anything changed.
pub async fn set_profile(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person, profile: &Profile) -> Result<bool> {
    let changed = accounts::set_profile(tx, cx, person.account_id, (profile, person.id)).await?;
    if changed {
        let known = Known { profile: Cow::Owned(profile.claims()), ..person.known() };
        signals::profile_changed(tx, cx, person, &known).await?;
    }
    Ok(changed)
}

/// Records that the person proved to own the account's address, as it was read. `conflict` where the account has another one by now.
pub async fn verify_email(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person) -> Result<()> {
    let proven = (person.account_id, person.email.as_deref());
    accounts::verify_email(tx, cx, proven, Some(person.id)).await?;
    signals::profile_changed(tx, cx, person, &Known { email_verified: true, ..person.known() }).await
}

/// Gives the account an address that its owner has proven to own; false where it has another one than `before` by now, or other
/// credentials than when `person` was read. `conflict` where another account has the new one.
pub async fn set_address(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: &Person,
    (before, after): (Option<&str>, &Email),
) -> Result<bool> {
    let is_changed = accounts::set_proven_address(tx, cx, person, (before, after)).await?;
    if is_changed {
        let known = Known { email: Some(after.as_str()), email_verified: true, ..person.known() };
        signals::profile_changed(tx, cx, person, &known).await?;
    }
    Ok(is_changed)
}

/// Records that the owner of an account proved to own its address, as a member or not.
async fn verify_address(tx: &mut Tx<Tenant>, cx: &Cx, account: &Account) -> Result<()> {
    if let Some(person) = tenant_users::find_by_account(tx, account.id).await? {
        return verify_email(tx, cx, &person).await;
    }
    accounts::verify_email(tx, cx, (account.id, account.email.as_deref()), None).await?;
    signals::address_verified_elsewhere(tx, cx, account).await
}

/// Whether an account holds what would go if it were handed over.
pub async fn holds_credentials(tx: &mut Tx<Tenant>, account: &Account) -> Result<bool> {
    if account.password.is_some() || account.profile.phone_number_verified {
        return Ok(true);
    }
    Ok(!credentials::of_account(tx, account.id).await?.is_empty())
}

/// Hands an account to the person who has just proven to own its address, and has chosen this password, or none. What was added to the
/// account before may be another person's, and goes. `conflict` where the account has changed since it was read.
pub async fn hand_over(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    account: &Account,
    password: Option<(&str, Action)>,
) -> Result<()> {
    // Who has it may be adding a credential, or giving it another address, which is not the proven one.
    accounts::hold(tx, account).await?;
    let member = tenant_users::find_by_account(tx, account.id).await?;
    let owner = Owner { account: account.id, member: member.as_ref().map(|member| member.id), session: None };
    if let Some(password) = password {
        set_account_password(tx, cx, account, password).await?;
    } else {
        accounts::remove_password(tx, cx, (account.id, owner.member)).await?;
        end_everything(tx, cx, account).await?;
    }
    for kind in Kind::ALL {
        credentials::remove_all(tx, cx, owner, *kind).await?;
    }
    if account.profile.phone_number_verified {
        accounts::forget_number(tx, cx, account).await?;
    }
    if let Some(member) = member {
        guardians::forget(tx, cx, &member).await?;
    }
    accounts::claimed(tx, account.id);
    if account.email_verified { Ok(()) } else { verify_address(tx, cx, account).await }
}

impl Candidate {
    /// The id of the membership, if there is one.
    pub fn member_id(&self) -> Option<TenantUserId> {
        self.member.as_ref().map(|member| member.id)
    }

    /// Who acts where the owner of the account does, who is known here by a membership alone.
    pub fn actor(&self) -> Actor {
        self.member.as_ref().map_or(Actor::Anonymous, Person::actor)
    }

    fn stranger(account: Account) -> Self {
        Self { account, member: None }
    }
}

impl From<&Candidate> for Owner {
    fn from(candidate: &Candidate) -> Self {
        Self { account: candidate.account.id, member: candidate.member_id(), session: None }
    }
}

impl From<Person> for Candidate {
    fn from(person: Person) -> Self {
        let account = Account {
            id: person.account_id,
            is_active: person.account_is_active,
            email: person.email.clone(),
            email_verified: person.email_verified,
            profile: person.profile.clone(),
            password: person.password.clone(),
            credentials_changed_at: person.credentials_changed_at,
        };
        Self { account, member: Some(person) }
    }
}
