//! Identities at other providers (OpenID Connect Core §5.7): bound by issuer and subject, and by nothing else that the provider
//! says. They are credentials of the kind [`Kind::Identity`].

use serde::{Deserialize, Serialize};
use svc_core::{AccountId, Cx, Error, Result};
use svc_db::{Tenant, Tx};
use svc_keys::digest;

use super::{Credential, Kind, NewCredential, Owner, add, find_by_lookup, lookup_of, note_use, of_account};

/// What another provider calls a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The provider, as this deployment calls it.
    pub provider: String,
    /// The provider, as it calls itself.
    pub issuer: String,
    /// The person, as the provider calls them.
    pub subject: String,
    /// What the person knows it by there: an address or a user name.
    pub label: String,
}

impl Identity {
    fn lookup(&self) -> Vec<u8> {
        lookup_of(digest(&format!("{}\0{}", self.issuer, self.subject)))
    }
}

/// The credential of an identity, and so the account that it opens.
pub async fn find<S>(tx: &mut Tx<S>, identity: &Identity) -> Result<Option<Credential>> {
    let found = find_by_lookup(tx, Kind::Identity, &identity.lookup()).await?;
    let Some(credential) = found else { return Ok(None) };
    let known: Identity = credential.document()?;
    let is_same = known.issuer == identity.issuer && known.subject == identity.subject;
    Ok(Some(credential).filter(|_| is_same))
}

/// Binds an identity to an account. `conflict` where it opens another one, or where the account has one at the provider.
pub async fn link(tx: &mut Tx<Tenant>, cx: &Cx, owner: Owner, identity: &Identity) -> Result<()> {
    for held in of_account(tx, owner.account).await?.iter().filter(|held| held.kind == Some(Kind::Identity)) {
        if held.document::<Identity>()?.issuer == identity.issuer {
            return Err(Error::conflict("the account has an identity at this provider already"));
        }
    }
    let new = NewCredential {
        id: cx.id(),
        kind: Kind::Identity,
        lookup: Some(identity.lookup()),
        name: &identity.label,
        document: identity,
        sealed: None,
        mark: 0,
        expires_at: None,
    };
    add(tx, cx, owner, new).await
}

/// Takes note of a use; false where the identity was taken from the account meanwhile.
pub async fn used<S>(tx: &mut Tx<S>, cx: &Cx, credential: &Credential) -> Result<bool> {
    note_use(tx, cx, credential.id, (credential.mark, &credential.document::<Identity>()?)).await
}

/// The identities of an account, in the order in which they were bound.
pub async fn of<S>(tx: &mut Tx<S>, account: AccountId) -> Result<Vec<(Credential, Identity)>> {
    let all = of_account(tx, account).await?.into_iter();
    let identities = all.filter(|credential| credential.kind == Some(Kind::Identity));
    identities.map(|credential| credential.document().map(|identity| (credential, identity))).collect()
}
