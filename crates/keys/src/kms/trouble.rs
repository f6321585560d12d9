//! Why `svc-kms` cannot be used: each cause has another remedy.

use std::fmt;
use std::path::PathBuf;

use svc_core::Error;

/// Why `svc-kms` cannot be used.
#[derive(Clone, Debug)]
pub enum Trouble {
    /// Nothing answers at the socket.
    Unreachable(PathBuf, String),
    /// A key file cannot be read.
    KeyFile(PathBuf, String),
    /// What answers has not the key that was expected.
    ServerKey(PathBuf),
    /// The process does not know the key that it was shown.
    ClientKey(PathBuf),
    /// It speaks, but does not do what it was asked.
    Refused(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(path, why) => {
                write!(f, "svc-kms is not reachable at {}: {why}", path.display())
            }
            Self::KeyFile(path, why) => write!(f, "{} cannot be used: {why}", path.display()),
            Self::ServerKey(path) => {
                write!(f, "what answers as svc-kms has another key than {}", path.display())
            }
            Self::ClientKey(path) => write!(f, "svc-kms does not know the key {}", path.display()),
            Self::Refused(why) => write!(f, "svc-kms refuses: {why}"),
        }
    }
}

impl std::error::Error for Trouble {}

impl From<Trouble> for Error {
    /// A request that needs a key which is out of reach can be repeated when it is back.
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Refused(_) => Self::internal(trouble),
            _ => Self::unavailable(trouble),
        }
    }
}
