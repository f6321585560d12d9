//! What the sealed file holds: the versions of the root key, the keys by which both sides know each other, named secrets.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use svc_core::{Result, Timestamp};
use svc_keys::kms::Identity;
use svc_keys::{SystemEntropy, Versions};
use zeroize::Zeroizing;

/// The content of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Content {
    /// The root, in the form of a keyring file.
    keyring: Zeroizing<String>,
    server_private_key: Zeroizing<String>,
    /// Kept to write its file again on another machine.
    client_private_key: Zeroizing<String>,
    /// Named secrets.
    pub secrets: BTreeMap<String, Zeroizing<String>>,
}

impl Content {
    /// A new one around a root.
    pub fn new(root: &Versions) -> Result<Self> {
        Ok(Self {
            keyring: root.to_text()?,
            server_private_key: Identity::generate()?.to_pem(),
            client_private_key: Identity::generate()?.to_pem(),
            secrets: BTreeMap::new(),
        })
    }

    /// The versions of the root key.
    pub fn root(&self) -> Result<Versions> {
        Versions::from_text(&self.keyring)
    }

    /// The key by which the process is known.
    pub fn server(&self) -> Result<Identity> {
        Identity::from_pem(&self.server_private_key)
    }

    /// The key by which its client is known.
    pub fn client(&self) -> Result<Identity> {
        Identity::from_pem(&self.client_private_key)
    }

    /// Adds a version to the root, which seals from `seals_from` on.
    pub fn rotate(&mut self, now: Timestamp, seals_from: Timestamp) -> Result<Versions> {
        let rotated = self.root()?.rotated(&SystemEntropy, now, seals_from)?;
        self.keyring = rotated.to_text()?;
        Ok(rotated)
    }
}
