//! What one authorization allowed: kept with its code, and with the refresh family that comes of it.

use serde::{Deserialize, Serialize};
use svc_core::{Scope, SessionId, Timestamp};

/// How and when the person behind a session proved who they are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Authentication {
    /// The session; its text form is the `sid` claim.
    pub session: SessionId,
    /// When the person last signed in actively.
    pub auth_time: Timestamp,
    /// The methods used (RFC 8176).
    pub amr: Vec<String>,
    /// The strength reached.
    pub acr: String,
}

/// The terms that the person and the application agreed on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuthorizationGrant {
    /// Where the code was sent.
    pub redirect_uri: String,
    /// The PKCE challenge (S256), if the request carried one.
    pub code_challenge: Option<String>,
    /// Echoed in the ID token of the code exchange only.
    pub nonce: Option<String>,
    /// What was granted.
    pub scope: Scope,
    /// The one API that the tokens are for.
    pub audience: String,
    /// How the person signed in.
    pub authentication: Authentication,
}
