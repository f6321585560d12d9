//! The signing keys that were unwrapped here, so that each is opened once and not for every token.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use svc_core::{Digest, Result};
use svc_keys::jose::SigningKey;
use svc_keys::management::Wrapped;
use svc_keys::{KeyUse, Keyring, sha256};

/// Keys by what they were unwrapped from, and for which use.
#[derive(Default)]
pub struct SigningKeys(Mutex<HashMap<Digest, Arc<SigningKey>>>);

/// More than a deployment publishes at a time; beyond it the memory begins again.
const MOST: usize = 4096;

impl SigningKeys {
    /// The key, which opens for its own use and id only.
    pub async fn opened(&self, keyring: &Keyring, of: KeyUse, with: Wrapped<'_>) -> Result<Arc<SigningKey>> {
        let name = name(of, with);
        if let Some(known) = self.keys().get(&name).cloned() {
            return Ok(known);
        }
        let opened = Arc::new(keyring.opened(of, with).await?);
        let mut keys = self.keys();
        if keys.len() >= MOST {
            keys.clear();
        }
        keys.insert(name, Arc::clone(&opened));
        Ok(opened)
    }

    fn keys(&self) -> MutexGuard<'_, HashMap<Digest, Arc<SigningKey>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Names a key by everything that decides whether it opens: no name stands for two of them, as each part but the last has no space.
fn name(of: KeyUse, with: Wrapped<'_>) -> Digest {
    let tenant = of.tenant.map(|tenant| tenant.to_string()).unwrap_or_default();
    let id = svc_keys::base64url(with.id);
    let head = format!("{:?} {tenant} {id} {} ", of.purpose, with.algorithm);
    Digest(sha256(&[head.as_bytes(), with.key].concat()))
}

#[cfg(test)]
mod tests {
    use svc_core::{Actor, Cx, Entropy, SeededEntropy, TenantRef, Timestamp};
    use svc_keys::{Algorithm, KeyManagement as _, Purpose};

    use super::*;

    const NOW: Timestamp = Timestamp::from_secs(1_800_000_000);

    #[tokio::test]
    async fn a_key_is_opened_once_and_for_its_own_use_only() {
        let entropy: Arc<dyn Entropy> = Arc::new(SeededEntropy::new(1));
        let keyring = Keyring::ephemeral(&*entropy, NOW);
        let cx = Cx {
            now: NOW,
            entropy,
            actor: Actor::System("test"),
            request_id: "test".into(),
            client_ip: None,
        };
        let of = KeyUse::of_deployment(Purpose::SigningKeys);
        let made = keyring.create(of, Algorithm::EdDsa, &cx).await.unwrap();
        let with = Wrapped { id: made.key.kid(), algorithm: Algorithm::EdDsa, key: &made.wrapped };
        let keys = SigningKeys::default();
        let first = keys.opened(&keyring, of, with).await.unwrap();
        assert!(Arc::ptr_eq(&first, &keys.opened(&keyring, of, with).await.unwrap()));
        let tenant: TenantRef = cx.id();
        let theirs = KeyUse { tenant: Some(tenant), ..of };
        assert!(keys.opened(&keyring, theirs, with).await.is_err());
        assert!(keys.opened(&keyring, of, Wrapped { id: "another", ..with }).await.is_err());
        assert!(keys.opened(&keyring, of, Wrapped { key: &made.wrapped[1..], ..with }).await.is_err());
    }
}
