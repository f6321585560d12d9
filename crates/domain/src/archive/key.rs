//! What a passphrase gives to an archive: a key that seals the secrets in it, and another that proves the whole.

use svc_core::{Entropy, Error, Result};
use svc_keys::SealingKey;
use svc_keys::passphrase::Stretching;
use zeroize::Zeroizing;

/// The keys of one archive.
pub struct ArchiveKey {
    sealing: SealingKey,
    proving: SealingKey,
    archive: String,
}

impl ArchiveKey {
    /// From the passphrase, for the archive of this id.
    pub fn new(stretching: &Stretching, passphrase: &str, archive: &str) -> Result<Self> {
        let root = stretching.key(passphrase)?;
        let (sealing, proving) =
            (root.derive("tenant archive secrets"), root.derive("tenant archive manifest"));
        Ok(Self { sealing, proving, archive: archive.to_owned() })
    }

    /// Seals a value for its column and record.
    pub(super) fn seal(&self, place: [&str; 3], plain: &[u8], entropy: &dyn Entropy) -> Result<Vec<u8>> {
        self.sealing.seal(&self.context(place), plain, entropy)
    }

    /// Opens it there, and nowhere else.
    pub(super) fn open(&self, place: [&str; 3], sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
        let plain = self.sealing.open(&self.context(place), sealed).map(Zeroizing::new);
        let [table, column, record] = place;
        plain.ok_or_else(|| {
            Error::bad_request(format!(
                "{table}: {column} of {record} does not open: the archive was changed"
            ))
        })
    }

    /// What proves that the archive is as it was written, by someone who has the passphrase.
    pub(super) fn proof(&self, message: &[u8]) -> [u8; 32] {
        self.proving.authenticate(self.archive.as_bytes(), message)
    }

    /// Each part with its length in front, so that no two places read the same.
    fn context(&self, [table, column, record]: [&str; 3]) -> Vec<u8> {
        let parts = [self.archive.as_str(), table, column, record];
        let lengthy = parts.map(|part| format!("{}:{part}", part.len()));
        lengthy.concat().into_bytes()
    }
}
