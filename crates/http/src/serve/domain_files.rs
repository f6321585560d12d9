//! Certificates of custom domains in files: for each a folder of its name, as ACME clients write them. They are read again when they
//! change.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use rustls::sign::CertifiedKey;
use svc_config::Config;
use svc_core::{Error, Result, Timestamp};
use svc_keys::certificate::Validity;

use super::identity::{Files, Written};

/// The certificates of `server.tls.domains_folder`.
#[derive(Debug)]
pub(super) struct DomainFiles {
    folder: PathBuf,
    shown: RwLock<HashMap<String, Shown>>,
    /// When the files of each name were written that were last read, well or in vain.
    read: Mutex<HashMap<String, Written>>,
}

#[derive(Debug)]
struct Shown {
    certificate: Arc<CertifiedKey>,
    /// When clients stop taking it.
    ends_at: Option<Timestamp>,
}

/// More names than one process should hold the keys of.
const MOST: usize = 10_000;

impl DomainFiles {
    /// Reads the folder, if the configuration has one. What is wrong with single certificates is logged.
    pub(super) fn from_config(config: &Config, now: Timestamp) -> Result<Option<Self>> {
        let Some(folder) = config.server.tls.domains_folder.clone() else { return Ok(None) };
        if !folder.is_dir() {
            return Err(Error::bad_request(format!(
                "server.tls.domains_folder: there is no folder {}",
                folder.display()
            )));
        }
        let files = Self { folder, shown: RwLock::default(), read: Mutex::default() };
        files.look_again(now);
        Ok(Some(files))
    }

    /// The certificate of a name in lower case.
    pub(super) fn find(&self, name: &str) -> Option<Arc<CertifiedKey>> {
        let shown = self.shown.read().unwrap_or_else(PoisonError::into_inner);
        shown.get(name).map(|shown| Arc::clone(&shown.certificate))
    }

    /// When the first of them ends.
    pub(super) fn first_end(&self) -> Option<Timestamp> {
        let shown = self.shown.read().unwrap_or_else(PoisonError::into_inner);
        shown.values().filter_map(|shown| shown.ends_at).min()
    }

    /// Reads what was written since, and forgets what is gone. What cannot be read leaves what was shown.
    pub(super) fn look_again(&self, now: Timestamp) {
        let names = self.names();
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if read.keys().any(|name| !names.contains(name)) {
            read.retain(|name, _| names.contains(name));
            self.shown.write().unwrap_or_else(PoisonError::into_inner).retain(|name, _| names.contains(name));
        }
        for name in names {
            let files = Files::of_folder(&self.folder.join(&name));
            let written = files.written();
            if read.get(&name) == Some(&written) {
                continue;
            }
            self.take(&name, &files, now);
            read.insert(name, written);
        }
    }

    /// Reads everything again, changed or not.
    pub(super) fn reload(&self, now: Timestamp) {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.look_again(now);
    }

    fn take(&self, name: &str, files: &Files, now: Timestamp) {
        match files.read(now) {
            Ok(certificate) => {
                let own = certificate.cert.first().and_then(|own| Validity::of(own).ok());
                let ends_at = own.map(|validity| validity.not_after);
                let mut shown = self.shown.write().unwrap_or_else(PoisonError::into_inner);
                shown.insert(name.to_owned(), Shown { certificate, ends_at });
                tracing::info!(domain = name, "the certificate of a custom domain was read");
            }
            Err(error) => {
                tracing::warn!(domain = name, error = error.detail(), "the certificate of a custom domain");
            }
        }
    }

    /// The names of the folders, in lower case as clients ask for them.
    fn names(&self) -> Vec<String> {
        let Ok(entries) = self.folder.read_dir() else { return Vec::new() };
        let names = entries.flatten().filter(|entry| entry.path().is_dir());
        let names = names.filter_map(|entry| entry.file_name().into_string().ok());
        names.filter(|name| !name.starts_with('.') && *name == name.to_ascii_lowercase()).take(MOST).collect()
    }
}
