//! Operators of the deployment: members of the default tenant whose accounts may call the control plane.
//!
//! The account says so, which no tenant changes; the role in the tenant lets a token be asked for, and opens nothing by itself. The
//! mark counts for the memberships that it found: who was removed and comes back is a new member.

mod last;
mod role;

use serde::Serialize;
use serde_json::json;
use svc_core::events::{OperatorGranted, OperatorRevoked};
use svc_core::{Cx, Error, Result, Seconds, TenantUserId, Timestamp};
use svc_db::{Row, Tenant, Tx, args, change_account_sql, sql};
use utoipa::ToSchema;

pub(crate) use self::last::account_must_not_be_last;
pub use self::last::{STAYS, is_last, must_not_be_last};
pub use self::role::Role;
use crate::apis;
use crate::apis::control_plane::OPERATOR;
use crate::apps::{self, App};
use crate::claims::profile::Profile;
use crate::document;
use crate::log::{Action, Meaning, change};
use crate::people::accounts::{self, Email, NewAccount};
use crate::people::credentials;
use crate::people::tenant_users::{self, NewMember, Person};
use crate::tenancy::tenants;

/// An operator.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Operator {
    /// The membership in the default tenant.
    #[schema(value_type = String)]
    pub tenant_user_id: TenantUserId,
    /// The sign-in name.
    pub username: Option<String>,
    /// The account's address.
    pub email: Option<String>,
    /// The role, which limits what they may do.
    pub role: Role,
    /// Since when.
    #[schema(value_type = String, format = "date-time")]
    pub since: Timestamp,
}

/// A person who becomes an operator without having been a member.
pub struct NewOperator<'a> {
    /// The sign-in name.
    pub username: &'a str,
    /// The address, which the deployment's administrator answers for.
    pub email: Option<Email>,
    /// The password as a PHC string.
    pub password: String,
    /// The role, which limits what they may do.
    pub role: Role,
}

/// Gives the default tenant the API and the application of the control plane, as this version has them; returns the application.
pub async fn prepare(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    tenant: &tenants::Tenant,
    token_lifetime: Seconds,
) -> Result<App> {
    apis::control_plane::ensure(tx, cx, tenant, token_lifetime).await?;
    apps::control_plane::ensure(tx, cx).await
}

/// Creates an account with a membership, and makes it an operator. `conflict` where the name or the address is taken.
pub async fn create(tx: &mut Tx<Tenant>, cx: &Cx, new: NewOperator<'_>) -> Result<TenantUserId> {
    if let Some(email) = &new.email
        && accounts::find_by_email(tx, email).await?.is_some()
    {
        return Err(Error::conflict(
            "email: an account has this address; make its member an operator instead",
        ));
    }
    let account = NewAccount {
        email_verified: new.email.is_some(),
        email: new.email,
        password: Some(new.password),
        profile: Profile::default(),
    };
    let account = accounts::create(tx, cx, &account).await?;
    let roles = [OPERATOR.to_owned()];
    let member = NewMember { username: Some(new.username), roles: &roles, ..NewMember::of(account) };
    let id = tenant_users::create(tx, cx, member).await?;
    let person = tenant_users::find(tx, id).await?;
    let person = person.ok_or_else(|| Error::internal("a membership vanished in its own transaction"))?;
    grant(tx, cx, &person, new.role).await?;
    Ok(id)
}

/// Makes a member an operator, or gives an operator another role; returns whether anything changed. From then on no tenant manages the
/// account. `conflict` where the role is lowered of the last who may do everything.
pub async fn grant(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person, role: Role) -> Result<bool> {
    person.must_be_known()?;
    credentials::hold(tx, person.account_id);
    if role != Role::Administrator {
        must_not_be_last(tx, person).await?;
    }
    let update = change_account_sql!(
        "UPDATE accounts SET operator_since = CASE WHEN operator_since >= $4 THEN operator_since ELSE $2 END, operator_role = $3, \
         updated_at = $2, managed_by = NULL WHERE id = $1 \
         AND (operator_since IS NULL OR operator_since < $4 OR COALESCE(operator_role, 'administrator') <> $3)"
    );
    let meaning = Meaning::done(Action::OperatorGranted, person.id)
        .telling(OperatorGranted { tenant_user_id: person.id, role: role.name().to_owned() })
        .with(json!({ "role": role }));
    // The node that made the membership may have a clock that is ahead, and the mark counts for no later membership.
    let now = cx.now.max(person.created_at);
    let arguments = args![person.account_id, now, role.name(), person.created_at];
    let granted = change(tx, cx, update, arguments, meaning).await? > 0;
    let roles = person.own_roles.iter().filter(|role| *role != OPERATOR).cloned();
    let roles: Vec<_> = roles.chain([OPERATOR.to_owned()]).collect();
    let has_role = person.own_roles.iter().any(|role| role == OPERATOR);
    Ok((!has_role && tenant_users::set_roles(tx, cx, person, &roles).await?) || granted)
}

/// Makes an operator an ordinary member again, and ends the sessions and tokens of the membership; returns whether the member was one.
/// `conflict` where it is the last who may do everything.
pub async fn revoke(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person) -> Result<bool> {
    // A sign-in that is under way is waited for, and what it begins ends too.
    credentials::hold(tx, person.account_id);
    must_not_be_last(tx, person).await?;
    let update = change_account_sql!(
        "UPDATE accounts SET operator_since = NULL, operator_role = NULL, updated_at = $2 WHERE id = $1 AND operator_since IS NOT NULL"
    );
    let meaning = Meaning::done(Action::OperatorRevoked, person.id)
        .telling(OperatorRevoked { tenant_user_id: person.id });
    if change(tx, cx, update, args![person.account_id, cx.now], meaning).await? == 0 {
        return Ok(false);
    }
    let roles: Vec<_> = person.own_roles.iter().filter(|role| *role != OPERATOR).cloned().collect();
    tenant_users::set_roles(tx, cx, person, &roles).await?;
    tenant_users::end_access(tx, cx, person).await?;
    Ok(true)
}

/// The roles that a member gets where `roles` are asked for: of an operator, whatever the tenant asks, the role that lets tokens for the
/// control plane be asked for is among them.
pub async fn with_own_role(tx: &mut Tx<Tenant>, person: &Person, roles: &[String]) -> Result<Vec<String>> {
    let has_it = |roles: &[String]| roles.iter().any(|role| role == OPERATOR);
    // What the person has already is left as it is.
    let mut roles = if roles == person.own_roles { roles.to_vec() } else { document::once(roles) };
    if has_it(&person.own_roles) && !has_it(&roles) && is_operator(tx, person).await? {
        roles.push(OPERATOR.to_owned());
    }
    Ok(roles)
}

/// Whether the account of a member says so, also while the member is suspended.
async fn is_operator(tx: &mut Tx<Tenant>, person: &Person) -> Result<bool> {
    let select = sql!(
        "SELECT u.id FROM tenant_users u JOIN accounts a ON a.id = u.account_id WHERE u.tenant_id = $1 AND u.id = $2 \
         AND u.status <> 'removed' AND a.operator_since >= u.created_at"
    );
    Ok(tx.optional(select, args![person.id]).await?.is_some())
}

/// The role of the subject of a token at this moment, if they are an operator.
pub async fn role_of(tx: &mut Tx<Tenant>, subject: &str) -> Result<Option<Role>> {
    let select = sql!(
        "SELECT a.operator_role FROM tenant_users u JOIN accounts a ON a.id = u.account_id WHERE u.tenant_id = $1 \
         AND u.subject = $2 AND u.status = 'active' AND a.status = 'active' AND a.operator_since >= u.created_at"
    );
    tx.optional(select, args![subject]).await?.as_ref().map(role).transpose()
}

/// All operators, by membership. They are found by their accounts, joined in this order alone: they are
/// few, and the tenant may have many members.
pub async fn all(tx: &mut Tx<Tenant>) -> Result<Vec<Operator>> {
    let select = sql!(
        "SELECT u.id, u.username, a.email, a.operator_since, a.operator_role FROM accounts a CROSS JOIN tenant_users u \
         WHERE a.operator_since IS NOT NULL AND u.account_id = a.id AND u.tenant_id = $1 AND u.status <> 'removed' \
         AND a.operator_since >= u.created_at ORDER BY u.id"
    );
    tx.all(select, args![]).await?.iter().map(operator).collect()
}

fn operator(row: &Row) -> Result<Operator> {
    Ok(Operator {
        tenant_user_id: row.parse("id")?,
        username: row.maybe_text("username")?,
        email: row.maybe_text("email")?,
        role: role(row)?,
        since: row.time("operator_since")?,
    })
}

/// An operator from before there were roles may do everything, and one with a role of a newer version only read.
fn role(row: &Row) -> Result<Role> {
    let stored = row.maybe_text("operator_role")?;
    Ok(stored.map_or_else(Role::default, |name| name.parse().unwrap_or(Role::Viewer)))
}
