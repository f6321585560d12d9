//! The versions of a keyring, and the file in which an operator keeps them.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use svc_core::{Entropy, Error, OrInternal as _, Result, Timestamp};
use zeroize::Zeroizing;

use super::Purpose;
use crate::SealingKey;
use crate::encoding::array_from_base64url;
use crate::hmac::hmac_sha256;
use crate::{base64url, hex};

/// Every key that opens, oldest first; there is at least one.
pub struct Versions(pub(super) Vec<Arc<Version>>);

pub(super) struct Version {
    pub id: u32,
    pub seals_from: Timestamp,
    pub digest: String,
    /// Absent where it stays with key management.
    secret: Option<Zeroizing<[u8; 32]>>,
    keys: Vec<(Purpose, SealingKey)>,
}

/// What may be known of a version: a database remembers it, to notice when the keyring is another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// The version's id.
    pub id: u32,
    /// Derived from its key; says nothing about it.
    pub digest: String,
    /// When it begins to seal.
    pub seals_from: Timestamp,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    about: String,
    versions: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: u32,
    seals_from: Timestamp,
    key: Zeroizing<String>,
}

const ABOUT: &str = "The keyring of an svc deployment. Keep it secret, give every node the same file, and back it up with the database.";

impl Versions {
    /// The first version of a new keyring.
    pub fn first(entropy: &dyn Entropy, now: Timestamp) -> Self {
        Self(vec![Arc::new(Version::new(1, now, random(entropy)))])
    }

    /// The same with a further version, which seals from `seals_from` on. Until then every node has to have it.
    pub fn rotated(&self, entropy: &dyn Entropy, now: Timestamp, seals_from: Timestamp) -> Result<Self> {
        let last = self.0.last().ok_or_else(|| malformed("has no version"))?;
        if last.seals_from > now {
            return Err(Error::conflict(format!(
                "version {} seals only from {} on; wait until then before adding another",
                last.id, last.seals_from
            )));
        }
        let next = Version::new(last.id.saturating_add(1), seals_from.max(now), random(entropy));
        Ok(Self(self.0.iter().map(Arc::clone).chain([Arc::new(next)]).collect()))
    }

    /// The same without a version that nothing is sealed under any more.
    pub fn without(&self, id: u32, now: Timestamp) -> Result<Self> {
        if self.sealing(now).id == id {
            return Err(Error::conflict(format!(
                "version {id} is the one that seals; rotate the keyring first"
            )));
        }
        let kept: Vec<_> = self.0.iter().filter(|version| version.id != id).map(Arc::clone).collect();
        if kept.len() == self.0.len() {
            return Err(Error::not_found(format!("the keyring has no version {id}")));
        }
        Ok(Self(kept))
    }

    /// Reads the text of a keyring file.
    pub fn from_text(text: &str) -> Result<Self> {
        let file: File = serde_json::from_str(text)
            .map_err(|error| malformed(&format!("is not a keyring of this version: {error}")))?;
        let read = |entry: Entry| {
            let key = array_from_base64url(&entry.key);
            key.map(|key| Version::new(entry.id, entry.seals_from, key))
        };
        let versions: Option<Vec<_>> = file.versions.into_iter().map(read).collect();
        Self::in_order(versions.ok_or_else(|| malformed("has a key that is not 32 bytes of base64url"))?)
    }

    pub(super) fn in_order(versions: Vec<Version>) -> Result<Self> {
        let rises = |pair: &[Version]| match pair {
            [a, b] => a.id < b.id && a.seals_from <= b.seals_from,
            _ => true,
        };
        if versions.is_empty() || !versions.windows(2).all(rises) {
            return Err(malformed("has no version, or versions out of order"));
        }
        Ok(Self(versions.into_iter().map(Arc::new).collect()))
    }

    /// The text of a keyring file.
    pub fn to_text(&self) -> Result<Zeroizing<String>> {
        let entry = |version: &Arc<Version>| {
            let secret = version.secret.as_ref();
            let secret = secret.ok_or_else(|| Error::internal("the root key stays with key management"))?;
            let key = Zeroizing::new(base64url(**secret));
            Ok(Entry { id: version.id, seals_from: version.seals_from, key })
        };
        let versions = self.0.iter().map(entry).collect::<Result<_>>()?;
        let file = File { about: ABOUT.to_owned(), versions };
        serde_json::to_string_pretty(&file).map(Zeroizing::new).or_internal()
    }

    /// What may be known of each version, oldest first.
    pub fn fingerprints(&self) -> Vec<Fingerprint> {
        self.0.iter().map(|version| version.fingerprint()).collect()
    }

    /// The versions and their fingerprints, oldest first, as a line of the log has them.
    pub fn shown(&self) -> String {
        let shown = self.fingerprints().into_iter().map(|print| format!("{} {}", print.id, print.digest));
        shown.collect::<Vec<_>>().join(", ")
    }

    /// The version that seals at `now`; a clock that lags behind finds the first.
    pub(super) fn sealing(&self, now: Timestamp) -> &Version {
        let started = self.0.iter().rev().find(|version| version.seals_from <= now);
        #[expect(
            clippy::indexing_slicing,
            reason = "INVARIANT: every constructor leaves at least one version"
        )]
        started.unwrap_or(&self.0[0])
    }

    pub(super) fn version(&self, id: u32) -> Option<&Version> {
        self.0.iter().find(|version| version.id == id).map(Arc::as_ref)
    }
}

impl Version {
    fn new(id: u32, seals_from: Timestamp, secret: [u8; 32]) -> Self {
        let root = SealingKey::from_bytes(secret);
        let keys = Purpose::ALL.iter().map(|&purpose| (purpose, root.derive(purpose.name()))).collect();
        let digest = hex(hmac_sha256(&secret, b"svc keyring fingerprint"));
        let digest = digest.get(..32).unwrap_or_default().to_owned();
        Self { id, seals_from, digest, secret: Some(Zeroizing::new(secret)), keys }
    }

    /// One whose root is elsewhere.
    pub fn without_root(of: Fingerprint, keys: Vec<(Purpose, SealingKey)>) -> Self {
        Self { id: of.id, seals_from: of.seals_from, digest: of.digest, secret: None, keys }
    }

    /// The key of a purpose, where it is in this process.
    pub fn key(&self, purpose: Purpose) -> Option<&SealingKey> {
        self.keys.iter().find(|(own, _)| *own == purpose).map(|(_, key)| key)
    }

    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint { id: self.id, digest: self.digest.clone(), seals_from: self.seals_from }
    }
}

fn random(entropy: &dyn Entropy) -> [u8; 32] {
    let mut bytes = [0; 32];
    entropy.fill(&mut bytes);
    bytes
}

#[track_caller]
fn malformed(what: &str) -> Error {
    Error::bad_request(format!("the file {what}"))
}

impl fmt::Debug for Versions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.fingerprints()).finish()
    }
}

#[cfg(test)]
mod tests {
    use svc_core::{Seconds, SeededEntropy};

    use super::super::tests::NOW;
    use super::*;

    fn first() -> Versions {
        Versions::first(&SeededEntropy::new(1), NOW)
    }

    fn rotated() -> Versions {
        first().rotated(&SeededEntropy::new(2), NOW, NOW + Seconds(60)).unwrap()
    }

    #[test]
    fn a_keyring_survives_its_file() {
        let read = Versions::from_text(&rotated().to_text().unwrap()).unwrap();
        assert_eq!(read.fingerprints(), rotated().fingerprints());
        assert_eq!(key(&read).open(b"", &sealed(&rotated())).unwrap(), b"x");
    }

    fn key(versions: &Versions) -> &SealingKey {
        versions.version(2).unwrap().key(Purpose::Forms).unwrap()
    }

    fn sealed(versions: &Versions) -> Vec<u8> {
        key(versions).seal(b"", b"x", &SeededEntropy::new(3)).unwrap()
    }

    #[test]
    fn fingerprints_tell_keys_apart_and_show_nothing_of_them() {
        let [one, two] = rotated().fingerprints().try_into().unwrap();
        assert!(one.digest != two.digest && one.digest.len() == 32);
        assert_eq!(rotated().shown(), format!("1 {}, 2 {}", one.digest, two.digest));
        let shown = format!("{:?} {:?}", rotated(), crate::Keyring::new(rotated()));
        let text = rotated().to_text().unwrap();
        let keys = text.split("\"key\": \"").skip(1).map(|rest| &rest[..43]);
        assert!(keys.clone().count() == 2 && keys.clone().all(|key| !shown.contains(key)), "{shown}");
    }

    #[test]
    fn a_version_is_added_only_when_the_last_one_seals() {
        let entropy = SeededEntropy::new(3);
        let error = rotated().rotated(&entropy, NOW + Seconds(59), NOW).unwrap_err();
        assert_eq!(
            error.detail(),
            "version 2 seals only from 2027-01-15T08:01:00Z on; wait until then before adding another"
        );
        let third = rotated().rotated(&entropy, NOW + Seconds(60), NOW + Seconds(60)).unwrap();
        assert_eq!(third.fingerprints().last().unwrap().id, 3);
    }

    #[test]
    fn the_version_that_seals_cannot_be_removed() {
        assert!(rotated().without(1, NOW).is_err() && rotated().without(3, NOW).is_err());
        assert_eq!(rotated().without(1, NOW + Seconds(60)).unwrap().fingerprints().len(), 1);
    }

    #[test]
    fn only_a_keyring_reads_as_one() {
        let text = rotated().to_text().unwrap();
        let bad = [
            String::new(),
            "{}".to_owned(),
            text.replace("\"id\": 2", "\"id\": 1"),
            text.replace("\"seals_from\"", "\"seals\""),
            text.replace("\"about\"", "\"more\": 1, \"about\""),
            text.replace("\"key\": \"", "\"key\": \"A"),
            r#"{"about":"","versions":[]}"#.to_owned(),
        ];
        for text in bad {
            assert!(Versions::from_text(&text).is_err(), "{text}");
        }
    }
}
