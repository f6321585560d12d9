//! What is wrong with a configuration: every fault, each with its key, its source and the way out.

use std::fmt;

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Built in.
    Default,
    /// The configuration file, with the line when it is known.
    File(String, Option<usize>),
    /// Key management, under the key's own name.
    Provisioned,
    /// The environment variable of this name.
    Env(String),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path, None) => f.write_str(path),
            Self::File(path, Some(line)) => write!(f, "{path}:{line}"),
            Self::Provisioned => f.write_str("svc-kms"),
            Self::Env(name) => f.write_str(name),
        }
    }
}

/// One thing to mend before the service starts. Never holds the text of a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The key as written in TOML, `SVC_RUNTIME_PLANE`, or the file's name when it cannot be parsed.
    pub key: String,
    /// Where the refused value came from; `Default` when the fault is an absence.
    pub source: Source,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub fix: String,
}

impl Fault {
    /// A fault of a value that was not given, or of several values together.
    pub fn new(key: impl Into<String>, what: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { key: key.into(), source: Source::Default, what: what.into(), fix: fix.into() }
    }

    /// Says that key management, which may hold the value that is missing, was not asked.
    #[must_use]
    pub(crate) fn perhaps_held(mut self) -> Self {
        self.fix.push_str(", unless svc-kms holds it, which could not be asked");
        self
    }

    /// Names where the value came from.
    #[must_use]
    pub(crate) fn from(mut self, source: Source) -> Self {
        self.source = source;
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, source, what, fix } = self;
        match source {
            Source::Default => write!(f, "{key}: {what}; {fix}"),
            source => write!(f, "{key}: {what} (from {source}); {fix}"),
        }
    }
}

/// Every fault of a configuration, one line each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults(pub Vec<Fault>);

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().enumerate().try_for_each(|(nth, fault)| {
            f.write_str(if nth == 0 { "" } else { "\n" })?;
            fault.fmt(f)
        })
    }
}

impl std::error::Error for Faults {}
