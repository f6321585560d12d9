//! Changes of memberships, each with what it means to sessions, tokens and receivers of signals.

use serde_json::{Map, json};
use svc_core::events::{
    Event, RolesChanged, TenantUserActivated, TenantUserInvited, TenantUserRemoved, TenantUserSuspended,
    UserCreated, UsernameChanged,
};
use svc_core::{AccountId, Class, Cx, Error, Result, TenantUserId};
use svc_db::{Tenant, Tx, args, change_sql};

use super::{Person, Status};
use crate::delivery::signals;
use crate::document;
use crate::grants::ending;
use crate::log::{Action, Meaning, change, record};
use crate::people::{accounts, sessions, subjects};
use crate::tokens::revocations::{self, Revoked};

/// Most roles of one member.
const MOST_ROLES: usize = 100;
/// Most characters of a role.
const LONGEST_ROLE: usize = 100;

/// Makes an account a member; the subject is random and stored, so that it survives everything.
pub async fn create(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    account: AccountId,
    username: Option<&str>,
    roles: &[String],
) -> Result<TenantUserId> {
    insert(tx, cx, (account, Status::Active), username, roles).await
}

/// Makes an account a member who may sign in once the invitation is accepted.
pub async fn invite(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    account: AccountId,
    username: Option<&str>,
    roles: &[String],
) -> Result<TenantUserId> {
    insert(tx, cx, (account, Status::Invited), username, roles).await
}

async fn insert(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (account, status): (AccountId, Status),
    username: Option<&str>,
    roles: &[String],
) -> Result<TenantUserId> {
    let id: TenantUserId = cx.id();
    let subject = svc_keys::random::token(&*cx.entropy);
    let username = username.map(check_username).transpose()?;
    check_roles(roles)?;
    let insert = change_sql!(
        "INSERT INTO tenant_users (tenant_id, id, account_id, subject, username, username_key, status, roles, metadata, \
         created_at, updated_at, version) VALUES ($1, $2, $3, $4, $5, $6, $9, $7, '{}', $8, $8, 1)"
    );
    let key = username.map(str::to_ascii_lowercase);
    let arguments =
        args![id, account, &subject, username, key, document::store(&roles)?, cx.now, status.name()];
    let created = UserCreated { tenant_user_id: id, sub: subject.clone() };
    let standing = if status == Status::Invited {
        Event::from(TenantUserInvited { tenant_user_id: id, sub: subject })
    } else {
        Event::from(TenantUserActivated { tenant_user_id: id, sub: subject })
    };
    let meaning = Meaning::done(Action::TenantUserCreated, id)
        .with(json!({ "status": status }))
        .telling(created)
        .telling(standing);
    change(tx, cx, insert, arguments, meaning).await?;
    accounts::joined(tx, account);
    Ok(id)
}

/// Makes the sign-in name so; returns whether anything changed. `conflict` where another member has it.
pub async fn set_username(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: &Person,
    username: Option<&str>,
) -> Result<bool> {
    let username = username.map(check_username).transpose()?;
    let update = change_sql!(
        "UPDATE tenant_users SET username = $3, username_key = $4, updated_at = $5, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND COALESCE(username, '') <> COALESCE($3, '')"
    );
    let meaning = Meaning::done(Action::UsernameChanged, person.id)
        .telling(UsernameChanged { tenant_user_id: person.id, username: username.map(str::to_owned) });
    let arguments = args![person.id, username, username.map(str::to_ascii_lowercase), cx.now];
    let changed = change(tx, cx, update, arguments, meaning).await.map_err(|error| match error.class() {
        Class::Conflict => Error::conflict("username: another member has this one"),
        _ => error,
    })?;
    Ok(changed > 0)
}

/// Makes the roles so; returns whether anything changed.
pub async fn set_roles(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person, roles: &[String]) -> Result<bool> {
    check_roles(roles)?;
    let update = change_sql!(
        "UPDATE tenant_users SET roles = $3, updated_at = $4, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND roles <> $3"
    );
    let meaning = Meaning::done(Action::RolesChanged, person.id)
        .with(json!({ "roles": roles }))
        .telling(RolesChanged { tenant_user_id: person.id, roles: roles.to_vec() });
    let arguments = args![person.id, document::store(&roles)?, cx.now];
    let changed = change(tx, cx, update, arguments, meaning).await? > 0;
    if changed {
        let claims = Map::from_iter([("roles".to_owned(), json!(roles))]);
        signals::claims_changed(tx, cx, person, claims).await?;
    }
    Ok(changed)
}

/// Moves a membership; suspending and removing end sessions, refresh families and tokens in the same transaction.
pub async fn set_status(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person, to: Status) -> Result<()> {
    let meaning = transition(person, to)?;
    let update = change_sql!(
        "UPDATE tenant_users SET status = $3, updated_at = $4, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND status = $5"
    );
    let arguments = args![person.id, to.name(), cx.now, person.status.name()];
    if change(tx, cx, update, arguments, meaning).await? == 0 {
        return Err(Error::conflict("the tenant user changed meanwhile; read it again"));
    }
    if to != Status::Active {
        end_access(tx, cx, person).await?;
    }
    Ok(())
}

/// Ends every session, code, refresh family and token of a membership.
pub async fn end_access(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person) -> Result<()> {
    ending::of_person(tx, cx, person.id).await?;
    sessions::end_all(tx, cx, person.id).await?;
    signals::access_ended(tx, cx, person).await?;
    for subject in subjects::every(tx, person).await? {
        revocations::revoke(tx, cx, &Revoked::Subject(subject));
    }
    Ok(())
}

/// The same because an administrator of the tenant wants it so.
pub async fn end_all_access(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person) -> Result<()> {
    end_access(tx, cx, person).await?;
    record(tx, cx, Meaning::done(Action::AccessEnded, person.id));
    Ok(())
}

fn transition(person: &Person, to: Status) -> Result<Meaning> {
    let (tenant_user_id, sub) = (person.id, person.subject.clone());
    let activated = || Event::from(TenantUserActivated { tenant_user_id, sub: sub.clone() });
    let (action, event) = match (person.status, to) {
        (Status::Invited | Status::PreProvisioned, Status::Active) => {
            (Action::TenantUserActivated, activated())
        }
        (Status::Suspended, Status::Active) => (Action::TenantUserReactivated, activated()),
        (Status::Active, Status::Suspended) => {
            (Action::TenantUserSuspended, TenantUserSuspended { tenant_user_id, sub }.into())
        }
        (Status::Removed, _) => return Err(Error::conflict("a removed tenant user stays removed")),
        (_, Status::Removed) => (Action::TenantUserRemoved, TenantUserRemoved { tenant_user_id, sub }.into()),
        (from, to) => {
            let (from, to) = (from.name(), to.name());
            return Err(Error::conflict(format!("a tenant user does not go from {from} to {to}")));
        }
    };
    Ok(Meaning::done(action, person.id).telling(event))
}

fn check_roles(roles: &[String]) -> Result<()> {
    let is_role = |role: &String| {
        (1..=LONGEST_ROLE).contains(&role.chars().count()) && !role.chars().any(char::is_control)
    };
    if roles.len() <= MOST_ROLES && roles.iter().all(is_role) {
        Ok(())
    } else {
        Err(Error::bad_request(format!(
            "roles: use at most {MOST_ROLES} of 1 to {LONGEST_ROLE} characters without control characters"
        )))
    }
}

fn check_username(username: &str) -> Result<&str> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    if (1..=64).contains(&username.len()) && username.bytes().all(allowed) {
        Ok(username)
    } else {
        Err(Error::bad_request("username: use 1 to 64 letters, digits, dots, hyphens and underscores"))
    }
}
