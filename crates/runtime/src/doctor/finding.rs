//! What a check has found, and what to do about it.

use std::fmt;

use serde::Serialize;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// As it must be.
    Ok,
    /// It works, and may be wrong.
    Warning,
    /// It does not work, or is not safe.
    Fault,
}

/// One line of the report.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// What was looked at.
    pub check: &'static str,
    /// How bad it is.
    pub state: State,
    /// What was found.
    pub message: String,
    /// How to mend it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

impl Finding {
    /// Nothing is wrong.
    pub fn ok(check: &'static str, message: impl Into<String>) -> Self {
        Self { check, state: State::Ok, message: message.into(), fix: None }
    }

    /// Something may be wrong.
    pub fn warning(check: &'static str, message: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { check, state: State::Warning, message: message.into(), fix: Some(fix.into()) }
    }

    /// Something is wrong.
    pub fn fault(check: &'static str, message: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { check, state: State::Fault, message: message.into(), fix: Some(fix.into()) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.state {
            State::Ok => "ok",
            State::Warning => "warning",
            State::Fault => "FAULT",
        };
        writeln!(f, "{state:<8} {:<13} {}", self.check, self.message)?;
        match &self.fix {
            Some(fix) => writeln!(f, "{:<8} {:<13} → {fix}", "", ""),
            None => Ok(()),
        }
    }
}
