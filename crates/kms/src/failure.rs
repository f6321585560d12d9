//! Why a command ended, and what its user reads.

use std::fmt;
use std::io::{ErrorKind, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

use svc_core::Error;

/// A command's failure in words, its cause included.
#[derive(Debug)]
pub struct Failure(String);

impl Failure {
    /// A failure in words.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        let is_public = error.class().status() < 500;
        Self(match cause {
            Some(cause) if is_public => format!("{}: {cause}", error.detail()),
            Some(cause) => cause,
            None => error.detail().to_owned(),
        })
    }
}

/// Whether a result could not be written, as where the disk of its file is full.
static IS_CUT_SHORT: AtomicBool = AtomicBool::new(false);

/// Prints a result on standard output. A reader that has gone away is no fault of the command.
pub fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let written = writeln!(out, "{}", text.trim_end()).and_then(|()| out.flush());
    if let Some(error) = written.err().filter(|error| error.kind() != ErrorKind::BrokenPipe) {
        complain(&Failure::new(format!("standard output: the result could not be written: {error}")));
        IS_CUT_SHORT.store(true, Ordering::Relaxed);
    }
}

/// Whether all that was said is where it was to go.
pub fn is_all_said() -> bool {
    !IS_CUT_SHORT.load(Ordering::Relaxed)
}

/// Prints a complaint on standard error.
pub fn complain(failure: &Failure) {
    let _ = writeln!(std::io::stderr().lock(), "svc-kms: {failure}");
}
