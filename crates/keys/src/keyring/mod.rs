//! The deployment's keyring: what this deployment seals, on whichever node, opens on every node and after a restart.
//!
//! Sealed form: one byte for the form, the id of the key in four bytes, then what [`SealingKey::seal`] makes. Each
//! purpose has a key of its own (HKDF, RFC 5869), and each value a context, so that nothing passes as something else.

pub mod file;
mod sealed;
mod versions;

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use svc_core::{Cx, Entropy, Error, Result, Timestamp};

use crate::SealingKey;

pub use sealed::{Cell, Sealed};
pub use versions::{Fingerprint, Versions};

/// The first byte of everything that a keyring sealed; [`SealingKey`] alone begins with another.
const FORM: u8 = 2;
/// That byte and the id of the key.
const HEADER: usize = 5;

/// The keyring in use; clones share it, and a rotated one takes its place in all of them.
#[derive(Clone)]
pub struct Keyring(Arc<RwLock<Arc<Versions>>>);

/// What is sealed; each purpose under keys of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Sign-in flows and forms, carried by browsers.
    Forms,
    /// Cursors of lists, carried by callers.
    Cursors,
    /// Stored responses to repeated requests.
    Replies,
    /// Nonces of DPoP proofs.
    ProofNonces,
    /// Private signing keys at rest.
    SigningKeys,
    /// Messages that wait to be sent.
    Messages,
    /// Credentials of others that have to be presented again.
    Credentials,
}

/// Seals and opens for one purpose.
#[derive(Clone)]
pub struct Sealer {
    keyring: Keyring,
    purpose: Purpose,
}

impl Purpose {
    /// Every purpose.
    pub const ALL: &'static [Self] = &[
        Self::Forms,
        Self::Cursors,
        Self::Replies,
        Self::ProofNonces,
        Self::SigningKeys,
        Self::Messages,
        Self::Credentials,
    ];

    /// The name that the purpose's keys are derived by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Forms => "hosted forms",
            Self::Cursors => "list cursors",
            Self::Replies => "idempotent responses",
            Self::ProofNonces => "nonces of DPoP proofs",
            Self::SigningKeys => "signing keys",
            Self::Messages => "messages",
            Self::Credentials => "credentials",
        }
    }
}

impl Keyring {
    /// A keyring of these versions.
    pub fn new(versions: Versions) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(versions))))
    }

    /// A keyring that lives as long as this process.
    pub fn ephemeral(entropy: &dyn Entropy, now: Timestamp) -> Self {
        Self::new(Versions::first(entropy, now))
    }

    /// The versions of the moment.
    pub fn versions(&self) -> Arc<Versions> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Seals and opens with other versions from now on.
    pub fn replace(&self, versions: Versions) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(versions);
    }

    /// What seals and opens for `purpose`.
    pub fn sealer(&self, purpose: Purpose) -> Sealer {
        Sealer { keyring: self.clone(), purpose }
    }
}

impl Sealer {
    /// Seals `plain`; it opens only for the same purpose and `context`.
    pub fn seal(&self, context: &[&str], plain: &[u8], cx: &Cx) -> Result<Vec<u8>> {
        let versions = self.keyring.versions();
        let (id, root) = versions.sealing(cx.now);
        let body = self.key(root).seal(&bound(context), plain, &*cx.entropy)?;
        Ok([&[FORM], &id.to_be_bytes()[..], &body].concat())
    }

    /// Opens what [`Sealer::seal`] made on any node of the deployment; nothing for any other bytes, purpose or context.
    pub fn open(&self, context: &[&str], sealed: &[u8]) -> Option<Vec<u8>> {
        let (header, body) = sealed.split_at_checked(HEADER)?;
        let versions = self.keyring.versions();
        self.key(versions.root(id_of(header)?)?).open(&bound(context), body)
    }

    /// The same; a value that the deployment sealed itself and cannot open is a fault that names the key it needs.
    pub fn open_own(&self, context: &[&str], sealed: &[u8]) -> Result<Vec<u8>> {
        self.open(context, sealed).ok_or_else(|| {
            let id = key_id(sealed).map_or_else(|| "none".to_owned(), |id| id.to_string());
            Error::internal(format!("{} does not open with keyring version {id}", context.join("/")))
        })
    }

    /// Whether `sealed` is under the version that seals at `now`.
    pub fn is_current(&self, sealed: &[u8], now: Timestamp) -> bool {
        key_id(sealed) == Some(self.keyring.versions().sealing(now).0)
    }

    fn key(&self, root: &SealingKey) -> SealingKey {
        root.derive(self.purpose.name())
    }
}

/// The id of the key that something is sealed under.
pub fn key_id(sealed: &[u8]) -> Option<u32> {
    id_of(sealed.get(..HEADER)?)
}

fn id_of(header: &[u8]) -> Option<u32> {
    let id = header.strip_prefix(&[FORM])?;
    id.try_into().ok().map(u32::from_be_bytes)
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
