//! Identities at other providers (OpenID Connect Core §5.7): bound by issuer and subject, and by nothing else that the provider
//! says; and accounts on block chains (CAIP-10). They are credentials of the kind [`Kind::Identity`].

use serde::{Deserialize, Serialize};
use svc_core::{AccountId, ConnectorId, Cx, Error, Result};
use svc_db::{Tenant, Tx, args, sql};
use svc_keys::digest;

use super::changing::{keep, too_many};
use super::{
    Credential, Kind, MOST_OF_A_KIND, NewCredential, Owner, find_by_lookup, held_of_account, lookup_of,
    note_use, of_account,
};

/// How the name of a block chain begins that works as Ethereum does (CAIP-2).
const CHAINS: &str = "eip155:";
/// Most identities that are kept of an account, with those that open nothing any more: each sign-in reads them.
const MOST_KEPT: usize = 100;
/// What stands for the chain where the holder of a key is meant, who is the same on each.
const EVERY_CHAIN: u64 = 0;

/// What another provider calls a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The provider, as this deployment calls it; one of a tenant is called by the id of its connector.
    pub provider: String,
    /// What the tenant calls a provider of its own, so that it has a name when the connector is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_name: Option<String>,
    /// The provider, as it calls itself.
    pub issuer: String,
    /// The person, as the provider calls them.
    pub subject: String,
    /// What the person knows it by there: an address or a user name.
    pub label: String,
}

impl Identity {
    /// An account of Ethereum: that of a contract on one chain, or that of a key, which is the same on every chain.
    pub fn of_address(provider: &str, address: &str, chain: Option<u64>) -> Self {
        let cut = |range| address.get(range).unwrap_or_default();
        Self {
            provider: provider.to_owned(),
            provider_name: None,
            issuer: format!("{CHAINS}{}", chain.unwrap_or(EVERY_CHAIN)),
            subject: address.to_owned(),
            label: format!("{}…{}", cut(0..6), cut(address.len().saturating_sub(4)..address.len())),
        }
    }

    /// The account of Ethereum, if it is one (CAIP-10).
    pub fn chain_account(&self) -> Option<String> {
        self.issuer.starts_with(CHAINS).then(|| format!("{}:{}", self.issuer, self.subject))
    }

    /// The connector by which it is known, if the provider is a tenant's own. The same person of the same issuer is another one with
    /// another connector: who registered there speaks for that registration alone.
    pub fn connector(&self) -> Option<ConnectorId> {
        self.provider.parse().ok()
    }

    /// By what it is found.
    pub(in crate::people) fn lookup(&self) -> Vec<u8> {
        let Self { issuer, subject, .. } = self;
        lookup_of(match self.connector() {
            Some(connector) => digest(&format!("{connector}\0{issuer}\0{subject}")),
            None => digest(&format!("{issuer}\0{subject}")),
        })
    }

    /// Whether the other is of the same provider.
    fn is_at(&self, other: &Self) -> bool {
        self.issuer == other.issuer && self.connector() == other.connector()
    }
}

/// The credential of an identity, and so the account that it opens.
pub async fn find(tx: &mut Tx<Tenant>, identity: &Identity) -> Result<Option<Credential>> {
    let found = find_by_lookup(tx, Kind::Identity, &identity.lookup()).await?;
    let Some(credential) = found else { return Ok(None) };
    let known: Identity = credential.document()?;
    let is_same = known.is_at(identity) && known.subject == identity.subject;
    Ok(Some(credential).filter(|_| is_same))
}

/// Binds an identity to an account. `conflict` where it opens another one, or where the account has one at the provider; accounts of
/// Ethereum are no provider's, and a person may have several.
pub async fn link(tx: &mut Tx<Tenant>, cx: &Cx, owner: Owner, identity: &Identity) -> Result<()> {
    let all = held_of_account(tx, owner.account).await?;
    let held = all.iter().filter(|credential| credential.kind == Some(Kind::Identity));
    let held = held.map(Credential::document).collect::<Result<Vec<Identity>>>()?;
    if held.iter().any(|held| held.is_at(identity) && held.chain_account().is_none()) {
        return Err(Error::conflict("the account has an identity at this provider already"));
    }
    check_room(tx, &held).await?;
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
    keep(tx, cx, owner, new).await
}

/// Refuses more identities than an account may have. What opens nothing in this tenant does not count: those of connectors that were
/// deleted, and those of other tenants' connectors.
async fn check_room(tx: &mut Tx<Tenant>, held: &[Identity]) -> Result<()> {
    let most = usize::try_from(MOST_OF_A_KIND).unwrap_or(usize::MAX);
    if held.len() < most {
        return Ok(());
    }
    let select = sql!("SELECT id FROM connectors WHERE tenant_id = $1 AND id > '' ORDER BY id");
    let rows = tx.all(select, args![]).await?;
    let connectors = rows.iter().map(|row| row.parse("id")).collect::<Result<Vec<ConnectorId>>>()?;
    let counts = |one: &&Identity| one.connector().is_none_or(|connector| connectors.contains(&connector));
    if held.iter().filter(counts).count() >= most || held.len() >= MOST_KEPT {
        return Err(too_many());
    }
    Ok(())
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
