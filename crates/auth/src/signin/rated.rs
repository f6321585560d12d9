//! How unusual a sign-in is, as it travels with what was proven.

use serde::{Deserialize, Serialize};
use svc_domain::people::risk::Rating;

/// The rating of a sign-in, made with its first proof, and what it still asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rated {
    /// The rating.
    pub rating: Rating,
    /// Whether the person proves a second factor if they have one, in whatever browser.
    pub asks: bool,
    /// Whether the person gets a mail about the sign-in.
    pub tells: bool,
}
