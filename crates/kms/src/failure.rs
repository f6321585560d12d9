//! Why a command ended, and what its user reads.

use std::fmt;
use std::io::Write as _;

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

/// Prints a result on standard output. A reader that has gone away is no fault of the command.
pub fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{}", text.trim_end()).and_then(|()| out.flush());
}

/// Prints a complaint on standard error.
pub fn complain(failure: &Failure) {
    let _ = writeln!(std::io::stderr().lock(), "svc-kms: {failure}");
}
