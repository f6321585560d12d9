//! The deployment's keyring: what this deployment seals, on whichever node, opens on every node and after a restart.
//!
//! Sealed form: one byte for the form, the id of the key in four bytes, then what [`SealingKey::seal`] makes. The key is the
//! deployment's, or a tenant's own. Each purpose has a key of its own (HKDF, RFC 5869), and each value a context, so that
//! nothing passes as something else.

pub mod file;
mod handed_out;
mod purpose;
mod sealed;
mod tenant;
mod versions;

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use svc_core::{Cx, Entropy, Error, Result, Timestamp};

use crate::SealingKey;
use crate::jose::{Algorithm, SigningKey};

pub use handed_out::HandedOut;
pub use purpose::Purpose;
pub use sealed::{Cell, Sealed};
pub use tenant::TenantKeys;
pub use versions::{Fingerprint, Versions};

/// The first byte of everything that the deployment's key sealed; [`SealingKey`] alone begins with another.
const FORM: u8 = 2;
/// The first byte of everything that a tenant's key sealed.
const FORM_OF_TENANT: u8 = 3;
/// That byte and the id of the key.
const HEADER: usize = 5;

/// The keyring in use; clones share it, and a rotated one takes its place in all of them.
#[derive(Clone)]
pub struct Keyring {
    versions: Arc<RwLock<Arc<Versions>>>,
    signing_keys: SigningKeys,
}

/// Makes a fresh signing key of an algorithm.
pub type SigningKeys = Arc<dyn Fn(Algorithm) -> Result<SigningKey> + Send + Sync>;

/// Seals and opens for one purpose.
#[derive(Clone)]
pub struct Sealer {
    keyring: Keyring,
    purpose: Purpose,
    /// Where a tenant's key seals.
    tenant: Option<Arc<TenantKeys>>,
}

impl Keyring {
    /// A keyring of these versions.
    pub fn new(versions: Versions) -> Self {
        Self::with(versions, Arc::new(SigningKey::generate))
    }

    /// The same with signing keys from elsewhere than the library's randomness.
    pub fn with(versions: Versions, signing_keys: SigningKeys) -> Self {
        Self { versions: Arc::new(RwLock::new(Arc::new(versions))), signing_keys }
    }

    /// A keyring that lives as long as this process.
    pub fn ephemeral(entropy: &dyn Entropy, now: Timestamp) -> Self {
        Self::new(Versions::first(entropy, now))
    }

    /// The versions of the moment.
    pub fn versions(&self) -> Arc<Versions> {
        Arc::clone(&self.versions.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Where its signing keys come from.
    pub fn signing_keys(&self) -> SigningKeys {
        Arc::clone(&self.signing_keys)
    }

    /// Seals and opens with other versions from now on.
    pub fn replace(&self, versions: Versions) {
        *self.versions.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(versions);
    }

    /// The id of the version that seals at `now`.
    pub fn sealing_version(&self, now: Timestamp) -> u32 {
        self.versions().sealing(now).id
    }

    /// What seals and opens for `purpose`.
    pub fn sealer(&self, purpose: Purpose) -> Sealer {
        Sealer { keyring: self.clone(), purpose, tenant: None }
    }
}

impl Sealer {
    /// The same for a tenant: its key seals, and what the deployment's key has sealed before still opens.
    #[must_use]
    pub fn of_tenant(&self, keys: Arc<TenantKeys>) -> Self {
        Self { tenant: Some(keys), ..self.clone() }
    }

    /// Seals `plain`; it opens only for the same purpose and `context`.
    pub fn seal(&self, context: &[&str], plain: &[u8], cx: &Cx) -> Result<Vec<u8>> {
        let (context, purpose) = (bound(context), self.purpose);
        let seal = |form: u8, id: u32, key: &SealingKey| {
            let body = key.seal(&context, plain, &*cx.entropy)?;
            Ok([&[form], &id.to_be_bytes()[..], &body].concat())
        };
        if let Some(keys) = &self.tenant {
            let none = || Error::internal(format!("the tenant has no key of {}", purpose.name()));
            let (id, key) = keys.sealing(purpose).ok_or_else(none)?;
            return seal(FORM_OF_TENANT, id, key);
        }
        let versions = self.keyring.versions();
        let version = versions.sealing(cx.now);
        let key = version.key(purpose).ok_or_else(|| {
            Error::internal(format!("keys of {} do not leave key management", purpose.name()))
        })?;
        seal(FORM, version.id, key)
    }

    /// Opens what [`Sealer::seal`] made on any node of the deployment; nothing for any other bytes, purpose or context.
    pub fn open(&self, context: &[&str], sealed: &[u8]) -> Option<Vec<u8>> {
        let (header, body) = sealed.split_at_checked(HEADER)?;
        let (form, id) = (header.first()?, id_of(header)?);
        if *form == FORM_OF_TENANT {
            return self.tenant.as_ref()?.key(id, self.purpose)?.open(&bound(context), body);
        }
        let versions = self.keyring.versions();
        versions.version(id)?.key(self.purpose)?.open(&bound(context), body)
    }

    /// The same; a value that the deployment sealed itself and cannot open is a fault that names the key it needs.
    pub fn open_own(&self, context: &[&str], sealed: &[u8]) -> Result<Vec<u8>> {
        self.open(context, sealed).ok_or_else(|| {
            let id = key_id(sealed).map_or_else(|| "none".to_owned(), |id| id.to_string());
            let key = if is_of_tenant(sealed) { "the tenant's key" } else { "keyring version" };
            Error::internal(format!("{} does not open with {key} {id}", context.join("/")))
        })
    }

    /// Whether `sealed` is under the key that seals at `now`.
    pub fn is_current(&self, sealed: &[u8], now: Timestamp) -> bool {
        let id = match &self.tenant {
            Some(keys) => keys.sealing(self.purpose).map(|(id, _)| id),
            None => Some(self.keyring.versions().sealing(now).id),
        };
        key_id(sealed) == id && is_of_tenant(sealed) == self.tenant.is_some()
    }

    /// An authentication code by the version that is in force at `now`, under a key that seals nothing.
    pub fn authenticate(&self, context: &[&str], message: &[u8], now: Timestamp) -> Result<[u8; 32]> {
        let versions = self.keyring.versions();
        let key = versions.sealing(now).key(self.purpose);
        let key = key.ok_or_else(|| Error::internal("the key does not leave key management"))?;
        Ok(key.authenticate(&bound(context), message))
    }
}

/// The id of the key that something is sealed under.
pub fn key_id(sealed: &[u8]) -> Option<u32> {
    id_of(sealed.get(..HEADER)?)
}

/// Whether a tenant's key sealed it.
pub fn is_of_tenant(sealed: &[u8]) -> bool {
    sealed.first() == Some(&FORM_OF_TENANT)
}

fn id_of(header: &[u8]) -> Option<u32> {
    let (form, id) = header.split_first()?;
    let id = id.try_into().ok().map(u32::from_be_bytes);
    id.filter(|_| [FORM, FORM_OF_TENANT].contains(form))
}

/// Each part with its length in front, so that no two contexts read the same.
fn bound(context: &[&str]) -> Vec<u8> {
    let length = |part: &str| u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes();
    context.iter().flat_map(|part| length(part).into_iter().chain(part.bytes())).collect()
}

impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.versions().fmt(f)
    }
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[sealer of {}]", self.purpose.name())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;
    use svc_core::{Actor, Seconds, SeededEntropy};

    use super::*;

    pub(crate) const NOW: Timestamp = Timestamp::from_secs(1_800_000_000);

    pub(crate) fn cx(now: Timestamp) -> Cx {
        Cx {
            now,
            entropy: Arc::new(SeededEntropy::new(1)),
            actor: Actor::Anonymous,
            request_id: "test".to_owned(),
            client_ip: None,
        }
    }

    pub(crate) fn keyring(seed: u64) -> Keyring {
        Keyring::ephemeral(&SeededEntropy::new(seed), NOW)
    }

    #[test]
    fn what_one_node_seals_another_opens_for_the_same_purpose_and_context_only() {
        let (here, there) = (keyring(1).sealer(Purpose::Forms), keyring(1).sealer(Purpose::Forms));
        let sealed = here.seal(&["flow", "tenant"], b"plain", &cx(NOW)).unwrap();
        assert_eq!(there.open(&["flow", "tenant"], &sealed).unwrap(), b"plain");
        for context in [&["flow", "tenan"][..], &["flowt", "enant"], &["flow"], &["tenant", "flow"], &[]] {
            assert_eq!(there.open(context, &sealed), None, "{context:?}");
        }
        for &purpose in Purpose::ALL.iter().filter(|purpose| **purpose != Purpose::Forms) {
            assert_eq!(keyring(1).sealer(purpose).open(&["flow", "tenant"], &sealed), None, "{purpose:?}");
        }
        assert_eq!(keyring(2).sealer(Purpose::Forms).open(&["flow", "tenant"], &sealed), None);
    }

    #[test]
    fn a_rotated_keyring_opens_the_old_and_seals_with_the_new_when_its_time_has_come() {
        let ring = keyring(1);
        let sealer = ring.sealer(Purpose::Messages);
        let old = sealer.seal(&[], b"x", &cx(NOW)).unwrap();
        let later = NOW + Seconds(3600);
        ring.replace(ring.versions().rotated(&SeededEntropy::new(2), NOW, later).unwrap());
        let early = sealer.seal(&[], b"x", &cx(NOW + Seconds(3599))).unwrap();
        let new = sealer.seal(&[], b"x", &cx(later)).unwrap();
        assert_eq!([&old, &early, &new].map(|sealed| key_id(sealed).unwrap()), [1, 1, 2]);
        for sealed in [&old, &early, &new] {
            assert_eq!(sealer.open(&[], sealed).unwrap(), b"x");
        }
        assert!(sealer.is_current(&old, NOW) && !sealer.is_current(&old, later));
        assert_eq!(
            keyring(1).sealer(Purpose::Messages).open(&[], &new),
            None,
            "a node without the new version"
        );
    }

    #[test]
    fn a_value_that_does_not_open_names_the_version_that_it_needs() {
        let sealed = keyring(1).sealer(Purpose::Messages).seal(&["mails"], b"x", &cx(NOW)).unwrap();
        let error = keyring(2).sealer(Purpose::Messages).open_own(&["mails"], &sealed).unwrap_err();
        assert!(format!("{error:?}").contains("mails does not open with keyring version 1"), "{error:?}");
    }

    #[test]
    fn purposes_have_names_of_their_own() {
        for (index, purpose) in Purpose::ALL.iter().enumerate() {
            assert!(Purpose::ALL.iter().skip(index + 1).all(|other| other.name() != purpose.name()));
        }
    }

    proptest! {
        #[test]
        fn any_flipped_bit_and_any_cut_is_noticed(plain: Vec<u8>, at: usize, bit in 0u8..8) {
            let sealer = keyring(1).sealer(Purpose::Cursors);
            let mut sealed = sealer.seal(&["list"], &plain, &cx(NOW)).unwrap();
            let at = at % sealed.len();
            prop_assert_eq!(sealer.open(&["list"], &sealed[..at]), None);
            sealed[at] ^= 1 << bit;
            prop_assert_eq!(sealer.open(&["list"], &sealed), None);
        }
    }
}
