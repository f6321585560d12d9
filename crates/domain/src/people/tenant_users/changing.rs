//! Changes of memberships, each with what it means to sessions, tokens and receivers of signals.

use serde_json::{Map, json};
use svc_core::events::{
    Event, RolesChanged, TenantUserActivated, TenantUserInvited, TenantUserPreProvisioned,
    TenantUserReactivated, TenantUserRemoved, TenantUserSuspended, UserCreated, UsernameChanged,
};
use svc_core::{AccountId, Cx, Error, Result, TenantUserId};
use svc_db::{Change, Row, Tenant, TenantSql, Tx, Value, args, change_sql, quiet_sql};

use super::metadata::{Metadata, check_metadata};
use super::{Person, Status, find, find_by_account};
use crate::checks::is_line;
use crate::delivery::signals;
use crate::document;
use crate::grants::ending;
use crate::log::{Action, Meaning, change, change_later, check_version, record};
use crate::people::{accounts, credentials, guardians, imports, operators, sessions, subjects};
use crate::tenancy::quotas::{self, Quota};
use crate::tokens::api_keys;
use crate::tokens::revocations::{self, Revoked};

const TAKEN: &str = "username: another member has this one";

/// Most roles of one member.
const MOST_ROLES: usize = 100;
/// Most characters of a role.
const LONGEST_ROLE: usize = 100;

/// An account to make a member.
#[derive(Clone, Copy, Debug)]
pub struct NewMember<'a> {
    /// The account.
    pub account: AccountId,
    /// The sign-in name within the tenant.
    pub username: Option<&'a str>,
    /// Roles within the tenant.
    pub roles: &'a [String],
    /// What the tenant notes of the person.
    pub metadata: Option<&'a Metadata>,
}

impl NewMember<'_> {
    /// A member without a sign-in name, roles and metadata.
    pub fn of(account: AccountId) -> Self {
        Self { account, username: None, roles: &[], metadata: None }
    }
}

/// Makes an account a member; the subject is random and stored, so that it survives everything. `conflict` where another
/// member has the sign-in name.
pub async fn create(tx: &mut Tx<Tenant>, cx: &Cx, new: NewMember<'_>) -> Result<TenantUserId> {
    insert(tx, cx, new, Status::Active).await
}

/// Makes an account a member who may sign in once the invitation is accepted. Until then the account stays with the tenant that
/// manages it, if one does: what that has chosen for it does not open the membership.
pub async fn invite(tx: &mut Tx<Tenant>, cx: &Cx, new: NewMember<'_>) -> Result<TenantUserId> {
    accounts::hold_for_member(tx, new.account).await?;
    insert(tx, cx, new, Status::Invited).await
}

/// Makes an account that is there already a member who may sign in once its owner has agreed to that. Until then the tenant sees
/// nothing of the account, and the account stays with the tenant that manages it, if one does.
pub async fn provision(tx: &mut Tx<Tenant>, cx: &Cx, new: NewMember<'_>) -> Result<TenantUserId> {
    accounts::hold_for_member(tx, new.account).await?;
    insert(tx, cx, new, Status::PreProvisioned).await
}

/// Takes the address from an account that the tenant manages and that is a member no more: no other person could have it. Returns
/// whether it did.
pub async fn take_address(tx: &mut Tx<Tenant>, cx: &Cx, account: AccountId) -> Result<bool> {
    let is_orphan = accounts::is_managed(tx, account).await? && find_by_account(tx, account).await?.is_none();
    if is_orphan {
        accounts::release_address(tx, cx, account);
    }
    Ok(is_orphan)
}

/// Makes an account that this transaction creates for the tenant a member who may sign in, where the plan of the tenant allows it: it is
/// sent with the next statement, and its failure is the failure of that.
pub(crate) async fn create_later(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    new: NewMember<'_>,
    plan: &[Row],
) -> Result<TenantUserId> {
    let (id, subject) = (cx.id(), svc_keys::random::token(&*cx.entropy));
    check_new(&new)?;
    quotas::check_by(tx, Quota::TenantUsers, plan).await?;
    let arguments = values(cx, (id, subject.as_str()), &new, Status::Active)?;
    change_later(tx, cx, insertion(), &arguments, created((id, subject), Status::Active));
    Ok(id)
}

async fn insert(tx: &mut Tx<Tenant>, cx: &Cx, new: NewMember<'_>, status: Status) -> Result<TenantUserId> {
    let (id, subject) = (cx.id(), svc_keys::random::token(&*cx.entropy));
    check_new(&new)?;
    quotas::check(tx, Quota::TenantUsers).await?;
    let arguments = values(cx, (id, subject.as_str()), &new, status)?;
    let inserted = change(tx, cx, insertion(), &arguments, created((id, subject), status)).await;
    let taken = if new.username.is_some() { TAKEN } else { "account: it is a member already" };
    inserted.map_err(|error| error.if_taken(taken))?;
    if status == Status::Active {
        accounts::claimed(tx, new.account);
    }
    Ok(id)
}

fn check_new(new: &NewMember<'_>) -> Result<()> {
    check(new.username, new.roles)?;
    new.metadata.map_or(Ok(()), check_metadata)
}

fn insertion() -> Change<TenantSql> {
    change_sql!(
        "INSERT INTO tenant_users (tenant_id, id, account_id, subject, username, username_key, status, roles, metadata, \
         created_at, updated_at, version) VALUES ($1, $2, $3, $4, $5, $6, $9, $7, $10, $8, $8, 1)"
    )
}

/// What is stored of a new member.
fn values(
    cx: &Cx,
    (id, subject): (TenantUserId, &str),
    new: &NewMember<'_>,
    status: Status,
) -> Result<[Value; 9]> {
    let metadata = new.metadata.map_or_else(|| Ok("{}".to_owned()), document::store)?;
    Ok([
        id.into(),
        new.account.into(),
        subject.into(),
        new.username.into(),
        new.username.map(str::to_ascii_lowercase).into(),
        document::store(&document::once(new.roles))?.into(),
        cx.now.into(),
        status.name().into(),
        metadata.into(),
    ])
}

fn created((id, subject): (TenantUserId, String), status: Status) -> Meaning {
    let created = UserCreated { tenant_user_id: id, sub: subject.clone() };
    let meaning =
        Meaning::done(Action::TenantUserCreated, id).with(json!({ "status": status })).telling(created);
    match status {
        Status::Invited => meaning.telling(TenantUserInvited { tenant_user_id: id, sub: subject }),
        Status::PreProvisioned => {
            meaning.telling(TenantUserPreProvisioned { tenant_user_id: id, sub: subject })
        }
        _ => meaning.telling(TenantUserActivated { tenant_user_id: id, sub: subject }),
    }
}

/// Makes the sign-in name so; returns whether anything changed. `conflict` where another member has it, or where it has changed since
/// `person` was read: who leaves the name as it was does not undo the change of another.
pub async fn set_username(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: &Person,
    username: Option<&str>,
) -> Result<bool> {
    let username = username.map(check_username).transpose()?;
    let present = person.username.as_deref();
    if username == present {
        return Ok(false);
    }
    let update = change_sql!(
        "UPDATE tenant_users SET username = $3, username_key = $4, updated_at = $5, named_since = $5, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND COALESCE(username, '') = $6"
    );
    let meaning = Meaning::done(Action::UsernameChanged, person.id)
        .telling(UsernameChanged { tenant_user_id: person.id, username: username.map(str::to_owned) });
    let key = username.map(str::to_ascii_lowercase);
    let arguments = args![person.id, username, key, cx.now, present.unwrap_or_default()];
    let changed = change(tx, cx, update, arguments, meaning).await;
    check_version(changed.map_err(|error| error.if_taken(TAKEN))?, "the tenant user")?;
    Ok(true)
}

/// Makes the roles so, but for that of operators, which goes with what their account says; returns whether anything changed. `conflict`
/// where they have changed since `person` was read: what the caller was allowed to give was judged by those.
pub async fn set_roles(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person, roles: &[String]) -> Result<bool> {
    check_roles(roles)?;
    let roles = operators::with_own_role(tx, person, roles).await?;
    if roles == person.own_roles {
        return Ok(false);
    }
    person.must_be_known()?;
    let update = change_sql!(
        "UPDATE tenant_users SET roles = $3, updated_at = $4, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND roles = $5"
    );
    let meaning = Meaning::done(Action::RolesChanged, person.id)
        .with(json!({ "roles": roles }))
        .telling(RolesChanged { tenant_user_id: person.id, roles: roles.clone() });
    let before = document::store(&person.own_roles)?;
    let arguments = args![person.id, document::store(&roles)?, cx.now, before];
    check_version(change(tx, cx, update, arguments, meaning).await?, "the tenant user")?;
    // Those of groups are among them.
    let now = find(tx, person.id).await?.map(|now| now.roles).unwrap_or_default();
    let claims = Map::from_iter([("roles".to_owned(), json!(now))]);
    signals::claims_changed(tx, cx, person, claims).await?;
    Ok(true)
}

/// Moves a membership; suspending and removing end sessions, refresh families, tokens and API keys in the same transaction, also those
/// that a sign-in begins which is under way. `conflict` where the last operator would go by it.
pub async fn set_status(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person, to: Status) -> Result<()> {
    let meaning = transition(person, to)?;
    credentials::hold(tx, person.account_id);
    if to != Status::Active {
        operators::must_not_be_last(tx, person).await?;
    }
    let update = change_sql!(
        "UPDATE tenant_users SET status = $3, updated_at = $4, named_since = $4, version = version + 1, \
         metadata = CASE $3 WHEN 'removed' THEN '{}' ELSE metadata END \
         WHERE tenant_id = $1 AND id = $2 AND status = $5"
    );
    // The account before the membership, as in `credentials::hold`.
    if !person.has_agreed() && to == Status::Active {
        accounts::claimed(tx, person.account_id);
    }
    let arguments = args![person.id, to.name(), cx.now, person.status.name()];
    check_version(change(tx, cx, update, arguments, meaning).await?, "the tenant user")?;
    if to == Status::Removed {
        unbind(tx, cx, person).await?;
    }
    if to != Status::Active {
        end_access(tx, cx, person).await?;
    } else if person.status == Status::Suspended {
        end_late(tx, cx, person.id).await?;
    }
    Ok(())
}

/// Ends what was begun for a person since they were suspended, before they are back: by a request that had found them active.
async fn end_late(tx: &mut Tx<Tenant>, cx: &Cx, person: TenantUserId) -> Result<()> {
    ending::of_person(tx, cx, person).await?;
    sessions::end_all(tx, cx, person).await
}

/// Forgets by what others know the person: a person who comes back is a new member, and is bound again.
async fn unbind(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person) -> Result<()> {
    let directory = quiet_sql!(
        "goes with the membership, whose end is recorded",
        "DELETE FROM scim_users WHERE tenant_id = $1 AND id = $2"
    );
    let providers = quiet_sql!(
        "goes with the membership, whose end is recorded",
        "DELETE FROM sso_identities WHERE tenant_id = $1 AND tenant_user_id = $2"
    );
    let issuers = quiet_sql!(
        "goes with the membership, whose end is recorded",
        "DELETE FROM trusted_subjects WHERE tenant_id = $1 AND tenant_user_id = $2"
    );
    for forget in [directory, providers, issuers] {
        tx.later(forget, args![person.id]);
    }
    imports::forget(tx, person.id).await?;
    guardians::forget(tx, cx, person).await
}

/// Ends every session, code, refresh family, token and API key of a membership.
pub async fn end_access(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person) -> Result<()> {
    api_keys::end_of_person(tx, person.id).await?;
    ending::of_person(tx, cx, person.id).await?;
    sessions::end_all(tx, cx, person.id).await?;
    signals::access_ended(tx, cx, person).await?;
    for subject in subjects::every(tx, person).await? {
        revocations::revoke(tx, cx, &Revoked::Subject(subject));
    }
    Ok(())
}

/// The same because an administrator of the tenant wants it so. A sign-in that is under way is waited for, and what it begins ends too.
pub async fn end_all_access(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person) -> Result<()> {
    credentials::hold(tx, person.account_id);
    end_access(tx, cx, person).await?;
    record(tx, cx, Meaning::done(Action::AccessEnded, person.id));
    Ok(())
}

fn transition(person: &Person, to: Status) -> Result<Meaning> {
    let (tenant_user_id, sub) = (person.id, person.subject.clone());
    let (action, event) = match (person.status, to) {
        (Status::Invited | Status::PreProvisioned, Status::Active) => {
            (Action::TenantUserActivated, Event::from(TenantUserActivated { tenant_user_id, sub }))
        }
        (Status::Suspended, Status::Active) => {
            (Action::TenantUserReactivated, TenantUserReactivated { tenant_user_id, sub }.into())
        }
        (Status::Active, Status::Suspended) => {
            (Action::TenantUserSuspended, TenantUserSuspended { tenant_user_id, sub }.into())
        }
        (Status::Removed, _) => return Err(stays_removed()),
        (_, Status::Removed) => (Action::TenantUserRemoved, TenantUserRemoved { tenant_user_id, sub }.into()),
        (from, to) => {
            let (from, to) = (from.name(), to.name());
            return Err(Error::conflict(format!("a tenant user does not go from {from} to {to}")));
        }
    };
    Ok(Meaning::done(action, person.id).telling(event))
}

/// Refuses what no member can be called, or have.
pub fn check(username: Option<&str>, roles: &[String]) -> Result<()> {
    let username = username.map_or(Ok(()), |username| check_username(username).map(|_| ()));
    Error::every([username, check_roles(roles)])
}

fn check_roles(roles: &[String]) -> Result<()> {
    if roles.len() <= MOST_ROLES && roles.iter().all(|role| is_line(role, LONGEST_ROLE)) {
        Ok(())
    } else {
        Err(Error::bad_request(format!(
            "roles: use at most {MOST_ROLES} of 1 to {LONGEST_ROLE} characters without control characters"
        )))
    }
}

/// What is answered where a person has been removed from the tenant.
#[track_caller]
pub(crate) fn stays_removed() -> Error {
    Error::conflict("a removed tenant user stays removed")
}

fn check_username(username: &str) -> Result<&str> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    if (1..=64).contains(&username.len()) && username.bytes().all(allowed) {
        Ok(username)
    } else {
        Err(Error::bad_request("username: use 1 to 64 letters, digits, dots, hyphens and underscores"))
    }
}
