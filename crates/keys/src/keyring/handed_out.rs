//! What a key-management process hands out of its keyring: for each version the keys of the purposes that seal in the
//! processes that serve requests, and never the root.

use serde::{Deserialize, Serialize};
use svc_core::{Error, Result};

use super::versions::Version;
use super::{Fingerprint, Purpose, Versions};
use crate::SealingKey;
use crate::secret_bytes::SecretBytes;

/// A version without its root.
#[derive(Debug, Serialize, Deserialize)]
pub struct HandedOut {
    of: Fingerprint,
    keys: Vec<(String, SecretBytes)>,
}

impl Versions {
    /// Every version without its root.
    pub fn hand_out(&self) -> Vec<HandedOut> {
        let keys = |version: &Version| {
            let handed = Purpose::ALL.iter().copied().filter(|purpose| purpose.is_handed_out());
            let key = |purpose: Purpose| {
                version
                    .key(purpose)
                    .map(|key| (purpose.name().to_owned(), SecretBytes::from(key.bytes().to_vec())))
            };
            handed.filter_map(key).collect()
        };
        self.0.iter().map(|version| HandedOut { of: version.fingerprint(), keys: keys(version) }).collect()
    }

    /// The versions that were handed out; purposes that this process does not know are passed over.
    pub fn from_handed_out(handed_out: Vec<HandedOut>) -> Result<Self> {
        let version = |handed: HandedOut| {
            let known = handed.keys.iter().filter_map(|(name, key)| Some((Purpose::from_name(name)?, key)));
            let keys = known.map(|(purpose, key)| {
                let bytes: [u8; 32] = key.as_slice().try_into().ok()?;
                Some((purpose, SealingKey::from_bytes(bytes)))
            });
            keys.collect::<Option<Vec<_>>>().map(|keys| Version::without_root(handed.of, keys))
        };
        let versions: Option<Vec<_>> = handed_out.into_iter().map(version).collect();
        Self::in_order(versions.ok_or_else(|| Error::internal("a sealing key has another length than 32"))?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Keyring;
    use super::super::tests::{NOW, cx, keyring};
    use super::*;

    #[test]
    fn what_is_handed_out_opens_what_the_keyring_sealed_but_wraps_no_keys() {
        let ring = keyring(1);
        let wire = serde_json::to_string(&ring.versions().hand_out()).unwrap();
        let handed = Versions::from_handed_out(serde_json::from_str(&wire).unwrap()).unwrap();
        assert_eq!(handed.fingerprints(), ring.versions().fingerprints());
        assert!(handed.to_text().is_err(), "there is no root in it");
        let there = Keyring::new(handed);
        for &purpose in Purpose::ALL {
            let sealed = ring.sealer(purpose).seal(&["place"], b"plain", &cx(NOW)).unwrap();
            let opened = there.sealer(purpose).open(&["place"], &sealed);
            assert_eq!(opened.is_some(), purpose.is_handed_out(), "{purpose:?}");
            assert_eq!(there.sealer(purpose).seal(&[], b"", &cx(NOW)).is_ok(), purpose.is_handed_out());
        }
    }
}
