//! The claims of a provider about a person, and what of them the rest of a sign-in carries.

use serde::{Deserialize, Serialize};
use svc_core::{SsoConnectionId, Timestamp};
use svc_domain::federation::sso::Identity;

/// The word of a provider, as the rest of the sign-in carries it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vouched {
    /// The connection through which it came.
    pub connection: SsoConnectionId,
    /// The provider.
    pub issuer: String,
    /// Whom it means.
    pub subject: String,
    /// What the provider calls its own session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sid: Option<String>,
    /// Whether a second factor that the provider reports counts.
    #[serde(default)]
    pub is_strong: bool,
}

impl Vouched {
    /// What binds it to a person.
    pub fn identity(&self) -> Identity {
        Identity { connection: self.connection, issuer: self.issuer.clone(), subject: self.subject.clone() }
    }
}

/// The claims of a provider about a person.
#[derive(Clone, Debug)]
pub struct UserClaims {
    /// Who that is there.
    pub vouched: Vouched,
    /// When the person last proved who they are there, where the provider says so.
    pub seen_at: Option<Timestamp>,
    /// An address.
    pub email: Option<String>,
    /// The full name.
    pub name: Option<String>,
    /// The groups there; `None` where it says nothing of them.
    pub groups: Option<Vec<String>>,
    /// The domain of the person's organization there.
    pub domain: Option<String>,
}
