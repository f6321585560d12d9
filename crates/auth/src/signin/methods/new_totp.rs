//! An app for one-time codes that is being added to an account (RFC 6238), in the middle of a sign-in or in the account centre.

use svc_core::{AccountId, CredentialId, Cx, Result, Secret};
use svc_db::{Tenant, Tx};
use svc_domain::Services;
use svc_domain::people::credentials::totp::{self, Parameters};
use svc_domain::people::credentials::{self, Kind, NewCredential, Owner};
use svc_keys::{Purpose, digest};

/// An app to add, with the step of the code that proved that it works.
pub struct New {
    /// Its secret.
    pub secret: Secret,
    /// The step that is used with it.
    pub step: i64,
    /// What the person calls it.
    pub name: String,
}

impl New {
    /// By what an account has an app of this key once: two entries of one key would each take a code of it.
    pub fn lookup(&self, account: AccountId) -> Vec<u8> {
        credentials::lookup_of(digest(&format!("app of {account} {}", self.secret.expose())))
    }

    /// Adds the app to the account.
    pub async fn add(
        &self,
        tx: &mut Tx<Tenant>,
        cx: &Cx,
        (owner, services): (Owner, &Services),
    ) -> Result<()> {
        let id: CredentialId = cx.id();
        let sealed = totp::seal(&self.secret, id, &services.keyring.sealer(Purpose::Credentials), cx)?;
        let new = NewCredential {
            id,
            kind: Kind::Totp,
            lookup: Some(self.lookup(owner.account)),
            name: &self.name,
            document: &Parameters::default(),
            sealed: Some(sealed),
            mark: self.step,
            expires_at: None,
        };
        credentials::add(tx, cx, owner, new).await
    }
}
