//! Who becomes a member: a new account, or by invitation one that exists.

use svc_core::{AccountId, Error, Result, TenantUserId};
use svc_db::{Tenant, Tx};
use svc_domain::claims::forms::is_name;
use svc_domain::claims::profile::Profile;
use svc_domain::people::accounts::{self, Email, NewAccount};
use svc_domain::people::tenant_users::{self, NewMember};
use svc_http::TenantCx;

use super::documents::NewTenantUser;

/// Makes the person a member, who may sign in or is invited.
pub(super) async fn join(
    caller: &TenantCx,
    tx: &mut Tx<Tenant>,
    new: &NewTenantUser,
) -> Result<TenantUserId> {
    let account = account_of(caller, tx, new).await?;
    let (username, metadata) = (new.chosen.username.as_deref(), new.chosen.metadata());
    let member = NewMember { account, username, roles: &new.chosen.roles, metadata: Some(&metadata) };
    if new.invite {
        check_open(caller, tx).await?;
        tenant_users::invite(tx, caller, member).await
    } else {
        tenant_users::create(tx, caller, member).await
    }
}

/// Each invitation is a mail, and a row that waits.
async fn check_open(caller: &TenantCx, tx: &mut Tx<Tenant>) -> Result<()> {
    let most = caller.app.config.invitations.max_open_per_tenant;
    if tenant_users::count_invited(tx, most).await? < i64::from(most) {
        return Ok(());
    }
    Err(Error::conflict(format!(
        "invite: {most} people have not accepted (invitations.max_open_per_tenant); remove those who will not"
    )))
}

/// The account of a person to be: a new one, or for an invitation the one that has the address. A new one may have the address that
/// the tenant gave to a member who was removed.
async fn account_of(caller: &TenantCx, tx: &mut Tx<Tenant>, new: &NewTenantUser) -> Result<AccountId> {
    let email = new.email.as_deref().map(Email::parse).transpose()?;
    if email.is_none() && (new.invite || new.chosen.username.is_none()) {
        return Err(Error::bad_request("email: give an address, or a username without an invitation"));
    }
    let known = match &email {
        Some(email) => accounts::find_by_email(tx, email).await?,
        None => None,
    };
    if let Some(account) = known {
        if tenant_users::find_by_account(tx, account.id).await?.is_some() {
            return Err(Error::conflict("email: this person is a member"));
        }
        if new.invite {
            return Ok(account.id);
        }
        if !tenant_users::take_address(tx, caller, account.id).await? {
            return Err(Error::conflict("email: an account has this address; invite its owner"));
        }
    }
    let profile = Profile { name: checked_name(new.chosen.name.clone())?, ..Profile::default() };
    let new = NewAccount { email, email_verified: false, password: None, profile };
    accounts::create_managed(tx, caller, &new).await
}

/// A name that fits on a page.
pub(super) fn checked_name(name: Option<String>) -> Result<Option<String>> {
    if name.as_deref().is_none_or(is_name) {
        Ok(name)
    } else {
        Err(Error::bad_request(
            "name: use 1 to 200 characters without control characters, at least one of them visible",
        ))
    }
}
