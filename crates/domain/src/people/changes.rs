//! Changes of an account that are made from within a tenant, with what they mean for its sessions and for who listens.

use svc_core::{Cx, Result};
use svc_db::{Tenant, Tx};

use crate::claims::profile::{Known, Profile};
use crate::delivery::signals;
use crate::people::accounts;
use crate::people::tenant_users::{self, Person};

/// Sets a password. Everything older ends: in this tenant now, in others as soon as it is used.
pub async fn set_password(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person, phc: &str) -> Result<()> {
    accounts::set_password(tx, cx, person.account_id, phc).await?;
    signals::password_set(tx, cx, person).await?;
    tenant_users::end_access(tx, cx, person).await
}

/// Makes the profile so; returns whether anything changed.
pub async fn set_profile(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person, profile: &Profile) -> Result<bool> {
    let changed = accounts::set_profile(tx, person.account_id, profile, cx.now).await?;
    if changed {
        signals::profile_changed(tx, cx, person, &Known { profile, ..person.known() }).await?;
    }
    Ok(changed)
}

/// Records that the person proved to own the account's address.
pub async fn verify_email(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person) -> Result<()> {
    accounts::verify_email(tx, cx, person.account_id).await?;
    signals::profile_changed(tx, cx, person, &Known { email_verified: true, ..person.known() }).await
}
