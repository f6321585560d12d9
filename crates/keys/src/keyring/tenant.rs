//! The keys of one tenant: random, wrapped by the root at rest, so that what they sealed ends with them.

use std::fmt;

use svc_core::Entropy;
use zeroize::Zeroizing;

use super::Purpose;
use crate::SealingKey;

/// The keys of one tenant, oldest first; the last one seals.
#[derive(Default)]
pub struct TenantKeys(Vec<TenantKey>);

struct TenantKey {
    id: u32,
    keys: Vec<(Purpose, SealingKey)>,
}

impl TenantKeys {
    /// From the unwrapped keys with their ids, oldest first.
    pub fn new(keys: impl IntoIterator<Item = (u32, Zeroizing<[u8; 32]>)>) -> Self {
        Self(keys.into_iter().map(|(id, secret)| TenantKey::new(id, &secret)).collect())
    }

    /// A fresh key.
    pub fn fresh(entropy: &dyn Entropy) -> Zeroizing<[u8; 32]> {
        let mut secret = Zeroizing::new([0; 32]);
        entropy.fill(&mut *secret);
        secret
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether there is a key of this id.
    pub fn has(&self, id: u32) -> bool {
        self.0.iter().any(|key| key.id == id)
    }

    /// The key that seals for a purpose, with its id.
    pub(super) fn sealing(&self, purpose: Purpose) -> Option<(u32, &SealingKey)> {
        let last = self.0.last()?;
        Some((last.id, last.key(purpose)?))
    }

    /// The key of an id for a purpose.
    pub(super) fn key(&self, id: u32, purpose: Purpose) -> Option<&SealingKey> {
        self.0.iter().find(|key| key.id == id)?.key(purpose)
    }
}

impl TenantKey {
    fn new(id: u32, secret: &[u8; 32]) -> Self {
        let root = SealingKey::from_bytes(*secret);
        let sealing = Purpose::ALL.iter().copied().filter(|purpose| purpose.is_of_tenant());
        Self { id, keys: sealing.map(|purpose| (purpose, root.derive(purpose.name()))).collect() }
    }

    fn key(&self, purpose: Purpose) -> Option<&SealingKey> {
        self.keys.iter().find(|(own, _)| *own == purpose).map(|(_, key)| key)
    }
}

impl fmt::Debug for TenantKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|key| key.id)).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::tests::{NOW, cx, keyring};
    use super::*;

    fn keys(ids: &[u32]) -> Arc<TenantKeys> {
        let secret = |id: &u32| (*id, Zeroizing::new([u8::try_from(*id).unwrap(); 32]));
        Arc::new(TenantKeys::new(ids.iter().map(secret)))
    }

    #[test]
    fn what_a_tenants_key_sealed_opens_with_that_key_alone() {
        let deployment = keyring(1).sealer(Purpose::Credentials);
        let sealed = deployment.of_tenant(keys(&[7])).seal(&["cell"], b"plain", &cx(NOW)).unwrap();
        assert_eq!(deployment.of_tenant(keys(&[7, 8])).open(&["cell"], &sealed).unwrap(), b"plain");
        for other in [deployment.clone(), deployment.of_tenant(keys(&[8])), deployment.of_tenant(keys(&[]))] {
            assert_eq!(other.open(&["cell"], &sealed), None);
        }
        let messages = keyring(1).sealer(Purpose::Messages).of_tenant(keys(&[7]));
        assert_eq!(messages.open(&["cell"], &sealed), None, "another purpose");
        let renumbered = [&[3][..], &8u32.to_be_bytes(), &sealed[5..]].concat();
        assert_eq!(deployment.of_tenant(keys(&[7, 8])).open(&["cell"], &renumbered), None, "another key");
    }

    #[test]
    fn what_was_sealed_before_the_tenant_had_a_key_opens_and_is_outdated() {
        let deployment = keyring(1).sealer(Purpose::Messages);
        let earlier = deployment.seal(&[], b"plain", &cx(NOW)).unwrap();
        let now = deployment.of_tenant(keys(&[7]));
        assert_eq!(now.open(&[], &earlier).unwrap(), b"plain");
        assert!(!now.is_current(&earlier, NOW));
        assert!(now.is_current(&now.seal(&[], b"plain", &cx(NOW)).unwrap(), NOW));
    }

    #[test]
    fn without_a_key_nothing_is_sealed_for_a_tenant() {
        let error = keyring(1).sealer(Purpose::Messages).of_tenant(keys(&[])).seal(&[], b"", &cx(NOW));
        assert!(format!("{error:?}").contains("the tenant has no key of messages"), "{error:?}");
    }
}
