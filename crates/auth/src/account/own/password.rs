//! A new password (NIST SP 800-63B §3.1.1): everything older ends.

use svc_core::{Error, Result};
use svc_db::{Tenant, Tx};
use svc_domain::log::Action;
use svc_domain::people::{changes, credentials};

use super::owner::Own;
use crate::pages::Topic;

/// Sets the password to one with this hash, and mails the owner. It ends every session; the caller may begin another in the same
/// transaction, at the time of `own`.
pub async fn set(own: &mut Own, tx: &mut Tx<Tenant>, hash: &str) -> Result<()> {
    // Held before that is read and the time taken: what a sign-in begins until then is older.
    credentials::hold(tx, own.person.account_id);
    let candidate = changes::candidate(tx, own.person.account_id).await?;
    own.catch_up();
    let account = candidate.ok_or_else(|| Error::unknown_id())?.account;
    // To look at the new password and to hash it takes time, in which the owner may have taken the account back.
    if account.credentials_changed_at != own.person.credentials_changed_at {
        return Err(Error::forbidden("the credentials of the account have changed meanwhile; sign in again"));
    }
    changes::set_account_password(tx, own.cx(), &account, (hash, Action::PasswordChanged)).await?;
    own.tell(tx, Topic::of_password(account.password.as_deref()))
}
