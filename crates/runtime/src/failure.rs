//! Why a command ended: text for the person at the terminal, causes included.

use std::error::Error as _;
use std::fmt;

use svc_config::Faults;
use svc_core::{Class, Error};

/// A command's failure as its user reads it.
#[derive(Debug)]
pub struct Failure {
    text: String,
    faults: Vec<String>,
    is_of_input: bool,
}

impl Failure {
    /// A failure in words.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { faults: vec![text.clone()], text, is_of_input: true }
    }

    /// The same failure, with what was being done before it.
    #[must_use]
    pub fn during(self, what: &str) -> Self {
        Self { text: format!("{what}: {}", self.text), ..self }
    }

    /// What is wrong, piece by piece, without what was being done.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// Whether what was given is at fault, and nothing was done about it: other faults can be looked for.
    pub fn is_of_input(&self) -> bool {
        self.is_of_input
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Failure {}

impl From<Error> for Failure {
    /// An operator may see the private causes that a client of the service must not.
    fn from(error: Error) -> Self {
        let mut text = if error.class().status() < 500 { error.detail().to_owned() } else { String::new() };
        let mut cause = error.source();
        while let Some(deeper) = cause {
            let words = deeper.to_string();
            if !text.ends_with(&words) {
                text = if text.is_empty() { words } else { format!("{text}: {words}") };
            }
            cause = deeper.source();
        }
        let text = if text.is_empty() { error.detail().to_owned() } else { text };
        // A conflict may have come from a statement, which ends the transaction that it was part of.
        let is_of_input = error.class().status() < 500 && error.class() != Class::Conflict;
        let faults = match error.flaws() {
            [] => vec![text.clone()],
            flaws => flaws.iter().map(|flaw| flaw.detail.clone()).collect(),
        };
        Self { text, faults, is_of_input }
    }
}

impl From<Faults> for Failure {
    fn from(faults: Faults) -> Self {
        Self::new(format!("the configuration is not usable\n{faults}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operator_sees_the_cause_of_an_internal_error() {
        let failure = Failure::from(Error::unavailable("connection refused")).during("database");
        assert_eq!(failure.to_string(), "database: connection refused");
    }

    #[test]
    fn a_refusal_keeps_its_own_words() {
        let failure = Failure::from(Error::bad_request("slug: too long").caused_by("70 bytes"));
        assert_eq!(failure.to_string(), "slug: too long: 70 bytes");
    }
}
