//! Passwords of a file, hashed before the transaction and only where the present hash does not fit.

use std::collections::HashMap;

use svc_core::{Secret, TenantId};
use svc_domain::people::passwords;
use svc_domain::people::tenant_users::{self, Person};

use super::{Target, User};
use crate::failure::Failure;

/// New password hashes by what the file calls the person.
#[derive(Default)]
pub(super) struct Hashes(HashMap<String, String>);

impl Hashes {
    /// The hash to store for a person, if the present one does not fit.
    pub(super) fn of(&self, user: &User) -> Option<&str> {
        self.0.get(user.name()).map(String::as_str)
    }
}

/// Hashes the passwords that have to change.
pub(super) async fn prepare(
    target: &Target<'_>,
    tenant: TenantId,
    users: &[User],
) -> Result<Hashes, Failure> {
    let mut hashes = Hashes::default();
    for user in users {
        let place = format!("user {:?}", user.name());
        if let Some(hash) = hash(target, tenant, user).await.map_err(|failure| failure.during(&place))? {
            hashes.0.insert(user.name().to_owned(), hash);
        }
    }
    Ok(hashes)
}

async fn hash(target: &Target<'_>, tenant: TenantId, user: &User) -> Result<Option<String>, Failure> {
    if user.password.is_some() && user.password_from_env.is_some() {
        return Err(Failure::new("give password or password_env, not both"));
    }
    let Some(password) = user.password() else { return Ok(None) };
    let present = find(target, tenant, user).await?.and_then(|person| person.password);
    if let Some(present) = present
        && fits(target, password, &present).await?
    {
        return Ok(None);
    }
    let about: Vec<&str> = [&user.username, &user.email].into_iter().flatten().map(String::as_str).collect();
    passwords::check(password, &about)?;
    let hash = target.passwords.hash(password, &*target.cx.entropy).await?;
    target.verified.note(password, &hash);
    Ok(Some(hash))
}

async fn fits(target: &Target<'_>, password: &Secret, present: &str) -> Result<bool, Failure> {
    if target.verified.fits(password, present) {
        return Ok(true);
    }
    let fits = target.passwords.verify(password, Some(present)).await?;
    if fits {
        target.verified.note(password, present);
    }
    Ok(fits)
}

async fn find(target: &Target<'_>, tenant: TenantId, user: &User) -> Result<Option<Person>, Failure> {
    let mut tx = target.db.read(tenant).await?;
    Ok(tenant_users::find_by_identifier(&mut tx, user.name()).await?)
}
