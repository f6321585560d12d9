//! Credentials as they leave the service: what they are, and nothing that anyone could prove themselves with.

use serde_json::{Value, json};
use svc_core::{AccountId, Result};

use super::identities::Identity;
use super::passkeys::Passkey;
use super::{Credential, Kind};

/// What the owner of a credential, or the tenant that manages the account, may read of it.
pub fn described(credential: &Credential) -> Result<Value> {
    let mut document = json!({
        "kind": credential.kind.map(Kind::name), "name": credential.name, "created_at": credential.created_at,
        "last_used_at": credential.last_used_at, "expires_at": credential.expires_at,
    });
    let more = match credential.kind {
        Some(Kind::Passkey) => credential.document::<Passkey>()?.described(),
        Some(Kind::Identity) => json!(credential.document::<Identity>()?),
        _ => return Ok(document),
    };
    if let (Some(members), Value::Object(more)) = (document.as_object_mut(), more) {
        members.extend(more);
    }
    Ok(document)
}

/// Passkeys as an import takes them.
pub fn passkeys_to_import(all: &[Credential], account: AccountId) -> Result<Vec<Value>> {
    let passkeys = all.iter().filter(|credential| credential.kind == Some(Kind::Passkey));
    let documents = passkeys.map(|credential| {
        let passkey: Passkey = credential.document()?;
        Ok(passkey.to_import((&credential.name, credential.mark, account)))
    });
    documents.filter_map(Result::transpose).collect()
}

/// Identities at other providers as an import takes them; accounts on block chains, and those that a
/// tenant's own connector vouches for, are their holders' to link.
pub fn identities_to_import(all: &[Credential]) -> Result<Vec<Identity>> {
    let identities = all.iter().filter(|credential| credential.kind == Some(Kind::Identity));
    let identities = identities.map(Credential::document::<Identity>).collect::<Result<Vec<_>>>()?;
    Ok(identities
        .into_iter()
        .filter(|identity| identity.chain_account().is_none() && identity.connector().is_none())
        .collect())
}
