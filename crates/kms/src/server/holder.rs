//! What the process holds in memory, and how it follows the file.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use rustls::ServerConfig;
use svc_keys::{Keyring, kms};
use zeroize::Zeroizing;

use crate::content::Content;
use crate::failure::Failure;
use crate::opening::Opener;
use crate::sealed_file::{SealedFile, Stamp};
use crate::server::signing_keys::SigningKeys;

/// The file, and what was last read of it.
pub struct Holder {
    file: SealedFile,
    opener: Opener,
    seen: Mutex<Option<Stamp>>,
    loaded: RwLock<Arc<Loaded>>,
}

/// The content of the file, ready for use.
pub struct Loaded {
    /// The root.
    pub keyring: Keyring,
    /// Whether signing keys stay here: what opens the root does not let it out.
    pub keeps_signing_keys: bool,
    /// Those that have signed.
    pub signing_keys: SigningKeys,
    /// Named secrets.
    pub secrets: BTreeMap<String, Zeroizing<String>>,
    /// Our key, and that of the client.
    pub tls: Arc<ServerConfig>,
}

impl Holder {
    /// Opens the file.
    pub fn open(file: SealedFile, opener: Opener) -> Result<Self, Failure> {
        let seen = Mutex::new(file.stamp());
        let loaded = RwLock::new(Arc::new(Loaded::of(file.open(&opener)?, &opener)?));
        Ok(Self { file, opener, seen, loaded })
    }

    /// What is in use.
    pub fn loaded(&self) -> Arc<Loaded> {
        Arc::clone(&self.loaded.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reads the file again if it has changed.
    pub fn look(&self) -> Result<(), Failure> {
        let stamp = self.file.stamp();
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if *seen == stamp {
            return Ok(());
        }
        // A file that cannot be used is complained of once.
        *seen = stamp;
        let loaded = Arc::new(Loaded::of(self.file.open(&self.opener)?, &self.opener)?);
        tracing::info!(keys = loaded.versions(), secrets = loaded.secrets.len(), "the file was read again");
        *self.loaded.write().unwrap_or_else(PoisonError::into_inner) = loaded;
        Ok(())
    }
}

impl Loaded {
    /// The versions of the root and their fingerprints, oldest first, as a line of the log has them.
    pub fn versions(&self) -> String {
        self.keyring.versions().shown()
    }

    fn of(content: Content, opener: &Opener) -> Result<Self, Failure> {
        let tls = kms::accepting(&content.server()?, vec![content.client()?.public().clone()])?;
        Ok(Self {
            keyring: Keyring::new(content.root()?),
            keeps_signing_keys: matches!(opener, Opener::Token(_)),
            signing_keys: SigningKeys::default(),
            secrets: content.secrets,
            tls: Arc::new(tls),
        })
    }
}
