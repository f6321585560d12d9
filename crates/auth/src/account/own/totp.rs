//! An app that makes one-time codes (RFC 6238), added once a code of it was typed.

use svc_core::{Result, Secret};
use svc_domain::people::credentials::totp::{self, Parameters};
use svc_domain::people::credentials::{self, Credential, Kind, MOST_OF_A_KIND};

use super::super::denied::Denied;
use super::credentials::is_name;
use super::owner::Own;
use crate::pages::{Changed, Topic};
use crate::signin::account_of;
use crate::signin::methods::new_totp::New;
use crate::signin::methods::set_up_totp::{FIRST_NAME, address};

/// An app that is being added.
pub struct AppToAdd {
    /// Its key, in base32.
    pub secret: Secret,
    /// The address in the QR code.
    pub url: String,
}

/// A key for an app; nothing is kept of it yet.
pub fn begin(own: &Own) -> Result<AppToAdd> {
    with(own, totp::new_secret(&*own.cx().entropy))
}

/// The same app again, by its key.
pub fn with(own: &Own, secret: Secret) -> Result<AppToAdd> {
    let url = address(&own.host, &secret, account_of(&own.person))?;
    Ok(AppToAdd { secret, url })
}

/// Whether the account has as many apps as it may have.
pub async fn has_most(own: &Own) -> Result<bool> {
    let all = credentials::of_account(&mut own.host.read().await?, own.owner().account).await?;
    Ok(is_full(&all))
}

fn is_full(all: &[Credential]) -> bool {
    let apps = all.iter().filter(|one| one.kind == Some(Kind::Totp)).count();
    i64::try_from(apps).is_ok_and(|apps| apps >= MOST_OF_A_KIND)
}

/// Adds the app that has this key, proven by a code, and mails the owner. The form that is sent again adds nothing.
pub async fn add(
    own: &Own,
    secret: Secret,
    (code, name): (&str, Option<&str>),
) -> Result<std::result::Result<(), Denied>> {
    let given = name.map(str::trim).filter(|name| !name.is_empty());
    // Looked at first: a page keeps the key for another try, which the app has already.
    if given.is_some_and(|name| !is_name(name)) {
        return Ok(Err(Denied::CredentialNameInvalid));
    }
    let typed = (code, own.host.app.config.two_factor.totp_skew_steps, own.cx().now);
    let Some(step) = totp::step(&secret, &Parameters::default(), typed)? else {
        return Ok(Err(Denied::CodeWrong));
    };
    let new = New { secret, step, name: given.unwrap_or(FIRST_NAME).to_owned() };
    let mut tx = own.host.begin().await?;
    let lookup = new.lookup(own.owner().account);
    // Held, so that of two answers at once the second finds the app of the first.
    let present = credentials::held_of_account(&mut tx, own.owner().account).await?;
    own.must_be_as_read(&mut tx).await?;
    if present.iter().any(|one| one.kind == Some(Kind::Totp) && one.lookup.as_ref() == Some(&lookup)) {
        return Ok(Ok(()));
    }
    if is_full(&present) {
        return Ok(Err(Denied::AppsFull));
    }
    new.add(&mut tx, own.cx(), (own.owner(), &own.host.app.services)).await?;
    own.tell(&mut tx, Topic::CredentialAdded(Changed::App))?;
    tx.commit().await?;
    Ok(Ok(()))
}
