//! The messages of the hosted pages, for the management API, which has them reworded: the plane of the pages knows them.

use svc_core::Result;
use svc_domain::tenancy::texts::Texts;

use crate::App;

/// What is asked of the catalogues; a process that serves the management API has it in `Parts::planes`.
pub struct Wording {
    /// Refuses texts for languages and messages that there are not, or that may not be reworded, and texts with other values than
    /// the message has.
    pub check: fn(&App, &Texts) -> Result<()>,
    /// Every message in a language, or in the deployment's own, by key; nothing where the language is not on offer.
    pub originals: fn(&App, Option<&str>) -> Result<Option<Originals>>,
}

/// The messages of a language.
pub struct Originals {
    /// The language.
    pub language: String,
    /// The messages.
    pub messages: Vec<Original>,
}

/// A message.
pub struct Original {
    /// Its key.
    pub key: String,
    /// Its text, with `{name}` for each value.
    pub text: String,
    /// The names of its values.
    pub values: Vec<String>,
    /// Whether it may be reworded.
    pub is_replaceable: bool,
}
