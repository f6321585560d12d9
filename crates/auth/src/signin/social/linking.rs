//! An identity on its way to an account.

use serde::{Deserialize, Serialize};
use svc_domain::people::credentials::identities::Identity;

/// An identity that is bound to the account which the person proves to be theirs in the same flow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Linking {
    /// The identity.
    pub identity: Identity,
    /// The address that the account has to have; none where the provider has proven none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
}
