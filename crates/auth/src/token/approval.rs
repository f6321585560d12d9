//! What a grant may say: who gets what. It cannot sign, cannot see headers and cannot widen.

use svc_core::{Error, FamilyId, Scope};
use svc_domain::grant::Authentication;
use svc_domain::tenant_users::Person;

/// A grant's answer; `issue` alone turns it into tokens.
pub struct Approval {
    /// Whom the tokens are about.
    pub subject: Subject,
    /// What the source allowed; issuing narrows it further.
    pub scope: Scope,
    /// The API that the tokens are for.
    pub audience: String,
    /// The family that the tokens belong to, if they are revoked together.
    pub family: Option<FamilyId>,
    /// What becomes of the refresh token.
    pub refresh: Refresh,
    /// For the ID token of a code exchange.
    pub nonce: Option<String>,
}

/// Whom tokens are about.
pub enum Subject {
    /// A person, and how they signed in.
    Person(Box<Person>, Authentication),
    /// The application itself.
    App,
}

/// What becomes of the refresh token.
pub enum Refresh {
    /// None is issued.
    No,
    /// A family begins, if `offline_access` was granted and the application may refresh.
    Begin,
    /// The next token of the family.
    Next(String),
}

/// A refusal. Some refusals are themselves a change of state, and stay.
pub struct Denied {
    /// What the client is told.
    pub error: Error,
    /// Whether the transaction commits all the same.
    pub keep: bool,
}

impl Denied {
    /// A refusal that burns what was presented.
    pub fn burning(error: Error) -> Self {
        Self { error, keep: true }
    }
}

impl From<Error> for Denied {
    fn from(error: Error) -> Self {
        Self { error, keep: false }
    }
}
