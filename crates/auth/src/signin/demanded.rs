//! The sign-in that a request demands which waits for a person who has signed in otherwise.

use serde::{Deserialize, Serialize};
use svc_core::OrganizationId;

/// What is accepted on the way back to a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Demanded {
    /// The organization whose provider alone leads in.
    pub through: Option<OrganizationId>,
    /// The methods that it may begin with.
    pub(super) methods: Vec<String>,
    /// How many seconds ago it may have been at a provider.
    pub max_age: Option<i64>,
}

impl Demanded {
    /// Whether it may begin with the method of this id.
    pub fn takes(&self, method: &str) -> bool {
        self.methods.iter().any(|id| id == method)
    }
}
