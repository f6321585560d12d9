//! Passwords that are known from breaches are refused where a person or an administrator sets one (NIST SP 800-63B §3.1.1.2).
//!
//! They are looked up in a compact list on this machine, or at the range API of Have I Been Pwned, which learns five of the
//! forty characters of the password's SHA-1 digest.

pub mod list;
mod range;

use std::sync::Arc;

use svc_config::{Config, FailMode, Hibp};
use svc_core::{Error, OrInternal as _, Result, Secret};
use svc_keys::digest::sha1;

use self::list::List;
use self::range::Range;
use crate::outbound::Outbound;

/// Looks up new passwords, as `[hibp]` says.
pub struct Breached {
    source: Source,
    fail_mode: FailMode,
}

/// SHA-1 of a password, by which the lists know it.
pub type Sha1 = [u8; 20];

/// Where passwords are looked up.
enum Source {
    /// Nowhere.
    Off,
    /// In a file.
    List(Arc<List>),
    /// At the API.
    Range(Range),
}

impl Breached {
    /// Opens the list, where one is named; a file that is no list is refused. `outbound` reaches the API.
    pub fn from_config(config: &Config, outbound: &Outbound) -> Result<Self> {
        let Hibp { enabled, list_path, fail_mode, .. } = &config.hibp;
        let source = match list_path {
            _ if !enabled => Source::Off,
            Some(path) => Source::List(Arc::new(List::open(path)?)),
            None => Source::Range(Range::new(config, outbound.clone())),
        };
        Ok(Self { source, fail_mode: *fail_mode })
    }

    /// Whether `password` is known. Where that cannot be found out, it counts as unknown with "fail-open", and is
    /// `temporarily_unavailable` with "fail-closed".
    pub async fn has(&self, password: &Secret) -> Result<bool> {
        let wanted = sha1(password.expose().as_bytes());
        let found = match &self.source {
            Source::Off => return Ok(false),
            Source::List(list) => in_file(Arc::clone(list), wanted).await,
            Source::Range(range) => range.has(&wanted).await,
        };
        found.or_else(|error| {
            tracing::warn!(error = ?error, "breached passwords cannot be looked up");
            match self.fail_mode {
                FailMode::FailOpen => Ok(false),
                FailMode::FailClosed => Err(uncheckable(error)),
            }
        })
    }

    /// Refuses a password that is known.
    pub async fn refuse(&self, password: &Secret) -> Result<()> {
        if self.has(password).await? {
            return Err(Error::bad_request(
                "password: this one is known from a breach of another site; choose another",
            ));
        }
        Ok(())
    }
}

/// Reads on a thread that may wait for the disk.
async fn in_file(list: Arc<List>, wanted: Sha1) -> Result<bool> {
    tokio::task::spawn_blocking(move || list.has(&wanted)).await.or_internal()?
}

fn uncheckable(cause: Error) -> Error {
    let detail = "password: it cannot be checked against known breaches now; try again in a moment";
    Error::temporarily_unavailable(detail).retry_after(5).caused_by(cause)
}
