//! First passwords of the people that a file adds, hashed before the transaction.

use std::collections::HashMap;

use svc_core::TenantId;
use svc_domain::people::{passwords, tenant_users};

use super::{Target, User};
use crate::failure::Failure;

/// Password hashes of new accounts by what the file calls the person.
#[derive(Default)]
pub(super) struct Hashes(HashMap<String, String>);

impl Hashes {
    /// The hash that a new account begins with.
    pub(super) fn of(&self, user: &User) -> Option<&str> {
        self.0.get(user.name()).map(String::as_str)
    }
}

/// Hashes the passwords of those who are not there yet, in a new tenant of all; a password that is there belongs to its
/// person.
pub(super) async fn prepare(
    target: &Target<'_>,
    tenant: Option<TenantId>,
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

async fn hash(target: &Target<'_>, tenant: Option<TenantId>, user: &User) -> Result<Option<String>, Failure> {
    if user.initial_password.is_some() && user.initial_password_from_env.is_some() {
        return Err(Failure::new("give initial_password or initial_password_env, not both"));
    }
    let Some(password) = user.initial_password() else { return Ok(None) };
    if let Some(tenant) = tenant {
        let mut tx = target.db.read(tenant).await?;
        if tenant_users::find_by_identifier(&mut tx, user.name()).await?.is_some() {
            return Ok(None);
        }
    }
    let about: Vec<&str> = [&user.username, &user.email].into_iter().flatten().map(String::as_str).collect();
    passwords::check(password, &about)?;
    Ok(Some(target.passwords.hash(password, &*target.cx.entropy).await?))
}
