//! Who holds the deployment's keys: a keyring in this process, or a key-management process.

use std::fmt;
use std::sync::Arc;

use svc_core::{Result, Secret};

use crate::keyring::{Keyring, Versions};
use crate::kms::Sidecar;
use crate::management::KeyManagement;

/// Who holds the deployment's keys. The rest of the service does not see the difference.
#[derive(Clone)]
pub enum Custody {
    /// A keyring, whole in this process.
    Keyring(Keyring),
    /// `svc-kms`, which keeps the root and hands out what seals requests.
    Sidecar(Sidecar),
}

impl Custody {
    /// What this process seals under.
    pub fn keyring(&self) -> &Keyring {
        match self {
            Self::Keyring(keyring) => keyring,
            Self::Sidecar(sidecar) => sidecar.keyring(),
        }
    }

    /// What creates, wraps and unwraps keys.
    pub fn management(&self) -> Arc<dyn KeyManagement> {
        match self {
            Self::Keyring(keyring) => Arc::new(keyring.clone()),
            Self::Sidecar(sidecar) => Arc::new(sidecar.clone()),
        }
    }

    /// Whether keys can be had now; returns the versions where they have changed.
    pub async fn look(&self) -> Result<Option<Versions>> {
        match self {
            Self::Keyring(_) => Ok(None),
            Self::Sidecar(sidecar) => Ok(sidecar.look().await?),
        }
    }

    /// A secret that was provisioned under this name; a keyring has none.
    pub async fn secret(&self, name: &str) -> Result<Option<Secret>> {
        match self {
            Self::Keyring(_) => Ok(None),
            Self::Sidecar(sidecar) => Ok(sidecar.secret(name).await?),
        }
    }
}

impl From<Keyring> for Custody {
    fn from(keyring: Keyring) -> Self {
        Self::Keyring(keyring)
    }
}

impl fmt::Debug for Custody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keyring(keyring) => keyring.fmt(f),
            Self::Sidecar(sidecar) => sidecar.fmt(f),
        }
    }
}
