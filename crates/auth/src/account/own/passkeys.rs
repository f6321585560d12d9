//! Passkeys and security keys that a person adds (WebAuthn §7.1).

use serde_json::Value;
use svc_core::{Class, Error, OrInternal as _, Result};
use svc_domain::people::credentials::passkeys::{self, Holder, Passkey, RelyingParty, Use};

use super::super::denied::Denied;
use super::super::first_passkey::{made_for, party};
use super::credentials::is_name;
use super::owner::Own;
use crate::pages::{Changed, Topic};
use crate::signin::account_of;

/// A passkey that an authenticator is asked for.
pub struct NewPasskey {
    /// What the authenticator receives: the options of `navigator.credentials.create`.
    pub shown: Value,
    /// What the answer is held against.
    pub creation: String,
}

/// The challenge for an authenticator; `word` is `passkey` or `security_key`.
pub async fn ask(own: &Own, word: &str) -> Result<NewPasskey> {
    let purpose = match word {
        "passkey" => Use::Passkey,
        "security_key" => Use::SecurityKey,
        _ => return Err(Error::invalid_request("use: give passkey or security_key")),
    };
    let person = &own.person;
    let display_name = person.profile.name.as_deref().unwrap_or_default();
    let holder = Holder { account: person.account_id, name: account_of(person), display_name };
    let present = passkeys::list(&mut own.host.read().await?, person.account_id).await?;
    let present: Vec<Passkey> = present.into_iter().map(|(_, passkey)| passkey).collect();
    let (shown, creation) = party(&own.host)?.create(&holder, purpose, (&present, own.cx().now))?;
    Ok(NewPasskey { shown, creation: serde_json::to_string(&creation).or_internal()? })
}

/// Adds the passkey that the authenticator answered with to the challenge of this relying party, and mails the owner.
pub async fn add(
    own: &Own,
    party: &RelyingParty,
    (creation, answer, name): (&str, &str, Option<&str>),
) -> Result<std::result::Result<(), Denied>> {
    let given = name.map(str::trim).filter(|name| !name.is_empty());
    // Looked at first: the challenge counts once, and the authenticator has made its key already.
    if given.is_some_and(|name| !is_name(name)) {
        return Ok(Err(Denied::CredentialNameInvalid));
    }
    let created = match made_for(&own.host, party, (creation, answer)).await? {
        Ok(created) => created,
        Err(denied) => return Ok(Err(denied)),
    };
    let changed = Changed::of_passkey(created.passkey());
    let name = given.unwrap_or_else(|| created.first_name());
    let mut tx = own.host.begin().await?;
    match created.keep(&mut tx, own.cx(), own.owner(), name).await {
        Ok(()) => {}
        Err(error) if error.class() == Class::Conflict => {
            tx.rollback().await?;
            return Ok(Err(Denied::PasskeyTaken));
        }
        Err(error) => return Err(error),
    }
    own.must_be_as_read(&mut tx).await?;
    own.tell(&mut tx, Topic::CredentialAdded(changed))?;
    tx.commit().await?;
    Ok(Ok(()))
}
