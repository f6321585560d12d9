//! The credentials of a person, which they name and remove.

use svc_core::capability::Capability;
use svc_core::{CredentialId, Error, Result, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::people::credentials::identities::Identity;
use svc_domain::people::credentials::passkeys::{Passkey, Use};
use svc_domain::people::credentials::{self, Credential, Kind, LONGEST_NAME};
use svc_domain::people::phones;

use super::super::denied::Denied;
use super::owner::Own;
use crate::pages::{Changed, Topic};
use crate::signin::methods::passkey::relying_party;
use crate::signin::{floor_of_person, offers, social};

/// What the account has and what counts now.
pub async fn kept(own: &Own, tx: &mut Tx<Tenant>) -> Result<Vec<Credential>> {
    let now: Timestamp = own.cx().now;
    let all = credentials::of_account(tx, own.person.account_id).await?;
    Ok(all.into_iter().filter(|one| one.is_live(now)).collect())
}

/// Whether a credential can have this name.
pub fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().count() <= LONGEST_NAME && !name.chars().any(char::is_control)
}

/// Those whose name says what they are: under another one, a stranger's account could pass for the owner's.
const NAMED_BY_WHAT_THEY_ARE: [Kind; 3] = [Kind::Phone, Kind::Identity, Kind::BackupCode];

/// Gives a credential another name; false where the account has none with this id.
pub async fn rename(
    own: &Own,
    (id, name): (CredentialId, &str),
) -> Result<std::result::Result<bool, Denied>> {
    let name = name.trim();
    if !is_name(name) {
        return Ok(Err(Denied::CredentialNameInvalid));
    }
    let mut tx = own.host.begin().await?;
    let all = credentials::of_account(&mut tx, own.owner().account).await?;
    let kind = all.iter().find(|one| one.id == id).and_then(|one| one.kind);
    if kind.is_some_and(|kind| NAMED_BY_WHAT_THEY_ARE.contains(&kind)) {
        return Err(Error::conflict("name: phone numbers, connected accounts and backup codes keep theirs"));
    }
    let is_renamed = credentials::rename(&mut tx, own.cx(), own.owner(), (id, name)).await?;
    tx.commit().await?;
    Ok(Ok(is_renamed))
}

/// Removes a credential of one of these kinds, and mails its owner; false where the account has none with this id. With the last
/// app or second factor go the codes on paper and the trust in browsers: they stand for it.
pub async fn remove(
    own: &Own,
    id: CredentialId,
    kinds: &[Kind],
) -> Result<std::result::Result<bool, Denied>> {
    let owner = own.owner();
    own.host.know_connectors().await?;
    let mut tx = own.host.begin().await?;
    let all = credentials::held_of_account(&mut tx, owner.account).await?;
    let is_meant = |one: &&Credential| one.id == id && one.kind.is_some_and(|kind| kinds.contains(&kind));
    let Some(credential) = all.iter().find(is_meant) else { return Ok(Ok(false)) };
    if let Some(denied) = must_stay(own, credential, &all)? {
        return Ok(Err(denied));
    }
    credentials::remove(&mut tx, own.cx(), owner, credential).await?;
    credentials::remove_stand_ins(&mut tx, own.cx(), owner, (credential, &all)).await?;
    if credential.kind == Some(Kind::Phone) {
        phones::removed(&mut tx, own.cx(), &own.person, credential).await?;
    }
    if let Some(changed) = Changed::of(credential) {
        own.tell(&mut tx, Topic::CredentialRemoved(changed))?;
    }
    tx.commit().await?;
    Ok(Ok(true))
}

/// Why a credential cannot go: it is the last way in, or the last second factor where one is demanded. What opens the account here is
/// held against what opens it here as well; what does not, such as a passkey of another domain, against everything.
fn must_stay(own: &Own, credential: &Credential, all: &[Credential]) -> Result<Option<Denied>> {
    let is_dead = !works_here(own, credential)?;
    let mut others = Vec::with_capacity(all.len());
    for other in all.iter().filter(|other| other.id != credential.id) {
        if is_dead || works_here(own, other)? {
            others.push(other);
        }
    }
    let by_password = own.person.password.is_some() && offers::password(&own.host);
    if opens_alone(own, credential)? && !by_password {
        // A tenant's provider opens the account there alone, and as long as the tenant likes.
        let (mut is_last, is_of_tenant) = (true, is_of_connector(credential)?);
        for other in &others {
            is_last &= !opens_alone(own, other)? || !is_of_tenant && is_of_connector(other)?;
        }
        if is_last {
            return Ok(Some(Denied::LastCredential));
        }
    }
    let is_last_factor = credential.is_factor() && !others.into_iter().any(Credential::is_factor);
    Ok((is_last_factor && floor_of_person(&own.host, &own.person).is_some())
        .then_some(Denied::SecondFactorNeeded))
}

/// Whether it can be used at this host as things stand: a passkey where it was made for it, and an identity where its provider is
/// offered.
fn works_here(own: &Own, credential: &Credential) -> Result<bool> {
    Ok(match credential.kind {
        Some(Kind::Passkey) => {
            let passkey = credential.document::<Passkey>()?;
            relying_party(&own.host).is_some_and(|party| party.knows(&passkey))
        }
        Some(Kind::Identity) => {
            let identity = credential.document::<Identity>()?;
            identity.chain_account().is_some() || social::find(&own.host, &identity.provider).is_some()
        }
        _ => true,
    })
}

/// Whether a sign-in can begin with it.
fn opens_alone(own: &Own, credential: &Credential) -> Result<bool> {
    Ok(match credential.kind {
        Some(Kind::Passkey) => credential.document::<Passkey>()?.purpose == Use::Passkey,
        Some(Kind::Identity) => {
            let identity = credential.document::<Identity>()?;
            match identity.connector() {
                Some(connector) => own.host.connectors.get().is_some_and(|known| known.has(connector)),
                None => identity.chain_account().is_none() || own.host.offers(&Capability::SIWE),
            }
        }
        Some(Kind::Phone) => own.host.offers(&Capability::SMS),
        _ => false,
    })
}

/// Whether a provider at which a tenant has registered itself says who it is.
fn is_of_connector(credential: &Credential) -> Result<bool> {
    let is_identity = credential.kind == Some(Kind::Identity);
    Ok(is_identity && credential.document::<Identity>()?.connector().is_some())
}
