//! Passkeys and security keys (WebAuthn Level 3): what is kept of one, and how it is added and used. They are credentials of
//! the kind [`Kind::Passkey`], found by their credential id; `mark` is the signature counter.

mod ceremony;
mod elsewhere;
mod makers;
mod outward;
mod relying_party;

use serde::{Deserialize, Serialize};
use svc_core::{AccountId, Cx, Result};
use svc_db::{Tenant, Tx};
use svc_keys::digest;
use webauthn_rs_core::proto::{AuthenticatorTransport, COSEKey};

pub use self::ceremony::{Answer, Creation, Fault, Pending, Request, Verified};
pub use self::elsewhere::Elsewhere;
pub use self::relying_party::{AllowedPasskeys, Holder, RelyingParty};
use super::{Credential, Kind, NewCredential, Owner, add, find_by_lookup, note_use, of_account};

/// What a new key is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Use {
    /// To sign in with nothing else: its holder unlocks it, and it knows whose it is.
    Passkey,
    /// As the second factor after a password.
    SecurityKey,
}

impl Use {
    /// What a key is called where neither its owner nor its maker calls it something.
    pub fn first_name(self) -> &'static str {
        match self {
            Self::Passkey => "Passkey",
            Self::SecurityKey => "Security key",
        }
    }
}

/// What is kept of a passkey besides its name and its times.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Passkey {
    /// The relying party that it was made for: it works at no other.
    pub rp_id: String,
    /// What it was made for.
    #[serde(rename = "use")]
    pub purpose: Use,
    /// Whether it may be copied to other devices of its holder.
    pub is_backup_eligible: bool,
    /// Whether it was, when it was last used.
    pub is_backed_up: bool,
    /// The model of its maker, as it says itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aaguid: Option<String>,
    /// How browsers reach it.
    #[serde(default)]
    transports: Vec<AuthenticatorTransport>,
    id: Vec<u8>,
    key: COSEKey,
    /// Made elsewhere: what its authenticator knows the person by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    handle: Option<Vec<u8>>,
    /// Made elsewhere: whether it may be copied is said by its first use.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_unseen: bool,
}

impl Passkey {
    /// What its authenticator knows the account by.
    pub fn user_handle(&self, account: AccountId) -> Vec<u8> {
        self.handle.clone().unwrap_or_else(|| user_handle(account))
    }

    /// By what it is found.
    pub(in crate::people) fn lookup(&self) -> &[u8] {
        &self.id
    }
}

/// A passkey that was just made, and is not kept yet.
pub struct Created {
    passkey: Passkey,
    counter: u32,
    is_unlocked: bool,
}

impl Created {
    /// What will be kept of it.
    pub fn passkey(&self) -> &Passkey {
        &self.passkey
    }

    /// Whether its holder unlocked it when it was made.
    pub fn is_unlocked(&self) -> bool {
        self.is_unlocked
    }

    /// What its maker calls it, if the maker is known.
    fn maker(&self) -> Option<&'static str> {
        makers::name(self.passkey.aaguid.as_deref()?)
    }

    /// What it is called until its owner calls it something.
    pub fn first_name(&self) -> &'static str {
        self.maker().unwrap_or(self.passkey.purpose.first_name())
    }

    /// Keeps it for the account. `conflict` where an account has it already.
    pub async fn keep(&self, tx: &mut Tx<Tenant>, cx: &Cx, owner: Owner, name: &str) -> Result<()> {
        let new = NewCredential {
            id: cx.id(),
            kind: Kind::Passkey,
            lookup: Some(self.passkey.id.clone()),
            name,
            document: &self.passkey,
            sealed: None,
            mark: self.counter.into(),
            expires_at: None,
        };
        add(tx, cx, owner, new).await
    }
}

/// The passkeys of an account, in the order in which they were added.
pub async fn list<S>(tx: &mut Tx<S>, account: AccountId) -> Result<Vec<(Credential, Passkey)>> {
    let all = of_account(tx, account).await?.into_iter();
    let passkeys = all.filter(|credential| credential.kind == Some(Kind::Passkey));
    passkeys.map(|credential| credential.document().map(|passkey| (credential, passkey))).collect()
}

/// The passkey that an answer is of.
pub async fn find(tx: &mut Tx<Tenant>, answer: &Answer) -> Result<Option<(Credential, Passkey)>> {
    let found = find_by_lookup(tx, Kind::Passkey, answer.id()).await?;
    found.map(|credential| credential.document().map(|passkey| (credential, passkey))).transpose()
}

/// Takes note of a use: the counter as the authenticator has it now, and whether there are copies. False where the passkey is
/// gone.
pub async fn used<S>(tx: &mut Tx<S>, cx: &Cx, credential: &Credential, verified: &Verified) -> Result<bool> {
    note_use(tx, cx, credential.id, (verified.counter.into(), &verified.passkey)).await
}

/// What authenticators know an account by: the same for all of its passkeys, and no address or name (WebAuthn §14.6.1).
pub fn user_handle(account: AccountId) -> Vec<u8> {
    digest(&format!("passkeys of {account}")).0.to_vec()
}
