//! What a grant may say: who gets what. It cannot sign, cannot see headers and cannot widen.

use serde_json::Value;
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
    /// The thumbprint of the key that the tokens are bound to, if they are.
    pub bound_to: Option<String>,
    /// What was granted in detail.
    pub authorization_details: Vec<Value>,
    /// The claims that were asked for by name.
    pub claims: Option<Value>,
    /// Who acts for the subject.
    pub actor: Option<Value>,
    /// The type of the issued token, where the grant's response names it (RFC 8693 §2.2.1).
    pub issued_token_type: Option<&'static str>,
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
