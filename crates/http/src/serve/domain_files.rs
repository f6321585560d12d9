//! Certificates of custom domains in files: for each a folder of its name, as ACME clients write them. They are read again when they
//! change.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
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
    /// What was last read of each name, well or in vain.
    read: Mutex<HashMap<String, Read>>,
    /// Whether the folder could not be read at the last look.
    is_closed: AtomicBool,
}

#[derive(Debug)]
struct Shown {
    certificate: Arc<CertifiedKey>,
    /// When clients stop taking it.
    ends_at: Option<Timestamp>,
}

/// A look into the files of a name.
#[derive(Debug)]
struct Read {
    /// When they were written.
    written: Written,
    /// When their certificate begins, where clients would not take it yet.
    begins_at: Option<Timestamp>,
}

impl Read {
    /// Whether another look would find the same.
    fn holds(&self, written: &Written, now: Timestamp) -> bool {
        self.written == *written && self.begins_at.is_none_or(|begin| now < begin)
    }
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
        if let Err(error) = folder.read_dir() {
            let what = format!("server.tls.domains_folder: {} cannot be read: {error}", folder.display());
            return Err(Error::bad_request(what));
        }
        let (shown, read) = (RwLock::default(), Mutex::default());
        let files = Self { folder, shown, read, is_closed: AtomicBool::new(false) };
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

    /// Reads what was written since, and what begins now, and forgets what is gone. What cannot be read leaves what was shown.
    pub(super) fn look_again(&self, now: Timestamp) {
        let Some(names) = self.listed() else { return };
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if read.keys().any(|name| !names.contains(name)) {
            read.retain(|name, _| names.contains(name));
            self.shown.write().unwrap_or_else(PoisonError::into_inner).retain(|name, _| names.contains(name));
        }
        for name in names {
            let files = Files::of_folder(&self.folder.join(&name));
            let written = files.written();
            if read.get(&name).is_some_and(|read| read.holds(&written, now)) {
                continue;
            }
            self.take(&name, &files, now);
            read.insert(name, Read { written, begins_at: files.begins_at(now) });
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

    /// The names, unless the folder cannot be read, which is logged once.
    fn listed(&self) -> Option<Vec<String>> {
        let names = self.names();
        let was_closed = self.is_closed.swap(names.is_err(), Ordering::Relaxed);
        match names {
            Ok(names) => Some(names),
            Err(error) => {
                if !was_closed {
                    tracing::warn!(error = %error, "server.tls.domains_folder cannot be read");
                }
                None
            }
        }
    }

    /// The names of the folders, in lower case as clients ask for them.
    fn names(&self) -> std::io::Result<Vec<String>> {
        let names = self.folder.read_dir()?.flatten().filter(|entry| entry.path().is_dir());
        let names = names.filter_map(|entry| entry.file_name().into_string().ok());
        let names = names.filter(|name| !name.starts_with('.') && *name == name.to_ascii_lowercase());
        Ok(names.take(MOST).collect())
    }
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, KeyPair, date_time_ymd, generate_simple_self_signed};
    use svc_core::{Clock as _, Seconds, SystemClock};

    use super::*;

    const NAME: &str = "login.acme.example";

    #[test]
    fn a_folder_that_cannot_be_read_for_a_time_takes_no_certificate_away() {
        let place = tempfile::tempdir().unwrap();
        let (folder, moved) = (place.path().join("live"), place.path().join("moved"));
        let made = generate_simple_self_signed([NAME.to_owned()]).unwrap();
        std::fs::create_dir_all(folder.join(NAME)).unwrap();
        std::fs::write(folder.join(NAME).join("fullchain.pem"), made.cert.pem()).unwrap();
        std::fs::write(folder.join(NAME).join("privkey.pem"), made.signing_key.serialize_pem()).unwrap();
        let mut config = Config::default();
        config.server.tls.domains_folder = Some(folder.clone());
        let now = SystemClock.now();
        let files = DomainFiles::from_config(&config, now).unwrap().unwrap();
        assert!(files.find(NAME).is_some());
        std::fs::rename(&folder, &moved).unwrap();
        files.look_again(now);
        assert!(files.find(NAME).is_some());
        std::fs::rename(&moved, &folder).unwrap();
        std::fs::remove_dir_all(folder.join(NAME)).unwrap();
        files.look_again(now);
        assert!(files.find(NAME).is_none());
    }

    #[test]
    fn a_certificate_that_begins_later_is_shown_from_then_on() {
        let folder = tempfile::tempdir().unwrap();
        let (of_domain, key) = (folder.path().join(NAME), KeyPair::generate().unwrap());
        let mut params = CertificateParams::new([NAME.to_owned()]).unwrap();
        (params.not_before, params.not_after) = (date_time_ymd(2040, 1, 1), date_time_ymd(2041, 1, 1));
        std::fs::create_dir(&of_domain).unwrap();
        std::fs::write(of_domain.join("fullchain.pem"), params.self_signed(&key).unwrap().pem()).unwrap();
        std::fs::write(of_domain.join("privkey.pem"), key.serialize_pem()).unwrap();
        let mut config = Config::default();
        config.server.tls.domains_folder = Some(folder.path().to_owned());
        // The beginning of 2040.
        let begin = Timestamp::from_secs(2_208_988_800);
        let files = DomainFiles::from_config(&config, begin - Seconds(60)).unwrap().unwrap();
        files.look_again(begin - Seconds(1));
        assert!(files.find(NAME).is_none());
        files.look_again(begin);
        assert!(files.find(NAME).is_some());
    }

    #[test]
    fn a_certificate_that_was_mended_is_read_whatever_it_says_of_the_time_of_its_writing() {
        let folder = tempfile::tempdir().unwrap();
        let made = generate_simple_self_signed([NAME.to_owned()]).unwrap();
        std::fs::create_dir(folder.path().join(NAME)).unwrap();
        // As a copy does that keeps times.
        let put = |file: &str, text: &str| {
            let path = folder.path().join(NAME).join(file);
            std::fs::write(&path, text).unwrap();
            let written = std::fs::File::options().write(true).open(&path).unwrap();
            written.set_modified(std::time::UNIX_EPOCH).unwrap();
        };
        put("fullchain.pem", "cut off");
        put("privkey.pem", &made.signing_key.serialize_pem());
        let mut config = Config::default();
        config.server.tls.domains_folder = Some(folder.path().to_owned());
        let now = SystemClock.now();
        let files = DomainFiles::from_config(&config, now).unwrap().unwrap();
        assert!(files.find(NAME).is_none());
        // The clock of a file system has coarse steps.
        let is_read = (0..100_000).any(|_| {
            put("fullchain.pem", &made.cert.pem());
            files.look_again(now);
            files.find(NAME).is_some()
        });
        assert!(is_read);
    }
}
