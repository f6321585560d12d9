//! First passwords of the people that a file adds, hashed before the transaction.

use std::collections::HashMap;

use svc_core::{Error, TenantId};
use svc_domain::people::{passwords, tenant_users};

use super::faults::Faults;
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
    (outer, users): (&str, &[User]),
    faults: &mut Faults,
) -> Result<Hashes, Failure> {
    let mut hashes = Hashes::default();
    for user in users {
        let place = format!("{outer}: user {:?}", user.name());
        let hash = hash(target, tenant, user).await;
        if let Some(Some(hash)) = faults.note(&user.written, &place, hash)? {
            hashes.0.insert(user.name().to_owned(), hash);
        }
    }
    Ok(hashes)
}

/// The key that the file gives the password by.
fn key(user: &User) -> &'static str {
    let keys = ["initial_password", "initial_password_env", "password_env"];
    keys.into_iter().find(|key| user.written.keys.contains_key(*key)).unwrap_or("password")
}

async fn hash(target: &Target<'_>, tenant: Option<TenantId>, user: &User) -> Result<Option<String>, Failure> {
    if user.initial_password.is_some() && user.initial_password_from_env.is_some() {
        return Err(Failure::new("initial_password: give it or initial_password_env, not both"));
    }
    let Some(password) = user.initial_password() else {
        if user.initial_password_must_change {
            return Err(Failure::new("initial_password_must_change: there is no initial_password"));
        }
        return Ok(None);
    };
    if let Some(tenant) = tenant {
        let mut tx = target.db.read(tenant).await?;
        if tenant_users::find_by_identifier(&mut tx, user.name()).await?.is_some() {
            return Ok(None);
        }
    }
    let about: Vec<&str> = [&user.username, &user.email].into_iter().flatten().map(String::as_str).collect();
    let named = |error: Error| Failure::new(error.detail().replacen("password", key(user), 1));
    let password = passwords::normal(password);
    passwords::check(&password, &about).map_err(named)?;
    target.breached.refuse(&password).await.map_err(named)?;
    Ok(Some(target.passwords.of(None).hash(&password, &*target.cx.entropy).await?))
}
