//! What a person has not accepted or answered yet, as the page asks for it.

use svc_domain::people::intake::{Open, Owed};

use super::intake::{Typed, part};
use crate::pages::Intake;

/// What a person has not accepted or answered yet.
pub struct Missing {
    /// What the page asks for.
    pub part: Intake,
    /// Whether the person may go on without.
    pub is_optional: bool,
}

impl Missing {
    /// What is open, for a person who reads this language.
    pub fn of(open: &Open<'_>, language: &str) -> Self {
        Self { part: part(open, language, Typed::Nothing), is_optional: open.owed != Owed::Required }
    }
}
